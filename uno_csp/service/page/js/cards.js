// Cards as they are shown and spoken of; a card is a list of values, "*" being wild.

import { stringifyExact } from "./exact.js";

export const WILD = "*";
export const DECK_COLOURS = ["red", "yellow", "green", "blue"];
export const DECK_FACES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "skip", "reverse", "+2"];

export const keyOf = (card) => stringifyExact(card);
export const isWild = (card) => card.every((value) => value === WILD);

export function nameOf(card) {
  return isWild(card) ? "wild" : card.join(" ");
}

// Values of the official deck look like cards, all others like plain tokens.
export function faceOf(card) {
  if (isWild(card)) return { text: "wild", style: "wild" };
  const known = card.length === 2 && DECK_COLOURS.includes(card[0]);
  return known
    ? { text: card[1] === "reverse" ? "rev" : String(card[1]), style: `face-${card[0]}` }
    : { text: card.join(" · "), style: "" };
}

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

export function cardElement(card, more = "") {
  const { text, style } = faceOf(card);
  return element("li", { class: `card ${style} ${more}`.trim(), title: nameOf(card) }, text);
}
