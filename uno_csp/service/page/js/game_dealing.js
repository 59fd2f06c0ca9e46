// Games that come to the table: dealt, laid out by hand, or from a link, a file or the last visit.

import { generateQuestion, parseText } from "./api.js";
import { codeOf, element } from "./cards.js";
import { stringifyExact } from "./exact.js";
import { Problem } from "./failing.js";
import { numberIn } from "./fields.js";
import { say } from "./game_drawing.js";
import { isOpen, lay, recalled, seats, state, together } from "./game_state.js";
import { show } from "./game_turns.js";
import { holdsValue, objectOfLink } from "./links.js";
import { nameOfRules, saysOf } from "./rules.js";
import { kept } from "./store.js";

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);
const LINK = { plays: [{}], hidden: false, computers: [true], drew: false };
let wanted = 0; // ticket number: only the game that was asked for last is begun

async function begin(game, plays = [], how = {}) {
  const { hidden, computers = null, dealt = null, drew = false, returning = false } = how;
  if (game.question !== "open-game")
    throw new Problem("This question is not about the real game: open it on the page “Hands”.");
  const laid = state.game && !state.dealt && dealt;
  if (state.game && !returning) history.pushState(null, "", location.href);
  lay(game, plays, { dealt, drew });
  seats.fit(game.hands.length, { hidden, computers });
  say(laid ? "Your own cards are one step back: press the browser's Back to have them again." : "");
  at("events").textContent = "";
  for (const id of ["others", "middle", "mine"]) at(id).replaceChildren();
  fillFields();
  return recalled().then(show).catch(withoutTurns);
}

// The game of a link whose turns do not fit it is begun anew.
async function withoutTurns(error) {
  const { game, plays, dealt } = state;
  if (!plays.length || !error.message.startsWith("plays")) throw error;
  lay(game, [], { dealt, drew: false });
  await show();
  say("The turns in the link do not fit its game, which begins anew.", "problem");
}

// Begin a game once the server has sent it, unless another was asked for since.
export async function beginOnce(sent, plays, how) {
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
export function fillFields() {
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
export function layOut() {
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
export async function deal(plays = [], how = {}) {
  const players = Number(at("players").value);
  const [cards, seed] = ["cards", "seed"].map((id) => numberIn(at(id)));
  const rules = at("rules").value;
  if (rules === "own") throw new Problem("Choose the rules of the deal first.");
  const sent = generateQuestion("open-game", { players, cards, rules }, seed);
  await beginOnce(sent, plays, { ...how, dealt: { deal: seed, players, cards, rules } });
}

export function dealAnother() {
  at("seed").value = Math.floor(Math.random() * 1e6);
  if (at("rules").value === "own") at("rules").value = "nobody-skips";
  return deal();
}

// Open the link. It has the number of a deal and the turns played, or a game with its turns, or a
// question written by the other page.
async function open(returning) {
  const query = new URLSearchParams(location.search);
  const number = !location.hash && query.get("deal");
  const played = query.has("play");
  const place = number ? { hash: "", search: `?q=${query.get("play")}` } : location;
  const dealt = { ...LINK, plays: [] };
  const found = number && !played ? dealt : await objectOfLink(place, LINK, "game");
  const { plays, hidden, computers, drew, ...asked } = found;
  if (!plays.every(({ player }) => Number.isInteger(player)))
    throw new Problem("The link is damaged: a turn in it has no player.");
  const how = { hidden, computers, drew, returning };
  if (!number) return beginOnce(parseText(stringifyExact(asked.game ?? asked)), plays, how);
  at("seed").value = number;
  if (query.has("cards")) at("cards").value = query.get("cards");
  for (const id of ["players", "rules"]) if (query.has(id)) select(id, query.get(id));
  await (played ? deal(plays, how) : deal([], { hidden: true, returning }));
}

const holdsGame = () => holdsValue(location) || new URLSearchParams(location.search).has("deal");

// Open the link, or go on with the last game of this browser, or deal.
export function start(returning = false) {
  const last = kept("game", "");
  if (!holdsGame() && /^[?#]/.test(last)) history.replaceState(null, "", location.pathname + last);
  return holdsGame() ? open(returning) : deal();
}
