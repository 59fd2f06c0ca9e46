// The review of a finished game: it is shown with open cards, and another card tried in it is a
// variation beside it.

import { analyseGame, reviewTurn } from "./api.js";
import { stringifyExact } from "./exact.js";
import { say } from "./game_drawing.js";
import { keyOfTurns, now, STAGES, seats, state, together, turnsNow } from "./game_state.js";
import { goTo, redraw, redrawTurns } from "./game_turns.js";
import { TOLD_EVERY_MS } from "./jobs.js";
import { markOf, reviewed, reviewWords, summaryOf, turningWords } from "./review.js";

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);
let told = 0; // when progress was read out
let marking = null; // the turns that are being marked

function sayProgress(words) {
  if (Date.now() - told < TOLD_EVERY_MS) return;
  told = Date.now();
  say(words);
}

function mark(plays) {
  marking = plays;
  at("stop-review").hidden = plays === null;
}

// Keep the marks so far, and make no more.
export const stopReview = () => mark(null);

// After the game: open the cards, and mark every choice of a person, the last turns first.
export async function review() {
  const { game, plays } = state;
  state.review = plays;
  await goTo(0);
  mark(plays);
  const marks = [];
  const own = plays
    .flatMap(({ player }, index) => (seats.isPerson(player) ? [index] : []))
    .reverse();
  for (const [done, index] of own.entries()) {
    sayProgress(`Looking back at your turns: ${Math.round((100 * done) / own.length)} %`);
    marks[index] = together()
      ? markOf((await analyseGame(game, plays.slice(0, index), STAGES.at(-1))).moves, plays[index])
      : reviewed(await reviewTurn(game, plays.slice(0, index + 1)));
    if (state.game !== game || state.review !== plays) return;
    state.marks = marks;
    if (state.plays === plays) redrawTurns();
    if (marking !== plays) break;
  }
  mark(null);
  say(together() ? summaryOf(marks) : reviewWords(marks));
}

// From a variation back to the turns that were played.
export function leaveVariation() {
  const turns = turnsNow();
  const same = state.review.findIndex(
    (play, index) => stringifyExact(play) !== stringifyExact(turns[index]),
  );
  state.plays = state.review;
  goTo(same < 0 ? turns.length : same);
}

export function leaveReview() {
  state.plays = state.review;
  state.review = null;
  state.marks = [];
  goTo(state.plays.length);
}

// The mark of a turn, from the analysis of the position before it.
async function marked(game, before, play, index, count) {
  sayProgress(`Looking at turn ${index + 1} of ${count} ...`);
  const { moves } = await analyseGame(game, before, STAGES.at(-1));
  return markOf(moves, play);
}

// Mark the turns of the best play that mattered: those in which some move was worse.
export async function markBest() {
  const { game } = state;
  const [found, before] = [now(), turnsNow()];
  const marks = [];
  at("mattered").hidden = true;
  for (const [index, play] of found.plays.entries()) {
    const turns = [...before, ...found.plays.slice(0, index)];
    marks[index] = await marked(game, turns, play, index, found.plays.length);
    if (game !== state.game || keyOfTurns(before) !== keyOfTurns(turnsNow())) return;
  }
  found.marks = marks;
  redraw(found);
  say(turningWords(marks));
}
