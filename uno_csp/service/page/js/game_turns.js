// Turns of the real game: those of people, as they choose, and those of the computers.

import { analyseGame, chooseMove } from "./api.js";
import { codeOf, element, saying } from "./cards.js";
import { cardSpan, colourSpan, faceOfCode, moveSpans, moveWords } from "./faces.js";
import {
  attempt,
  draw,
  drawHistory,
  drawSettings,
  drawUnknown,
  flyFrom,
  say,
  turnsOf,
} from "./game_drawing.js";
import {
  analysed,
  atEnd,
  isOpen,
  lastDecision,
  mayMove,
  now,
  STAGES,
  seats,
  state,
  together,
  turnsNow,
} from "./game_state.js";
import { linkOf, pack } from "./links.js";
import { PAUSES_MS } from "./seats.js";
import { keep } from "./store.js";
import { worthOf } from "./table.js";
import { whyNot } from "./telling.js";

export const AGENT = "play-outs";
const SPOILT = { ties: "gives the win away", "never out": "spoils it for all" };
/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);
let asked = 0; // ticket number: only the latest request is drawn

const ON = {
  goTo,
  follow,
  uncover,
  refused,
  card: ({ moves }, code) => choose(moves.filter((move) => !move.draws && move.lays === code)),
  drawing: ({ moves }) => drawCards(moves.filter((move) => move.draws || !move.lays)),
  drawn: offerDrawn,
  move: (move) => attempt(() => play(move, true)),
  seats: () => attempt(show),
};

export const redraw = (found) => draw(found, ON);
export const redrawTurns = () => drawHistory(ON);
export const redrawSettings = () => drawSettings(ON);

// The link to this position: a game that was dealt is named by its number.
async function linkNow() {
  const { game, dealt, drew } = state;
  const { hidden, computers, usual } = seats;
  const plays = turnsNow();
  const settings = { ...(hidden ? { hidden, computers } : {}), ...(drew ? { drew } : {}) };
  if (!dealt) return linkOf({ game, plays, ...settings });
  const rest = plays.length || drew || !usual ? { play: await pack({ plays, ...settings }) } : {};
  return `?${new URLSearchParams({ ...dealt, ...rest })}`;
}

export async function show() {
  const ticket = ++asked;
  const current = () => ticket === asked;
  const link = linkNow().then((found) => {
    if (!current()) return;
    history.replaceState(null, "", location.pathname + found);
    keep("game", found);
  });
  at("advice").tBodies[0].replaceChildren();
  at("advice-status").textContent = "";
  at("choice").replaceChildren();
  redrawSettings();
  redrawTurns();
  if (now()) redraw(now());
  else drawUnknown();
  const found = await analysed((stage) => current() && redraw(stage));
  await link;
  if (!current()) return;
  redraw(found);
  if (found.position && atEnd() && !mayMove(found.position.player))
    setTimeout(() => current() && attempt(() => reply(found)), PAUSES_MS[seats.speed]);
}

// The computer's turn.
async function reply(found) {
  if (!seats.hidden) return play(found.plays[0] ?? found.moves[0]);
  const { game } = state;
  const turns = turnsNow();
  const ticket = asked;
  const best = together() && (await analyseGame(game, turns, STAGES[1]));
  const turn = best
    ? (best.plays[0] ?? best.moves[0])
    : (await chooseMove(game, turns, AGENT)).turn;
  if (ticket === asked) await play(turn);
}

// Say why a card cannot be played.
function refused({ position, moves }, code) {
  if (!mayMove(position.player)) return say("It is not your turn.");
  const canDraw = moves.some((move) => move.draws);
  const { rules } = state.game;
  return say(whyNot(code, position, rules, { drew: state.drew, canDraw }), "bad");
}

function uncover(player) {
  state.shown = player;
  redraw(now());
  at("mine").querySelector("button.card:not([aria-disabled]), button.card")?.focus();
}

// Buttons for several ways to play, which can be left; `shown` has what is seen of a move.
function offer(moves, words, leave, shown = moveSpans) {
  const buttons = moves.map((move) =>
    element(
      "button",
      { title: words(move), onclick: () => attempt(() => play(move, true)) },
      ...saying(words(move), ...shown(move)),
    ),
  );
  if (leave) buttons.push(element("button", { onclick: leave }, "Not this card"));
  at("choice").replaceChildren(...buttons);
  at("choice").firstElementChild?.focus();
}

