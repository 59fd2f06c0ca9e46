"""Base of sessions: a call is measured, and its finding becomes a result."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from uno_csp.errors import BackendError, NotAccepted
from uno_csp.modeling import (
    STOPPED,
    AtLeastTwo,
    Circuit,
    Cut,
    Model,
    Objective,
    Result,
    broken_constraint,
)
from uno_csp.questions.answers import Status

LONGEST_S = 1e6  # longest time limit in seconds: no option of a solver is too small for it


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of a solver call."""

    values: Sequence[bool] | None  # the last solution: the value of variable v at place v - 1
    complete: bool  # whether the solver says that there is no other, or no better one
    native: str = ""  # the status in the words of the solver
    bound: int | None = None  # the proved bound on the objective of a search that is not complete
    reason: str = STOPPED  # why the search is not complete
    stats: Mapping[str, float] = field(default_factory=dict)  # counts that the solver reports

    def result(self, objective: Objective | None, wall_s: float, cpu_s: float) -> Result:
        """Return the result of a call that took some time."""
        more: dict[str, Any] = {
            "native_status": self.native,
            "wall_s": wall_s,
            "cpu_s": cpu_s,
            "stats": self.stats,
        }
        if self.values is None:
            if self.complete:
                return Result(Status.UNSATISFIABLE, **more)
            return Result(Status.UNKNOWN, stop_reason=self.reason, **more)
        values = [False, *self.values]
        if objective is None:
            return Result(Status.SATISFIABLE, values, **more)
        value = objective.value(values)
        if self.complete:
            return Result(Status.OPTIMAL, values, value, value, **more)
        return Result(Status.SATISFIABLE, values, value, self.bound, self.reason, **more)


def within_range(time_limit_s: float | None) -> float | None:
    """Return a limit that solvers and the system can hold; a larger one is no limit."""
    return None if time_limit_s is None or time_limit_s > LONGEST_S else time_limit_s


def measure(search: Callable[[], Found], objective: Objective | None = None) -> Result:
    """Return the result of a call, with the seconds that it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = search()
    return found.result(objective, time.perf_counter() - wall, time.process_time() - cpu)


def require_circuits(model: Model, solver: str) -> None:
    """Raise NotAccepted if a model has another global constraint than a circuit."""
    for constraint in model.globals:
        if not isinstance(constraint, Circuit):
            kind = type(constraint).__name__.lower()
            raise NotAccepted(f"{solver} has no native constraint {kind!r}: use lazy or eager")


class SearchSession(ABC):
    """A session for one model: a subclass adds ``add`` and :meth:`search`."""

    def __init__(self, model: Model) -> None:
        self.num_vars, self.objective = model.num_vars, model.objective

    @abstractmethod
    def search(self, time_limit_s: float | None) -> Found:
        """Search for a solution, or the best one."""

    def solve(self, time_limit_s: float | None = None) -> Result:
        """Solve what has been added so far."""
        limit_s = within_range(time_limit_s)
        return measure(lambda: self.search(limit_s), self.objective)

    def close(self) -> None:  # noqa: B027 (a default)
        """No-op: this session owns no native resources."""


class WholeModelSession(SearchSession):
    """A model that grows by cuts, and is given to the solver as a whole at every call.

    A subclass adds :meth:`run`; ``solver`` is the name of the solver, for messages.
    """

    def __init__(self, model: Model, solver: str) -> None:
        super().__init__(model)
        self.model = model.copy()
        self.solver = solver

    @abstractmethod
    def run(self, time_limit_s: float | None) -> Found:
        """Search for a solution, or the best one, of a model that has variables."""

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts to the model."""
        for cut in cuts:
            if isinstance(cut, AtLeastTwo):
                self.model.linears.append(cut.linear)
            else:
                self.model.clauses.append(cut)

    def search(self, time_limit_s: float | None) -> Found:
        """Run the solver, and check its solution."""
        if self.num_vars == 0:
            possible = broken_constraint(self.model, [False]) is None
            return Found([] if possible else None, complete=True)
        found = self.run(time_limit_s)
        if found.values is not None:
            if len(found.values) < self.num_vars:
                raise BackendError(f"{self.solver} gave fewer values than there are variables")
            broken = broken_constraint(self.model, [False, *found.values])
            if broken is not None:
                raise BackendError(f"the solution of {self.solver} breaks {broken}")
        return found
