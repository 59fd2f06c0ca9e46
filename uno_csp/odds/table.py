"""What hands of the official deck lacked, counted over many deals by ``scripts/odds``."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from uno_csp.intervals import of_mean, wilson

TABLE = Path(__file__).with_name("table.json")
"""For each deck and number of cards, how many hands lack 0, 1, 2, ... cards."""

WITH_WILD, WITHOUT_WILD = "with wild cards", "without wild cards"
"""The decks of the table: all 108 cards, or the 100 coloured ones."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What was found of many random hands of one size.

    Parameters
    ----------
    cards
        How many each hand has.
    wild
        Whether wild cards were in the deck.
    missing
        How many of the hands lacked 0, 1, 2, ... cards.
    """

    cards: int
    wild: bool
    missing: tuple[int, ...]

    @property
    def deals(self) -> int:
        """How many hands were dealt."""
        return sum(self.missing)

    @property
    def share(self) -> float:
        """How likely the whole hand can be discarded."""
        return self.missing[0] / self.deals

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return wilson(self.missing[0], self.deals)

    @property
    def mean(self) -> float:
        """How many cards a hand lacks on average."""
        return sum(lacking * hands for lacking, hands in enumerate(self.missing)) / self.deals

    @property
    def mean_interval(self) -> tuple[float, float]:
        """The 95 % interval of the average."""
        return of_mean(dict(enumerate(self.missing)))

    def as_lucky(self, missing: int) -> float:
        """The share of hands that lack so few cards, or fewer.

        >>> Odds(cards=7, wild=True, missing=(60, 30, 10)).as_lucky(1)
        0.9
        """
        return sum(self.missing[: missing + 1]) / self.deals


def odds_of(cards: int, *, wild: bool = True) -> Odds | None:
    """What was found of hands of so many cards; None if they were not dealt.

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
