// The first thing on the page: the hand of the question on a table, to be tried before it is
// solved.

import { solveNow } from "./api.js";
import { DECK, element, keyOf, nameOf } from "./cards.js";
import { axesOf, has, listOf, toJson } from "./question.js";
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

const HINTS = {
  __proto__: null,
  longest: " How many can you play at most?",
  "fill-in": " Add cards until it works: the fewer the better.",
};

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
      stuck: (card) => this.#stuck(card),
    });
    this.key = null;
    at("show-me").addEventListener("click", on.solve);
    at("try").addEventListener("click", on.again);
    at("take-back").addEventListener("click", () =>
      this.trial.takeBack(this.trial.played.length - 1),
    );
    at("deal").addEventListener("click", () => on.deal(drawnHand()));
    at("own").addEventListener("click", on.own);
    at("add").addEventListener("change", () => this.#add());
  }

  get shown() {
    return !at("table").hidden;
  }

  // Lay the hand of the question on the table, unless it lies there; hide the table if there is no
  // room.
  draw(state) {
    const { kind, hands, after, rest } = state;
    const [cards] = hands;
    const pile = has(kind, "after") ? after : null;
    const fits = kind in HEADINGS && cards.length <= MOST_CARDS && Number(rest.at_least ?? 1) === 1;
    at("table").hidden = !fits;
    at("answer-title").textContent = fits ? HEADINGS[kind] : "The answer";
    const key = fits ? keyOf([kind, cards, pile, state.supplyFrom, listOf(state, "supply")]) : null;
    if (key === this.key) return;
    this.key = key;
    this.kind = kind;
    this.best = null;
    this.asked = toJson(state);
    if (fits) this.#offer(state);
    if (fits) this.#lay(cards, pile);
  }

  // The cards that can be added to a hand in which some are missing.
  #offer(state) {
    at("adding").hidden = state.kind !== "fill-in";
    if (state.kind !== "fill-in") return;
    const [rows, columns] = axesOf(state);
    const all = rows.flatMap((row) => columns.map((column) => [row, column]));
    this.offered = state.supplyFrom === "these" ? listOf(state, "supply") : all;
    at("add").replaceChildren(
      element("option", { value: "" }, "a card …"),
      ...this.offered.map((card, index) => element("option", { value: index }, nameOf(card))),
    );
  }

  #add() {
    const card = this.offered[Number(at("add").value)];
    if (at("add").value !== "" && card) this.trial.add(card);
    at("add").value = "";
  }

  #lay(cards, pile) {
    this.answered = false;
    this.trial.deal(cards, pile);
    this.say(this.#how());
    this.#buttons();
  }

  #how() {
    if (!this.trial.dealt) return "No cards yet: click them on the board, type them, or deal.";
    return HOW + (HINTS[this.kind] ?? "");
  }

  // The optimum, once the question is answered; the verdict on what was played needs it.
  know(answer) {
    if (answer.status === "OPTIMAL") this.best = answer.objective;
  }

  async #optimum() {
    const { key } = this;
    if (this.best === null) this.know(await solveNow(this.asked));
    return key === this.key ? this.best : null;
  }

  #moved() {
    const { left, hand, played, dealt, added } = this.trial;
    if (!left.length && added)
      this.#judge(added, `Gone, with ${added} added`, "the fewest there are");
    else if (!left.length) this.say(`All ${dealt} cards are gone. Well played!`, "good");
    else if (this.kind === "longest" && this.trial.stuck)
      this.#judge(played.length, `${played.length} of ${dealt}`, "the most there is");
    else this.say(played.length ? `${left.length} of ${hand.length} cards left.` : this.#how());
    this.#buttons();
  }

  // Say whether what was reached is the best there is.
  async #judge(reached, words, best) {
    this.say(`${words}.`);
    const optimum = await this.#optimum().catch(() => null);
    if (optimum === null || !this.trial.played.length) return;
    const good = reached === optimum;
    const other = this.kind === "longest" ? "more can be played" : "fewer are enough";
    this.say(`${words}: ${good ? best : other}.`, good ? "good" : "");
    if (good) this.#buttons(true);
  }

  #stuck(card) {
    if (this.kind === "longest") return;
    const way = this.kind === "fill-in" ? "Add a card, or take" : "Take";
    this.say(
      `Nothing in your hand matches ${nameOf(card)}. ${way} it back, and try another way.`,
      "bad",
    );
  }

  // The main button is the next thing to do: to see the answer, or another hand.
  #buttons(done = !this.trial.left.length && this.trial.dealt > 0) {
    at("show-me").classList.toggle("main", !done);
    at("deal").classList.toggle("main", done || this.answered);
    at("adding").hidden = this.kind !== "fill-in" || this.answered;
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
    const { hand, dealt, after } = this.trial;
    if (this.answered) this.#lay(hand.slice(0, dealt), after);
  }
}
