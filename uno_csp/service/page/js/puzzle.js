// The page of the daily puzzle: the same for everybody on a day, played by tapping or by keyboard.

import { hintPuzzle, makePuzzle } from "./api.js";
import { cardElement, element, keyOf, nameOf } from "./cards.js";
import {
  daysAfter,
  dayWords,
  FIRST_DAY,
  LEVELS,
  problemOfDay,
  puzzleOf,
  requestOf,
  shortDay,
  todayOf,
} from "./days.js";
import { share } from "./dialog.js";
import { Problem, trying } from "./failing.js";
import { isSolved, keepProgress, progressOf, streakOf } from "./progress.js";
import { Trial } from "./trial.js";

const SHOWN_DAYS = 14; // of the archive
const TICK_MS = 1000;
const NUMBERS = [
  "no",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);
const attempt = trying((words) => say(words, "bad"));
const trial = new Trial(at("row"), at("hand"), { said: say, moved });
let today = todayOf();
let day = today;
let level = "medium";
let puzzle = null;
let asked = 0; // ticket number: only the puzzle that was asked for last is shown
let progress = progressOf(day, level);
let told = null; // the first step of a hint, by the cards played

function say(text, tone = "") {
  at("said").textContent = text;
  at("said").className = `said ${tone}`;
}

const clock = (total) => `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
const countWords = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function resultWords() {
  const hints = progress.hints ? countWords(progress.hints, "hint") : "no hints";
  const streak = streakOf(today);
  const row = streak > 1 ? `, ${streak} days in a row` : "";
  return `uno-csp puzzle ${day}, ${level}: ${trial.hand.length} cards, ${hints}, ${clock(progress.spent)}${row}\n${location.href}`;
}

// Buttons keep the focus when there is nothing to do for them.
const enable = (id, can) => at(id).setAttribute("aria-disabled", String(!can));

function drawScore() {
  const { left, played } = trial;
  const open = !progress.ended && !progress.shown;
  for (const id of ["undo", "again"]) enable(id, played.length > 0);
  enable("hint", open && puzzle !== null);
  enable("show", left.length > 0 && puzzle !== null);
  at("score").textContent =
    `${clock(progress.spent)}, ${countWords(progress.moves, "move")}, ${countWords(progress.hints, "hint")}`;
  at("done").hidden = !progress.ended;
  const streak = streakOf(today);
  at("streak").textContent = streak ? `Streak: ${countWords(streak, "day")} in a row.` : "";
}

function store() {
  keepProgress(day, level, { ...progress, played: trial.played });
}

function moved() {
  if (trial.played.length > progress.played.length) progress.moves += 1;
  progress.played = [...trial.played];
  told = null;
  if (!trial.left.length && !progress.shown && !progress.ended) finish();
  store();
  drawScore();
}

function finish() {
  progress.ended = Date.now();
  progress.onTime = day === todayOf();
  store();
  drawDays();
  say(`Solved: ${trial.hand.length} cards in ${clock(progress.spent)}.`, "good");
  at("done").hidden = false;
  at("copy").focus({ preventScroll: true });
}

// How many of the cards played are right.
function rightCards() {
  const keys = trial.played.map((place) => keyOf(trial.hand[place]));
  const wrong = keys.findIndex((key, index) => key !== keyOf(puzzle.solution[index]));
  return wrong < 0 ? keys.length : wrong;
}

// What the next card has in common with the last one.
function sharedWords() {
  const [last, next] = [trial.last, puzzle.solution[trial.played.length]];
  const same = last.findIndex((value, place) => keyOf([value]) === keyOf([next[place]]));
  return same === 0 ? `The next card is ${last[0]}.` : `The next card is another ${last[1]}.`;
}

// A hint in two steps: what to look for, and then the card and why. A dead end takes one hint.
async function hint() {
  const right = rightCards();
  const own = asked;
  if (right < trial.played.length) {
    const can = right
      ? `Your first ${right === 1 ? "card" : `${NUMBERS[right] ?? right} cards`} can stay`
      : "Already the first card is wrong";
    if (told === null) {
      countHint("dead end");
      return say(`${can}: take the others back.`);
    }
    const { reason } = await hintOf(right + 1);
    if (own !== asked) return undefined;
    return say(`${can}. ${reason[0].toUpperCase()}${reason.slice(1)}.`);
  }
  if (told === null) {
    countHint("next");
    return say(sharedWords());
  }
  const { card, reason } = await hintOf(right);
  if (own !== asked || card === null) return undefined;
  const place = trial.left.find((each) => keyOf(trial.hand[each]) === keyOf(card));
  at("hand").querySelector(`[data-place="${place}"]`)?.classList.add("right");
  return say(`It is ${nameOf(card)}: ${reason}.`);
}

function countHint(step) {
  told = step;
  progress.hints += 1;
  store();
  drawScore();
}

const hintOf = (count) =>
  hintPuzzle({
    instance: puzzle.question,
    played: trial.played.slice(0, count).map((place) => trial.hand[place]),
  });

function show() {
  progress.shown = progress.ended === 0;
  const rest = trial.hand.map((_, place) => place);
  trial.played = puzzle.solution.map((card) => {
    const place = rest.find((each) => keyOf(trial.hand[each]) === keyOf(card));
    rest.splice(rest.indexOf(place), 1);
    return place;
  });
  progress.played = [...trial.played];
  store();
  trial.draw();
  drawScore();
  say("This is the only way.");
}

const makeOf = (date) => makePuzzle(requestOf(date, level));

// The address of a puzzle; today's has its date too, since tomorrow it will be another.
const linkOf = (date, name) => `?${new URLSearchParams({ date, level: name })}`;

function drawHead() {
  for (const button of document.querySelectorAll("[data-level]")) {
    const name = button.getAttribute("data-level");
    button.setAttribute("aria-pressed", String(name === level));
    button.classList.toggle("solved", isSolved(day, name));
  }
  at("puzzle-title").textContent =
    day === today ? `Today's puzzle, ${dayWords(day)}` : `The puzzle of ${dayWords(day)}`;
}

