"""Which hubs cards lie on, numbered, for many cards at once.

A hand of a million cards has two million places at hubs. So hubs are numbered column by column and
not looked up card by card, and what is found is kept for the next who asks about the same cards.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations
from operator import itemgetter
from typing import Any

from uno_csp.cards import Card, Hub


class Incidence:
    """The hubs of cards without wild coordinates; they are numbered from 0.

    Parameters
    ----------
    cards
        The cards.
    at_least
        How many coordinates a hub fixes.

    Attributes
    ----------
    columns
        For each choice of coordinates the hub that each card lies on.
    hubs
        The hubs by number.
    counts
        How many there are of each choice.
    """

    def __init__(self, cards: Sequence[Card], at_least: int) -> None:
        self.cards = cards
        self.columns: list[list[int]] = []
        self.hubs: list[Hub] = []
        self.counts: list[int] = []
        for coordinates in combinations(range(len(cards[0]) if cards else 0), at_least):
            number: dict[Any, int] = {}
            first = len(self.hubs)
            keys = map(itemgetter(*coordinates), cards)
            self.columns.append([number.setdefault(key, first + len(number)) for key in keys])
            values = number if at_least > 1 else ((value,) for value in number)
            self.hubs += [(coordinates, key) for key in values]
            self.counts.append(len(number))

    def at(self, index: int) -> tuple[int, ...]:
        """The hubs of one card."""
        return tuple(column[index] for column in self.columns)

    @cached_property
    def degrees(self) -> list[int]:
        """For each hub the number of cards on it."""
        degrees = [0] * len(self.hubs)
        for column in self.columns:
            for hub, count in Counter(column).items():
                degrees[hub] = count
        return degrees

    @cached_property
    def copies(self) -> dict[Card, list[int]]:
        """The cards that are held several times, each with its indices."""
        several = {card for card, count in Counter(self.cards).items() if count > 1}
        copies: dict[Card, list[int]] = {}
        if several:
            for index, card in enumerate(self.cards):
                if card in several:
                    copies.setdefault(card, []).append(index)
        return copies

    @cached_property
    def kinds(self) -> list[int]:
        """For each hub the number of different cards on it."""
        kinds = list(self.degrees)
        for places in self.copies.values():
            for hub in self.at(places[0]):
                kinds[hub] -= len(places) - 1
        return kinds

    def by_first_card(self) -> list[int]:
        """The hubs in the order in which they are met card by card."""
        return list(dict.fromkeys(chain.from_iterable(zip(*self.columns, strict=True))))


@lru_cache(maxsize=2)
def incidence(cards: tuple[Card, ...], at_least: int) -> Incidence:
    """The incidence of some cards; that of the last ones is kept."""
    return Incidence(cards, at_least)
