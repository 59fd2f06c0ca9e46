// Wild draw-fours. On the page they are cards of their own. In a question they are the code "+4",
// and in the server's answers plain wild cards, since both kinds are played alike. A card that is
// wild in its colour alone, and has the symbol +4, is none of them.

import { DECK, DRAW_FOUR, isFour, isWild, WILD_CARD, without } from "./cards.js";

// Apply a function to all cards of a question, in a copy.
function withCards(asked, change) {
  const { cards, hands, after, supply } = asked;
  const changed = {
    cards: cards?.map(change),
    hands: hands?.map((hand) => hand.map(change)),
    after: after && change(after),
    supply: supply?.map(change),
  };
  return { ...asked, ...Object.fromEntries(Object.entries(changed).filter(([, value]) => value)) };
}

// The question as it is written in files, and as the page holds it.
export const written = (asked) => withCards(asked, (card) => (isFour(card) ? "+4" : card));
export const held = (asked) => withCards(asked, (card) => (card === "+4" ? DRAW_FOUR : card));

// The same cards without the difference between the two kinds, as the server counts the deck.
export const asWild = (card) => (isFour(card) ? WILD_CARD : card);
export const withoutFours = (asked) => withCards(asked, asWild);

const PLAIN_DECK = DECK.map(asWild);
export const restOfDeck = (elsewhere) => without(PLAIN_DECK, elsewhere.map(asWild));
export const cardsBeyondDeck = (cards) => without(cards.map(asWild), PLAIN_DECK);

// A function that turns wild cards into draw-fours, after as many plain ones as the hand has.
function turner(hand) {
  let fours = hand.filter(isFour).length;
  let plain = hand.filter(isWild).length - fours;
  return (card) => (!isWild(card) || plain-- > 0 || fours-- <= 0 ? card : DRAW_FOUR);
}

// The answer with the draw-fours of the question.
export function withFours(asked, answer) {
  const { sequence, plays } = answer;
  if (sequence) return { ...answer, sequence: sequence.map(turner(asked.cards)) };
  if (!plays) return answer;
  const turned = asked.hands.map(turner);
  return {
    ...answer,
    plays: plays.map((play) => ({ ...play, card: turned[play.player - 1](play.card) })),
  };
}
