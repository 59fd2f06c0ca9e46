// The first thing on the page: the hand of the question on a table, to be tried before it is
// solved.

import { DECK, keyOf } from "./cards.js";
import { has } from "./question.js";
import { Trial } from "./trial.js";

const HEADINGS = {
  __proto__: null,
  "uno-1": "Can you get rid of all of it?",
  longest: "How many can you get rid of?",
  "fill-in": "Which cards are missing?",
};
const MOST_CARDS = 20; // largest hand on the table
const DEALT = 7;
const HOW =
  "Tap or drag cards into a row. Neighbours share their colour or their symbol; a wild card goes anywhere.";
/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

// Seven cards of the shuffled deck.
function drawnHand() {
  const deck = [...DECK];
  for (let place = 0; place < DEALT; place++) {
    const other = place + Math.floor(Math.random() * (deck.length - place));
    [deck[place], deck[other]] = [deck[other], deck[place]];
  }
  return deck.slice(0, DEALT);
}

export class Challenge {
  // `on.deal` takes the cards of a new hand; `on.solve`, `on.again` and `on.own` are the other
  // buttons.
  constructor(on) {
    this.trial = new Trial(at("row"), at("fan"), {
      said: (...said) => this.say(...said),
      moved: () => this.#moved(),
    });
    this.key = null;
    at("show-me").addEventListener("click", on.solve);
    at("try").addEventListener("click", on.again);
    at("take-back").addEventListener("click", () =>
      this.trial.takeBack(this.trial.played.length - 1),
    );
    at("deal").addEventListener("click", () => on.deal(drawnHand()));
    at("own").addEventListener("click", on.own);
  }

  get shown() {
    return !at("table").hidden;
  }

  // Lay the hand of the question on the table, unless it lies there; hide the table if there is no
  // room.
  draw({ kind, hands, after, rest }) {
    const [cards] = hands;
    const pile = has(kind, "after") ? after : null;
    const fits = kind in HEADINGS && cards.length <= MOST_CARDS && Number(rest.at_least ?? 1) === 1;
    at("table").hidden = !fits;
    at("answer-title").textContent = fits ? HEADINGS[kind] : "The answer";
    const key = fits ? keyOf([cards, pile]) : null;
    if (key === this.key) return;
    this.key = key;
    if (fits) this.#lay(cards, pile);
  }

  #lay(cards, pile) {
    this.answered = false;
    this.trial.deal(cards, pile);
    this.say(cards.length ? HOW : "No cards yet: click them on the board, type them, or deal.");
    this.#buttons();
  }

  #moved() {
    const { left, hand, played } = this.trial;
    if (!left.length) this.say(`All ${hand.length} cards are gone. Well played!`, "good");
    else this.say(played.length ? `${left.length} of ${hand.length} cards left.` : HOW);
    this.#buttons();
  }

  #buttons() {
    at("show-me").hidden = this.answered || !this.trial.hand.length;
    at("try").hidden = !this.answered;
    at("said").hidden = this.answered;
    at("take-back").hidden = this.answered || !this.trial.played.length;
  }

  say(words, tone = "") {
    at("said").textContent = words;
    at("said").className = `said ${tone}`;
  }

  // Show the sequence of an answer, whose cards are list items, in place of the trial.
  show(made) {
    this.answered = true;
    this.trial.show(made);
    this.#buttons();
  }

  // Return from an answer to the trial.
  again() {
    if (this.answered) this.#lay(this.trial.hand, this.trial.after);
  }
}
