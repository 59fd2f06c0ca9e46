"""``random``: every choice is as likely as any other."""

import math
import random

from uno_csp.agents.views import Turn, View


class RandomPlay:
    """Choose at random."""

    name = "random"
    about = "every choice is as likely as any other"

    def __init__(self, *, seed: int = 0, seconds: float = math.inf, work: int = 0) -> None:
        del seconds, work
        self._rng = random.Random(seed)

    def choose(self, view: View) -> Turn:
        """Return a choice."""
        return self._rng.choice(view.choices)
