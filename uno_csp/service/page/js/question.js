// What is being asked: the hands that are built, and the same as the JSON of a question file.

import { DECK_COLOURS, DECK_FACES, keyOf } from "./cards.js";
import { stringifyExact } from "./exact.js";

// The kinds of questions by name, each with its title, its sense and its keys: the server tells.
export const KINDS = {};
// One with a draw pile is no hand to be laid on the board.
export const learn = (rows) => rows.filter((row) => !row.keys.includes("draw")).forEach((row) => (KINDS[row.name] = row));
export const has = (kind, key) => KINDS[kind]?.keys.includes(key) ?? false;

export const freshState = () => ({
  kind: "uno-1",
  axes: "deck",
  colours: 4,
  numbers: 9,
  copies: 2,
  hands: [[], []],
  after: null,
  supply: null, // any card may be added; a list, even an empty one: only these
  target: "hand 0",
  rest: {}, // keys of a question file that the page does not show: at_least, costs, convention ...
});

export function rowsOf(state) {
  return state.axes === "deck" ? DECK_COLOURS : range(state.colours);
}

export function columnsOf(state) {
  return state.axes === "deck" ? DECK_FACES : range(state.numbers);
}

const range = (count) => Array.from({ length: count }, (_, i) => i + 1);

export function targetsOf(state) {
  const hands = has(state.kind, "hands")
    ? state.hands.map((_, index) => [`hand ${index}`, `to player ${index + 1}`])
    : [["hand 0", "into the hand"]];
  if (has(state.kind, "after")) hands.push(["after", "onto the pile"]);
  if (has(state.kind, "supply")) hands.push(["supply", "into the supply"]);
  return hands;
}

export function listOf(state, target) {
  if (target === "supply") return state.supply ?? [];
  if (target === "after") return state.after ? [state.after] : [];
  return state.hands[Number(target.split(" ")[1])];
}

export function countOf(state, target, card) {
  const key = keyOf(card);
  return listOf(state, target).filter((each) => keyOf(each) === key).length;
}

// One click more: another copy, or none once there are as many as there may be.
export function toggle(state, card) {
  const { target } = state;
  delete state.rest.expected; // it was proved of another hand
  if (target === "supply") state.supply ??= [];
  if (target === "after") {
    state.after = state.after && keyOf(state.after) === keyOf(card) ? null : card;
    return;
  }
  const list = listOf(state, target);
  const most = state.axes === "deck" && card[1] === 0 ? 1 : state.copies;
  if (countOf(state, target, card) < (card[0] === "*" ? 8 : most)) list.push(card);
  else remove(state, target, card, true);
}

export function remove(state, target, card, all = false) {
  delete state.rest.expected;
  if (target === "after") {
    state.after = null;
    return;
  }
  const key = keyOf(card);
  const list = listOf(state, target);
  for (let i = list.length - 1; i >= 0; i--) {
    if (keyOf(list[i]) === key) {
      list.splice(i, 1);
      if (!all) break;
    }
  }
  if (target === "supply" && !list.length) state.supply = null;
}

// Another kind of question about the same cards; what only the old kind has is left behind.
export function askAs(state, kind) {
  state.kind = kind;
  const { name, comment, at_least: rule } = state.rest;
  state.rest = Object.fromEntries(
    Object.entries({ name, comment, at_least: rule }).filter(([, value]) => value !== undefined),
  );
  while (has(kind, "hands") && state.hands.length < 2) state.hands.push([]);
}

export function toJson(state) {
  const asked = { question: state.kind };
  if (has(state.kind, "hands")) asked.hands = state.hands;
  else asked.cards = state.hands[0];
  if (state.after && has(state.kind, "after")) asked.after = state.after;
  if (state.supply && has(state.kind, "supply")) asked.supply = state.supply;
  return { ...asked, ...state.rest };
}

// The state for a question in the form the server gives it: every card a list of values.
export function fromJson(asked) {
  const state = freshState();
  const { question, cards, hands, after, supply, ...rest } = asked;
  if (!(question in KINDS)) throw new Error(`no such question: ${question}`);
  state.kind = question;
  state.hands = hands ? hands.map((hand) => [...hand]) : [[...cards]];
  state.after = after ?? null;
  state.supply = supply ? [...supply] : null;
  state.rest = rest;
  const all = [...state.hands.flat(), ...(supply ?? []), ...(after ? [after] : [])];
  const onDeck = (card) => card[0] === "*" || DECK_COLOURS.includes(card[0]);
  if (!all.every(onDeck)) {
    state.axes = "plain";
    const largest = (place) => all.reduce((most, card) => Math.max(most, Number(card[place]) || 1), 1);
    state.colours = Math.min(40, largest(0));
    state.numbers = Math.min(40, largest(1));
  }
  return state;
}

// The question in the address, so that a link says it all.
export const toFragment = (state) => fragmentOf(toJson(state));

export function fragmentOf(value) {
  const bytes = new TextEncoder().encode(stringifyExact(value));
  const chars = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#q=${btoa(chars).replaceAll("+", "-").replaceAll("/", "_")}`;
}

export function textOfFragment(fragment) {
  const text = fragment.replace(/^#q=/, "").replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
