"""Certificates are made in a worker, which a stop or the time limit ends at any moment."""

from collections.abc import Callable, Mapping
from functools import partial
from os import PathLike
from pathlib import Path
from threading import Event
from typing import Any, TypeAlias

from uno_csp.certificates import certify, require_free
from uno_csp.certificates.drafts import placed
from uno_csp.certificates.making import uncertified
from uno_csp.certificates.parts import EffortListener, unheard
from uno_csp.errors import BackendError
from uno_csp.processes.channel import READY, Channel
from uno_csp.processes.deadline import NEVER, SOLVER_GRACE_S, Deadline
from uno_csp.processes.endings import ending
from uno_csp.processes.pool import Pool
from uno_csp.processes.scratch import scratch_folder
from uno_csp.processes.supervision import Control, LimitedTask, Limits, Outcome, supervise
from uno_csp.questions import Instance
from uno_csp.questions.answers import Answer

Summary: TypeAlias = Mapping[str, Any]
WORKERS = Pool(1)


def handle(make: Callable[..., Summary], channel: Channel) -> Summary:
    """Make a certificate, and report the effort."""
    channel.report(READY)
    return make(on_effort=channel.report)


def certificate_of_answer(
    instance: Instance,
    answer: Answer,
    folder: str | PathLike[str],
    deadline: Deadline = NEVER,
    stop: Event | None = None,
    *,
    strict: bool = False,
    on_effort: EffortListener = unheard,
) -> Summary:
    """Write the certificate of an answer as :func:`made_apart`; return what there is to say."""
    make = partial(_certify, instance, answer, strict=strict)
    return uncertified(instance, answer) or made_apart(make, folder, deadline, stop, on_effort)


def _certify(instance: Instance, answer: Answer, folder: Path, **options: Any) -> Summary:
    return certify(instance, answer, folder, **options).certificate or {}


def made_apart(
    make: Callable[..., Summary],
    folder: str | PathLike[str],
    deadline: Deadline = NEVER,
    stop: Event | None = None,
    on_effort: EffortListener = unheard,
) -> Summary:
    """Make a certificate in a worker, and put it into the folder when it is verified.

    ``make`` is given ``folder``, ``time_limit_s`` and ``on_effort``, and returns the summary;
    ``stop`` ends the worker, with all that it started, at once.
    """
    require_free(folder)
    with scratch_folder() as scratch:
        limit_s = deadline.limit_s
        task = partial(make, folder=scratch / "certificate", time_limit_s=limit_s)
        control = Control(stop or Event(), listener=on_effort, grace_s=SOLVER_GRACE_S)
        try:
            with WORKERS.worker(__name__) as worker:
                outcome = supervise(LimitedTask(worker, task, Limits(limit_s), control))
        except (BackendError, OSError) as error:
            return {"certified": False, "summary": str(error)}
        found: Summary = outcome.result or {"certified": False, "summary": _why_none(outcome)}
        return placed(Path(found["path"]), folder, found) if "path" in found else found


def _why_none(outcome: Outcome) -> str:
    """Return why a worker made no certificate."""
    if outcome.limit_hit.startswith("time limit"):
        return "no proof was found within the time limit"
    words = f": {outcome.last_words}" if outcome.last_words else ""
    return outcome.limit_hit or f"the proof search {ending(outcome.exit_code)}{words}"
