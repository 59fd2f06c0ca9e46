// The page of the real game: a game, the turns played so far, and the server's analysis. With
// hidden cards the computer plays what an agent chooses that sees one hand; with open cards, the
// best play.

import { analyseGame, chooseMove, generateQuestion, Problem, parseText } from "./api.js";
import { codeOf, element } from "./cards.js";
import { stringifyExact } from "./exact.js";
import { holdsValue, linkOf, pack, textOfLink, unpack } from "./links.js";
import { markOf, summaryOf, turningWords } from "./review.js";
import {
  cardOf,
  drawAdvice,
  drawLine,
  drawMoves,
  drawSeats,
  drawTable,
  drawTurns,
  moveWords,
  winnerWords,
  worthOf,
} from "./table.js";

const REPLY_MS = 700;
const AGENT = "play-outs";
const STAGES = [0, 20_000, 400_000]; // limits of positions: the analysis is shown as it deepens
/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);
// `dealt` has the parameters of a game that was dealt; null if it was laid out.
const state = {
  game: null,
  dealt: null,
  plays: [],
  step: 0,
  remark: ["", ""],
  hidden: true,
  computers: [],
  marks: [],
};
let known = new Map(); // the deepest analysis of each position, by the turns that lead to it
let asked = 0; // ticket number: only the latest request is drawn
let wanted = 0; // ticket number: only the game that was asked for last is begun

const turnsNow = () => state.plays.slice(0, state.step);
const turnsOf = (plays) => `${plays.length} ${plays.length === 1 ? "turn" : "turns"}`;
const keyNow = () => stringifyExact(turnsNow());
const now = () => known.get(keyNow());
const mine = (player) => !state.computers[player - 1];
const atEnd = () => state.step === state.plays.length;

function say(words, style = "") {
  state.remark = [words, style];
  at("remark").textContent = words;
  at("remark").className = style;
}

async function attempt(doing) {
  try {
    await doing();
  } catch (error) {
    say(
      error instanceof Problem ? error.message : `Something went wrong: ${error.message}`,
      "problem",
    );
  }
}

const deepEnough = (found) =>
  found.most >= (state.hidden ? STAGES[0] : STAGES.at(-1)) ||
  (found.winner !== "unknown" && found.moves.every((move) => move.leads_to !== "unknown"));

// The analysis of the current position, deepened stage by stage; `onStage` is called with each.
async function analysed(onStage = (_stage) => {}) {
  const key = keyNow();
  const { game } = state;
  const own = known;
  const turns = turnsNow();
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
  const laid = turnsNow()
    .filter((play) => play.lays)
    .at(-1);
  return laid ? laid.lays : codeOf(state.game.after);
}

const settings = () => (state.hidden ? { hidden: true, computers: state.computers } : {});

// The link to this position: a game that was dealt is named by its number.
async function linkNow() {
  const { game, dealt } = state;
  const plays = turnsNow();
  if (!dealt) return linkOf({ game, plays, ...settings() });
  const usual = state.hidden && state.computers.every((computer, index) => computer === index > 0);
  const rest = plays.length || !usual ? { play: await pack({ plays, ...settings() }) } : {};
  return `?${new URLSearchParams({ ...dealt, ...rest })}`;
}

async function show() {
  const ticket = ++asked;
  const current = () => ticket === asked;
  const link = linkNow().then(
    (found) => current() && history.replaceState(null, "", location.pathname + found),
  );
  at("advice").tBodies[0].replaceChildren();
  at("advice-status").textContent = "";
  at("choice").replaceChildren();
  at("review").hidden = true;
  drawSettings();
  drawTurns(at("history"), state.plays, (index) => goTo(index + 1), {
    current: state.step - 1,
    marks: state.marks,
  });
  if (now()) draw(now());
  else drawUnknown();
  for (const id of ["best", "advise"]) at(id).disabled = true;
  const found = await analysed((stage) => current() && draw(stage));
  await link;
  if (!current()) return;
  draw(found);
  if (state.step === 0 && found.turned_up && !state.remark[0]) say(found.turned_up);
  if (found.position && atEnd() && !mine(found.position.player)) {
    setTimeout(() => current() && attempt(() => reply(found)), REPLY_MS);
  }
}

// The computer's turn.
async function reply(found) {
  if (!state.hidden) return play(found.plays[0] ?? found.moves[0]);
  const ticket = asked;
  const { turn } = await chooseMove(state.game, turnsNow(), AGENT);
  if (ticket === asked) await play(turn);
}

