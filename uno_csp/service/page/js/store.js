// What the browser keeps for these pages: across visits, or as long as the tab is open. A browser
// that refuses to keep anything keeps it until the page is left.

const memory = new Map();

/** @param {"localStorage" | "sessionStorage"} area */
export function kept(name, otherwise = null, area = "localStorage") {
  try {
    return JSON.parse(window[area].getItem(`uno-csp-${name}`)) ?? otherwise;
  } catch {
    return memory.get(name) ?? otherwise;
  }
}

/** @param {"localStorage" | "sessionStorage"} area */
export function keep(name, value, area = "localStorage") {
  memory.set(name, value);
  try {
    window[area].setItem(`uno-csp-${name}`, JSON.stringify(value));
  } catch {
    // Refused, or full: the memory has it.
  }
}
