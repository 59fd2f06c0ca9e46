// The page of the real game: a game, the turns played so far, and the server's analysis. With
// hidden cards the computer plays what an agent chooses that sees one hand; with open cards, the
// best play. A finished game is reviewed with open cards; what is tried in it is a variation.

import { analyseGame, chooseMove, generateQuestion, parseText, reviewTurn } from "./api.js";
import { codeOf, element } from "./cards.js";
import { share } from "./dialog.js";
import { stringifyExact } from "./exact.js";
import { cardOf, faceOfCode, moveWords } from "./faces.js";
import { Problem, trying } from "./failing.js";
import { onlyOne, takeDrops, textOf } from "./files.js";
import { holdsValue, linkOf, pack, textOfLink, unpack } from "./links.js";
import { markOf, reviewed, reviewWords, summaryOf, turningWords } from "./review.js";
import { nameOfRules, saysOf, switchesOf, TEXTS } from "./rules.js";
import { PAUSES_MS, Seats } from "./seats.js";
import { keep, kept } from "./store.js";
import {
  drawAdvice,
  drawCover,
  drawEnd,
  drawLine,
  drawMoves,
  drawSeats,
  drawTable,
  drawTurns,
  fly,
  winnerWords,
  worthOf,
} from "./table.js";
import { firstWords, has, turnOf, turnWords, whyNot } from "./telling.js";

const AGENT = "play-outs";
const STAGES = [0, 20_000, 400_000]; // limits of positions: the analysis is shown as it deepens
const SPOILT = { ties: "gives the win away", "never out": "spoils it for all" };
const MOST_TOLD = 6; // turns told at once
/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);
const seats = new Seats();
// `dealt` has the parameters of a game that was dealt; null if it was laid out. `drew` is true from
// drawing a card until it is played or kept; `shown` is the player whose hand is uncovered;
// `review` has the turns of the finished game while it is looked at.
const state = {
  game: null,
  dealt: null,
  plays: [],
  step: 0,
  marks: [],
  drew: false,
  shown: 0,
  review: null,
};
let known = new Map(); // the deepest analysis of each position, by the turns that lead to it
let asked = 0; // ticket number: only the latest request is drawn
let wanted = 0; // ticket number: only the game that was asked for last is begun
let flying = null; // the place from which the next card on the pile comes

const turnsNow = () => state.plays.slice(0, state.step);
const turnsOf = (count) => `${count} ${count === 1 ? "turn" : "turns"}`;
const keyOfTurns = (plays) => stringifyExact(plays);
const now = () => known.get(keyOfTurns(turnsNow()));
const isOpen = () => !seats.hidden || state.review !== null;
const together = () => state.game.goal === "together";
const mayMove = (player) => state.review !== null || seats.isPerson(player);
const atEnd = () => state.step === state.plays.length;
const attempt = trying((words) => say(words, "problem"));

function say(words, style = "") {
  at("remark").textContent = words;
  at("remark").className = style;
}

const deepEnough = (found) =>
  found.most >= (isOpen() ? STAGES.at(-1) : STAGES[0]) ||
  (found.winner !== "unknown" && found.moves.every((move) => move.leads_to !== "unknown"));

// The analysis of the current position, deepened stage by stage; `onStage` is called with each.
async function analysed(onStage = (_stage) => {}) {
  const turns = turnsNow();
  const key = keyOfTurns(turns);
  const { game } = state;
  const own = known;
  for (const most of STAGES) {
    const found = own.get(key);
    if (found && (found.most >= most || deepEnough(found))) continue;
    own.set(key, { ...(await analyseGame(game, turns, most)), most });
    onStage(own.get(key));
    if (deepEnough(own.get(key))) break;
  }
  return own.get(key);
}

function topNow() {
  const laid = turnsNow().findLast((play) => play.lays);
  return laid ? laid.lays : codeOf(state.game.after);
}

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

