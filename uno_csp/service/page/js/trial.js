// A hand that is tried card by card: tapped or dragged from a fan into a row.

import { cardElement, element, keyOf, nameOf, WILD } from "./cards.js";

const DRAG_PX = 8; // distance from which a press is a drag
const FANNED = 10; // cards up to which the fan is bent
const FLIGHT_MS = 180;

const matches = (one, other) =>
  one.some(
    (value, place) =>
      value === WILD || other[place] === WILD || keyOf([value]) === keyOf([other[place]]),
  );
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Trial {
  // `on.said` shows a message with its tone; `on.moved` is called after each card played or taken
  // back.
  constructor(row, fan, on) {
    this.row = row;
    this.fan = fan;
    this.on = on;
    this.hand = [];
    this.after = null;
    this.played = [];
    this.dealt = 0; // cards of the hand; those after them were added
  }

  // Put a card of the player's choice into the hand.
  add(card) {
    this.hand = [...this.hand, card];
    this.draw();
    this.on.moved();
  }

  get added() {
    return this.hand.length - this.dealt;
  }

  deal(hand, after = null) {
    this.hand = hand;
    this.after = after;
    this.played = [];
    this.dealt = hand.length;
    this.row.style.setProperty("--n", hand.length + (after ? 1 : 0));
    this.fan.style.setProperty("--n", hand.length);
    this.fan.classList.remove("waiting");
    this.draw();
  }

  // Places of the cards still in the hand.
  get left() {
    return this.hand.map((_, place) => place).filter((place) => !this.played.includes(place));
  }

  get last() {
    return this.played.length ? this.hand[this.played.at(-1)] : this.after;
  }

  draw() {
    const row = this.played.map((place, index) => {
      const label = `${nameOf(this.hand[place])}, take back`;
      return element(
        "li",
        {},
        cardElement(this.hand[place], this.#style(place), "button", {
          "aria-label": label,
          onclick: () => this.takeBack(index),
        }),
      );
    });
    this.row.replaceChildren(...this.#pile(), ...row);
    const { left } = this;
    const bent = left.length <= FANNED;
    this.fan.replaceChildren(
      ...left.map((place, index) => {
        const turn = bent ? index - (left.length - 1) / 2 : 0;
        return element("li", { style: `--turn: ${turn}` }, this.#inHand(place));
      }),
    );
  }

  // Show a sequence in the row instead, and nothing in the fan; return the elements of its cards.
  show(made) {
    this.row.replaceChildren(...this.#pile(), ...made);
    this.fan.replaceChildren();
  }

  #pile() {
    return this.after
      ? [
          element(
            "li",
            { class: "pile" },
            cardElement(this.after, "", "span", { title: `${nameOf(this.after)}, on the pile` }),
          ),
        ]
      : [];
  }

  #style(place) {
    return place < this.dealt ? "" : "added";
  }

  #inHand(place) {
    const card = this.hand[place];
    const button = cardElement(card, this.#style(place), "button", {
      "aria-label": nameOf(card),
      "data-place": place,
    });
    let dragged = false;
    button.addEventListener("click", () => dragged || this.play(place, button));
    button.addEventListener("pointerdown", ({ pointerId, clientX, clientY }) => {
      dragged = false;
      button.setPointerCapture(pointerId);
      button.onpointermove = (event) => {
        const [x, y] = [event.clientX - clientX, event.clientY - clientY];
        dragged ||= Math.hypot(x, y) > DRAG_PX;
        if (dragged) button.style.translate = `${x}px ${y}px`;
      };
      button.onpointerup = button.onpointercancel = (event) => {
        button.onpointermove = button.onpointerup = button.onpointercancel = null;
        const { top, bottom } = this.row.getBoundingClientRect();
        const there =
          dragged && event.type === "pointerup" && event.clientY > top && event.clientY < bottom;
        if (there) this.play(place, button);
        button.style.translate = "";
      };
    });
    return button;
  }

  play(place, button) {
    const card = this.hand[place];
    if (this.last && !matches(this.last, card)) {
      button.classList.remove("wrong");
      void button.offsetWidth; // so that the animation runs again
      button.classList.add("wrong");
      this.on.said(`No match: ${nameOf(card)} beside ${nameOf(this.last)}.`, "bad");
      return;
    }
    const from = button.getBoundingClientRect();
    const focused = document.activeElement === button;
    this.played.push(place);
    this.draw();
    this.#fly(from);
    if (focused) this.fan.querySelector("button")?.focus({ preventScroll: true });
    this.on.said("", "");
    this.on.moved();
    if (this.stuck) this.on.stuck?.(card);
    if (this.stuck && !this.on.stuck)
      this.on.said(
        `Nothing in your hand matches ${nameOf(card)}. Take it back, and try another way.`,
        "bad",
      );
  }

  // Whether cards are left, and none of them matches.
  get stuck() {
    const { left, last } = this;
    return left.length > 0 && last && !left.some((place) => matches(last, this.hand[place]));
  }

  // Move the card just played from its place in the fan to its place in the row.
  #fly(from) {
    if (calm()) return;
    const card = this.row.lastElementChild.firstElementChild;
    const to = card.getBoundingClientRect();
    card.animate([{ translate: `${from.x - to.x}px ${from.y - to.y}px` }, {}], {
      duration: FLIGHT_MS,
      easing: "ease-out",
    });
  }

  takeBack(index) {
    this.played = this.played.slice(0, index);
    this.draw();
    this.on.said("", "");
    this.on.moved();
  }
}
