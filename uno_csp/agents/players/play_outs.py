"""``play-outs``: deal the hidden cards, play every choice out by the simple rule, count wins."""

import math
from typing import ClassVar

from uno_csp.agents.advice import Advice, OnDeal, ranked
from uno_csp.agents.knowledge import Beliefs
from uno_csp.agents.views import Turn, View
from uno_csp.processes.deadline import Deadline

WORK = 4_000
"""Number of deals, unless another one is given."""

AT_ONCE = 32
"""Number of deals between two looks at the clock."""


class PlayOuts:
    """Try every choice in many deals, all players going on by the simple rule.

    Parameters
    ----------
    seed
        Random seed.
    seconds
        Time limit for each choice.
    work
        Number of deals for each choice; it ends before if the time is up.
    beliefs
        What is used of the turns so far.
    """

    name: ClassVar[str] = "play-outs"
    about: ClassVar[str] = "tries every choice in random deals, all players going on by the rule"

    def __init__(
        self,
        *,
        seed: int = 0,
        seconds: float = math.inf,
        work: int = WORK,
        beliefs: Beliefs = Beliefs.LIKELY,
    ) -> None:
        self._seed, self._seconds, self._work, self._beliefs = seed, seconds, work, beliefs
        self._asked = 0

    def advise(self, view: View, on_deal: OnDeal | None = None) -> Advice:
        """Return the choices, that with most wins first."""
        from uno_csp.agents.arrays import arranged

        self._asked += 1
        deadline = Deadline.after(self._seconds)
        found = arranged(view, self._beliefs, self._seed + self._asked)
        done = 0
        while done < self._work and not (done and deadline.expired):
            some = min(AT_ONCE, self._work - done)
            found.compare(some)
            done += some
            if on_deal is not None:
                on_deal(done, self._work)
        return Advice(ranked(view.choices, found.tried.tolist(), found.wins.tolist()), done, done)

    def choose(self, view: View) -> Turn:
        """Return the choice that won most."""
        return self.advise(view).moves[0].move


AGENT = PlayOuts