function drawSettings() {
  at("cards-shown").value = state.hidden ? "hidden" : "open";
  at("hints-field").hidden = at("analysis").hidden = at("best").hidden = state.hidden;
  drawSeats(at("seats"), state.computers, (index, computer) => {
    state.computers[index] = computer;
    attempt(show);
  });
}

// With hidden cards, only those of a person are seen; of several, those of the one to move.
function sees(player, mover) {
  if (!state.hidden) return true;
  const people = state.computers.filter((computer) => !computer).length;
  return mine(player) && (people === 1 || player === mover);
}

const seen = (mover) => ({
  names: state.computers.map((computer) => (computer ? ", computer" : "")),
  sees: (player) => sees(player, mover),
  open: !state.hidden,
});

// Until the analysis arrives, draw the cards as dealt, without hints; after a turn, leave the table
// as it was, where nothing can be played.
function drawUnknown() {
  const { game } = state;
  at("verdict").textContent = "Looking ahead ...";
  for (const id of ["line-title", "cost"]) at(id).textContent = "";
  drawBest(null, []);
  drawMoves(at("moves"), [], 1, false, () => {});
  for (const button of at("felt").querySelectorAll("button")) button.disabled = true;
  if (state.step > 0) return;
  const hands = game.hands.map((hand) => hand.map(codeOf));
  const position = {
    hands,
    player: game.turned_up ? 0 : (game.to_move ?? 1),
    colour: game.colour ?? game.after[0],
    drawn: 0,
    direction: game.direction ?? 1,
    pending: 0,
  };
  drawTable(at("felt"), {
    position,
    top: topNow(),
    draw: game.draw ?? [],
    moves: [],
    hints: false,
    mayPlay: false,
    ...seen(position.player),
  });
}

