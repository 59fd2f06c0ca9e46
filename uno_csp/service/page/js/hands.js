// The hands, the pile and the supply. Each has a radio button that makes it the target of clicks on
// the board, a box in which its cards are typed, and the cards as buttons that remove them.

import { parseText } from "./api.js";
import { canBeTyped, cardElement, element, nameOf, typedOf } from "./cards.js";
import { stringifyExact } from "./exact.js";
import { Problem, wordsOf } from "./failing.js";
import { held, written } from "./fours.js";
import { listOf, targetsOf } from "./question.js";

const PAUSE_MS = 250; // pause after the last key before the text is parsed
const MOST_SHOWN = 400;

let press = Promise.resolve(); // ends when the pointer is up and its click has been handled

addEventListener(
  "pointerdown",
  () => {
    press = new Promise((wake) => {
      for (const end of ["pointerup", "pointercancel"])
        addEventListener(end, () => setTimeout(wake), { once: true });
    });
  },
  true,
);

// Cards as text: as they are typed, or as JSON if they cannot be typed otherwise.
const textOfCards = (cards) =>
  canBeTyped(cards) ? typedOf(cards) : stringifyExact(written({ cards }).cards);

// Have the server parse a text: return its cards, or the question if the text is a whole question.
async function readCards(text) {
  if (!text.trim()) return { cards: [] };
  if (text.trim().startsWith("{")) return { question: await parseText(text) };
  const list = text.trim().startsWith("[");
  const asked = list ? `{"question": "uno-1", "cards": ${text}}` : text;
  try {
    if (list) JSON.parse(text); // a place in what is sent is none in the box
    const { cards } = held(await parseText(asked));
    return { cards };
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Problem('This is no list of cards in JSON, such as [["red", 5], ["blue", 7]].');
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.message.replace(/^line \d+: /, ""));
  }
}

class Row {
  constructor(box, target, on) {
    this.target = target;
    this.on = on;
    this.shown = null;
    this.timer = null;
    this.asked = 0;
    this.reading = false;
    const id = `typed-${target.replace(" ", "-")}`;
    this.radio = element("input", {
      type: "radio",
      name: "target",
      value: target,
      onchange: () => on.aim(target),
    });
    this.name = element("span", { class: "hand-name" });
    this.count = element("span", { class: "hand-count", "aria-live": "polite" });
    this.typed = element("textarea", {
      id,
      class: "typed",
      rows: 1,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
    });
    this.problem = element("p", {
      id: `${id}-problem`,
      class: "problem typed-problem",
      role: "alert",
    });
    this.cards = element("ul", { class: "cards" });
    const head = element("label", { class: "hand-title" }, this.radio, " ", this.name, this.count);
    this.box = element(
      "div",
      { class: "hand", "data-target": target },
      head,
      this.typed,
      this.problem,
      this.cards,
    );
    this.typed.addEventListener("input", () => this.wait());
    this.typed.addEventListener("keydown", (event) => this.key(event));
    this.typed.addEventListener("focus", () => on.isExample() && this.typed.select());
    this.typed.addEventListener("blur", () => this.leave());
    box.append(this.box);
  }

  draw(state, words) {
    const cards = listOf(state, this.target);
    this.radio.checked = state.target === this.target;
    this.box.classList.toggle("aimed", this.radio.checked);
    this.name.textContent = words;
    this.count.textContent = `: ${cards.length}`;
    const key = stringifyExact(cards);
    // Text that is being parsed is not overwritten: it is newer.
    if (key !== this.shown && this.reading) Object.assign(this, { shown: key, cardsShown: cards });
    else if (key !== this.shown) this.write(cards, key);
    if (key !== this.drawn) this.drawCards(cards, words);
    this.drawn = key;
    this.typed.setAttribute("aria-label", `Cards: ${words.toLowerCase()}`);
    this.typed.placeholder =
      this.target === "after" ? "none, or one such as Y5" : "click cards or type them: R5 B7 wild";
  }

