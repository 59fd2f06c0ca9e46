"""The handler of a worker that does runs of one combination.

It builds the instance, loads the solver, unless it is loaded, by answering a tiny question in the
same way, reports that it is ready, and then solves.
"""

import resource
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

from uno_csp.certificates import certify
from uno_csp.errors import InstanceError, NotAccepted, UnoCspError
from uno_csp.experiments.runs import ANSWERED, CLEAN, ERROR, UNKNOWN, Run, instance_facts
from uno_csp.pipeline import Options, solve
from uno_csp.pipeline.race import WORKER
from uno_csp.processes.channel import READY, Channel
from uno_csp.processes.pool import await_stops, end_processes
from uno_csp.processes.scratch import scratch_folder
from uno_csp.processes.usage import largest_peak_mb, reset_peaks
from uno_csp.questions import Instance
from uno_csp.questions.answers import Answer

_TINY_HAND = ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3))
WARM_UP_S = 60.0  # time limit of the warm-up question, in seconds
STARTS = (WORKER,)  # modules of the workers that runs start
_warm: set[str] = set()  # questions for which the solver is loaded


def handle(run: Run, channel: Channel) -> dict[str, Any]:
    """Do a run, whose limits begin when its solver is loaded."""
    return found_by(run, lambda: channel.report(READY))


def found_by(run: Run, begin: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Do a run, and return what its record keeps of the result; an exception is an error of it.

    ``begin`` is called when the solver is loaded.
    """
    try:
        return _record(run, begin)
    except Exception as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        return {"category": ERROR, "reason": reason}


def _record(run: Run, begin: Callable[[], None]) -> dict[str, Any]:
    instance = run.source.instance()
    found, clean = instance_facts(instance), True
    try:
        options = run.options
        if instance.question not in _warm:
            _warm_up(instance, options)
            _warm.add(instance.question)
        await_stops()
        clean = reset_peaks()
        begin()
        answer = solve(instance, options)
        found |= _answer(answer)
        if run.certify:
            found |= _certify(instance, answer, options.time_limit_s)
    except UnoCspError as error:
        found |= {"category": error.category, "reason": " ".join(str(error).split())}
    except MemoryError:
        found |= {"category": UNKNOWN, "status": "UNKNOWN", "reason": "out of memory"}
    largest_mb = largest_peak_mb()
    if largest_mb is None:  # subprocesses have ended, or the system reports no peak
        end_processes()  # end the children, so that their usage is counted
        largest_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        clean = False
    return found | {"largest_process_mb": round(largest_mb, 1), CLEAN: clean}


def _certify(instance: Instance, answer: Answer, limit_s: float | None) -> dict[str, Any]:
    """Return what a record keeps of a certificate; the certificate itself is thrown away."""
    with scratch_folder() as folder:
        certified = certify(instance, answer, folder / "certificate", time_limit_s=limit_s)
    kept = dict(certified.certificate or {})
    kept.pop("path", None)
    return {"certificate": kept}


def _warm_up(instance: Instance, options: Options) -> None:
    """Load the solver; if the tiny question is refused, so is the real one, with the reason."""
    hands = (_TINY_HAND,) * min(len(instance.hands), 2)
    tiny: Mapping[str, Any] = {"hands": hands, "cards": _TINY_HAND}
    content = {each.name: tiny[each.name] for each in fields(instance) if each.name in tiny}
    with suppress(NotAccepted, InstanceError, TypeError):
        solve(type(instance)(**content), replace(options, seed=0, time_limit_s=WARM_UP_S))


def _answer(answer: Answer) -> dict[str, Any]:
    """Return what a record keeps of an answer: all but the witness, which has been checked."""
    kept = answer.to_dict()
    for key in ("sequence", "plays", "added", "strategy", "question"):
        kept.pop(key, None)
    kept["used"] = {key: kept.pop(key) for key in ("method", "backend", "connectivity")}
    kept["category"] = UNKNOWN if kept["status"] == "UNKNOWN" else ANSWERED
    return kept
