"""What solves models: a backend opens a session, and a session gives results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from uno_csp.answers import Status
from uno_csp.modeling.model import Assignment, Cut, Model

STOPPED = "the solver stopped at its limit"
"""The stop reason of a solver that kept the time limit by itself."""

_NO_STATS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one solver call. One that contradicts itself cannot be made.

    Parameters
    ----------
    status
        SATISFIABLE for a feasible assignment (with an objective: an incumbent), OPTIMAL only for
        a proved optimum.
    assignment
        One value for each variable of the model, index 0 unused.
    objective, bound
        The value of the assignment, and what is proved of every value.
    stop_reason
        Why the status is UNKNOWN, or why an incumbent is not known to be optimal.
    native_status
        The solver's own word.
    wall_s, cpu_s
        Seconds spent in the solver.
    stats
        Counts the solver gives away: conflicts, decisions, nodes, ...
    """

    status: Status
    assignment: Assignment | None = None
    objective: int | None = None
    bound: int | None = None
    stop_reason: str = ""
    native_status: str = ""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    stats: Mapping[str, float] = field(default_factory=lambda: _NO_STATS)

    def __post_init__(self) -> None:
        if self.status.has_solution != (self.assignment is not None):
            raise ValueError(f"{self.status} and an assignment do not go together like this")
        if self.status is Status.UNKNOWN and not self.stop_reason:
            raise ValueError("UNKNOWN needs the reason why")
        if self.status is Status.OPTIMAL and self.objective is None:
            raise ValueError("OPTIMAL needs the value of the objective")
        if self.status is Status.UNSATISFIABLE and self.objective is not None:
            raise ValueError("UNSATISFIABLE and an objective do not go together")


class Session(Protocol):
    """One model in one solver; incremental where the solver is."""

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add clauses and counts to two over the variables of the model."""

    def solve(self, time_limit_s: float | None = None) -> Result:
        """Solve what has been added so far.

        ``time_limit_s`` is for solvers that can stop themselves and then still have something to
        say. Many cannot be stopped from inside; the process they run in is ended instead.
        """

    def close(self) -> None:
        """Give the solver's memory back."""


@runtime_checkable
class BoundingSession(Session, Protocol):
    """A session of a solver that only decides: it can ask for what is under a bound."""

    @property
    def counts_conflicts(self) -> bool:
        """Whether it can give up after some conflicts."""

    def at_most(self, coefficients: Sequence[int], literals: Sequence[int], bound: int) -> int:
        """Add a linear constraint that is in force while the literal returned is assumed."""

    def solve_assuming(self, literals: Sequence[int], conflicts: int | None = None) -> Result:
        """Solve with literals that are true in this call only.

        A solver that counts conflicts gives up after so many, with UNKNOWN.
        """


@runtime_checkable
class RelaxingSession(Session, Protocol):
    """A session of a solver that can leave integrality aside."""

    def solve_relaxed(self, time_limit_s: float | None = None) -> Sequence[float] | None:
        """The value of variable v at index v in an optimum of the linear relaxation.

        None if there is none, or no time to find it.
        """


class Backend(Protocol):
    """A solver by name."""

    @property
    def name(self) -> str:
        """The name it is asked for by."""

    @property
    def summary(self) -> str:
        """A few words for the listing."""

    @property
    def native_globals(self) -> frozenset[type]:
        """The global constraints it takes as they are."""

    @property
    def parallel(self) -> bool:
        """Whether it can use more than one worker."""

    @property
    def minimises(self) -> bool:
        """Whether it minimises by itself; else it opens a :class:`BoundingSession` for that."""

    @property
    def most_links(self) -> tuple[tuple[str, int], ...]:
        """Decompositions, each with the most links (edges, pairs of arcs) it can cope with."""

    def available(self) -> bool:
        """Whether it is installed; looks without loading it."""

    def install_hint(self) -> str:
        """What to type to get it."""

    def version(self) -> str:
        """The version of the package or program behind it."""

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> Session:
        """Load the solver and give it the model."""
