// The question being built on the page, and its conversion to and from the JSON of question files.

import { countsOf, DECK_COLOURS, DECK_FACES, isOfficial, keyOf, WILD, without } from "./cards.js";
import { asWild, cardsBeyondDeck, held, restOfDeck, written } from "./fours.js";

export const MOST_PLAYERS = 10;
export const MOST_LINES = 40; // maximum rows or columns of the board
const MOST_WILD = 4; // of each kind

// The kinds of questions by name, each with its title, sense and keys, as listed by the server.
export const KINDS = {};
// Kinds with a draw pile cannot be built on the board.
export const learn = (rows) =>
  rows.filter((row) => !row.keys.includes("draw")).forEach((row) => (KINDS[row.name] = row));
export const has = (kind, key) => KINDS[kind]?.keys.includes(key) ?? false;

export const freshState = () => ({
  kind: "uno-1",
  axes: "deck",
  colours: 4,
  numbers: 9,
  copies: 2,
  hands: [[], []],
  after: null,
  // Cards that may be added: "any", the "rest" of the deck, or "these" (the supply).
  supplyFrom: "any",
  supply: [],
  target: "hand 0",
  rest: {}, // all other keys of the question file: at_least, costs, expected ...
});

export const copyOf = (state) => ({
  ...state,
  hands: state.hands.map((hand) => [...hand]),
  supply: [...state.supply],
  rest: { ...state.rest },
});

// Numbers in a text such as "3, 1 4"; null if there are none.
export function numbersOf(text) {
  const found = text.split(/[\s,;]+/).filter(Boolean);
  return found.length ? found.map((each) => (/^-?\d+$/.test(each) ? Number(each) : each)) : null;
}

const range = (count) => Array.from({ length: count }, (_, i) => i + 1);

// The rows and columns of the board: the standard values, and further values of the cards.
export function axesOf(state) {
  const deck = state.axes === "deck";
  const bases = deck ? [DECK_COLOURS, DECK_FACES] : [range(state.colours), range(state.numbers)];
  const cards = cardsOf(state).filter((card) => card.length === 2 && !card.includes(WILD));
  return bases.map((base, place) => {
    const known = new Map(base.map((value) => [keyOf([value]), value]));
    for (const card of cards) {
      if (known.size === MOST_LINES) break;
      known.set(keyOf([card[place]]), card[place]);
    }
    const values = [...known.values()];
    const numeric = !deck && values.every((value) => typeof value === "number");
    return numeric ? values.sort((a, b) => a - b) : values;
  });
}

// All cards of hands, pile and supply; not those that are only the rest of the deck.
export const cardsOf = (state) => [
  ...handsOf(state).flat(),
  ...listOf(state, "after"),
  ...listOf(state, "supply"),
];
export const handsOf = (state) =>
  has(state.kind, "hands") ? state.hands : state.hands.slice(0, 1);

// The targets to which cards can be added: the name of each, and its label.
export function targetsOf(state) {
  const hands = has(state.kind, "hands")
    ? state.hands.map((_, index) => [`hand ${index}`, `Player ${index + 1}`])
    : [["hand 0", "Hand"]];
  if (has(state.kind, "after")) hands.push(["after", "Pile"]);
  if (has(state.kind, "supply") && state.supplyFrom === "these") hands.push(["supply", "Supply"]);
  return hands;
}

export function listOf(state, target) {
  if (target === "supply")
    return has(state.kind, "supply") && state.supplyFrom === "these" ? state.supply : [];
  if (target === "after") return state.after && has(state.kind, "after") ? [state.after] : [];
  return state.hands[Number(target.split(" ")[1])];
}

export const countOf = (state, target, card) =>
  countsOf(listOf(state, target)).get(keyOf(card)) ?? 0;

// Replace the cards of a target.
export function putAll(state, target, cards) {
  delete state.rest.expected; // it belonged to another hand
  if (target === "after") state.after = cards.at(-1) ?? null;
  else if (target === "supply") {
    delete state.rest.costs; // they belong to the old cards, by position
    state.supply = cards;
  } else state.hands[Number(target.split(" ")[1])] = cards;
}

// Put a typed hand; one that keeps no card of the hand before begins a question of its own.
export function putTyped(state, target, cards) {
  const before = listOf(state, target).map(keyOf);
  const keys = new Set(cards.map(keyOf));
  const anew = target.startsWith("hand") && before.length && !before.some((key) => keys.has(key));
  if (anew) startAnew(state);
  putAll(state, target, cards);
}

