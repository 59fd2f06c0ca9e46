// The codes of the real game's cards, and how they and the colours are shown.

import { element, faceElement, faceOf, nameOf } from "./cards.js";

const LETTERS = { R: "red", Y: "yellow", G: "green", B: "blue" };
const SYMBOLS = { S: "skip", R: "reverse" };
const MARKS = { red: "◆", yellow: "▲", green: "■", blue: "●" };

// The card of a code of the official deck.
export function cardOf(code) {
  if (code === "W") return ["*", "wild"];
  if (code === "+4") return ["*", "+4"];
  const rest = code.slice(1);
  return [LETTERS[code[0]], SYMBOLS[rest] ?? (rest === "+2" ? rest : Number(rest))];
}

// The face of a card; unlike on the main page, wild and wild +4 are distinct.
export function faceOfCode(code) {
  const card = cardOf(code);
  return card[0] === "*"
    ? { text: code, style: "wild", name: code === "W" ? "wild" : "wild +4" }
    : { ...faceOf(card), name: nameOf(card) };
}

export function cardSpan(code) {
  const face = faceOfCode(code);
  return faceElement(face, "span", { title: face.name });
}

// A colour by its hue, its mark and its word.
export const colourSpan = (colour, before = "") =>
  element(
    "span",
    { class: `colour face-${colour}` },
    element("span", { class: "swatch", "aria-hidden": true }, MARKS[colour] ?? ""),
    before + colour,
  );

// A move in words, for buttons and screen readers.
export function moveWords({ draws, lays, names }) {
  const laid = lays ? faceOfCode(lays).name + (names ? `, naming ${names}` : "") : "";
  if (draws) return `draw ${draws}${laid ? ` and play ${laid}` : ""}`;
  return laid || "miss the turn";
}

export function moveSpans({ draws, lays, names }) {
  const parts = draws ? [`draw ${draws}`] : [];
  if (lays) parts.push(cardSpan(lays));
  if (names) parts.push(colourSpan(names));
  if (!draws && !lays) parts.push("miss the turn");
  return parts;
}
