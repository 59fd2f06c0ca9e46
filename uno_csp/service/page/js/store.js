// What the browser keeps for these pages: across visits, or as long as the tab is open. A browser
// that refuses to keep anything keeps it until the page is left.

const memory = new Map();
const kindOf = (value) => (value === null ? "null" : Array.isArray(value) ? "list" : typeof value);

// A value of the form of an example: what is missing in it, or of another kind, is as in the
// example. The only element of a list is an example of its elements, and those of another kind go;
// null stands for anything.
export function formed(example, value) {
  const kind = kindOf(example);
  if (kind === "null") return value ?? null;
  const same = kindOf(value) === kind;
  if (kind === "list") {
    const fits = (each) => example[0] === null || kindOf(each) === kindOf(example[0]);
    return same ? value.filter(fits).map((each) => formed(example[0], each)) : [];
  }
  if (kind !== "object") return same ? value : example;
  const given = same ? value : {};
  const keys = Object.entries(example).map(([key, each]) => [key, formed(each, given[key])]);
  return { ...given, ...Object.fromEntries(keys) };
}

// What is kept by a name, in the form of an example.
/** @param {"localStorage" | "sessionStorage"} area */
export function kept(name, example, area = "localStorage") {
  let found = memory.get(name);
  try {
    found = JSON.parse(window[area].getItem(`uno-csp-${name}`)) ?? found;
  } catch {
    // Refused, or not ours.
  }
  return formed(example, found);
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
