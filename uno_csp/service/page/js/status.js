// What the page of hands says about the question: beside the answer and, on a phone, in the bar.

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

export function say(words, problem = false) {
  at("status").textContent = words;
  at("status").classList.toggle("problem", problem);
  glance(words, problem ? "problem" : "");
}

// On a phone, where the answer is below the board, the bar of buttons shows the status.
export function glance(words, style) {
  at("glance").textContent = words;
  at("glance").className = style;
}

// Scroll to an element unless it is visible: on a phone the answer is below the board.
export function intoView(what) {
  const { top, bottom } = what.getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  what.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
}
