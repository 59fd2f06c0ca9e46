"""The program that does one run: ``python -m uno_csp.experiments.worker``.

It is told its run on standard input, makes the instance, loads the solver by answering a tiny
question in the same way, says that it is ready, and then solves. What it prints last is a JSON
object with what came out. See :mod:`uno_csp.processes.programs`.
"""

import resource
from contextlib import suppress
from typing import Any

from uno_csp.errors import (
    BackendError,
    BackendUnavailable,
    CheckFailed,
    NotAccepted,
    UnoCspError,
)
from uno_csp.experiments.runs import Combination, Run, instance_facts
from uno_csp.formats import Answer
from uno_csp.pipeline import solve
from uno_csp.processes.programs import read_tasks, say, say_ready
from uno_csp.processes.workers import dismiss
from uno_csp.questions import Cooperative, FillIn, Instance, Longest, Uncooperative, Uno1

_TINY_HAND = ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3))
_TINY: dict[str, Instance] = {
    Uno1.question: Uno1(_TINY_HAND),
    Longest.question: Longest(_TINY_HAND),
    FillIn.question: FillIn(_TINY_HAND),
    Cooperative.question: Cooperative((_TINY_HAND, _TINY_HAND)),
    Uncooperative.question: Uncooperative((_TINY_HAND, _TINY_HAND)),
}
WARM_UP_S = 60.0

_CATEGORIES: tuple[tuple[type[UnoCspError], str], ...] = (
    (CheckFailed, "wrong"),
    (BackendUnavailable, "unavailable"),
    (NotAccepted, "not accepted"),
    (BackendError, "error"),
    (UnoCspError, "error"),
)


def main() -> None:
    """Do the run that standard input tells of."""
    run = Run.from_dict(next(read_tasks()))
    instance = run.source.instance()
    told = instance_facts(instance)
    try:
        _warm_up(instance, run.combination)
        say_ready()
        answer = _solve(instance, run.combination, run.seed, run.limits.wall_s)
        told |= _answered(answer)
    except UnoCspError as error:
        category = next(name for kind, name in _CATEGORIES if isinstance(error, kind))
        told |= {"category": category, "reason": " ".join(str(error).split())}
    except MemoryError:
        told |= {"category": "unknown", "status": "UNKNOWN", "reason": "memory is used up"}
    dismiss()  # so that what the solvers used is counted
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    told["largest_process_mb"] = round(used.ru_maxrss / 1024, 1)
    say(told)


def _solve(instance: Instance, way: Combination, seed: int, limit_s: float | None) -> Answer:
    return solve(
        instance, encoding=way.encoding, backend=way.backend, connectivity=way.connectivity,
        time_limit_s=limit_s, seed=seed, workers=way.workers, presolve=way.presolve,
    )  # fmt: skip


def _warm_up(instance: Instance, way: Combination) -> None:
    """Load the solver; what a tiny question cannot be asked is told by the real one."""
    with suppress(NotAccepted):
        _solve(_TINY[instance.question], way, 0, WARM_UP_S)


def _answered(answer: Answer) -> dict[str, Any]:
    """What a record keeps of an answer: all but the witness, which has been checked."""
    kept = answer.to_dict()
    for key in ("sequence", "plays", "added", "strategy", "question"):
        kept.pop(key, None)
    kept["used"] = {key: kept.pop(key) for key in ("encoding", "backend", "connectivity")}
    kept["category"] = "unknown" if kept["status"] == "UNKNOWN" else "answered"
    return kept


if __name__ == "__main__":
    main()