function draw(found) {
  const { game } = state;
  const { position, moves, plays, winner } = found;
  const hints = at("hints").checked && !state.hidden;
  const over = position === null;
  at("first").disabled = at("back").disabled = state.step === 0;
  at("forward").disabled = at("last").disabled = atEnd();
  at("best").disabled = over || !plays.length;
  at("advise").disabled = over || !mine(position.player);
  at("review").hidden = !over || !state.hidden;
  at("verdict").textContent = over
    ? winner === null
      ? "All passed: nobody has won."
      : `Player ${winner} has won.`
    : !hints
      ? `Player ${position.player} is to move.`
      : winner === "unknown" && found.most < STAGES.at(-1)
        ? "Looking ahead ..."
        : winnerWords(winner, game.hands.length);
  at("line-title").textContent =
    !over && hints && plays.length ? `Best play from here: ${turnsOf(plays)}` : "";
  drawBest(found, over || !hints ? [] : plays);
  at("cost").textContent =
    found.score && hints
      ? `Points left in the hands at the end: ${Object.values(found.score).join(", ")}`
      : "";
  if (over) {
    at("felt").replaceChildren(element("p", { class: "verdict" }, at("verdict").textContent));
    if (state.hidden)
      say(found.score ? `Points left in the hands: ${Object.values(found.score).join(", ")}.` : "");
    drawMoves(at("moves"), [], 1, hints, () => {});
    return;
  }
  const mayPlay = mine(position.player);
  drawTable(at("felt"), {
    position,
    top: topNow(),
    draw: position.pile?.map(cardOf) ?? game.draw ?? [],
    moves,
    hints,
    mayPlay,
    ...seen(position.player),
    onCard: (code) => choose(moves.filter((move) => !move.draws && move.lays === code)),
    onDraw: () => choose(moves.filter((move) => move.draws || !move.lays)),
  });
  drawMoves(
    at("moves"),
    mayPlay || hints ? moves : [],
    position.player,
    hints,
    (move) => mayPlay && attempt(() => play(move, true)),
  );
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

// Play a single move at once; let the user choose between several, such as colours of a wild card.
function choose(moves) {
  if (moves.length === 1) return attempt(() => play(moves[0], true));
  at("choice").replaceChildren(
    ...moves.map((move) =>
      element("button", { onclick: () => attempt(() => play(move, true)) }, moveWords(move)),
    ),
  );
  at("choice").firstElementChild?.focus();
}

// Play a move; if `judged`, remark when it makes the outcome worse.
async function play(move, judged = false) {
  const before = now();
  const { player } = before.position;
  const { leads_to: _, player: __, ...bare } = move;
  state.plays = [...turnsNow(), { player, ...bare }];
  state.step += 1;
  state.marks = [];
  say("");
  const shown = show();
  if (judged && !state.hidden) {
    const after = await analysed();
    judge(before, after, player, bare);
  }
  await shown;
}

function judge(before, after, player, move) {
  const was = worthOf(before.winner, player).word;
  const is = worthOf(after.winner, player).word;
  if (was === is || was === "not known" || is === "not known") return;
  const better = before.moves.filter((other) => worthOf(other.leads_to, player).word === was);
  const said = moveWords(move);
  const so = is === "loses" ? `loses in ${turnsOf(after.plays)}` : "gives the win away";
  say(
    `${said[0].toUpperCase()}${said.slice(1)} ${so}. Better: ${better.slice(0, 3).map(moveWords).join("; ")}.`,
    "bad",
  );
}

function goTo(step) {
  state.step = Math.max(0, Math.min(step, state.plays.length));
  say("");
  return attempt(show);
}

// After the game: open the cards, and mark every choice of a person.
async function review() {
  const { game, plays } = state;
  const people = plays.map(({ player }) => mine(player));
  state.hidden = false;
  state.computers = state.computers.map(() => false);
  await goTo(0);
  const marks = [];
  for (const [index, play] of plays.entries()) {
    if (people[index])
      marks[index] = await marked(game, plays.slice(0, index), play, index, plays.length);
    if (state.game !== game || state.plays !== plays) return;
    state.marks = marks;
    drawTurns(at("history"), plays, (turn) => goTo(turn + 1), { current: state.step - 1, marks });
  }
  say(summaryOf(marks));
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
  const [found, key, before] = [now(), keyNow(), turnsNow()];
  const marks = [];
  at("mattered").hidden = true;
  for (const [index, play] of found.plays.entries()) {
    marks[index] = await marked(
      game,
      [...before, ...found.plays.slice(0, index)],
      play,
      index,
      found.plays.length,
    );
    if (game !== state.game || key !== keyNow()) return;
  }
  found.marks = marks;
  draw(found);
  say(turningWords(marks));
}

function follow(plays, count) {
  const bare = plays.slice(0, count);
  state.plays = [...turnsNow(), ...bare];
  state.marks = [];
  return goTo(state.step + count);
}

function begin(game, plays = [], { hidden = false, computers = null, dealt = null } = {}) {
  if (game.question !== "open-game")
    throw new Problem(
      "This question is not about the real game; open it on the page “Hands and proofs”.",
    );
  Object.assign(state, { game, dealt });
  state.plays = plays;
  state.step = plays.length;
  state.marks = [];
  state.hidden = hidden;
  const same = computers?.length === game.hands.length;
  state.computers = game.hands.map((_, index) => (same ? computers[index] : hidden && index > 0));
  known = new Map();
  say("");
  at("felt").replaceChildren(); // so that no card of the previous game can be played
  fillLayout();
  return show();
}

// Begin a game once the server has sent it, unless another was asked for since.
async function beginOnce(sent, plays, how) {
  const ticket = ++wanted;
  const game = await sent;
  if (ticket === wanted) await begin(game, plays, how);
}

function fillLayout() {
  const { hands, after, colour, draw = [] } = state.game;
  at("own-hands").value = hands.map((hand) => hand.map(codeOf).join(" ")).join("\n");
  at("own-after").value = codeOf(after);
  at("own-colour").value = colour ?? "";
  at("own-draw").value = draw.map(codeOf).join(" ");
}

// The settings, for another game.
const kept = () => ({ hidden: state.hidden, computers: state.computers });

const words = (text) => text.split(/[\s,]+/).filter(Boolean);

async function layOut() {
  const game = {
    question: "open-game",
    hands: at("own-hands")
      .value.split("\n")
      .map(words)
      .filter((hand) => hand.length),
    after: at("own-after").value.trim(),
    draw: words(at("own-draw").value),
    rules: at("rules").value,
    ...(at("own-colour").value ? { colour: at("own-colour").value } : {}),
  };
  try {
    await beginOnce(parseText(stringifyExact(game)), [], kept());
  } catch (error) {
    throw error instanceof Problem ? new Problem(inWordsOfTheBoxes(error.message)) : error;
  }
}

// Translate a place in the question into a place on the page.
function inWordsOfTheBoxes(message) {
  return message
    .replace(
      /^hands\[(\d+)\](?:\[(\d+)\])?/,
      (_, hand, card) =>
        `Hands, line ${Number(hand) + 1}${card ? `, card ${Number(card) + 1}` : ""}`,
    )
    .replace(/^draw\[(\d+)\]/, (_, card) => `Draw pile, card ${Number(card) + 1}`)
    .replace(
      /^(hands|draw|after|colour|rules)\b/,
      (key) =>
        ({
          hands: "Hands",
          draw: "Draw pile",
          after: "Pile",
          colour: "Colour of a wild pile",
          rules: "Rules",
        })[key],
    );
}

// Deal the game of the fields, with turns that were played if a link has them.
async function deal(plays = [], seats = kept()) {
  const [players, cards, seed] = ["players", "cards", "seed"].map((id) => Number(at(id).value));
  const rules = at("rules").value;
  const sent = generateQuestion("open-game", { players, cards, rules }, seed);
  await beginOnce(sent, plays, { ...seats, dealt: { deal: seed, players, cards, rules } });
}

async function ask() {
  at("advice-status").textContent = "Dealing and playing ...";
  at("advise").disabled = true;
  const { game } = state;
  const key = keyNow();
  try {
    const deals = Number(at("deals").value);
    const { moves, words: best } = await chooseMove(state.game, turnsNow(), AGENT, deals);
    if (key !== keyNow() || game !== state.game) return;
    drawAdvice(at("advice"), moves);
    at("advice-status").textContent = moves.length
      ? `${best} Below is the share of the deals that each wins; the dark line is its 95 % interval.`
      : "There is only one thing to do.";
  } finally {
    at("advise").disabled = !now()?.position;
  }
}

// Arrow keys step through the game, except in fields.
function onKey(event) {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.target.closest("input, select, textarea")
  )
    return;
  const step = {
    ArrowLeft: state.step - 1,
    ArrowRight: state.step + 1,
    Home: 0,
    End: state.plays.length,
  }[event.key];
  if (step === undefined || !state.game) return;
  event.preventDefault();
  goTo(step);
}

