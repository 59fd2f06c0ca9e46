"""Messages that a run sends while it goes on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from uno_csp.processes.deadline import clock_s
from uno_csp.questions.answers import Witness

if TYPE_CHECKING:
    from uno_csp.certificates import Effort


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a run.

    Parameters
    ----------
    rounds, cuts
        Solver calls, and cuts added so far.
    elapsed_s
        Seconds since the run began.
    objective, bound
        For an optimisation question the best value found and the best one proved, where known.
    proof
        The effort of the search for a proof, once there is an answer and its certificate is made.
    """

    rounds: int
    cuts: int
    elapsed_s: float
    objective: int | None = None
    bound: int | None = None
    proof: "Effort | None" = None

    def dearer(self, cost: int) -> "Progress":
        """Return the progress with a cost added to the objective and to the bound."""
        if not cost:
            return self
        objective = None if self.objective is None else self.objective + cost
        return replace(self, objective=objective, bound=(self.bound or 0) + cost)


class Built(NamedTuple):
    """A model has been built: its sizes, and the connectivity that was chosen for it."""

    sizes: Mapping[str, int]
    connectivity: str | None


class Incumbent(NamedTuple):
    """The best witness found so far."""

    witness: Witness


class Bound(NamedTuple):
    """A bound on the objective that holds before any search."""

    value: int


class BoundUpdate(NamedTuple):
    """The best objective value and the best bound that others have found for the same question."""

    objective: int | None
    bound: int | None


ProgressListener: TypeAlias = Callable[[Progress], None]
Message: TypeAlias = Progress | Built | Incumbent | Bound
Reporter: TypeAlias = Callable[[Message], None]
Poll: TypeAlias = Callable[[], BoundUpdate | None]  # the latest update since the last call


def reporting_proof(
    on_progress: ProgressListener | None, answer: Any
) -> "Callable[[Effort], None]":
    """Return a listener to the effort of the proof of an answer that was found just now."""
    began = clock_s() - (answer.wall_s or 0.0)
    known = answer.stats or {}
    rounds, cuts = known.get("rounds", 0), known.get("cuts", 0)

    def report(effort: "Effort") -> None:
        if on_progress is not None:
            elapsed_s = clock_s() - began
            on_progress(Progress(rounds, cuts, elapsed_s, answer.objective, answer.bound, effort))

    return report
