"""Interfaces of the methods: encoders, which need a backend, and algorithms, which do not."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeAlias, TypeVar

from uno_csp.modeling.clauses import Clause
from uno_csp.modeling.model import Assignment, Model
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions import Instance
from uno_csp.questions.answers import Status, Witness

DataT = TypeVar("DataT")
InstanceT = TypeVar("InstanceT", bound=Instance)

Separator: TypeAlias = Callable[[Assignment], Sequence[Clause]]
"""Function that returns clauses that every witness satisfies and an assignment violates."""


def no_more_cuts(_assignment: Assignment) -> Sequence[Clause]:
    """Return no cuts."""
    return ()


class Proof(StrEnum):
    """The answers for an encoding's model that are answers to the question."""

    EXACT = "exact"
    YES_ONLY = "sufficient only"
    NO_ONLY = "necessary only"


@dataclass(frozen=True, slots=True)
class Encoded(Generic[DataT]):
    """An encoded instance: the model, and the data needed to decode an assignment.

    ``sizes`` has named counts of the encoder for the statistics of an answer.
    """

    model: Model
    data: DataT
    sizes: Mapping[str, int] = field(default_factory=dict)


class Method(ABC, Generic[InstanceT]):
    """An encoder or an algorithm.

    ``name`` identifies it, and ``takes`` lists the question types it accepts. Which methods run by
    default is the matter of :mod:`uno_csp.portfolio`.
    """

    proves = Proof.EXACT
    """The answers for the model, or of an algorithm that does not give up, that are certain."""
    sees_dead_ends = False
    """True if it quickly refutes by itself the hands that groups or dead ends refute."""
    gains_by_reductions = True
    """False if it takes less time than the reductions of a large hand."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Unique name of the method."""

    @property
    @abstractmethod
    def takes(self) -> tuple[type[InstanceT], ...]:
        """Question types that the method accepts."""

    def refusal(self, instance: Instance) -> str | None:
        """Return why this method does not take the instance; None if it does."""
        if not isinstance(instance, self.takes):
            return f"it is for {', '.join(kind.question for kind in self.takes)}"
        return self.declines(instance)

    def declines(self, instance: InstanceT) -> str | None:
        """Return why it does not take an instance of an accepted type; None if it does."""
        del instance
        return None


class Encoder(Method[InstanceT], Generic[InstanceT, DataT]):
    """A method that turns an instance into a model and an assignment back into a witness."""

    @abstractmethod
    def encode(self, instance: InstanceT) -> Encoded[DataT]:
        """Return the model and the data needed for decoding."""

    def encode_kernel(self, instance: InstanceT, *, minimising: bool) -> Encoded[DataT]:
        """As :meth:`encode`, after settling what can be settled without a search.

        By default that is nothing. ``minimising`` says that the solver minimises by itself.
        """
        del minimising
        return self.encode(instance)

    @abstractmethod
    def decode(self, encoded: Encoded[DataT], assignment: Assignment) -> Witness | None:
        """Return the witness that an assignment of the model represents.

        None only for an encoding that does not prove a yes, if the assignment represents none.
        """

    def meanings(self, encoded: Encoded[DataT]) -> Iterator[tuple[int, str]]:
        """Yield variables with their human-readable meaning; auxiliary ones are left out."""
        del encoded
        return iter(())

    def primal_heuristic(self, encoded: Encoded[DataT], assignment: Assignment) -> Witness | None:
        """Return a witness near an assignment that violates only the globals, or None."""
        del encoded, assignment
        return None

    def separator(self, encoded: Encoded[DataT]) -> Separator:
        """Return a separator for the constraints that the model leaves out.

        For an encoding that proves only a no. By default it finds no cuts.
        """
        del encoded
        return no_more_cuts


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of an algorithm; UNKNOWN with the reason if it gave up.

    ``bound`` is then the proved bound on the optimum.
    """

    status: Status
    witness: Witness | None = None
    reason: str = ""
    stats: Mapping[str, Any] = field(default_factory=dict)
    bound: int | None = None

    def __post_init__(self) -> None:
        """Raise TypeError for a status or a witness of another type."""
        if not isinstance(self.status, Status) or not isinstance(self.witness, Witness | None):
            raise TypeError(f"{self.status!r}, {self.witness!r}: expected a Status and a Witness")


ReportFinding: TypeAlias = Callable[[Finding], None]
"""Function that an algorithm calls with what it knows so far, while it searches on."""


class Algorithm(Method[InstanceT]):
    """A method that needs no solver."""

    gives_up = False
    """True if it may stop early without an answer, so that a fallback method is needed."""

    loads_slowly = False
    """True if :meth:`load` takes as long as to load a solver, so that workers are kept for it."""

    @property
    def keeps_to_deadline(self) -> bool:
        """True if it looks at its deadline, so that it stops soon after that."""
        cls = type(self)
        return (
            cls.run_until is not Algorithm.run_until
            or cls.run_reporting is not Algorithm.run_reporting
        )

    def load(self) -> None:
        """Load what the algorithm needs besides its module; by default that is nothing."""

    def run(self, instance: InstanceT) -> Finding:
        """Solve the instance; a subclass has this or, if it can stop early, :meth:`run_until`."""
        return self.run_until(instance, NEVER)

    def run_until(self, instance: InstanceT, deadline: Deadline) -> Finding:
        """Return the answer, or what is known at a deadline if the algorithm can stop by itself."""
        del deadline
        return self.run(instance)

    def run_reporting(
        self, instance: InstanceT, deadline: Deadline, report: ReportFinding
    ) -> Finding:
        """As :meth:`run_until`; one that can reports each better witness and bound meanwhile."""
        del report
        return self.run_until(instance, deadline)
