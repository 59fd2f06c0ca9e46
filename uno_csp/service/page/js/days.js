// The days of the puzzle: dates as 2026-11-23, what was solved, and the streak up to today.

import { formed, keep, kept } from "./store.js";

export const FIRST_DAY = "2026-01-01";
const DAY_MS = 86_400_000;

export const LEVELS = { easy: 7, medium: 9, hard: 11 }; // with the number of cards

// The local date.
export function todayOf(now = new Date()) {
  return new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()))
    .toISOString()
    .slice(0, 10);
}

/** @type {(form: Intl.DateTimeFormatOptions) => (day: string) => string} */
const wording = (form) => (day) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { ...form, timeZone: "UTC" });
// A day as people write it: "23 November 2026", or "23 Nov".
export const dayWords = wording({ day: "numeric", month: "long", year: "numeric" });
export const shortDay = wording({ day: "numeric", month: "short" });

export const daysAfter = (day, count) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

// Why there is no puzzle for a date; empty if there is one.
export function problemOfDay(day, today) {
  const real = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`));
  if (!real || daysAfter(day, 0) !== day) return `${day} is no day of the calendar.`;
  if (day > today) return `The puzzle of ${day} opens on that day.`;
  return day < FIRST_DAY ? `The first puzzle is that of ${FIRST_DAY}.` : "";
}

const keyOf = (day, level) => `${day} ${level}`;
// What is kept of a puzzle: the cards played, the moves and hints, the seconds, when it was solved,
// whether on its day, and whether the solution was shown.
const FRESH = {
  played: [0],
  moves: 0,
  hints: 0,
  spent: 0,
  ended: 0,
  onTime: false,
  shown: false,
};
export const progressOf = (day, level) => formed(FRESH, kept("puzzles", {})[keyOf(day, level)]);
export const isSolved = (day, level) => progressOf(day, level).ended > 0;

export function keepProgress(day, level, progress) {
  keep("puzzles", { ...kept("puzzles", {}), [keyOf(day, level)]: progress });
}

// Whether any level of a day was solved on the day itself.
const onTime = (day) => Object.keys(LEVELS).some((level) => progressOf(day, level).onTime);

// How many days in a row were solved, each on its day, up to today or yesterday.
export function streakOf(today) {
  let day = onTime(today) ? today : daysAfter(today, -1);
  let count = 0;
  while (onTime(day)) {
    count += 1;
    day = daysAfter(day, -1);
  }
  return count;
}
