"""Positions of uncooperative play, and the cards that a strategy plays in them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from uno_csp.questions.cards import Card
from uno_csp.questions.uncooperative import Uncooperative

Key: TypeAlias = tuple[int, Card | None, tuple[frozenset[tuple[Card, int]], ...]]


class DuelPosition(NamedTuple):
    """The player to move (from 1), the last card played, and all hands."""

    player: int
    last: Card | None
    hands: tuple[Counter[Card], ...]

    @property
    def key(self) -> Key:
        """Return a hashable key of the position."""
        return self.player, self.last, tuple(frozenset(hand.items()) for hand in self.hands)

    def after(self, card: Card) -> "DuelPosition":
        """Return the position after the player to move plays a card."""
        left = list(self.hands)
        hand = left[self.player - 1] = Counter(left[self.player - 1])
        hand[card] -= 1
        if not hand[card]:
            del hand[card]
        return DuelPosition(self.player % len(left) + 1, card, tuple(left))


def start_of_duel(instance: Uncooperative) -> DuelPosition:
    """Return the position in which player 1 begins."""
    return DuelPosition(1, instance.after, tuple(map(Counter, instance.hands)))


def cards_by_position(positions: Sequence[Mapping[str, Any]]) -> dict[Key, Card]:
    """Return the card that a strategy plays in each of its positions."""
    found: dict[Key, Card] = {}
    for each in positions:
        hands = tuple(Counter(map(tuple, hand)) for hand in each["hands"])
        last = None if each["last"] is None else tuple(each["last"])
        found[DuelPosition(each["player"], last, hands).key] = tuple(each["play"])
    return found
