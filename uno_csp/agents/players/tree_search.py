"""``tree-search``: information set Monte Carlo tree search, with a new deal in every iteration."""

import math
from typing import ClassVar

from uno_csp.agents.advice import Advice, OnDeal, ranked
from uno_csp.agents.knowledge import Beliefs
from uno_csp.agents.views import Turn, View
from uno_csp.processes.deadline import Deadline

WORK = 20_000
"""Number of iterations, unless another one is given."""

MOST_WORK = 200_000
"""Maximum number of iterations: the tree has to be kept."""

AT_ONCE = 256
"""Number of iterations between two looks at the clock."""


class TreeSearch:
    """Search a tree of moves that all deals share (Cowling, Powley and Whitehouse 2012).

    Parameters
    ----------
    seed
        Random seed.
    seconds
        Time limit for each choice.
    work
        Number of iterations for each choice; it ends before if the time is up.
    beliefs
        What is used of the turns so far.
    """

    name: ClassVar[str] = "tree-search"
    about: ClassVar[str] = "information set Monte Carlo tree search, with a new deal each time"

    def __init__(
        self,
        *,
        seed: int = 0,
        seconds: float = math.inf,
        work: int = WORK,
        beliefs: Beliefs = Beliefs.LIKELY,
    ) -> None:
        self._seed, self._seconds, self._beliefs = seed, seconds, beliefs
        self._work = min(work, MOST_WORK)
        self._asked = 0

    def advise(self, view: View, on_deal: OnDeal | None = None) -> Advice:
        """Return the choices, that which was tried most first."""
        from uno_csp.agents.arrays import arranged, empty_tree

        self._asked += 1
        deadline = Deadline.after(self._seconds)
        found = arranged(view, self._beliefs, self._seed + self._asked)
        tree = empty_tree(self._work)
        done = 0
        while done < self._work and not (done and deadline.expired):
            some = min(AT_ONCE, self._work - done)
            found.search(tree, some)
            done += some
            if on_deal is not None:
                on_deal(done, self._work)
        moves = ranked(view.choices, found.tried.tolist(), found.wins.tolist(), by_tries=True)
        return Advice(moves, done, done)

    def choose(self, view: View) -> Turn:
        """Return the choice that was tried most."""
        return self.advise(view).moves[0].move


AGENT = TreeSearch
