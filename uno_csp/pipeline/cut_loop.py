"""The one loop that solves a model with lazily treated globals.

Solve without the globals; ask each for the cuts the assignment violates; add them; again. An
infeasible relaxation proves the model infeasible, an assignment without violated cuts solves it,
and each round cuts its own assignment off, so the loop ends.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from uno_csp.backends import Result, Session
from uno_csp.modeling import Model, violated_cuts


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come: rounds solved, cuts added so far, seconds since the loop began."""

    rounds: int
    cuts: int
    elapsed_s: float


ProgressListener = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class LoopResult:
    """The last result, with the solver seconds of all rounds, and how many there were."""

    result: Result
    rounds: int
    cuts: int


def solve_with_cuts(
    session: Session,
    model: Model,
    time_limit_s: float | None = None,
    on_progress: ProgressListener | None = None,
) -> LoopResult:
    """Solve a model of which the session holds everything but the globals.

    Parameters
    ----------
    session
        Holds ``relax(model)``, or a model without globals left, or one whose globals it treats.
    model
        Its ``globals`` are the ones to be enforced here; none if there is nothing to enforce.
    time_limit_s
        For all rounds together.
    """
    started = time.perf_counter()
    rounds = cut_count = 0
    wall_s = cpu_s = 0.0
    while True:
        elapsed = time.perf_counter() - started
        left = None if time_limit_s is None else max(time_limit_s - elapsed, 0.001)
        result = session.solve(left)
        rounds += 1
        wall_s += result.wall_s
        cpu_s += result.cpu_s
        cuts = (
            [cut for each in model.globals for cut in violated_cuts(each, result.assignment)]
            if result.assignment is not None
            else []
        )
        cut_count += len(cuts)
        if on_progress is not None:
            on_progress(Progress(rounds, cut_count, time.perf_counter() - started))
        if not cuts:
            return LoopResult(replace(result, wall_s=wall_s, cpu_s=cpu_s), rounds, cut_count)
        session.add(cuts)
