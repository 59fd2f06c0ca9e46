// The page of the real game: a game, the turns played so far, and the server's analysis.

import { Problem, adviseSeat, analyseGame, generateQuestion, parseText } from "./api.js";
import { codeOf, element } from "./cards.js";
import { stringifyExact } from "./exact.js";
import { fragmentOf, textOfFragment } from "./question.js";
import { cardOf, drawAdvice, drawMoves, drawTable, drawTurns, moveWords, winnerWords, worthOf } from "./table.js";

const REPLY_MS = 700;
const at = (id) => document.getElementById(id);
const state = { game: null, plays: [], step: 0, remark: ["", ""] };
let known = new Map(); // the analysis of each position, by the turns that lead to it
let asked = 0; // ticket number: only the latest request is drawn

const turnsNow = () => state.plays.slice(0, state.step);
const turnsOf = (plays) => `${plays.length} ${plays.length === 1 ? "turn" : "turns"}`;
const keyNow = () => stringifyExact(turnsNow());
const now = () => known.get(keyNow());
const mine = (player) => at("mode").value === "all" || at("mode").value === String(player);

function say(words, style = "") {
  state.remark = [words, style];
  at("remark").textContent = words;
  at("remark").className = style;
}

async function attempt(doing) {
  try {
    await doing();
  } catch (error) {
    say(error instanceof Problem ? error.message : `Something went wrong: ${error.message}`, "problem");
  }
}

// The analysis of the current position; requested once for each position.
async function analysed() {
  const key = keyNow();
  const { game } = state;
  if (!known.has(key)) {
    const own = known;
    own.set(key, await analyseGame(game, turnsNow()));
  }
  return known.get(key);
}

function topNow() {
  const laid = turnsNow().filter((play) => play.lays).at(-1);
  return laid ? laid.lays : codeOf(state.game.after);
}

async function show() {
  const ticket = ++asked;
  history.replaceState(null, "", fragmentOf({ game: state.game, plays: turnsNow() }));
  at("advice").tBodies[0].replaceChildren();
  at("advice-status").textContent = "";
  at("choice").replaceChildren();
  drawTurns(at("history"), state.plays, (index) => goTo(index + 1), state.step - 1);
  if (!now()) drawUnknown();
  for (const id of ["best", "advise"]) at(id).disabled = true;
  const found = await analysed();
  if (ticket !== asked) return;
  draw(found);
  if (found.position && !mine(found.position.player)) {
    setTimeout(() => ticket === asked && attempt(() => play(found.plays[0] ?? found.moves[0])), REPLY_MS);
  }
}

// Until the analysis arrives, draw the cards as dealt, without hints.
function drawUnknown() {
  const { game } = state;
  at("verdict").textContent = "Looking ahead ...";
  for (const id of ["line-title", "cost"]) at(id).textContent = "";
  at("line").replaceChildren();
  drawMoves(at("moves"), [], 1, false, () => {});
  if (state.step > 0) return;
  const hands = game.hands.map((hand) => hand.map(codeOf));
  const position = { hands, player: game.turned_up ? 0 : game.to_move ?? 1, colour: game.colour ?? game.after[0], drawn: 0, direction: game.direction ?? 1, pending: 0 };
  drawTable(at("felt"), { position, top: topNow(), draw: game.draw ?? [], moves: [], hints: false, mayPlay: false });
}

function draw(found) {
  const { game } = state;
  const { position, moves, plays, winner } = found;
  const hints = at("hints").checked;
  const over = position === null;
  at("first").disabled = at("back").disabled = state.step === 0;
  at("forward").disabled = at("last").disabled = state.step === state.plays.length;
  at("best").disabled = over || !plays.length;
  at("advise").disabled = over;
  at("verdict").textContent = over
    ? winner === null ? "All passed: nobody has won." : `Player ${winner} has won.`
    : hints ? winnerWords(winner, game.hands.length) : `Player ${position.player} is to move.`;
  at("line-title").textContent = !over && hints && plays.length ? `Best play from here: ${turnsOf(plays)}` : "";
  drawTurns(at("line"), over || !hints ? [] : plays, (index) => follow(plays, index + 1));
  at("cost").textContent = found.score && hints ? `Points left in the hands at the end: ${Object.values(found.score).join(", ")}` : "";
  if (over) {
    at("felt").replaceChildren(element("p", { class: "verdict" }, at("verdict").textContent));
    drawMoves(at("moves"), [], 1, hints, () => {});
    return;
  }
  const mayPlay = mine(position.player);
  drawTable(at("felt"), {
    position, top: topNow(), draw: position.pile?.map(cardOf) ?? game.draw ?? [], moves, hints, mayPlay,
    onCard: (code) => choose(moves.filter((move) => !move.draws && move.lays === code)),
    onDraw: () => choose(moves.filter((move) => move.draws || !move.lays)),
  });
  drawMoves(at("moves"), mayPlay || hints ? moves : [], position.player, hints, (move) => mayPlay && attempt(() => play(move, true)));
}

