"""Interfaces of solvers: a backend opens a session, and a session returns results."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from uno_csp.modeling.model import Assignment, Cut, Model
from uno_csp.questions.answers import Status

STOPPED = "the solver stopped at its limit"
"""Stop reason of a solver that enforced the time limit itself."""

_NO_STATS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one solver call; contradictory fields raise ValueError."""

    # SATISFIABLE for a feasible assignment (with an objective: an incumbent), OPTIMAL only for a
    # proved optimum
    status: Status
    assignment: Assignment | None = None  # one value for each variable of the model, index 0 unused
    # the objective value of the assignment, and the proved bound on the optimum
    objective: int | None = None
    bound: int | None = None
    # why the status is UNKNOWN, or why an incumbent is not known to be optimal
    stop_reason: str = ""
    native_status: str = ""  # the status in the words of the solver
    # seconds spent in the solver
    wall_s: float = 0.0
    cpu_s: float = 0.0
    # counts that the solver reports: conflicts, decisions, nodes, ...
    stats: Mapping[str, float] = field(default_factory=lambda: _NO_STATS)

    def __post_init__(self) -> None:
        if self.status.has_solution != (self.assignment is not None):
            raise ValueError(f"{self.status}: assignment if and only if SATISFIABLE or OPTIMAL")
        if self.status is Status.UNKNOWN and not self.stop_reason:
            raise ValueError("UNKNOWN needs a stop reason")
        if self.status is Status.OPTIMAL and self.objective is None:
            raise ValueError("OPTIMAL needs an objective value")
        if self.status is Status.UNSATISFIABLE and self.objective is not None:
            raise ValueError("UNSATISFIABLE cannot have an objective value")


class Session(Protocol):
    """One model loaded in one solver; incremental if the solver is."""

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts over the variables of the model."""

    def solve(self, time_limit_s: float | None = None) -> Result:
        """Solve what has been added so far.

        ``time_limit_s`` is for solvers that can stop themselves and return what they have found
        so far. Many cannot be interrupted; the process they run in is terminated instead.
        """

    def close(self) -> None:
        """Free the solver's memory."""


@runtime_checkable
class BoundingSession(Session, Protocol):
    """A session of a decision solver that can enforce bounds by assumptions."""

    @property
    def supports_conflict_limit(self) -> bool:
        """True if the solver supports a conflict limit."""

    def at_most(self, coefficients: Sequence[int], literals: Sequence[int], bound: int) -> int:
        """Add a linear constraint that is enforced while the returned literal is assumed."""

    def solve_assuming(self, literals: Sequence[int], conflicts: int | None = None) -> Result:
        """Solve under assumptions, literals that are true in this call only.

        A solver that counts conflicts returns UNKNOWN after ``conflicts`` of them.
        """


@runtime_checkable
class RelaxingSession(Session, Protocol):
    """A session of a solver that can solve the linear relaxation."""

    def solve_relaxed(self, time_limit_s: float | None = None) -> Sequence[float] | None:
        """Return an optimum of the linear relaxation, the value of variable v at index v.

        None if there is none, or if it was not found in time.
        """

    def start_from(self, assignment: Assignment) -> None:
        """Let the next :meth:`solve` begin with a solution."""


class Backend(ABC):
    """A named solver: a subclass adds ``name`` and ``open``, and what differs from the defaults."""

    summary = "a solver"
    """Short description for listings."""
    native_globals: frozenset[type] = frozenset()
    """Global constraints that it supports natively."""
    parallel = False
    """True if it can use more than one worker."""
    minimises = False
    """True if it minimises by itself; otherwise it opens a :class:`BoundingSession`."""
    most_links: tuple[tuple[str, int], ...] = ()
    """Decompositions, each with the maximum number of links (edges, arc pairs) it handles."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Unique name of the backend."""

    @abstractmethod
    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> Session:
        """Load the solver and the model."""

    def available(self) -> bool:
        """Return True if the solver is installed, without loading it."""
        return True

    def install_hint(self) -> str:
        """Return how to install the solver."""
        return f"install {self.name}"

    def version(self) -> str:
        """Return the version of the package or program."""
        return self.name
