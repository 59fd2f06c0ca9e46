"""Sessions of solvers that are given the whole model at every call."""

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from uno_csp.errors import BackendError
from uno_csp.modeling import STOPPED, AtLeastTwo, Cut, Model, Result, broken_constraint
from uno_csp.questions.answers import Status


class Found(NamedTuple):
    """The last solution of a search, the value of variable v at place v - 1; None if there is none.

    ``complete`` tells whether the solver says that there is no other, or no better one.
    """

    values: Sequence[bool] | None
    complete: bool


class WholeModelSession(ABC):
    """A model that grows by cuts; a subclass adds :meth:`search`.

    Parameters
    ----------
    solver
        Name of the solver, for messages.
    """

    def __init__(self, model: Model, solver: str) -> None:
        self.model = model.copy()
        self._solver = solver

    @abstractmethod
    def search(self, time_limit_s: float | None) -> Found:
        """Search for a solution, or the best one, of a model that has variables."""

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts to the model."""
        for cut in cuts:
            if isinstance(cut, AtLeastTwo):
                self.model.linears.append(cut.linear)
            else:
                self.model.clauses.append(cut)

    def solve(self, time_limit_s: float | None = None) -> Result:
        """Run the solver, and check its solution."""
        if self.model.num_vars == 0:
            return self._result(self._without_variables(), 0.0)
        began_s = time.perf_counter()
        found = self.search(time_limit_s)
        return self._result(found, time.perf_counter() - began_s)

    def close(self) -> None:
        """Forget the model; nothing else is kept between two calls."""
        self.model = Model()

    def _without_variables(self) -> Found:
        possible = broken_constraint(self.model, [False]) is None
        return Found([] if possible else None, complete=True)

    def _result(self, found: Found, wall_s: float) -> Result:
        if found.values is None:
            status = Status.UNSATISFIABLE if found.complete else Status.UNKNOWN
            stopped = "" if found.complete else STOPPED
            return Result(status, stop_reason=stopped, native_status=status, wall_s=wall_s)
        if len(found.values) < self.model.num_vars:
            raise BackendError(f"{self._solver} gave fewer values than there are variables")
        values = [False, *found.values]
        broken = broken_constraint(self.model, values)
        if broken is not None:
            raise BackendError(f"the solution of {self._solver} breaks {broken}")
        if self.model.objective is None:
            return Result(Status.SATISFIABLE, values, native_status="solution", wall_s=wall_s)
        value = self.model.objective.value(values)
        if found.complete:
            return Result(
                Status.OPTIMAL, values, value, value, native_status="optimal", wall_s=wall_s
            )
        return Result(
            Status.SATISFIABLE,
            values,
            value,
            stop_reason=STOPPED,
            native_status="solution",
            wall_s=wall_s,
        )
