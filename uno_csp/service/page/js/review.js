// Marks for the moves of a game: what each of them gave away.

import { worthOf } from "./table.js";

const ORDER = ["loses", "ties", "wins"];

const MARKS = {
  only: { sign: "!", style: "good", words: "the only good move" },
  good: { sign: "✓", style: "good", words: "as good as any" },
  lost: { sign: "✗", style: "bad", words: "this lost the game" },
  worse: { sign: "?", style: "bad", words: "this gave something away" },
  unknown: { sign: "…", style: "even", words: "not known" },
};

// The marks of a turn that the server reviewed from the seat of its player.
const REVIEWED = {
  good: { sign: "✓", style: "good" },
  doubtful: { sign: "?!", style: "even" },
  mistake: { sign: "?", style: "bad" },
};

// The mark of a reviewed turn; null if there was no choice.
export function reviewed({ mark, words }) {
  return mark === "only" ? null : { ...REVIEWED[mark], kind: mark, words };
}

// How good the choices of a reviewed game were.
export function reviewWords(marks) {
  const kinds = marks.flatMap((mark) => (mark ? [mark.kind] : []));
  if (!kinds.length) return "You never had a choice.";
  const count = (kind) => kinds.filter((each) => each === kind).length;
  const said = (number, one, many) => (number ? [`${number} ${number === 1 ? one : many}`] : []);
  const bad = [
    ...said(count("mistake"), "mistake", "mistakes"),
    ...said(count("doubtful"), "doubtful move", "doubtful moves"),
  ];
  const choices = `${kinds.length} ${kinds.length === 1 ? "choice" : "choices"}`;
  return bad.length ? `${bad.join(" and ")} in ${choices}.` : `No mistake in ${choices}.`;
}

// How good a move is for its player, as a number; null if it is not known. If all play together,
// fewer turns are better.
function rankOf({ leads_to: leadsTo, turns }, player) {
  if (leadsTo === "unknown") return null;
  if (turns !== undefined) return leadsTo === 1 ? -turns : -Infinity;
  return ORDER.indexOf(worthOf(leadsTo, player).word);
}

// The mark of a move, from the analysis before it; null if every move was as good.
export function markOf(moves, play) {
  const worth = (move) => rankOf(move, play.player);
  const same = (move) =>
    move.draws === play.draws && move.lays === play.lays && move.names === play.names;
  const made = moves.find(same);
  const worths = moves.map(worth);
  if (!made || moves.length < 2) return null;
  if (worths.includes(null)) return MARKS.unknown;
  const best = Math.max(...worths);
  if (Math.min(...worths) === best) return null;
  if (worth(made) === best)
    return worths.filter((each) => each === best).length === 1 ? MARKS.only : MARKS.good;
  const lost = worth(made) === -Infinity || (best === ORDER.indexOf("wins") && worth(made) === 0);
  return lost ? MARKS.lost : MARKS.worse;
}

// Which turns of a line of best play mattered, from their marks.
export function turningWords(marks) {
  const turns = marks.flatMap((mark, index) => (mark && mark !== MARKS.unknown ? [index + 1] : []));
  const open = openWords(marks);
  if (!turns.length) return open || "No turn of it mattered: every move was as good.";
  const listed =
    turns.length > 1 ? `${turns.slice(0, -1).join(", ")} and ${turns.at(-1)}` : turns[0];
  return `${turns.length > 1 ? "Turns" : "Turn"} ${listed} mattered: other moves were worse. ${open}`.trim();
}

// How many marks the analysis left open; empty if none.
function openWords(marks) {
  const count = marks.filter((mark) => mark === MARKS.unknown).length;
  return count
    ? `What ${count} ${count === 1 ? "turn" : "turns"} led to was not found in time.`
    : "";
}

// How many moves of each kind a player made.
export function summaryOf(marks) {
  const count = (...kinds) => marks.filter((mark) => kinds.includes(mark)).length;
  const good = count(MARKS.only, MARKS.good);
  const bad = count(MARKS.lost, MARKS.worse);
  const open = openWords(marks);
  if (!good && !bad) return open || "You never had a choice that mattered.";
  if (!bad) return `No mistake in ${good} ${good === 1 ? "choice" : "choices"}. ${open}`.trim();
  return `${good} of ${good + bad} choices were as good as any; ${count(MARKS.lost)} lost the game, if all cards were open. ${open}`.trim();
}