async function show() {
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
  drawSettings();
  drawHistory();
  if (now()) draw(now());
  else drawUnknown();
  const found = await analysed((stage) => current() && draw(stage));
  await link;
  if (!current()) return;
  draw(found);
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

function drawHistory() {
  drawTurns(at("history"), state.plays, (index) => goTo(index + 1), {
    current: state.step - 1,
    marks: state.marks,
    names: seats.called,
  });
}

function drawSettings() {
  const { hidden } = seats;
  at("cards-shown").value = hidden ? "hidden" : "open";
  at("speed").value = seats.speed;
  at("hints-field").hidden = at("analysis").hidden = !isOpen();
  at("best").hidden = !isOpen();
  at("steps").hidden = !isOpen();
  at("take-back").hidden = isOpen();
  at("layout").hidden = !isOpen();
  at("review-bar").hidden = state.review === null;
  at("scores").textContent = seats.scoreWords;
  at("new-scores").hidden = !seats.scoreWords;
  drawSeats(at("seats"), seats.computers, seats.names, (index, { computer, name }) => {
    const computers = seats.computers.with(index, computer ?? seats.computers[index]);
    const names = seats.computers.map((_, place) => seats.names[place] ?? "");
    seats.set({ computers, names: names.with(index, name ?? names[index]) });
    state.shown = 0;
    attempt(show);
  });
}

// With hidden cards, only those of a person are seen; of several, those of the one to move, once
// they are uncovered.
function sees(player, mover) {
  if (isOpen()) return true;
  if (!seats.isPerson(player)) return false;
  return seats.people === 1 || (player === mover && player === state.shown);
}

const covered = (mover) =>
  !isOpen() && seats.people > 1 && seats.isPerson(mover) && state.shown !== mover;

const viewOf = (position, more) => ({
  position,
  top: topNow(),
  draw: position.pile?.map(cardOf) ?? state.game.draw ?? [],
  wears: switchesOf(state.game.rules).effects_wear_off,
  names: seats.called,
  sees: (player) => sees(player, position.player),
  open: isOpen(),
  ...more,
});

// Until the analysis arrives, draw the cards as dealt, without hints; after a turn, leave the table
// as it was, where nothing can be played.
function drawUnknown() {
  const { game } = state;
  at("verdict").textContent = "Looking ahead ...";
  for (const id of ["line-title", "cost"]) at(id).textContent = "";
  drawBest(null, []);
  drawMoves(at("moves"), [], 1, false, () => {});
  for (const button of at("felt").querySelectorAll(".seat button, #draw"))
    button.setAttribute("aria-disabled", "true");
  if (state.step > 0) return;
  const position = {
    hands: game.hands.map((hand) => hand.map(codeOf)),
    player: game.turned_up ? 0 : (game.to_move ?? 1),
    colour: game.colour ?? game.after[0],
    drawn: 0,
    direction: game.direction ?? 1,
    pending: 0,
  };
  const on = { card() {}, refused() {}, draw() {} };
  drawTable(viewOf(position, { moves: [], hints: false, mayPlay: false, on }));
}

function draw(found) {
  const { position, plays } = found;
  const over = position === null;
  const hints = at("hints").checked && isOpen();
  drawControls(found);
  drawVerdict(found, hints);
  drawBest(found, over || !hints ? [] : plays);
  tell(found);
  if (over) return drawOver(found);
  const mayPlay = mayMove(position.player) && !covered(position.player);
  drawTable(
    viewOf(position, {
      moves: found.moves,
      hints,
      mayPlay: mayPlay && !state.drew,
      on: onTable(found),
    }),
  );
  if (covered(position.player))
    drawCover(seats.called[position.player - 1], () => uncover(position.player));
  if (flying) fly(flying);
  flying = null;
  if (state.drew) offerDrawn(found);
  drawMoves(
    at("moves"),
    hints ? found.moves : [],
    position.player,
    hints,
    (move) => mayPlay && attempt(() => play(move, true)),
  );
}

const onTable = ({ position, moves }) => ({
  card: (code) => choose(moves.filter((move) => !move.draws && move.lays === code)),
  draw: () => drawCards(moves.filter((move) => move.draws || !move.lays)),
  refused: (code) => {
    if (!mayMove(position.player)) return say("It is not your turn.");
    const canDraw = moves.some((move) => move.draws);
    const { rules } = state.game;
    return say(whyNot(code, position, rules, { drew: state.drew, canDraw }), "bad");
  },
});

function uncover(player) {
  state.shown = player;
  draw(now());
  at("mine").querySelector("button.card:not([aria-disabled]), button.card")?.focus();
}

function drawControls({ position, plays }) {
  const over = position === null;
  const disable = (id, off) => at(id).setAttribute("aria-disabled", String(off));
  for (const id of ["first", "back"]) disable(id, state.step === 0);
  for (const id of ["forward", "last"]) disable(id, atEnd());
  disable("best", over || !plays.length);
  disable("advise", over || !mayMove(position.player) || covered(position.player));
  disable("take-back", lastDecision() < 0 || state.drew);
  at("review").hidden = !over || isOpen();
  at("again").hidden = !over || state.review !== null;
  at("variation").hidden = !state.review || state.plays === state.review;
}

function drawVerdict(found, hints) {
  const { position, winner, plays } = found;
  const players = state.game.hands.length;
  at("verdict").textContent = !position
    ? overWords(found)
    : !hints
      ? turnOf(seats.called, position, mayMove(position.player))
      : winner === "unknown" && found.most < STAGES.at(-1)
        ? "Looking ahead ..."
        : winnerWords(winner, players, { together: together(), turns: found.turns });
  at("line-title").textContent =
    position && hints && plays.length ? `Best play from here: ${turnsOf(plays.length)}` : "";
  at("cost").textContent =
    found.score && hints
      ? `Points left in the hands at the end: ${Object.values(found.score).join(", ")}`
      : "";
}

const overWords = ({ winner }) =>
  typeof winner === "number"
    ? `${has(seats.called[winner - 1], "won")}${winner === 1 && together() ? ": all helped" : ""}!`
    : "All passed: nobody has won.";

// All hands at the end: those before the last turn, without the card laid, and with what a last
// draw card still makes the next player draw.
function lastHands() {
  const last = turnsNow().at(-1);
  const { position } = known.get(keyOfTurns(turnsNow().slice(0, -1))) ?? {};
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

function drawOver(found) {
  const points = found.score
    ? ` Points left: ${seats.called.map((name, index) => `${name} ${found.score[index + 1]}`).join(", ")}.`
    : "";
  const hands = lastHands() ?? state.game.hands.map(() => []);
  drawEnd(hands, seats.called, topNow(), overWords(found) + points);
  if (flying) fly(flying);
  flying = null;
  drawMoves(at("moves"), [], 1, false, () => {});
}

// Tell what happened since the player's last decision, and whose turn it is.
function tell({ position }) {
  const { called } = seats;
  const turns = turnsNow();
  const from = Math.max(0, lastDecision(), state.step - MOST_TOLD);
  const told = turns.slice(from).flatMap((play, index) => {
    const before = known.get(keyOfTurns(turns.slice(0, from + index)))?.position;
    const after = known.get(keyOfTurns(turns.slice(0, from + index + 1)))?.position;
    return before ? [turnWords(called, before, play, after)] : [];
  });
  const first = known.get("[]")?.position;
  if (state.step === 0 && first) told.push(firstWords(called, state.game, first));
  const covers = position && covered(position.player);
  const turn = position ? turnOf(called, position, mayMove(position.player)) : "";
  const words = [...told, covers || isOpen() ? "" : turn].filter(Boolean);
  if (at("events").textContent !== words.join(" ")) at("events").textContent = words.join(" ");
}

// The turn of the last decision of a person before now; -1 if there is none.
function lastDecision() {
  const turns = turnsNow();
  return turns.findLastIndex(({ player }, index) => {
    const moves = known.get(keyOfTurns(turns.slice(0, index)))?.moves;
    return seats.isPerson(player) && (moves === undefined || moves.length > 1);
  });
}

// The best play from here, with the turns that mattered once they were looked for.
function drawBest(found, plays) {
  at("mattered").hidden = !plays.length || found.marks !== undefined;
  drawLine(
    at("line"),
    at("line-players"),
    plays,
    state.game.hands.length,
    (index) => follow(plays, index + 1),
    found?.marks,
  );
}

// Buttons for several ways to play, which can be left.
function offer(moves, words, leave) {
  const buttons = moves.map((move) =>
    element("button", { onclick: () => attempt(() => play(move, true)) }, words(move)),
  );
  if (leave) buttons.push(element("button", { onclick: leave }, "Not this card"));
  at("choice").replaceChildren(...buttons);
  at("choice").firstElementChild?.focus();
}

const cardOnTable = (code) => at("felt").querySelector(`.seat [data-code="${code}"]`);

function leaveChoice() {
  const { code } = at("choice").dataset;
  at("choice").replaceChildren();
  cardOnTable(code)?.focus();
}

// Play a single move at once; let the user choose between several, such as colours of a wild card.
function choose(moves) {
  const code = moves[0].lays;
  flying = cardOnTable(code)?.getBoundingClientRect();
  if (moves.length === 1) return attempt(() => play(moves[0], true));
  at("choice").dataset.code = code;
  return offer(moves, moveWords, leaveChoice);
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
  offer(draws, (move) => (move.lays ? `Play ${moveWords({ ...move, draws: 0 })}` : "Keep it"));
}

// Play a move; if `judged`, remark when it makes the outcome worse.
async function play({ draws, lays, names }, judged = false) {
  const before = now();
  const { player } = before.position;
  const bare = { draws, ...(lays ? { lays } : {}), ...(names ? { names } : {}) };
  flying ??= at("others").querySelector(`[data-player="${player}"] .card`)?.getBoundingClientRect();
  if (!lays) flying = null;
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
  drawSettings();
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

function goTo(step) {
  state.step = Math.max(0, Math.min(step, state.plays.length));
  state.drew = false;
  say("");
  return attempt(show);
}

// Take the turns back that came after the player's last decision, and the decision.
function takeBack() {
  const step = lastDecision();
  if (step < 0 || state.drew) return;
  state.plays = state.plays.slice(0, step);
  state.shown = seats.people > 1 ? 0 : state.shown;
  goTo(step);
}

// After the game: open the cards, and mark every choice of a person, the last turns first.
async function review() {
  const { game, plays } = state;
  state.review = plays;
  await goTo(0);
  const marks = [];
  const own = plays
    .flatMap(({ player }, index) => (seats.isPerson(player) ? [index] : []))
    .reverse();
  for (const [done, index] of own.entries()) {
    say(`Looking back at your turns: ${Math.round((100 * done) / own.length)} %`);
    marks[index] = together()
      ? markOf((await analyseGame(game, plays.slice(0, index), STAGES.at(-1))).moves, plays[index])
      : reviewed(await reviewTurn(game, plays.slice(0, index + 1)));
    if (state.game !== game || state.review !== plays) return;
    state.marks = marks;
    if (state.plays === plays) drawHistory();
  }
  say(together() ? summaryOf(marks) : reviewWords(marks));
}

// From a variation back to the turns that were played.
function leaveVariation() {
  const turns = turnsNow();
  const same = state.review.findIndex(
    (play, index) => stringifyExact(play) !== stringifyExact(turns[index]),
  );
  state.plays = state.review;
  goTo(same < 0 ? turns.length : same);
}

function leaveReview() {
  state.plays = state.review;
  state.review = null;
  state.marks = [];
  goTo(state.plays.length);
}

// The mark of a turn, from the analysis of the position before it.
async function marked(game, before, play, index, count) {
  say(`Looking at turn ${index + 1} of ${count} ...`);
  const { moves } = await analyseGame(game, before, STAGES.at(-1));
  return markOf(moves, play);
}

// Mark the turns of the best play that mattered: those in which some move was worse.
async function markBest() {
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
  draw(found);
  say(turningWords(marks));
}

function follow(plays, count) {
  state.plays = [...turnsNow(), ...plays.slice(0, count)];
  if (!state.review) state.marks = [];
  return goTo(state.step + count);
}

function begin(game, plays = [], how = {}) {
  const { hidden, computers = null, dealt = null, drew = false, returning = false } = how;
  if (game.question !== "open-game")
    throw new Problem("This question is not about the real game: open it on the page “Hands”.");
  const laid = state.game && !state.dealt && dealt;
  if (state.game && !returning) history.pushState(null, "", location.href);
  Object.assign(state, { game, dealt, plays, drew, step: plays.length });
  Object.assign(state, { marks: [], shown: 0, review: null });
  seats.fit(game.hands.length, { hidden, computers });
  known = new Map();
  say(laid ? "Your own cards are one step back: press the browser's Back to have them again." : "");
  at("events").textContent = "";
  for (const id of ["others", "middle", "mine"]) at(id).replaceChildren();
  fillFields();
  return recalled().then(show);
}

// The positions before now, which tell what happened, if the game was played before.
async function recalled() {
  const { game, plays } = state;
  const own = known;
  const first = Math.max(0, plays.length - MOST_TOLD);
  await Promise.all(
    plays.slice(first).map(async (_, index) => {
      const turns = plays.slice(0, first + index);
      own.set(keyOfTurns(turns), { ...(await analyseGame(game, turns, 0)), most: 0 });
    }),
  );
}

// Begin a game once the server has sent it, unless another was asked for since.
async function beginOnce(sent, plays, how) {
  const ticket = ++wanted;
  const game = await sent;
  if (ticket === wanted) await begin(game, plays, how);
}

// Show a value in a choice, which has it from then on.
function select(id, value, words = value) {
  const box = at(id);
  if (![...box.options].some((option) => option.value === value))
    box.append(element("option", { value }, words));
  box.value = value;
}

// The fields show the game on the table; the boxes its cards, unless they are hidden.
function fillFields() {
  const { hands, after, colour, draw: pile = [], rules } = state.game;
  select("players", String(hands.length));
  at("cards").value = hands[0].length;
  const name = state.dealt?.rules ?? nameOfRules(rules);
  select("rules", name ?? "own", "of this game's own");
  at("seed").value = state.dealt?.deal ?? "";
  at("rules-say").textContent = saysOf(name ?? rules);
  at("goal-say").textContent = together()
    ? "Everybody plays together: all help player 1 to be out in as few turns as can be."
    : "";
  const open = isOpen();
  at("own-hands").value = open ? hands.map((hand) => hand.map(codeOf).join(" ")).join("\n") : "";
  at("own-after").value = open ? codeOf(after) : "";
  at("own-colour").value = open ? (colour ?? "") : "";
  at("own-draw").value = open ? pile.map(codeOf).join(" ") : "";
}

const words = (text) => text.split(/[\s,]+/).filter(Boolean);

// Lay out the cards of the boxes, under the rules and to the goal of the game on the table.
function layOut() {
  const own = at("rules").value === "own";
  const game = {
    question: "open-game",
    hands: at("own-hands")
      .value.split("\n")
      .map(words)
      .filter((hand) => hand.length),
    after: at("own-after").value.trim(),
    draw: words(at("own-draw").value),
    rules: own ? state.game.rules : at("rules").value,
    ...(together() ? { goal: "together" } : {}),
    ...(at("own-colour").value ? { colour: at("own-colour").value } : {}),
  };
  return beginOnce(parseText(stringifyExact(game)), [], {});
}

// Deal the game of the fields, with turns that were played if a link has them.
async function deal(plays = [], how = {}) {
  const [players, cards, seed] = ["players", "cards", "seed"].map((id) => Number(at(id).value));
  const rules = at("rules").value;
  if (rules === "own") throw new Problem("Choose the rules of the deal first.");
  const sent = generateQuestion("open-game", { players, cards, rules }, seed);
  await beginOnce(sent, plays, { ...how, dealt: { deal: seed, players, cards, rules } });
}

function dealAnother() {
  at("seed").value = Math.floor(Math.random() * 1e6);
  if (at("rules").value === "own") at("rules").value = "nobody-skips";
  return deal();
}

async function ask() {
  const { game } = state;
  const turns = turnsNow();
  at("advice-status").textContent = "Dealing and playing ...";
  try {
    const deals = Number(at("deals").value);
    const { moves, words: best } = await chooseMove(game, turns, AGENT, deals);
    if (keyOfTurns(turns) !== keyOfTurns(turnsNow()) || game !== state.game) return;
    drawAdvice(at("advice"), moves);
    at("advice-status").textContent = moves.length
      ? `${best} Below is the share of the deals that each wins; the dark line is its 95 % interval.`
      : "There is only one thing to do.";
  } catch (error) {
    at("advice-status").textContent = "";
    throw error;
  }
}

// Arrow keys step through the game, except in fields; Escape leaves the choice of a colour.
function onKey(event) {
  if (event.key === "Escape" && at("choice").childElementCount && !state.drew) leaveChoice();
  const typing = event.target.closest("input, select, textarea, dialog");
  if (event.ctrlKey || event.metaKey || event.altKey || typing || !state.game || !isOpen()) return;
  const step = {
    ArrowLeft: state.step - 1,
    ArrowRight: state.step + 1,
    Home: 0,
    End: state.plays.length,
  }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  goTo(step);
}

function wireSettings() {
  at("rules").replaceChildren(
    ...Object.entries(TEXTS).map(([value, { title }]) => element("option", { value }, title)),
  );
  at("rules").addEventListener("change", (event) => {
    at("rules-say").textContent = saysOf(event.target.value);
  });
  at("hints").addEventListener("change", () => now() && attempt(show));
  at("speed").addEventListener("change", (event) => seats.set({ speed: event.target.value }));
  at("cards-shown").addEventListener("change", (event) =>
    attempt(() => {
      const hidden = event.target.value === "hidden";
      seats.set({ hidden, computers: seats.computers.map((_, index) => hidden && index > 0) });
      fillFields();
      return show();
    }),
  );
}

function wire() {
  const onClick = (id, doing) =>
    at(id).addEventListener(
      "click",
      (event) => event.currentTarget.getAttribute("aria-disabled") !== "true" && attempt(doing),
    );
  onClick("deal", () => deal());
  onClick("another", dealAnother);
  onClick("again", dealAnother);
  onClick("lay", layOut);
  onClick("review", review);
  onClick("leave-review", leaveReview);
  onClick("variation", leaveVariation);
  onClick("mattered", markBest);
  onClick("first", () => goTo(0));
  onClick("back", () => goTo(state.step - 1));
  onClick("forward", () => goTo(state.step + 1));
  onClick("last", () => goTo(state.plays.length));
  onClick("take-back", takeBack);
  onClick("best", () => play(now().plays[0]));
  onClick("advise", ask);
  onClick("share", () => share(location.href, say));
  onClick("new-scores", () => {
    seats.forgetScores();
    drawSettings();
  });
  addEventListener("keydown", onKey);
  addEventListener("popstate", () => attempt(() => start(true)));
  takeDrops((files) =>
    attempt(async () => beginOnce(parseText(await textOf(onlyOne(files))), [], {})),
  );
}

// Open the link. It has the number of a deal and the turns played, or a game with its turns, or a
// question written by the other page.
async function open(returning) {
  const query = new URLSearchParams(location.search);
  const number = !location.hash && query.get("deal");
  let found;
  try {
    const packed = query.get("play");
    found = JSON.parse(!number ? await textOfLink(location) : packed ? await unpack(packed) : "{}");
  } catch {
    throw new Problem("The link is damaged: it holds no game.");
  }
  const { plays = [], computers, drew } = found;
  const how = { hidden: found.hidden ?? false, computers, drew, returning };
  if (!number) return beginOnce(parseText(stringifyExact(found.game ?? found)), plays, how);
  at("seed").value = number;
  if (query.has("cards")) at("cards").value = query.get("cards");
  for (const id of ["players", "rules"]) if (query.has(id)) select(id, query.get(id));
  await deal(plays, query.has("play") ? how : { hidden: true, returning });
}

const holdsGame = () => holdsValue(location) || new URLSearchParams(location.search).has("deal");

// Open the link, or go on with the last game of this browser, or deal.
function start(returning = false) {
  if (!holdsGame()) history.replaceState(null, "", location.pathname + kept("game", ""));
  return holdsGame() ? open(returning) : deal();
}

wireSettings();
wire();
attempt(start);