function wire() {
  // On a phone the table comes first.
  at("settings").open = !matchMedia("(max-width: 480px)").matches;
  const redraw = () => now() && attempt(show);
  at("deal").addEventListener("click", () => attempt(() => deal()));
  at("another").addEventListener("click", () =>
    attempt(async () => {
      at("seed").value = Math.floor(Math.random() * 1e6);
      await deal();
    }),
  );
  at("lay").addEventListener("click", () => attempt(layOut));
  at("hints").addEventListener("change", redraw);
  at("cards-shown").addEventListener("change", () =>
    attempt(() => {
      state.hidden = at("cards-shown").value === "hidden";
      state.computers = state.computers.map((_, index) => state.hidden && index > 0);
      return show();
    }),
  );
  at("review").addEventListener("click", () => attempt(review));
  at("mattered").addEventListener("click", () => attempt(markBest));
  addEventListener("keydown", onKey);
  at("first").addEventListener("click", () => goTo(0));
  at("back").addEventListener("click", () => goTo(state.step - 1));
  at("forward").addEventListener("click", () => goTo(state.step + 1));
  at("last").addEventListener("click", () => goTo(state.plays.length));
  at("best").addEventListener("click", () => attempt(() => play(now().plays[0])));
  at("advise").addEventListener("click", () =>
    attempt(async () => {
      try {
        await ask();
      } catch (error) {
        at("advice-status").textContent = "";
        throw error;
      }
    }),
  );
  at("share").addEventListener("click", () =>
    attempt(async () => {
      await navigator.clipboard.writeText(location.href);
      say("The link is copied.");
    }),
  );
  addEventListener("hashchange", () => attempt(open));
}

// Open the link. It has the number of a deal and the turns played, or a game with its turns, or a
// question written by the other page.
async function open() {
  const query = new URLSearchParams(location.search);
  const number = !location.hash && query.get("deal");
  let found;
  try {
    const packed = query.get("play");
    found = JSON.parse(!number ? await textOfLink(location) : packed ? await unpack(packed) : "{}");
  } catch {
    throw new Problem("The link is damaged: it holds no game.");
  }
  if (!number)
    return beginOnce(parseText(stringifyExact(found.game ?? found)), found.plays ?? [], found);
  for (const [id, value] of [
    ["seed", number],
    ["players", query.get("players")],
    ["cards", query.get("cards")],
    ["rules", query.get("rules")],
  ]) {
    if (value) at(id).value = value;
  }
  await deal(found.plays ?? [], query.has("play") ? found : { hidden: true });
}

wire();
attempt(() =>
  holdsValue(location) || new URLSearchParams(location.search).has("deal") ? open() : deal(),
);
