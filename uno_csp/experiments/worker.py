"""The program that does runs of one combination: ``python -m uno_csp.experiments.worker``.

It is told a run on standard input, makes the instance, loads the solver, unless it has, by
answering a tiny question in the same way, says that it is ready, and then solves. What it prints
last is a JSON object with what came out. See :mod:`uno_csp.processes.programs`.
"""

import resource
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

from uno_csp.answers import Answer
from uno_csp.certificates import certify
from uno_csp.errors import InstanceError, NotAccepted, UnoCspError
from uno_csp.experiments.executing import CLEAN
from uno_csp.experiments.runs import Run, instance_facts
from uno_csp.pipeline import Options, solve
from uno_csp.processes import peaks
from uno_csp.processes.programs import read_tasks, say, say_ready
from uno_csp.processes.scratch import scratch_folder
from uno_csp.processes.workers import dismiss
from uno_csp.questions import Instance

_TINY_HAND = ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3))
WARM_UP_S = 60.0


def main() -> None:
    """Do the runs that standard input tells of."""
    warm = set[str]()
    for task in read_tasks():
        run = Run.from_dict(task)
        say(_done(run, warm))


def _done(run: Run, warm: set[str]) -> dict[str, Any]:
    """What came of a run; ``warm`` has the questions for which the solver is loaded."""
    instance = run.source.instance()
    told, clean = instance_facts(instance), True
    try:
        options = run.options
        if instance.question not in warm:
            _warm_up(instance, options)
            warm.add(instance.question)
        clean = peaks.reset()
        say_ready()
        answer = solve(instance, options)
        told |= _answered(answer)
        if run.certify:
            told |= _certified(instance, answer, options.time_limit_s)
    except UnoCspError as error:
        told |= {"category": error.category, "reason": " ".join(str(error).split())}
    except MemoryError:
        told |= {"category": "unknown", "status": "UNKNOWN", "reason": "memory is used up"}
    largest_mb = peaks.largest_mb()
    if largest_mb is None:  # programs came and went, or this system does not tell
        dismiss()  # so that what they used is counted
        largest_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        return told | {"largest_process_mb": round(largest_mb, 1), CLEAN: False}
    return told | {"largest_process_mb": round(largest_mb, 1), CLEAN: clean}


def _certified(instance: Instance, answer: Answer, limit_s: float | None) -> dict[str, Any]:
    """What a record keeps of a certificate; the certificate itself is thrown away."""
    with scratch_folder() as folder:
        certified = certify(instance, answer, folder / "certificate", time_limit_s=limit_s)
    told = dict(certified.certificate or {})
    told.pop("path", None)
    return {"certificate": told}


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
    kept["used"] = {key: kept.pop(key) for key in ("method", "backend", "connectivity")}
    kept["category"] = "unknown" if kept["status"] == "UNKNOWN" else "answered"
    return kept


if __name__ == "__main__":
    main()
