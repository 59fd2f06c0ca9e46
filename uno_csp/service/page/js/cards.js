// How cards are shown, named and typed; a card is a list of values, and "*" is wild.

import { stringifyExact } from "./exact.js";
import { named, printable } from "./names.js";

export const WILD = "*";
export const WILD_CARD = [WILD, WILD];
export const DRAW_FOUR = [WILD, "\ud800"]; // half a character, which is no value of any question
export const DECK_COLOURS = ["red", "yellow", "green", "blue"];
export const DECK_FACES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "skip", "reverse", "+2"];

// The 108 cards of the official deck.
export const DECK = DECK_COLOURS.flatMap((colour) =>
  DECK_FACES.flatMap((face) =>
    face === 0
      ? [[colour, face]]
      : [
          [colour, face],
          [colour, face],
        ],
  ),
).concat(Array.from({ length: 8 }, (_, place) => (place < 4 ? WILD_CARD : DRAW_FOUR)));

export const keyOf = (card) => stringifyExact(card);
export const isFour = (card) => card[1] === DRAW_FOUR[1];
export const isWild = (card) => card.every((value) => value === WILD) || isFour(card);
const OFFICIAL = new Set(DECK.map(keyOf));
export const isOfficial = (card) => OFFICIAL.has(keyOf(card));

export function nameOf(card) {
  if (isFour(card)) return "wild +4";
  return isWild(card) ? "wild" : card.map(named).join(" ");
}

// Number of copies of each card in a list, by its key.
export function countsOf(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(keyOf(card), (counts.get(keyOf(card)) ?? 0) + 1);
  return counts;
}

// The cards of one list without those of another (multiset difference).
export function without(cards, taken) {
  const counts = countsOf(taken);
  return cards.filter((card) => {
    const count = counts.get(keyOf(card)) ?? 0;
    counts.set(keyOf(card), count - 1);
    return count <= 0;
  });
}

const NOUNS = {
  __proto__: null,
  wild: ["a wild card", "wild cards"],
  "wild +4": ["a wild +4", "wild +4"],
};
const plural = (name, count) =>
  count > 1 ? `${count} ${NOUNS[name]?.[1] ?? name}` : (NOUNS[name]?.[0] ?? name);

// Cards in a sentence: "blue 7, green 1 and 2 wild cards".
export function listWords(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(nameOf(card), (counts.get(nameOf(card)) ?? 0) + 1);
  const words = [...counts].map(([name, count]) => plural(name, count));
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
}

// The code of an official card.
export function codeOf(card) {
  const [colour, symbol] = card;
  if (isFour(card)) return "+4";
  if (colour === WILD) return symbol === "+4" ? symbol : "W";
  const short = { skip: "S", reverse: "R" };
  return colour[0].toUpperCase() + (short[symbol] ?? symbol);
}

// Cards as they are typed: codes if all are official, or else values joined by commas.
export function typedOf(cards) {
  return cards.every(isOfficial)
    ? cards.map(codeOf).join(" ")
    : cards.map((card) => card.join(",")).join("; ");
}

const PLAIN_VALUE = /^(?:[a-z]{2,}|\*)$/;
const COLOUR = "(?:r|y|g|b|red|yellow|green|blue)";
const CODE_LIKE = new RegExp(
  `wild|draw|^rev$|^${COLOUR}(?:s|r|skip|rev|reverse)$|^(?:skip|rev|reverse)${COLOUR}$`,
  "i",
);

// True if the typed form of the cards is parsed as the same cards again.
export const canBeTyped = (cards) =>
  cards.every(
    (card) =>
      isOfficial(card) ||
      (card.length > 1 &&
        card.every((value) =>
          typeof value === "string" ? PLAIN_VALUE.test(value) && !CODE_LIKE.test(value) : true,
        )),
  );

export const SIGNS = { __proto__: null, skip: "⊘", reverse: "⇄" };

// Cards of the official deck's colours look like playing cards, all others like plain tokens.
export function faceOf(card) {
  if (isWild(card)) return { text: isFour(card) ? "+4" : "W", style: "wild" };
  const known = card.length === 2 && DECK_COLOURS.includes(card[0]);
  return known
    ? { text: SIGNS[card[1]] ?? printable(card[1]), style: `face-${card[0]}` }
    : { text: card.map(printable).join(" "), style: "token" };
}

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false && value != null)
      made.setAttribute(key, value === true && !key.startsWith("aria-") ? "" : value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

// The content of a button that shows cards: its words are its name, and `shown` is what is seen.
export const saying = (words, ...shown) => [
  element("span", { class: "unseen" }, words),
  element("span", { class: "shown", "aria-hidden": true }, ...shown),
];

// A card with this face; its corners repeat the symbol, for cards that overlap.
export const faceElement = ({ text, style }, name, { class: more = "", ...attributes }) =>
  element(
    name,
    { class: `card ${style} ${more}`.trim(), "data-symbol": text, ...attributes },
    text,
  );

export const cardElement = (card, more = "", name = "li", attributes = {}) =>
  faceElement(faceOf(card), name, { class: more, title: nameOf(card), ...attributes });
