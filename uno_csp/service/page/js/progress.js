// What this browser keeps of each puzzle, what was solved, and the streak up to today.

import { daysAfter, LEVELS } from "./days.js";
import { formed, keep, kept } from "./store.js";

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
