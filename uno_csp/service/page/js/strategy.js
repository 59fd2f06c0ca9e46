// Duels, and the winner's strategy: what it plays, and the lines of play that can follow.
//
// A game is `{ hands, last, player, pairs }`: all hands, the card on the pile, the player to move
// (counted from 0), and, if the strategy is a matching, its pairs that have not been played.

import { keyOf, WILD } from "./cards.js";

const agree = (a, b) => a === WILD || b === WILD || keyOf([a]) === keyOf([b]);
const matches = (first, second, atLeast) =>
  first.filter((value, place) => agree(value, second[place])).length >= atLeast;
const sorted = (hand) => hand.map(keyOf).sort().join();
const placeOf = ({ player, last, hands }) =>
  `${player}|${last && keyOf(last)}|${hands.map(sorted).join("|")}`;

export class Duel {
  constructor(asked, answer) {
    this.asked = asked;
    this.strategy = answer.strategy ?? { kind: "opening" };
    // True: player 1 follows the strategy; false: all others do.
    this.wins = answer.status === "SATISFIABLE";
    this.moves = new Map(
      (this.strategy.positions ?? []).map(({ player, last, hands, play }) => [
        placeOf({ player: player - 1, last, hands }),
        play,
      ]),
    );
  }

  // True if the strategy covers every position; false if there are too many to list.
  get whole() {
    return this.strategy.kind !== "opening";
  }

  // The first card played, if player 1 follows the strategy.
  get opening() {
    return this.strategy.open ?? this.reply(this.start())?.last;
  }

  // The rest of the duel as a question of its own, in which the player to move is player 1.
  asQuestion({ hands, last, player }) {
    const { question, convention, at_least } = this.asked;
    const turned = [...hands.slice(player), ...hands.slice(0, player)];
    return {
      question,
      hands: turned,
      ...(last && { after: last }),
      ...(convention && { convention }),
      ...(at_least && { at_least }),
    };
  }

  start() {
    return {
      hands: this.asked.hands,
      last: this.asked.after ?? null,
      player: 0,
      pairs: this.strategy.pairs ?? [],
    };
  }

  follows(player) {
    return (player === 0) === this.wins;
  }

  // Indices of the cards that the player to move may play.
  legal({ hands, last, player }) {
    const places = hands[player].map((_, place) => place);
    return last
      ? places.filter((place) => matches(last, hands[player][place], this.asked.at_least ?? 1))
      : places;
  }

  lay(game, card) {
    const key = keyOf(card);
    const hands = game.hands.map((hand, player) =>
      player === game.player ? hand.toSpliced(hand.map(keyOf).indexOf(key), 1) : hand,
    );
    return { ...game, hands, last: card, player: (game.player + 1) % hands.length };
  }

  // The winner or loser if the game is over; otherwise null.
  over(game) {
    const empty = game.hands.findIndex((hand) => !hand.length);
    if (empty >= 0 && this.asked.convention === "empty-hand-wins") return { winner: empty };
    return this.legal(game).length ? null : { loser: game.player };
  }

  // The game after the strategy's move; null if it has no card or lacks the position.
  reply(game) {
    if (this.strategy.kind === "matching") return this.#answer(game);
    const card = this.moves.get(placeOf(game));
    return card ? this.lay(game, card) : null;
  }

  #answer(game) {
    if (game.hands === this.asked.hands)
      return this.strategy.open ? this.lay(game, this.strategy.open) : null;
    const mine = this.wins ? 0 : 1;
    const index = game.pairs.findIndex((pair) => keyOf(pair[1 - mine]) === keyOf(game.last));
    if (index < 0) return null;
    return { ...this.lay(game, game.pairs[index][mine]), pairs: game.pairs.toSpliced(index, 1) };
  }

  // Yield each line of play up to the strategy's next answer: its plays, and the game after them.
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
      if (!seen.has(keyOf(card)))
        yield* this.lines(this.lay(game, card), [...plays, { player: game.player, card }], false);
      seen.add(keyOf(card));
    }
  }
}
