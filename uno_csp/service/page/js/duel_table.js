// The table of a duel: the user plays one side, and the page the other. The page follows the
// winner's strategy, or, once the sides are swapped, makes it as hard as it can for the user to
// follow it.

import { solveNow } from "./api.js";
import { cardElement, element, nameOf } from "./cards.js";
import { Duel } from "./strategy.js";

const REPLY_MS = 600;
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// A card with which the player to move wins; null if there is none, or none was found in time.
async function winningCard(duel, game) {
  if (duel.over(game)) return null;
  const asked = duel.asQuestion(game);
  const answer = await solveNow(asked);
  return answer.status === "SATISFIABLE" ? new Duel(asked, answer).opening : null;
}

export class DuelTable {
  constructor(duel) {
    this.duel = duel;
    this.box = element("div", { id: "duel", class: "felt" });
    this.past = [duel.start()];
    this.swapped = false;
    this.timer = null;
    this.many = duel.asked.hands.length > 2;
  }

  // True if the page plays for this player.
  pages(player) {
    return this.duel.follows(player) !== this.swapped;
  }

  begin() {
    this.draw();
    queueMicrotask(() =>
      (
        this.box.querySelector(".cards button:enabled") ?? this.box.querySelector("button")
      )?.focus(),
    );
    return this.box;
  }

  go(game) {
    this.past.push(game);
    this.draw();
  }

  anew(swapped = this.swapped) {
    clearTimeout(this.timer);
    this.swapped = swapped;
    this.past = [this.duel.start()];
    this.draw();
  }

  back() {
    clearTimeout(this.timer);
    const { past, duel } = this;
    do past.pop();
    while (past.length > 1 && (this.pages(past.at(-1).player) || duel.over(past.at(-1))));
    if (!past.length) this.past = [duel.start()];
    this.draw();
  }

  // The page's move, if the table still shows this game when it is found.
  async answer(game) {
    try {
      const next = await this.reply(game);
      if (this.box.isConnected && this.past.at(-1) === game) this.go(next);
    } catch (error) {
      if (this.past.at(-1) === game) this.say(`The page cannot answer: ${error.message}`);
    }
  }

  async reply(game) {
    const { duel } = this;
    if (duel.whole && !this.swapped) return duel.reply(game);
    const card = await winningCard(duel, game);
    if (card) return duel.lay(game, card);
    if (!this.swapped) throw new Error("the server did not find a move in time");
    return this.resist(game);
  }

  // With no card that wins, leave the user as many choices as possible, for most of them may be
  // wrong.
  resist(game) {
    const { duel } = this;
    const choices = duel.legal(game).map((place) => duel.lay(game, game.hands[game.player][place]));
    return choices.reduce((best, next) =>
      duel.legal(next).length > duel.legal(best).length ? next : best,
    );
  }

  // After a defeat, say which of the user's moves lost the game.
  async blame() {
    const { duel } = this;
    const past = [...this.past];
    if (!this.swapped)
      return `${this.many ? "The others" : `Player ${duel.wins ? 1 : 2}`} could win from the start, so none of your moves lost it.`;
    for (const [turn, game] of past.slice(0, -1).entries()) {
      const after = past[turn + 1];
      if (this.pages(game.player) || (!duel.over(after) && !(await winningCard(duel, after))))
        continue;
      const better = await winningCard(duel, game);
      return `Turn ${turn + 1} lost it: ${nameOf(after.last)}.${better ? ` Better: ${nameOf(better)}.` : ""}`;
    }
    return "";
  }

  say(words) {
    this.box.querySelector("#duel-status").textContent = words;
  }

  draw() {
    const { duel, box, past } = this;
    const inside = box.contains(document.activeElement);
    const game = past.at(-1);
    const over = duel.over(game);
    const reply = !over && this.pages(game.player);
    const why = element("p", { id: "duel-why" });
    const seats = (pages) =>
      game.hands.flatMap((hand, player) =>
        this.pages(player) === pages ? this.seat(game, hand, player, over) : [],
      );
    box.replaceChildren(
      ...seats(true),
      element(
        "p",
        { class: "pile" },
        "On the pile: ",
        ...(game.last
          ? [cardElement(game.last, "small", "span"), ` ${nameOf(game.last)}`]
          : ["nothing"]),
      ),
      element(
        "p",
        { id: "duel-status", role: "status", class: over ? "verdict" : "" },
        over
          ? this.endWords(game, over)
          : reply
            ? "The page answers …"
            : "Your turn: choose a card.",
      ),
      why,
      ...seats(false),
      element(
        "div",
        { class: "buttons" },
        element(
          "button",
          { id: "duel-back", onclick: () => this.back(), disabled: past.length < 2 },
          "Take back",
        ),
        element(
          "button",
          { id: "duel-anew", onclick: () => this.anew(), disabled: past.length < 2 },
          "Play again",
        ),
        this.many
          ? null
          : element(
              "button",
              { id: "duel-swap", onclick: () => this.anew(!this.swapped) },
              "Swap sides",
            ),
      ),
    );
    if (inside)
      (
        box.querySelector(".cards button:enabled") ??
        box.querySelector(over ? "#duel-anew" : "#duel-back")
      )?.focus();
    if (reply) this.timer = setTimeout(() => this.answer(game), still() ? 0 : REPLY_MS);
    if (over && this.lost(over))
      this.blame().then(
        (words) => (why.textContent = words),
        () => {},
      );
  }

  lost({ winner, loser }) {
    return winner === undefined ? !this.pages(loser) : this.pages(winner);
  }

  seat(game, hand, player, over) {
    const { duel } = this;
    const name = this.nameOf(player);
    const mine = game.player === player && !this.pages(player) && !over;
    const legal = new Set(mine ? duel.legal(game) : []);
    const cards = hand.map((card, place) => {
      const onclick = () => this.go(duel.lay(game, card));
      return element(
        "li",
        {},
        cardElement(card, "", "button", {
          "aria-label": `play ${nameOf(card)}`,
          disabled: !legal.has(place),
          onclick,
        }),
      );
    });
    return [
      element("div", { class: "hand-title" }, `${name}: ${hand.length}`),
      element(
        "ul",
        { class: `cards seat-cards ${mine ? "mine" : ""}`, "aria-label": name },
        ...cards,
      ),
    ];
  }

  nameOf(player) {
    if (this.pages(player)) return `Player ${player + 1}, the page`;
    return this.many ? `Player ${player + 1}, yours` : "You";
  }

  endWords(game, { winner, loser }) {
    const who = winner ?? loser;
    const has = this.pages(who) || this.many ? `Player ${who + 1} has` : "You have";
    if (winner !== undefined) return `${has} won: an empty hand.`;
    const pile = game.last ? ` that matches ${nameOf(game.last)}` : "";
    return `${has} lost: no card${pile}.`;
  }
}
