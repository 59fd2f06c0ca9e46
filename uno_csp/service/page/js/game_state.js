// The game on the table: its turns, the server's analyses of its positions, and who sees what.

import { analyseGame } from "./api.js";
import { codeOf } from "./cards.js";
import { stringifyExact } from "./exact.js";
import { switchesOf } from "./rules.js";
import { Seats } from "./seats.js";

export const STAGES = [0, 20_000, 400_000]; // limits of positions: the analysis is shown as it deepens
export const MOST_TOLD = 6; // turns told at once

export const seats = new Seats();
// `dealt` has the parameters of a game that was dealt; null if it was laid out. `drew` is true from
// drawing a card until it is played or kept; `shown` is the player whose hand is uncovered;
// `review` has the turns of the finished game while it is looked at; `known` has the deepest
// analysis of each position, by the turns that lead to it.
export const state = {
  game: null,
  dealt: null,
  plays: [],
  step: 0,
  marks: [],
  drew: false,
  shown: 0,
  review: null,
  known: new Map(),
};

export const turnsNow = () => state.plays.slice(0, state.step);
export const keyOfTurns = (plays) => stringifyExact(plays);
export const knownAfter = (plays) => state.known.get(keyOfTurns(plays));
export const now = () => knownAfter(turnsNow());
export const isOpen = () => !seats.hidden || state.review !== null;
export const together = () => state.game.goal === "together";
export const mayMove = (player) => state.review !== null || seats.isPerson(player);
export const atEnd = () => state.step === state.plays.length;

// Put a game on the table.
export function lay(game, plays, { dealt, drew }) {
  Object.assign(state, { game, dealt, plays, drew, step: plays.length });
  Object.assign(state, { marks: [], shown: 0, review: null, known: new Map() });
}

const deepEnough = (found) =>
  found.most >= (isOpen() ? STAGES.at(-1) : STAGES[0]) ||
  (found.winner !== "unknown" && found.moves.every((move) => move.leads_to !== "unknown"));

// The analysis of the current position, deepened stage by stage; `onStage` is called with each.
export async function analysed(onStage = (_stage) => {}) {
  const turns = turnsNow();
  const key = keyOfTurns(turns);
  const { game, known: own } = state;
  for (const most of STAGES) {
    const found = own.get(key);
    if (found && (found.most >= most || deepEnough(found))) continue;
    own.set(key, { ...(await analyseGame(game, turns, most)), most });
    onStage(own.get(key));
    if (deepEnough(own.get(key))) break;
  }
  return own.get(key);
}

// The positions before now, which tell what happened, if the game was played before.
export async function recalled() {
  const { game, plays, known: own } = state;
  const first = Math.max(0, plays.length - MOST_TOLD);
  await Promise.all(
    plays.slice(first).map(async (_, index) => {
      const turns = plays.slice(0, first + index);
      own.set(keyOfTurns(turns), { ...(await analyseGame(game, turns, 0)), most: 0 });
    }),
  );
}

export function topNow() {
  const laid = turnsNow().findLast((play) => play.lays);
  return laid ? laid.lays : codeOf(state.game.after);
}

// With hidden cards, only those of a person are seen; of several, those of the one to move, once
// they are uncovered.
export function sees(player, mover) {
  if (isOpen()) return true;
  if (!seats.isPerson(player)) return false;
  return seats.people === 1 || (player === mover && player === state.shown);
}

export const covered = (mover) =>
  !isOpen() && seats.people > 1 && seats.isPerson(mover) && state.shown !== mover;

// The turn of the last decision of a person before now; -1 if there is none.
export function lastDecision() {
  const turns = turnsNow();
  return turns.findLastIndex(({ player }, index) => {
    const moves = knownAfter(turns.slice(0, index))?.moves;
    return seats.isPerson(player) && (moves === undefined || moves.length > 1);
  });
}

// All hands at the end: those before the last turn, without the card laid, and with what a last
// draw card still makes the next player draw.
export function lastHands() {
  const last = turnsNow().at(-1);
  const { position } = knownAfter(turnsNow().slice(0, -1)) ?? {};
  if (!position) return null;
  const hands = position.hands.map((hand) => [...hand]);
  const own = hands[last.player - 1];
  if (last.lays && own.includes(last.lays)) own.splice(own.indexOf(last.lays), 1);
  const count = { "+2": 2, "+4": 4 }[last.lays?.slice(-2)];
  if (count && switchesOf(state.game.rules).last_draws && !own.length) {
    const next = (last.player - 1 + position.direction + hands.length) % hands.length;
    const pile = position.pile ?? (state.game.draw ?? []).map(codeOf);
    hands[next].push(...pile.slice(position.drawn, position.drawn + count));
  }
  return hands;
}
