"""Base of the agents that weigh their choices over deals of the hidden cards."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from uno_csp.agents.advice import (
    FEWEST_DEALS,
    Advice,
    OnDeal,
    OnFirst,
    rank_estimated,
    rank_exact,
    shares_of,
)
from uno_csp.agents.knowledge import UNLIKELY, Knowledge
from uno_csp.agents.views import Turn, View
from uno_csp.processes.deadline import Deadline

if TYPE_CHECKING:
    from uno_csp.agents.arrays import Arranged
    from uno_csp.agents.estimating import Wins


class Dealing(ABC):
    """An agent that counts the wins of each choice in ``work`` random deals, while time lasts."""

    name: ClassVar[str]
    about: ClassVar[str]
    policy: ClassVar[str]  # how all players go on after a choice
    own_work: ClassVar[int]  # number of deals, unless another one is given

    def __init__(
        self,
        *,
        seed: int = 0,
        seconds: float = math.inf,
        work: int | None = None,
        unlikely: float = UNLIKELY,
    ) -> None:
        self._seed, self._seconds, self._known = seed, seconds, Knowledge(unlikely)
        self._work = self.own_work if work is None else work
        self._asked = 0

    def advise(
        self, view: View, on_deal: OnDeal | None = None, on_first: OnFirst | None = None
    ) -> Advice:
        """Return the choices, the best one first.

        While the machine code is being made, ``on_first`` gets what few deals in plain Python tell.
        """
        found = self._look_at(view, on_deal, on_first)
        if isinstance(found, list):
            moves = rank_exact(view.choices, found)
            return Advice(moves, 0, exact=True, policy=self.policy)
        return self._advice(view, found)

    def choose(self, view: View) -> Turn:
        """Return the best choice, the first one of the advice."""
        found = self._look_at(view)
        shares = found if isinstance(found, list) else shares_of(found)
        return view.choices[shares.index(max(shares))]

    def _look_at(
        self, view: View, on_deal: OnDeal | None = None, on_first: OnFirst | None = None
    ) -> "list[float] | Wins":
        """Return the shares of the choices if all deals were counted, else their results."""
        from uno_csp.agents.arrays import PLAY_OUTS, Arranged
        from uno_csp.agents.estimating import halve

        self._asked += 1
        seed = self._seed + self._asked
        if on_first is not None and not PLAY_OUTS.is_kept():
            found = Arranged(view, seed, self._known, plain=True)
            on_first(self._advice(view, halve(found, FEWEST_DEALS, lambda _: True)))
        plain = PLAY_OUTS.why_not() != ""  # it is compiled now, before the clock starts
        deadline = Deadline.after(self._seconds)
        found = Arranged(view, seed, self._known, plain=plain)

        def go_on(done: int) -> bool:
            if on_deal is not None:
                on_deal(done, self._work)
            return not deadline.expired

        exact = self._exact(found)
        return self._results(found, deadline, go_on) if exact is None else exact

    def _advice(self, view: View, wins: "Wins") -> Advice:
        return Advice(rank_estimated(view.choices, wins), wins.shape[1], False, self.policy)

    def _exact(self, found: "Arranged") -> list[float] | None:
        """Return the share that each choice wins of all deals, if these are few."""
        del found
        return None

    @abstractmethod
    def _results(
        self, found: "Arranged", deadline: Deadline, go_on: Callable[[int], bool]
    ) -> "Wins":
        """Return the results of the choices in random deals."""
