// How lucky a hand of the official deck is, from counts over a hundred thousand deals.

import { cardsBeyondDeck } from "./fours.js";

let table = null;

async function counted() {
  table ??= fetch("odds.json").then((found) => (found.ok ? found.json() : {}));
  return (await table)["with wild cards"] ?? {};
}

function percent(share) {
  const digits = share > 0.99 || share < 0.01 ? 1 : 0;
  return `${(100 * share).toFixed(digits)} %`;
}

// A sentence; empty if no hands of this size were dealt or another kind of question was asked.
export async function luckOf(asked, answer) {
  const { question, cards, after, supply, at_least: required = 1 } = asked;
  const missing = { SATISFIABLE: 0, UNSATISFIABLE: 0, OPTIMAL: answer.objective }[answer.status];
  if (!["uno-1", "fill-in"].includes(question) || missing === undefined) return "";
  if (after || supply || Number(required) !== 1 || cardsBeyondDeck(cards).length) return "";
  const hands = (await counted())[cards.length];
  if (!hands) return "";
  const sum = (counts) => counts.reduce((total, each) => total + each, 0);
  const alike = missing ? hands.slice(missing) : hands.slice(0, 1);
  const share = sum(alike) / sum(hands);
  const lack = missing
    ? `lack ${missing === 1 ? "one card" : `${missing} cards`} or more`
    : "can be discarded whole";
  const rare = share < 0.5 && answer.status !== "UNSATISFIABLE";
  const text = rare ? (missing ? "Unlucky: of" : "Lucky: of") : "Of";
  return `${text} hands of ${cards.length} cards dealt from the deck, ${percent(share)} ${lack}.`;
}
