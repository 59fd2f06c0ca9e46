"""What answers questions: encoders, which need a backend, and algorithms, which do not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from uno_csp.answers import Status, Witness
from uno_csp.modeling.model import Assignment, Clause, Model
from uno_csp.questions import Instance

DataT = TypeVar("DataT")
InstanceT = TypeVar("InstanceT", bound=Instance)


Separator: TypeAlias = Callable[[Assignment], Sequence[Clause]]
"""Finds clauses that every witness obeys and an assignment breaks."""


def no_more_cuts(_assignment: Assignment) -> Sequence[Clause]:
    """Nothing is broken."""
    return ()


class Proof(StrEnum):
    """What an answer of an encoding's model says about the question."""

    EXACT = "exact"
    YES_ONLY = "sufficient only"
    NO_ONLY = "necessary only"


@dataclass(frozen=True, slots=True)
class Encoded(Generic[DataT]):
    """What an encoder makes of an instance: the model, and what it needs to read an assignment.

    ``sizes`` has what the encoder counted on the way, by name, for the statistics of an answer.
    """

    model: Model
    data: DataT
    sizes: Mapping[str, int] = field(default_factory=dict)


class Method(Protocol[InstanceT]):
    """An encoder or an algorithm.

    ``name`` is what it is asked for by, ``takes`` has the kinds of questions it is for, and
    ``preference`` its place among those that are chosen by themselves, None if it is only used
    when asked for.
    """

    @property
    def name(self) -> str:
        """The name it is asked for by."""

    @property
    def takes(self) -> tuple[type[InstanceT], ...]:
        """The kinds of questions it is for."""

    @property
    def preference(self) -> int | None:
        """Of the methods that take a question the one with the smallest is tried first."""
        return None

    def preferred_for(self, kind: type[Instance]) -> int | None:
        """The preference for one kind of question, where that makes a difference."""
        del kind
        return self.preference

    @property
    def sees_dead_ends(self) -> bool:
        """Whether it says no soon, by itself, where groups or dead ends of a hand do."""
        return False

    def accompanies(self, instance: InstanceT) -> bool:
        """Whether it is worth running beside the method that is chosen, to find a yes sooner."""
        del instance
        return False

    def refusal(self, instance: Instance) -> str | None:
        """Return why this method does not take the instance; None if it does."""
        if not isinstance(instance, self.takes):
            return f"it is for {', '.join(kind.question for kind in self.takes)}"
        return self.declines(instance)

    def declines(self, instance: InstanceT) -> str | None:
        """Why it does not take a question of its kinds; None if it does."""
        del instance
        return None


class Encoder(Method[InstanceT], Protocol[InstanceT, DataT]):
    """A viewpoint: turns an instance into a model and an assignment back into a witness."""

    @property
    def proves(self) -> Proof:
        """What an answer of the model says about the question."""

    def encode(self, instance: InstanceT) -> Encoded[DataT]:
        """The model, with what decoding needs."""

    def condensed(self, instance: InstanceT, *, bounding: bool) -> Encoded[DataT]:
        """As :meth:`encode`, after settling what can be settled without a search.

        By default that is nothing. ``bounding`` says that the solver is one that minimises.
        """
        del bounding
        return self.encode(instance)

    def decode(self, encoded: Encoded[DataT], assignment: Assignment) -> Witness | None:
        """The witness an assignment of the model stands for.

        None only for an encoding that proves no yes, when the assignment is none.
        """

    def meanings(self, encoded: Encoded[DataT]) -> Iterator[tuple[int, str]]:
        """What variables mean, in words; those left out are auxiliary."""

    def mend(self, encoded: Encoded[DataT], assignment: Assignment) -> Witness | None:
        """A witness near an assignment that breaks only the globals; None where there is none."""
        del encoded, assignment
        return None

    def separator(self, encoded: Encoded[DataT]) -> Separator:
        """What tells the clauses that every witness obeys and an assignment breaks.

        For an encoding that proves only a no: what its model leaves out, as cuts. By default none.
        """
        del encoded
        return no_more_cuts


@dataclass(frozen=True, slots=True)
class Finding:
    """What an algorithm established; UNKNOWN when it gave up, with the reason.

    ``bound`` is what it then proved of the best value.
    """

    status: Status
    witness: Witness | None = None
    reason: str = ""
    stats: Mapping[str, Any] = field(default_factory=dict)
    bound: int | None = None


class Algorithm(Method[InstanceT], Protocol[InstanceT]):
    """A special case that needs no solver."""

    @property
    def gives_up(self) -> bool:
        """Whether it may soon end without an answer, so that another method stands by."""
        return False

    def run(self, instance: InstanceT) -> Finding:
        """The answer."""

    def run_until(self, instance: InstanceT, ends_at: float | None) -> Finding:
        """The answer, or how far it came before a :func:`time.time`, where it can stop itself."""
        del ends_at
        return self.run(instance)
