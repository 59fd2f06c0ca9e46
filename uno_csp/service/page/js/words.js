// Rules and answers in sentences.

import { listWords, without } from "./cards.js";

const MOST_NAMED = 8;
const capital = (words) => words[0].toUpperCase() + words.slice(1);
const named = (cards) => cards.length <= MOST_NAMED;

function fillIn({ added = [], objective }, { costs }) {
  if (!added.length) return ["Nothing is missing: the whole hand can be discarded.", ""];
  const text = named(added)
    ? `Add ${listWords(added)}.`
    : `Add ${added.length} cards: the highlighted ones.`;
  const best = costs
    ? `They cost ${objective} in total, which is the minimum.`
    : "Fewer are not enough.";
  return [text, `Then the whole hand can be discarded. ${best}`];
}

function longest({ sequence = [] }, { cards }) {
  const left = without(cards, sequence);
  if (!left.length) return [`All ${cards.length} cards can be discarded in one sequence.`, ""];
  const rest = named(left) ? listWords(left) : `the other ${left.length}`;
  return [
    `${sequence.length} of ${cards.length} cards can be discarded in one sequence, and no more.`,
    `What is left: ${rest}.`,
  ];
}

const SHOWN = ["question", "cards", "hands", "after", "supply", "convention", "name", "comment"];

// The keys of a question that no field shows, each with what it changes in words.
export function extrasOf(asked) {
  const told = {
    at_least: (count) => `Neighbours agree in at least ${count} of their values.`,
    costs: (costs) => `The cards that may be added cost ${costs.join(", ")}.`,
    expected: (value) => `The file expects the answer ${JSON.stringify(value)}.`,
  };
  return Object.entries(asked)
    .filter(([key, value]) => !SHOWN.includes(key) && !(key === "at_least" && Number(value) === 1))
    .map(([key, value]) => [key, told[key]?.(value) ?? `${key}: ${JSON.stringify(value)}`]);
}

// How cards match, where a question does not leave it at the colour or the symbol.
export function rulesWords(how, { at_least: required = 1 }) {
  if (Number(required) === 1) return how;
  return how.replace(
    /^Cards match by colour or symbol/,
    `Cards match if at least ${required} of their values agree (so not by colour or symbol alone)`,
  );
}

const BEST = { __proto__: null, "fill-in": fillIn, longest };

// The verdict, a second sentence, and its style. The verdict begins with yes or no, except when
// the question is who wins a duel.
export function verdictOf(asked, answer) {
  const { status, meaning, objective } = answer;
  if (status === "OPTIMAL" && asked.question in BEST)
    return [...BEST[asked.question](answer, asked), "yes"];
  const text = `${meaning ?? status}.`;
  const style =
    { SATISFIABLE: "yes", UNSATISFIABLE: "no" }[status] ?? (objective == null ? "" : "yes");
  const duel = asked.question === "uncooperative" && asked.hands.length === 2;
  if (duel || !["SATISFIABLE", "UNSATISFIABLE"].includes(status)) return [capital(text), "", style];
  return [`${status === "SATISFIABLE" ? "Yes" : "No"}: ${text}`, "", style];
}

// The answer in two or three words, for the list of past questions.
export function resultOf({ question, hands }, { status, objective, added = [] }) {
  if (question === "fill-in" && status === "OPTIMAL")
    return added.length ? `${added.length} missing` : "✓ yes";
  if (question === "longest" && status === "OPTIMAL") return `${objective} at most`;
  if (question === "uncooperative" && hands.length === 2 && status !== "UNKNOWN")
    return status === "SATISFIABLE" ? "player 1 wins" : "player 2 wins";
  return { SATISFIABLE: "✓ yes", UNSATISFIABLE: "✗ no" }[status] ?? "not known";
}
