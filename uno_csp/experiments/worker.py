"""The program that does one run: ``python -m uno_csp.experiments.worker``.

It is told its run on standard input, makes the instance, loads the solver by answering a tiny
question in the same way, says that it is ready, and then solves. What it prints last is a JSON
object with what came out. See :mod:`uno_csp.processes.programs`.
"""

import resource
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

from uno_csp.answers import Answer
from uno_csp.errors import InstanceError, NotAccepted, UnoCspError
from uno_csp.experiments.runs import Run, instance_facts
from uno_csp.pipeline import Options, solve
from uno_csp.processes.programs import read_tasks, say, say_ready
from uno_csp.processes.workers import dismiss
from uno_csp.questions import Instance

_TINY_HAND = ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3))
WARM_UP_S = 60.0


def main() -> None:
    """Do the run that standard input tells of."""
    run = Run.from_dict(next(read_tasks()))
    instance = run.source.instance()
    told = instance_facts(instance)
    try:
        options = run.options
        _warm_up(instance, options)
        say_ready()
        told |= _answered(solve(instance, options))
    except UnoCspError as error:
        told |= {"category": error.category, "reason": " ".join(str(error).split())}
    except MemoryError:
        told |= {"category": "unknown", "status": "UNKNOWN", "reason": "memory is used up"}
    dismiss()  # so that what the solvers used is counted
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    told["largest_process_mb"] = round(used.ru_maxrss / 1024, 1)
    say(told)


def _warm_up(instance: Instance, options: Options) -> None:
    """Load the solver; what a tiny question cannot be asked is told by the real one."""
    hands = (_TINY_HAND,) * min(len(instance.hands), 2)
    tiny: Mapping[str, Any] = {"hands": hands, "cards": _TINY_HAND}
    asked = {each.name: tiny[each.name] for each in fields(instance) if each.name in tiny}
    with suppress(NotAccepted, InstanceError, TypeError):
        solve(type(instance)(**asked), replace(options, seed=0, time_limit_s=WARM_UP_S))


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
