"""Execute one run in a supervised process and make its record."""

from collections.abc import Mapping
from datetime import UTC, datetime
from threading import Event
from typing import Any

from uno_csp.experiments.cgroups import outcome_in_cgroup
from uno_csp.experiments.environment import backend_version, environment
from uno_csp.experiments.runs import CLEAN, ERROR, UNKNOWN, WRONG, Run
from uno_csp.processes.endings import ending
from uno_csp.processes.pool import Pool
from uno_csp.processes.supervision import Control, LimitedTask, Outcome, supervise
from uno_csp.questions import Expected, question_types
from uno_csp.questions.answers import Status

WORKER = "uno_csp.experiments.worker"

MAX_IDLE_MB = 500.0  # a worker that holds more is not kept: it would count in the next run
MAX_IDLE = 6  # maximum number of idle workers, for each run at a time


def workers_for(jobs: int) -> Pool:
    """Return a pool of workers, each with the solver of one combination loaded."""
    return Pool(MAX_IDLE * jobs, max_idle_mb=MAX_IDLE_MB)


def execute(
    run: Run, stop: Event | None = None, pool: Pool | None = None, *, cgroups: bool = False
) -> dict[str, Any]:
    """Do a run under its limits, until ``stop``, and return its record.

    It is done in a worker of a pool, or as a program in a control group of its own.
    """
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    outcome = outcome_in_cgroup(run, stop) if cgroups else _supervise(run, stop, pool or Pool(0))
    found = _found(outcome)
    found.pop(CLEAN, None)
    wrong = contradiction(run.source.question, found)
    if wrong:
        found |= {"category": WRONG, "reason": wrong}
    largest_mb = found.pop("largest_process_mb", 0.0)  # a sample may miss it
    peak_mb = outcome.peak_memory_mb if cgroups else max(outcome.peak_memory_mb, largest_mb)
    return {
        **run.identity(),
        **found,
        "wall_s": found.get("wall_s", outcome.wall_s),
        "cpu_s": outcome.cpu_s,
        "peak_memory_mb": peak_mb,
        "measured_by": "cgroup" if cgroups else "sampling",
        "backend_version": backend_version(run.combination.backend),
        **environment(),
        "started": started,
    }


def _supervise(run: Run, stop: Event | None, pool: Pool) -> Outcome:
    control = Control() if stop is None else Control(stop)
    with pool.worker(WORKER, run.combination) as worker:
        limited = LimitedTask(worker, run, run.process_limits, control, measured=True)
        outcome = supervise(limited)
        if not (outcome.result or {}).get(CLEAN):
            worker.end()
        return outcome


def _found(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = dict(outcome.result or {})
    if outcome.limit_hit and found.get("category") != WRONG:
        # A run ended by a limit is unknown; values that it printed before stay in its record.
        found |= {"category": UNKNOWN, "status": "UNKNOWN", "reason": outcome.limit_hit}
    elif not found:
        reason = f"the process {ending(outcome.exit_code)}: {outcome.last_words[:200]}"
        found = {"category": ERROR, "reason": reason}
    return found


def contradiction(question: str, found: Mapping[str, Any]) -> str:
    """Return how an answer contradicts what is proved of its instance; empty if it does not."""
    known, status = found.get("expected"), found.get("status")
    if not known or status in (None, Status.UNKNOWN):
        return ""
    expected = Expected(**{**known, "status": Status(known.get("status", Status.UNKNOWN))})
    sense = question_types()[question].sense
    return expected.contradicted_by(sense, Status(status), found.get("objective"))
