"""What a run tells while it goes on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from uno_csp.answers import Witness


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    Parameters
    ----------
    rounds, cuts
        Solver calls, and cuts added so far.
    elapsed_s
        Seconds since the run began.
    objective, bound
        For an optimisation question the best value found and the best one proved, where known.
    """

    rounds: int
    cuts: int
    elapsed_s: float
    objective: int | None = None
    bound: int | None = None


@dataclass(frozen=True, slots=True)
class Begun:
    """The solver is loaded, so many seconds after the task was handed over."""

    waited_s: float


@dataclass(frozen=True, slots=True)
class Built:
    """A model has been written, with its sizes and how its globals are treated."""

    sizes: Mapping[str, int]
    connectivity: str | None


@dataclass(frozen=True, slots=True)
class Incumbent:
    """The best witness found so far."""

    witness: Witness


@dataclass(frozen=True, slots=True)
class News:
    """What is known elsewhere of the question that is being worked on."""

    objective: int | None
    bound: int | None


ProgressListener: TypeAlias = Callable[[Progress], None]
Message: TypeAlias = Progress | Begun | Built | Incumbent
Reporter: TypeAlias = Callable[[Message], None]
Ear: TypeAlias = Callable[[], News | None]
"""Gives the latest news, if there are any."""
