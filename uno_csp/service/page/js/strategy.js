// Duels, and the strategy of who wins one: what it plays, and all that can come of it.
//
// A game is `{ hands, last, player, pairs }`: what everybody holds, the card on the pile, whose turn it
// is, counted from 0, and of a matching the pairs that have not been played.

import { WILD, keyOf } from "./cards.js";

const agree = (a, b) => a === WILD || b === WILD || keyOf([a]) === keyOf([b]);
const matches = (first, second, atLeast) => first.filter((value, place) => agree(value, second[place])).length >= atLeast;
const sorted = (hand) => hand.map(keyOf).sort().join();
const placeOf = ({ player, last, hands }) => `${player}|${last && keyOf(last)}|${hands.map(sorted).join("|")}`;

export class Duel {
  constructor(asked, answer) {
    this.asked = asked;
    this.strategy = answer.strategy ?? { kind: "opening" };
    this.wins = answer.status === "SATISFIABLE"; // player 1 follows the strategy; if not, all others do
    this.moves = new Map(
      (this.strategy.positions ?? []).map(({ player, last, hands, play }) => [placeOf({ player: player - 1, last, hands }), play]),
    );
  }

  // Whether it says what to play in every position; if not, there are too many.
  get whole() {
    return this.strategy.kind !== "opening";
  }

  // The first card that is played, where player 1 follows the strategy.
  get opening() {
    return this.strategy.open ?? this.reply(this.start())?.last;
  }

  // The duel from here on, as a question of its own: who is to move is its player 1.
  asQuestion({ hands, last, player }) {
    const { question, convention, at_least } = this.asked;
    const turned = [...hands.slice(player), ...hands.slice(0, player)];
    return { question, hands: turned, ...(last && { after: last }), ...(convention && { convention }), ...(at_least && { at_least }) };
  }

  start() {
    return { hands: this.asked.hands, last: this.asked.after ?? null, player: 0, pairs: this.strategy.pairs ?? [] };
  }

  follows(player) {
    return (player === 0) === this.wins;
  }

  // The places in their hand of the cards that whose turn it is may lay.
  legal({ hands, last, player }) {
    const places = hands[player].map((_, place) => place);
    return last ? places.filter((place) => matches(last, hands[player][place], this.asked.at_least ?? 1)) : places;
  }

  lay(game, card) {
    const key = keyOf(card);
    const hands = game.hands.map((hand, player) => (player === game.player ? hand.toSpliced(hand.map(keyOf).indexOf(key), 1) : hand));
    return { ...game, hands, last: card, player: (game.player + 1) % hands.length };
  }

  // Who has won or lost, if the game is over.
  over(game) {
    const empty = game.hands.findIndex((hand) => !hand.length);
    if (empty >= 0 && this.asked.convention === "empty-hand-wins") return { winner: empty };
    return this.legal(game).length ? null : { loser: game.player };
  }

  // The game after the strategy has played; null where it has no card to play, or has it not listed.
  reply(game) {
    if (this.strategy.kind === "matching") return this.#answer(game);
    const card = this.moves.get(placeOf(game));
    return card ? this.lay(game, card) : null;
  }

  #answer(game) {
    if (game.hands === this.asked.hands) return this.strategy.open ? this.lay(game, this.strategy.open) : null;
    const mine = this.wins ? 0 : 1;
    const index = game.pairs.findIndex((pair) => keyOf(pair[1 - mine]) === keyOf(game.last));
    if (index < 0) return null;
    return { ...this.lay(game, game.pairs[index][mine]), pairs: game.pairs.toSpliced(index, 1) };
  }

  // From here on every way for the others to play, with what is answered: each a list of plays and the
  // game they lead to.
  *lines(game, plays = [], answered = false) {
    if (this.over(game)) {
      if (plays.length) yield { plays, game };
      return;
    }
    if (this.follows(game.player)) {
      const next = this.reply(game);
      if (next) yield* this.lines(next, [...plays, { player: game.player, card: next.last }], true);
      return;
    }
    if (answered) {
      yield { plays, game };
      return;
    }
    const seen = new Set();
    for (const place of this.legal(game)) {
      const card = game.hands[game.player][place];
      if (!seen.has(keyOf(card))) yield* this.lines(this.lay(game, card), [...plays, { player: game.player, card }], false);
      seen.add(keyOf(card));
    }
  }
}