// The days before today, each with what was solved; those to come are not open.
function drawDays() {
  drawHead();
  const days = Array.from({ length: SHOWN_DAYS }, (_, index) => daysAfter(today, -index));
  at("days").replaceChildren(
    ...days
      .filter((each) => each >= FIRST_DAY)
      .map((each) => {
        const solved = Object.keys(LEVELS).filter((name) => isSolved(each, name));
        const words = shortDay(each) + (solved.length ? ` ${"✓".repeat(solved.length)}` : "");
        return element(
          "li",
          {},
          element(
            "a",
            {
              href: `puzzle${linkOf(each, level)}`,
              "aria-current": each === day ? "date" : null,
              title: solved.length ? `solved: ${solved.join(", ")}` : null,
              class: solved.length ? "solved" : "",
            },
            words,
          ),
        );
      }),
  );
  at("day").max = today;
  at("day").min = FIRST_DAY;
  at("day").value = day;
}

// The solution of the day before, as long as that puzzle is not still to be solved.
async function drawYesterday(own) {
  const before = daysAfter(day, -1);
  at("back").href = `puzzle${linkOf(before, level)}`;
  const earlier = before >= FIRST_DAY ? await makeOf(before) : null;
  if (own !== asked) return;
  at("yesterday").replaceChildren(
    ...(earlier ? [earlier.question.after, ...earlier.solution] : []).map((card) =>
      cardElement(card),
    ),
  );
}

// Show the puzzle of the address.
async function load() {
  const own = ++asked;
  today = todayOf();
  ({ day, level } = puzzleOf(location, today));
  puzzle = null;
  progress = progressOf(day, level);
  if (trial.hand.length) trial.deal([]);
  drawScore();
  const problem = problemOfDay(day, today);
  if (problem) {
    day = today;
    drawDays();
    throw new Problem(`${problem} Choose another below.`);
  }
  history.replaceState(null, "", linkOf(day, level));
  drawDays();
  say("Dealing …");
  const made = await makeOf(day);
  if (own !== asked) return;
  puzzle = made;
  resume();
  await drawYesterday(own);
}

// Go on where the player was.
function resume() {
  progress = progressOf(day, level);
  trial.deal(puzzle.question.cards, puzzle.question.after);
  const { played } = progress;
  if (new Set(played).size === played.length && played.every((place) => trial.hand[place]))
    trial.played = [...played];
  trial.draw();
  told = null;
  drawScore();
  const open = !progress.ended && !progress.shown;
  say(open ? "" : progress.ended ? `Solved in ${clock(progress.spent)}.` : "This is the only way.");
}

// The time runs while the puzzle is seen and not solved.
function tick() {
  if (todayOf() !== today) newDay();
  if (puzzle === null || document.hidden || progress.ended || progress.shown) return;
  progress.spent += 1;
  store();
  at("score").textContent = at("score").textContent.replace(/^[\d:]+/, clock(progress.spent));
}

// After midnight: today's puzzle is another; the one on the page stays that of its day.
function newDay() {
  today = todayOf();
  drawDays();
  say("A new day: its puzzle is below.");
}

function go(date, name) {
  history.pushState(null, "", linkOf(date, name));
  return attempt(load);
}

function wire() {
  const onClick = (id, doing) =>
    at(id).addEventListener(
      "click",
      (event) => event.currentTarget.getAttribute("aria-disabled") !== "true" && attempt(doing),
    );
  for (const button of document.querySelectorAll("[data-level]"))
    button.addEventListener("click", () => go(day, button.getAttribute("data-level")));
  onClick("undo", () => trial.takeBack(trial.played.length - 1));
  onClick("again", () => trial.takeBack(0));
  onClick("hint", hint);
  onClick("show", show);
  onClick("copy", () => share(resultWords(), (words) => say(words, "good")));
  at("day").addEventListener(
    "change",
    (event) => event.target.value && go(event.target.value, level),
  );
  addEventListener("popstate", () => attempt(load));
  document.addEventListener("visibilitychange", tick);
  document.addEventListener("keydown", (event) => {
    const typing = /** @type {Element} */ (event.target).closest("input");
    if (event.key === "Backspace" && trial.played.length && !typing)
      trial.takeBack(trial.played.length - 1);
  });
  setInterval(tick, TICK_MS);
}

wire();
attempt(load);