  // Replace the text in the box by these cards.
  write(cards, key = stringifyExact(cards)) {
    clearTimeout(this.timer);
    this.asked += 1;
    this.reading = false;
    this.read = null;
    this.shown = key;
    this.cardsShown = cards;
    this.typed.value = textOfCards(cards);
    this.tell("");
  }

  drawCards(cards, words) {
    const index = [...this.cards.querySelectorAll("button")].indexOf(document.activeElement);
    const shown = cards.slice(0, MOST_SHOWN).map((card, place) => {
      const label = `take ${nameOf(card)} away`;
      const onclick = () => this.on.takeAway(this.target, place);
      return element(
        "li",
        {},
        cardElement(card, "", "button", { title: label, "aria-label": label, onclick }),
      );
    });
    const more = cards.length - shown.length;
    if (more > 0) shown.push(element("li", { class: "quiet" }, `and ${more} more`));
    this.cards.replaceChildren(...shown);
    this.cards.setAttribute("aria-label", words);
    if (index < 0) return;
    const buttons = this.cards.querySelectorAll("button");
    (buttons[Math.min(index, buttons.length - 1)] ?? this.typed).focus();
  }

  tell(words) {
    this.problem.textContent = words;
    this.typed.setAttribute("aria-invalid", words ? "true" : "false");
    if (words) this.typed.setAttribute("aria-describedby", this.problem.id);
    else this.typed.removeAttribute("aria-describedby");
  }

  get unread() {
    return (
      this.typed.value !== this.read && this.typed.value !== textOfCards(this.cardsShown ?? [])
    );
  }

  wait() {
    this.reading = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.take(), PAUSE_MS);
  }

  // Parse the box; return true if its cards are now those of the question.
  async take() {
    clearTimeout(this.timer);
    const ticket = ++this.asked;
    this.reading = this.unread;
    if (!this.unread) {
      this.tell("");
      return true;
    }
    const text = this.typed.value;
    let found;
    try {
      // Else a button that is pressed moves away, and its click is lost.
      found = await readCards(text).finally(() => press);
      if (this.target === "after" && found.cards?.length > 1)
        throw new Problem("The pile shows one card.");
    } catch (error) {
      if (ticket !== this.asked) return false;
      this.reading = false;
      this.tell(wordsOf(error));
      return false;
    }
    if (ticket !== this.asked) return false;
    this.reading = false;
    if (found.question) {
      this.shown = null;
      this.on.load(found.question);
      return true;
    }
    this.tell("");
    this.read = text;
    this.shown = stringifyExact(found.cards);
    this.cardsShown = found.cards;
    this.on.put(this.target, found.cards);
    return true;
  }

  key(event) {
    // Handled by the page.
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.on.enter();
  }

  // On blur, rewrite the text in the standard form; what cannot be typed so stays as it was typed.
  async leave() {
    if ((await this.take()) && canBeTyped(this.cardsShown)) this.write(this.cardsShown, this.shown);
  }
}

export class Hands {
  constructor(box, on) {
    this.box = box;
    this.on = on;
    this.rows = [];
  }

  draw(state) {
    const targets = targetsOf(state);
    if (this.rows.map((row) => row.target).join() !== targets.map(([target]) => target).join()) {
      this.box.replaceChildren();
      this.rows = targets.map(([target]) => new Row(this.box, target, this.on));
    }
    targets.forEach(([, words], index) => this.rows[index].draw(state, words));
  }

  // Parse every box; return true if all of them are valid.
  async settle() {
    const read = await Promise.all(this.rows.map((row) => row.take()));
    const bad = read.indexOf(false);
    if (bad >= 0) this.rows[bad].typed.focus();
    return bad < 0;
  }

  // Discard text that was typed but not parsed; return true if there was any.
  forget() {
    const unread = this.rows.filter((row) => row.unread);
    this.rows.forEach((row) => row.write(row.cardsShown ?? []));
    return unread.length > 0;
  }
}