// Drop what came with another question: its name, its costs, how many values must agree.
export function startAnew(state) {
  const { convention } = state.rest;
  state.rest = convention ? { convention } : {};
}

// Set a key that the fields do not hold otherwise, or remove it.
export function setKey(state, key, value) {
  delete state.rest.expected;
  if (value === null) delete state.rest[key];
  else state.rest[key] = value;
}

// Handle a click: add a copy, or remove all copies once the maximum is reached.
export function toggle(state, card) {
  const { target } = state;
  if (target === "after") return putAll(state, target, countOf(state, target, card) ? [] : [card]);
  const list = listOf(state, target);
  const most =
    card[0] === WILD ? MOST_WILD : state.axes === "deck" && card[1] === 0 ? 1 : state.copies;
  const key = keyOf(card);
  const full = countOf(state, target, card) >= most;
  putAll(state, target, full ? list.filter((each) => keyOf(each) !== key) : [...list, card]);
}

export const takeAway = (state, target, index) =>
  putAll(
    state,
    target,
    listOf(state, target).filter((_, place) => place !== index),
  );

export function takeOne(state, card) {
  const keys = listOf(state, state.target).map(keyOf);
  const index = keys.lastIndexOf(keyOf(card));
  if (index >= 0) takeAway(state, state.target, index);
}

export function setPlayers(state, count) {
  delete state.rest.expected;
  const players = Math.min(MOST_PLAYERS, Math.max(2, count || 2));
  state.hands = Array.from({ length: players }, (_, index) => state.hands[index] ?? []);
}

export function setSupply(state, from) {
  if (from === state.supplyFrom) return;
  if (from === "these" && !state.supply.length && state.supplyFrom === "rest")
    state.supply = restFor(state);
  delete state.rest.costs;
  delete state.rest.expected;
  state.supplyFrom = from;
}

const elsewhere = (state) => [...state.hands[0], ...listOf(state, "after")];
const restFor = (state) => restOfDeck(elsewhere(state));

// Cards of hand and pile in excess of the deck; if there are any, the deck has no rest.
export const beyondDeck = (state) => cardsBeyondDeck(elsewhere(state));

// Switch to another kind of question about the same cards; keys of the old kind are dropped.
export function askAs(state, kind) {
  state.kind = kind;
  const { name, comment, at_least: rule } = state.rest;
  state.rest = Object.fromEntries(
    Object.entries({ name, comment, at_least: rule }).filter(([, value]) => value !== undefined),
  );
  while (has(kind, "hands") && state.hands.length < 2) state.hands.push([]);
  if (has(kind, "convention") && handsOf(state).flat().every(isOfficial))
    state.rest.convention = "empty-hand-wins";
}

export function toJson(state) {
  const asked = { question: state.kind };
  if (has(state.kind, "hands")) asked.hands = state.hands;
  else asked.cards = state.hands[0];
  if (state.after && has(state.kind, "after")) asked.after = state.after;
  if (has(state.kind, "supply") && state.supplyFrom !== "any") {
    asked.supply = state.supplyFrom === "rest" ? restFor(state) : state.supply;
  }
  return written({ ...asked, ...state.rest });
}

// The state for a question in the server's form, where every card is a list of values.
export function fromJson(asked) {
  const state = freshState();
  const { question, cards, hands, after, supply, ...rest } = held(asked);
  if (!(question in KINDS)) throw new Error(`no such question: ${question}`);
  state.kind = question;
  state.hands = hands ? hands.map((hand) => [...hand]) : [[...cards]];
  state.after = after ?? null;
  state.supply = supply ?? [];
  state.supplyFrom = supply ? "these" : "any";
  state.rest = rest;
  if (supply?.length && !rest.costs && isRest(state))
    Object.assign(state, { supply: [], supplyFrom: "rest" });
  const all = cardsOf(state);
  if (all.length && !all.some((card) => card[0] === WILD || DECK_COLOURS.includes(card[0]))) {
    state.axes = "plain";
    const largest = (place) =>
      all.reduce((most, card) => Math.max(most, Number(card[place]) || 1), 1);
    state.colours = Math.min(MOST_LINES, largest(0));
    state.numbers = Math.min(MOST_LINES, largest(1));
  }
  return state;
}

function isRest(state) {
  const rest = restFor(state);
  return (
    !beyondDeck(state).length &&
    rest.length === state.supply.length &&
    !without(rest, state.supply.map(asWild)).length
  );
}
