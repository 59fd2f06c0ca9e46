// The page of the daily puzzle: the same for everybody on a day, played by tapping or by keyboard.

import { hintPuzzle, makePuzzle } from "./api.js";
import { keyOf, nameOf } from "./cards.js";

const CARDS = { easy: 7, medium: 9, hard: 11 };
const SIGNS = { skip: "⊘", reverse: "⇄" };
const DAY_MS = 86_400_000;

const at = (id) => document.getElementById(id);
const matches = ([colour, symbol], [other, sign]) => colour === other || symbol === sign;

// The local date as 2026-11-23, some days before today.
function dateBefore(days) {
  const now = new Date();
  const day = new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) - days * DAY_MS);
  return day.toISOString().slice(0, 10);
}

const asked = new URLSearchParams(location.search);
const today = dateBefore(0);
const date = /^\d{4}-\d{2}-\d{2}$/.test(asked.get("date") ?? "") ? asked.get("date") : today;
const dayBefore = new Date(Date.parse(`${date}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);

const puzzleOf = (day, level) => makePuzzle({ cards: CARDS[level], level, seed: Number(day.replaceAll("-", "")) });

let level = asked.get("level") in CARDS ? asked.get("level") : "medium";
let puzzle = null;
let played = []; // places in the hand
let [moves, hints, began, shown] = [0, 0, 0, false];

const hand = () => puzzle.question.cards;
const left = () => hand().map((_, place) => place).filter((place) => !played.includes(place));
const lastCard = () => (played.length ? hand()[played.at(-1)] : puzzle.question.after);

function face(card, name) {
  const made = document.createElement(name);
  made.className = `playing ${card[0]}`;
  const colour = document.createElement("small");
  colour.textContent = card[0];
  made.append(SIGNS[card[1]] ?? `${card[1]}`, colour);
  if (name === "button") made.setAttribute("aria-label", nameOf(card));
  return made;
}

function item(content) {
  const made = document.createElement("li");
  made.append(content);
  return made;
}

function say(text, tone = "") {
  at("said").textContent = text;
  at("said").className = `said ${tone}`;
}

const seconds = () => Math.round((performance.now() - began) / 1000);
const clock = (total) => `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
const result = (total) =>
  `uno-csp puzzle ${date}, ${level}: ${hand().length} cards, ${hints ? `${hints} ${hints === 1 ? "hint" : "hints"}` : "no hints"}, ${clock(total)}`;

function draw() {
  const pile = face(puzzle.question.after, "span");
  pile.classList.add("pile");
  pile.title = "on the pile";
  const row = played.map((place, index) => {
    const button = face(hand()[place], "button");
    button.setAttribute("aria-label", `${nameOf(hand()[place])}, take back`);
    button.addEventListener("click", () => takeBack(index));
    return item(button);
  });
  at("row").replaceChildren(item(pile), ...row);
  at("hand").replaceChildren(
    ...left().map((place) => {
      const button = face(hand()[place], "button");
      button.dataset.place = place;
      button.addEventListener("click", () => play(place, button));
      return item(button);
    }),
  );
  at("undo").disabled = at("again").disabled = !played.length;
  at("hint").disabled = at("show").disabled = !left().length;
  at("score").textContent = `${moves} ${moves === 1 ? "move" : "moves"}, ${hints} ${hints === 1 ? "hint" : "hints"}`;
  at("done").hidden = left().length > 0 || shown;
}

function play(place, button) {
  const card = hand()[place];
  if (!matches(lastCard(), card)) {
    button.classList.remove("wrong");
    void button.offsetWidth; // so that the animation runs again
    button.classList.add("wrong");
    say(`${nameOf(card)} does not match ${nameOf(lastCard())}.`, "bad");
    return;
  }
  played.push(place);
  moves += 1;
  draw();
  if (!left().length) finish();
  else if (!left().some((other) => matches(card, hand()[other]))) say(`Nothing in your hand matches ${nameOf(card)}. Undo, and try another way.`, "bad");
  else say("");
  (at("hand").querySelector("button") ?? at("copy")).focus({ preventScroll: true });
}

function finish() {
  if (shown) return;
  const total = seconds();
  at("copy").dataset.result = result(total);
  say(`Solved: ${hand().length} cards in ${clock(total)}.`, "good");
}

function takeBack(index) {
  played = played.slice(0, index);
  draw();
  say("");
}

async function hint() {
  at("hint").disabled = true;
  try {
    const found = await hintPuzzle({ instance: puzzle.question, played: played.map((place) => hand()[place]) });
    hints += 1;
    draw();
    say(`${found.reason[0].toUpperCase()}${found.reason.slice(1)}.`);
    if (found.card !== null) {
      const place = left().find((each) => keyOf(hand()[each]) === keyOf(found.card));
      at("hand").querySelector(`[data-place="${place}"]`)?.classList.add("right");
    }
  } catch (error) {
    draw();
    say(error.message, "bad");
  }
}

function show() {
  shown = true;
  const rest = hand().map((_, place) => place);
  played = puzzle.solution.map((card) => {
    const place = rest.find((each) => keyOf(hand()[each]) === keyOf(card));
    rest.splice(rest.indexOf(place), 1);
    return place;
  });
  draw();
  say("This is the only way.");
}

async function load() {
  for (const button of document.querySelectorAll("[data-level]"))
    button.setAttribute("aria-pressed", `${button.dataset.level === level}`);
  at("puzzle-title").textContent = date === today ? `Today's puzzle, ${date}` : `The puzzle of ${date}`;
  say("Dealing …");
  const own = level;
  try {
    const [made, before] = await Promise.all([puzzleOf(date, own), puzzleOf(dayBefore, own)]);
    if (own !== level) return;
    puzzle = made;
    played = [];
    [moves, hints, began, shown] = [0, 0, performance.now(), false];
    draw();
    say("");
    at("yesterday").replaceChildren(...[before.question.after, ...before.solution].map((card) => item(face(card, "span"))));
    at("back").href = `puzzle?date=${dayBefore}&level=${own}`;
  } catch (error) {
    say(error.message, "bad");
  }
}

for (const button of document.querySelectorAll("[data-level]"))
  button.addEventListener("click", () => {
    level = button.dataset.level;
    const query = date === today ? `?level=${level}` : `?date=${date}&level=${level}`;
    history.replaceState(null, "", query);
    load();
  });
at("undo").addEventListener("click", () => takeBack(played.length - 1));
at("again").addEventListener("click", () => takeBack(0));
at("hint").addEventListener("click", hint);
at("show").addEventListener("click", show);
at("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(at("copy").dataset.result).catch(() => {});
  say(at("copy").dataset.result, "good");
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Backspace" && played.length) takeBack(played.length - 1);
});
load();
