// The page of the daily puzzle: the same for everybody on a day, played by tapping or by keyboard.

import { hintPuzzle, makePuzzle } from "./api.js";
import { cardElement, keyOf } from "./cards.js";
import { Trial } from "./trial.js";

const CARDS = { easy: 7, medium: 9, hard: 11 };
const DAY_MS = 86_400_000;

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

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

const puzzleOf = (day, level) =>
  makePuzzle({ cards: CARDS[level], level, seed: Number(day.replaceAll("-", "")) });

let level = asked.get("level") in CARDS ? asked.get("level") : "medium";
let puzzle = null;
let [moves, hints, began, shown] = [0, 0, 0, false];
let before = 0; // cards played before the last move
const trial = new Trial(at("row"), at("hand"), { said: say, moved });

function say(text, tone = "") {
  at("said").textContent = text;
  at("said").className = `said ${tone}`;
}

const seconds = () => Math.round((performance.now() - began) / 1000);
const clock = (total) => `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
const result = (total) =>
  `uno-csp puzzle ${date}, ${level}: ${trial.hand.length} cards, ${hints ? `${hints} ${hints === 1 ? "hint" : "hints"}` : "no hints"}, ${clock(total)}`;

function drawScore() {
  const { left, played } = trial;
  at("undo").disabled = at("again").disabled = !played.length;
  at("hint").disabled = at("show").disabled = !left.length;
  at("score").textContent =
    `${moves} ${moves === 1 ? "move" : "moves"}, ${hints} ${hints === 1 ? "hint" : "hints"}`;
  at("done").hidden = left.length > 0 || shown;
}

function moved() {
  const { played, left } = trial;
  if (played.length > before) moves += 1;
  before = played.length;
  drawScore();
  if (!left.length && !shown) finish();
}

function finish() {
  const total = seconds();
  at("copy").dataset.result = result(total);
  say(`Solved: ${trial.hand.length} cards in ${clock(total)}.`, "good");
  at("copy").focus({ preventScroll: true });
}

async function hint() {
  at("hint").disabled = true;
  try {
    const found = await hintPuzzle({
      instance: puzzle.question,
      played: trial.played.map((place) => trial.hand[place]),
    });
    hints += 1;
    drawScore();
    say(`${found.reason[0].toUpperCase()}${found.reason.slice(1)}.`);
    if (found.card !== null) {
      const place = trial.left.find((each) => keyOf(trial.hand[each]) === keyOf(found.card));
      at("hand").querySelector(`[data-place="${place}"]`)?.classList.add("right");
    }
  } catch (error) {
    drawScore();
    say(error.message, "bad");
  }
}

function show() {
  shown = true;
  const rest = trial.hand.map((_, place) => place);
  trial.played = puzzle.solution.map((card) => {
    const place = rest.find((each) => keyOf(trial.hand[each]) === keyOf(card));
    rest.splice(rest.indexOf(place), 1);
    return place;
  });
  trial.draw();
  drawScore();
  say("This is the only way.");
}

async function load() {
  for (const button of document.querySelectorAll("[data-level]"))
    button.setAttribute("aria-pressed", `${button.getAttribute("data-level") === level}`);
  at("puzzle-title").textContent =
    date === today ? `Today's puzzle, ${date}` : `The puzzle of ${date}`;
  say("Dealing …");
  const own = level;
  try {
    const [made, earlier] = await Promise.all([puzzleOf(date, own), puzzleOf(dayBefore, own)]);
    if (own !== level) return;
    puzzle = made;
    [moves, hints, began, shown, before] = [0, 0, performance.now(), false, 0];
    trial.deal(puzzle.question.cards, puzzle.question.after);
    drawScore();
    say("");
    at("yesterday").replaceChildren(
      ...[earlier.question.after, ...earlier.solution].map((card) => cardElement(card)),
    );
    at("back").href = `puzzle?date=${dayBefore}&level=${own}`;
  } catch (error) {
    say(error.message, "bad");
  }
}

for (const button of document.querySelectorAll("[data-level]"))
  button.addEventListener("click", () => {
    level = button.getAttribute("data-level");
    const query = date === today ? `?level=${level}` : `?date=${date}&level=${level}`;
    history.replaceState(null, "", query);
    load();
  });
at("undo").addEventListener("click", () => trial.takeBack(trial.played.length - 1));
at("again").addEventListener("click", () => trial.takeBack(0));
at("hint").addEventListener("click", hint);
at("show").addEventListener("click", show);
at("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(at("copy").dataset.result).catch(() => {});
  say(at("copy").dataset.result, "good");
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Backspace" && trial.played.length) trial.takeBack(trial.played.length - 1);
});
load();
