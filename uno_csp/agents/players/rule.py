"""``rule``: numbers first, wild cards last, and of equals the colour with most cards."""

import math
import random
from collections.abc import Sequence

from uno_csp.agents.views import Turn, View
from uno_csp.open_game.deck import COLOURS, SKIP, WILD, kind_of


class Rule:
    """Play if possible, by a simple rule."""

    name = "rule"
    about = "numbers first, wild cards last, and of equals the colour with most cards"

    def __init__(self, *, seed: int = 0, seconds: float = math.inf, work: int = 0) -> None:
        del seconds, work
        self._rng = random.Random(seed)

    def choose(self, view: View) -> Turn:
        """Return a choice of the highest value; equals at random."""
        kinds = [kind for kind in map(kind_of, view.hand) if kind is not None]
        values = [(self._value(turn, kinds), self._rng.random()) for turn in view.choices]
        return view.choices[values.index(max(values))]

    @staticmethod
    def _value(turn: Turn, hand: Sequence[int]) -> int:
        """Return a number that is higher for a better choice."""
        kind = kind_of(turn.get("lays", ""))
        if kind is None:
            return -1
        colour = COLOURS.index(turn["names"]) if "names" in turn else kind // 13
        left = sum(other // 13 == colour for other in hand if other < WILD)
        if kind >= WILD:
            return left
        return left + (1000 if kind % 13 >= SKIP else 2000)
