// The people and the computers at the table of the real game, and their scores over several deals.

import { keep, kept } from "./store.js";
import { namesOf } from "./telling.js";

const AT_FIRST = { hidden: true, computers: [true], names: [""], speed: "normal" };
const NO_SCORES = { key: "", deals: 0, totals: [0] }; // `key` tells who played
export const PAUSES_MS = { slow: 1800, normal: 800, fast: 150 };

export class Seats {
  constructor() {
    const { hidden, computers, names, speed } = kept("seats", AT_FIRST);
    this.hidden = hidden;
    this.computers = computers;
    this.names = names;
    this.speed = speed;
    this.scores = kept("scores", NO_SCORES);
  }

  // The seats of a game with this number of players: as they were, or the first a person's.
  fit(players, { hidden = this.hidden, computers = null } = {}) {
    this.hidden = hidden;
    const same = computers?.length === players ? computers : this.computers;
    this.computers = Array.from({ length: players }, (_, index) =>
      same.length === players ? same[index] : hidden && index > 0,
    );
  }

  set(change) {
    Object.assign(this, change);
    this.#keep();
  }

  #keep() {
    const { hidden, computers, names, speed } = this;
    keep("seats", { hidden, computers, names, speed });
  }

  isPerson(player) {
    return !this.computers[player - 1];
  }

  get people() {
    return this.computers.filter((computer) => !computer).length;
  }

  get called() {
    return namesOf(this.computers, this.hidden, this.names);
  }

  // Whether the seats are those that a link need not name.
  get usual() {
    return this.hidden && this.computers.every((computer, index) => computer === index > 0);
  }

  // Add the points of a deal to its winner: what is left in all hands.
  count(winner, score) {
    const key = this.computers.join();
    if (this.scores.key !== key)
      this.scores = { key, deals: 0, totals: this.computers.map(() => 0) };
    this.scores.deals += 1;
    if (typeof winner === "number")
      this.scores.totals[winner - 1] += Object.values(score).reduce((sum, each) => sum + each, 0);
    keep("scores", this.scores);
  }

  forgetScores() {
    this.scores = NO_SCORES;
    keep("scores", NO_SCORES);
  }

  // The scores in words; empty before the first deal is over.
  get scoreWords() {
    const { scores, called } = this;
    if (scores.key !== this.computers.join()) return "";
    const totals = scores.totals.map((total, index) => `${called[index]} ${total}`).join(", ");
    return `After ${scores.deals} ${scores.deals === 1 ? "deal" : "deals"}: ${totals}`;
  }
}