const cardOnTable = (code) => at("felt").querySelector(`.seat [data-code="${code}"]`);

export function leaveChoice() {
  const { code } = at("choice").dataset;
  at("choice").replaceChildren();
  cardOnTable(code)?.focus();
}

// Play a single move at once; let the user choose between several, such as colours of a wild card.
function choose(moves) {
  const code = moves[0].lays;
  if (moves.length === 1) return attempt(() => play(moves[0], true));
  at("choice").dataset.code = code;
  const hues = ({ names }) => (names ? [colourSpan(names)] : [cardSpan(code)]);
  return offer(moves, moveWords, leaveChoice, hues);
}

// Draw: what was drawn is seen first, and then played or kept.
function drawCards(moves) {
  if (moves.length === 1 && !moves[0].lays) return attempt(() => play(moves[0], true));
  if (isOpen())
    return moves.length === 1
      ? attempt(() => play(moves[0], true))
      : offer(moves, moveWords, leaveChoice);
  state.drew = true;
  return attempt(show);
}

function offerDrawn({ position, moves }) {
  const draws = moves.filter((move) => move.draws);
  const pile = position.pile ?? (state.game.draw ?? []).map(codeOf);
  const drawn = pile.slice(position.drawn, position.drawn + draws[0].draws);
  const names = drawn.map((code) => faceOfCode(code).name).join(", ");
  say(`You drew ${names}.`);
  if (at("choice").childElementCount) return;
  const words = (move) => (move.lays ? `Play ${moveWords({ ...move, draws: 0 })}` : "Keep it");
  const cards = ({ lays, names }) =>
    lays ? ["Play ", ...moveSpans({ draws: 0, lays, names })] : ["Keep it"];
  offer(draws, words, null, cards);
  at("choice").prepend(...drawn.map(cardSpan));
}

// Play a move; if `judged`, remark when it makes the outcome worse.
export async function play({ draws, lays, names }, judged = false) {
  const before = now();
  const { player } = before.position;
  const bare = { draws, ...(lays ? { lays } : {}), ...(names ? { names } : {}) };
  const seat = at("felt").querySelector(`[data-player="${player}"]`);
  const card = seat?.querySelector(`[data-code="${lays}"]`) ?? seat?.querySelector(".card");
  flyFrom(lays ? card?.getBoundingClientRect() : null);
  state.plays = [...turnsNow(), { player, ...bare }];
  state.step += 1;
  if (!state.review) state.marks = [];
  state.drew = false;
  say("");
  const shown = show();
  const after = await analysed();
  if (judged && isOpen()) judge(before, after, player, bare);
  await shown;
  if (after.position === null) finish(after);
}

// Count the score of a game that has just been played to its end.
function finish({ winner, score }) {
  if (isOpen() || together() || !score || state.counted === state.game) return;
  state.counted = state.game;
  seats.count(winner, score);
  redrawSettings();
  at("again").focus({ preventScroll: true });
}

function judge(before, after, player, move) {
  const worth = (leadsTo, turns) => worthOf(leadsTo, player, together() ? turns : undefined);
  const [was, is] = [worth(before.winner, before.turns), worth(after.winner, after.turns + 1)];
  if (was.word === is.word || [was.word, is.word].includes("not known")) return;
  const same = (other) => worthOf(other.leads_to, player, other.turns).word === was.word;
  const better = before.moves.filter(same).slice(0, 3).map(moveWords).join("; ");
  const said = moveWords(move);
  const so =
    is.word === "loses"
      ? `loses in ${turnsOf(after.plays.length)}`
      : (SPOILT[is.word] ?? "is slower");
  say(`${said[0].toUpperCase()}${said.slice(1)} ${so}. Better: ${better}.`, "bad");
}

export function goTo(step) {
  state.step = Math.max(0, Math.min(step, state.plays.length));
  state.drew = false;
  say("");
  return attempt(show);
}

// Take the turns back that came after the player's last decision, and the decision.
export function takeBack() {
  const step = lastDecision();
  if (step < 0 || state.drew) return;
  state.plays = state.plays.slice(0, step);
  state.shown = seats.people > 1 ? 0 : state.shown;
  goTo(step);
}

function follow(plays, count) {
  state.plays = [...turnsNow(), ...plays.slice(0, count)];
  if (!state.review) state.marks = [];
  return goTo(state.step + count);
}
