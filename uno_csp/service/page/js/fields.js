// Numbers that people type into fields.

import { Problem } from "./failing.js";

// The number in a field; a problem that says what is allowed if it has none of its range.
export function numberIn(box) {
  if (box.value !== "" && box.checkValidity()) return Number(box.value);
  const name = box.labels[0].firstChild.textContent.trim();
  throw new Problem(`${name}: a whole number from ${box.min} to ${box.max} is needed.`);
}
