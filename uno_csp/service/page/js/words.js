// The answer in a sentence.

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
  const verb = left.length === 1 ? "is" : "are";
  return [
    `${sequence.length} of ${cards.length} cards can be discarded in one sequence, and no more.`,
    `${capital(rest)} ${verb} left.`,
  ];
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
