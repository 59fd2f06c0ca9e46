"""Cooperative play: replay the game and check every turn and every skip.

A skip is legal if the skipped player holds no matching card. Scanning a hand at every skip would
take quadratic time, so each hand is indexed by the values of its cards.
"""

from collections import Counter
from itertools import combinations

from uno_csp.checker.claims import Violation, violations_of, witness_violations
from uno_csp.questions import Cooperative
from uno_csp.questions.answers import Answer
from uno_csp.questions.wording import describe
from uno_csp.verifier.cards import Card, matches, mismatch

question = "cooperative"
PARTS = {"plays"}
_MANY = 256


def violations(instance: Cooperative, answer: Answer) -> list[Violation]:
    """Replay the claimed game up to the first violation."""
    found = witness_violations(answer, "plays")
    if found or answer.plays is None:
        return found
    hands = [_HeldHand(hand, instance.at_least) for hand in instance.hands]
    count = len(hands)
    last, turn = instance.after, 1
    for step, play in enumerate(answer.plays, start=1):
        if not 1 <= play.player <= count:
            return [Violation("turn", step, f"there is no player {play.player}")]
        while turn != play.player:
            playable = hands[turn - 1].match_for(last)
            if playable is not None:
                message = f"player {turn} is skipped, but can play {describe(playable)}"
                return [Violation("skip", step, message)]
            turn = turn % count + 1
        hand = hands[turn - 1]
        if not hand.holds(play.card):
            message = f"player {turn} does not hold {describe(play.card)}"
            return [Violation("hand", step, message)]
        if last is not None and not matches(last, play.card, instance.at_least):
            return violations_of([mismatch(last, play.card, step)])
        hand.remove(play.card)
        last = play.card
        if hand.size == 0:
            return _end_violations(turn, step, len(answer.plays))
        turn = turn % count + 1
    return [Violation("goal", 0, f"player 1 still holds {hands[0].size} cards")]


def _end_violations(player: int, step: int, steps: int) -> list[Violation]:
    if player != 1:
        return [Violation("goal", step, f"player {player} has an empty hand first")]
    if step < steps:
        return [Violation("goal", step, "player 1's hand is empty, but play continues")]
    return []


class _HeldHand:
    """A hand indexed by the k values that make a match; wild cards are compared one by one."""

    def __init__(self, cards: tuple[Card, ...], required: int) -> None:
        self._required = required
        self._left = Counter(cards)
        self.size = len(cards)
        self._compared: set[Card] = set()
        self._by_values: dict[tuple[object, ...], set[Card]] = {}
        for card in self._left:
            keys = self._keys(card)
            if not keys:
                self._compared.add(card)
            for key in keys:
                self._by_values.setdefault(key, set()).add(card)

    def _keys(self, card: Card) -> list[tuple[object, ...]]:
        if "*" in card:
            return []
        found: list[tuple[object, ...]] = []
        for places in combinations(range(len(card)), self._required):
            found.append((places, *(card[i] for i in places)))
            if len(found) > _MANY:
                return []
        return found

    def holds(self, card: Card) -> bool:
        """Return True if a copy of the card is left."""
        return self._left[card] > 0

    def remove(self, card: Card) -> None:
        """Remove one copy of the card."""
        self.size -= 1
        self._left[card] -= 1
        if self._left[card] == 0:
            self._compared.discard(card)
            for key in self._keys(card):
                self._by_values[key].discard(card)

    def match_for(self, last: Card | None) -> Card | None:
        """Return a held card that may be played on ``last``, or None."""
        held = (card for card, count in self._left.items() if count > 0)
        if last is None:
            return next(held, None)
        keys = self._keys(last)
        if not keys:
            return next((card for card in held if matches(last, card, self._required)), None)
        for key in keys:
            for card in self._by_values.get(key, ()):
                return card
        matching = (card for card in self._compared if matches(last, card, self._required))
        return next(matching, None)