// Play a single move at once; let the user choose between several, such as colours of a wild card.
function choose(moves) {
  if (moves.length === 1) return attempt(() => play(moves[0], true));
  at("choice").replaceChildren(
    ...moves.map((move) => element("button", { onclick: () => attempt(() => play(move, true)) }, moveWords(move))),
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
  say("");
  const shown = show();
  if (judged) {
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
  say(`${said[0].toUpperCase()}${said.slice(1)} ${so}. Better: ${better.slice(0, 3).map(moveWords).join("; ")}.`, "bad");
}

function goTo(step) {
  state.step = Math.max(0, Math.min(step, state.plays.length));
  at("mode").value = "all"; // while browsing, the user plays for everybody
  say("");
  return attempt(show);
}

function follow(plays, count) {
  const bare = plays.slice(0, count);
  state.plays = [...turnsNow(), ...bare];
  return goTo(state.step + count);
}

function begin(game, plays = []) {
  if (game.question !== "open-game") throw new Problem("This question is not about the real game; open it on the page “Hands and proofs”.");
  state.game = game;
  state.plays = plays;
  state.step = plays.length;
  known = new Map();
  say("");
  at("felt").replaceChildren(); // so that no card of the previous game can be played
  fillLayout();
  return show();
}

function fillLayout() {
  const { hands, after, colour, draw = [] } = state.game;
  at("own-hands").value = hands.map((hand) => hand.map(codeOf).join(" ")).join("\n");
  at("own-after").value = codeOf(after);
  at("own-colour").value = colour ?? "";
  at("own-draw").value = draw.map(codeOf).join(" ");
}

const words = (text) => text.split(/[\s,]+/).filter(Boolean);

async function layOut() {
  const game = {
    question: "open-game",
    hands: at("own-hands").value.split("\n").map(words).filter((hand) => hand.length),
    after: at("own-after").value.trim(),
    draw: words(at("own-draw").value),
    rules: at("rules").value,
    ...(at("own-colour").value ? { colour: at("own-colour").value } : {}),
  };
  try {
    await begin(await parseText(stringifyExact(game)));
  } catch (error) {
    throw error instanceof Problem ? new Problem(inWordsOfTheBoxes(error.message)) : error;
  }
}

// Translate a place in the question into a place on the page.
function inWordsOfTheBoxes(message) {
  return message
    .replace(/^hands\[(\d+)\](?:\[(\d+)\])?/, (_, hand, card) => `Hands, line ${Number(hand) + 1}${card ? `, card ${Number(card) + 1}` : ""}`)
    .replace(/^draw\[(\d+)\]/, (_, card) => `Draw pile, card ${Number(card) + 1}`)
    .replace(/^(hands|draw|after|colour|rules)\b/, (key) => ({ hands: "Hands", draw: "Draw pile", after: "Pile", colour: "Colour of a wild pile", rules: "Rules" })[key]);
}

async function deal() {
  const [players, cards] = ["players", "cards"].map((id) => Number(at(id).value));
  const parameters = { players, cards, rules: at("rules").value };
  await begin(await generateQuestion("open-game", parameters, Number(at("seed").value)));
}

async function ask() {
  const { position } = now();
  const others = position.hands.map((_, index) => position.hands[(position.player - 1 + index) % position.hands.length].length);
  at("advice-status").textContent = "Dealing and solving ...";
  at("advise").disabled = true;
  const key = keyNow();
  try {
    const found = await adviseSeat({
      hand: position.hands[position.player - 1],
      after: topNow(),
      ...(["W", "+4"].includes(topNow()) ? { colour: position.colour } : {}),
      others: others.slice(1),
      seen: [codeOf(state.game.after), ...turnsNow().flatMap((turn) => turn.lays ?? [])].slice(0, -1),
      rules: state.game.rules ?? "nobody-skips",
      deals: Number(at("deals").value),
    });
    if (key !== keyNow()) return;
    drawAdvice(at("advice"), found.moves);
    at("advice-status").textContent = `Share of ${found.solved} deals that each card wins; the dark line is its 95 % interval.`;
  } finally {
    at("advise").disabled = !now()?.position;
  }
}

function wire() {
  const redraw = () => now() && attempt(show);
  at("deal").addEventListener("click", () => attempt(deal));
  at("another").addEventListener("click", () => attempt(async () => {
    at("seed").value = Math.floor(Math.random() * 1e6);
    await deal();
  }));
  at("lay").addEventListener("click", () => attempt(layOut));
  at("hints").addEventListener("change", redraw);
  at("mode").addEventListener("change", redraw);
  at("first").addEventListener("click", () => goTo(0));
  at("back").addEventListener("click", () => goTo(state.step - 1));
  at("forward").addEventListener("click", () => goTo(state.step + 1));
  at("last").addEventListener("click", () => goTo(state.plays.length));
  at("best").addEventListener("click", () => attempt(() => play(now().plays[0])));
  at("advise").addEventListener("click", () => attempt(async () => {
    try {
      await ask();
    } catch (error) {
      at("advice-status").textContent = "";
      throw error;
    }
  }));
  at("share").addEventListener("click", () => attempt(async () => {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
  }));
  addEventListener("hashchange", () => attempt(open));
}

// Open the link, which holds a game with its turns, or a question written by the other page.
async function open() {
  let found;
  try {
    found = JSON.parse(textOfFragment(location.hash));
  } catch {
    throw new Problem("The link is damaged: it holds no game.");
  }
  const game = await parseText(stringifyExact(found.game ?? found));
  await begin(game, found.plays ?? []);
}

wire();
attempt(() => (location.hash.startsWith("#q=") ? open() : deal()));
