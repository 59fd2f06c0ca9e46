"""Frequencies of missing cards in hands of the official deck, counted by ``scripts/odds``."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from uno_csp.odds.intervals import wilson

TABLE = Path(__file__).with_name("table.json")  # hands that lack 0, 1, 2, ... cards, by size
WITH_WILD, WITHOUT_WILD = "with wild cards", "without wild cards"
"""The decks of the table: all 108 cards, or the 100 coloured ones."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Statistics of many random hands of one size."""

    cards: int  # number of cards in each hand
    wild: bool  # whether wild cards were in the deck
    missing: tuple[int, ...]  # numbers of hands that lacked 0, 1, 2, ... cards.

    @property
    def deals(self) -> int:
        """Number of hands dealt."""
        return sum(self.missing)

    @property
    def share(self) -> float:
        """Share of hands that can be discarded as a whole."""
        return self.missing[0] / self.deals

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the share."""
        return wilson(self.missing[0], self.deals)

    @property
    def mean(self) -> float:
        """Mean number of missing cards."""
        return sum(lacking * hands for lacking, hands in enumerate(self.missing)) / self.deals

    def as_lucky(self, missing: int) -> float:
        """Return the share of hands that lack at most ``missing`` cards.

        >>> Odds(cards=7, wild=True, missing=(60, 30, 10)).as_lucky(1)
        0.9
        """
        return sum(self.missing[: missing + 1]) / self.deals


def odds_of(cards: int, *, wild: bool = True) -> Odds | None:
    """Return the statistics of hands of this size; None if the table has none.

    >>> found = odds_of(7)
    >>> found is not None and 0 < found.share < 1
    True
    >>> odds_of(99) is None
    True
    """
    counts = _table()[WITH_WILD if wild else WITHOUT_WILD].get(str(cards))
    return None if counts is None else Odds(cards, wild, tuple(counts))


@cache
def _table() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    return found
