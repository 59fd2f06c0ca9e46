// The puzzles of the days: dates as 2026-11-23, levels, and what a puzzle is asked for by.

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

// The day and the level of the puzzle at an address.
export function puzzleOf({ search }, today = todayOf()) {
  const query = new URLSearchParams(search);
  const level = query.get("level");
  return {
    day: query.get("date") ?? today,
    level: Object.hasOwn(LEVELS, level) ? level : "medium",
  };
}

// The request for a puzzle.
export const requestOf = (day, level) => ({
  cards: LEVELS[level],
  level,
  seed: Number(day.replaceAll("-", "")),
});
