"""One run from its description to its record."""

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from threading import Event
from typing import Any

from uno_csp.answers import Status
from uno_csp.experiments.environment import backend_version, environment
from uno_csp.experiments.runs import Run
from uno_csp.processes.programs import Supervised, run_supervised
from uno_csp.questions import Expected, question_types

COMMAND = (sys.executable, "-m", "uno_csp.experiments.worker")

ANSWERED, UNKNOWN, WRONG, ERROR = "answered", "unknown", "wrong", "error"
UNAVAILABLE = "unavailable"
"""What can become of a run; ``wrong`` is an answer that contradicts a proof or its check."""


def execute(run: Run, stop: Event | None = None) -> dict[str, Any]:
    """Do a run in a process of its own, under its limits, and describe what came out.

    When ``stop`` is set meanwhile the process is killed, and what is returned is worth nothing.
    """
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    ended = run_supervised(COMMAND, run.to_dict(), run.limits, stop)
    told = _told(ended)
    wrong = contradiction(run.source.question, told)
    if wrong:
        told |= {"category": WRONG, "reason": wrong}
    peak_mb = max(ended.peak_memory_mb, told.pop("largest_process_mb", 0.0))
    return {
        **run.identity(),
        **told,
        "wall_s": told.get("wall_s", ended.wall_s),
        "cpu_s": ended.cpu_s,
        "peak_memory_mb": peak_mb,
        "backend_version": backend_version(run.combination.backend),
        **environment(),
        "started": started,
    }


def _told(ended: Supervised) -> dict[str, Any]:
    """What the program said, or what became of it."""
    told: dict[str, Any] = dict(ended.message or {})
    if ended.reached and told.get("category") != WRONG:
        # What was found within the limit counts; a run that was killed has found nothing.
        told |= {"category": UNKNOWN, "status": "UNKNOWN", "reason": ended.reached}
    elif not told:
        reason = f"the process ended with {ended.exit_code}: {ended.last_words[:200]}"
        told = {"category": ERROR, "reason": reason}
    return told


def contradiction(question: str, told: Mapping[str, Any]) -> str:
    """How an answer contradicts what is proved of its instance; empty if it does not."""
    known, status = told.get("expected"), told.get("status")
    if not known or status in (None, Status.UNKNOWN):
        return ""
    expected = Expected(**{**known, "status": Status(known.get("status", Status.UNKNOWN))})
    sense = question_types()[question].sense
    return expected.contradicted_by(sense, Status(status), told.get("objective"))
