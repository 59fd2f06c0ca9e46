"""Base of the agents that weigh their choices over random deals of the hidden cards."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from uno_csp.agents.advice import Advice, OnDeal, ranked
from uno_csp.agents.compiling import why_uncompiled
from uno_csp.agents.knowledge import Beliefs
from uno_csp.agents.views import Turn, View
from uno_csp.processes.deadline import Deadline

if TYPE_CHECKING:
    from uno_csp.agents.arrays import Arranged

Look: TypeAlias = Callable[[int], int]  # looks at a number of deals; returns how many had a result


class Dealing(ABC):
    """An agent that counts wins of each choice in ``work`` random deals, while time lasts."""

    name: ClassVar[str]
    about: ClassVar[str]
    own_work: ClassVar[int]  # number of deals, unless another one is given
    at_once: ClassVar[int] = 1  # number of deals between two looks at the clock
    by_tries: ClassVar[bool] = False  # whether the best choice is the one that was tried most

    def __init__(
        self,
        *,
        seed: int = 0,
        seconds: float = math.inf,
        work: int | None = None,
        beliefs: Beliefs = Beliefs.LIKELY,
    ) -> None:
        self._seed, self._seconds, self._beliefs = seed, seconds, beliefs
        self._work = self.own_work if work is None else work
        self._asked = 0

    def advise(self, view: View, on_deal: OnDeal | None = None) -> Advice:
        """Return the choices, the best one first."""
        why_uncompiled()  # so that it is compiled now, before the clock starts
        from uno_csp.agents.arrays import arranged

        self._asked += 1
        deadline = Deadline.after(self._seconds)
        found = arranged(view, self._beliefs, self._seed + self._asked)
        look = self._begin(found, deadline)
        done = solved = 0
        while done < self._work and not (done and deadline.expired):
            some = min(self.at_once, self._work - done)
            solved += look(some)
            done += some
            if on_deal is not None:
                on_deal(done, self._work)
        tried, wins = found.tried.tolist(), found.wins.tolist()
        return Advice(ranked(view.choices, tried, wins, self.by_tries), done, solved)

    def choose(self, view: View) -> Turn:
        """Return the best choice."""
        return self.advise(view).moves[0].move

    @abstractmethod
    def _begin(self, found: "Arranged", deadline: Deadline) -> Look:
        """Return how to look at deals; the results are counted in the arranged view."""
