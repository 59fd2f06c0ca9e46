"""Log lines and metrics of jobs: accepted, started, finished.

A line has the id of the job, the kind of question and how it ended; never the question itself.
"""

import logging
import threading
import time
from collections.abc import Mapping
from typing import Any

from uno_csp.service.metrics import Metrics
from uno_csp.service.stores.job import Job, State

_log = logging.getLogger(__name__)


class Journal:
    """Logs and counts every change of a job; an observer of the store."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._lock = threading.Lock()
        self._at_work: dict[str, tuple[str, float]] = {}

    def accepted(self, job: Job) -> None:
        """Log that a job was queued, or answered at once from the cache."""
        question = _question(job)
        about = {"job": job.id, "question": question, "cached": job.cached}
        _log.info("job accepted", extra=about)
        if job.cached:
            self._metrics.recalled.labels(question).inc()

    def started(self, job: Job) -> None:
        """Log that a job has started, and record how long it waited."""
        question = _question(job)
        waited_s = max((job.started or job.created) - job.created, 0.0)
        with self._lock:
            self._at_work[job.id] = question, time.monotonic()
        self._metrics.waiting_s.observe(waited_s)
        about = {"job": job.id, "question": question, "attempt": job.attempts}
        _log.info("job started", extra={**about, "waited_s": round(waited_s, 3)})

    def finished(
        self, name: str, state: State, result: Mapping[str, Any] | None, *, cached: bool
    ) -> None:
        """Log that a job is done, failed or cancelled, and record how long it ran."""
        with self._lock:
            question, since = self._at_work.pop(name, ("", None))
        entry: dict[str, Any] = {"job": name, "state": str(state), "cached": cached}
        if question:
            entry["question"] = question
        status = str(state)
        if state is State.DONE:
            entry["status"] = status = str((result or {}).get("status"))
        if state is State.FAILED:
            entry["problem"] = (result or {}).get("status")
        if cached:
            self._metrics.recalled.labels(question).inc()
        elif since is not None:
            took_s = time.monotonic() - since
            entry["duration_s"] = round(took_s, 3)
            self._metrics.solving_s.labels(question, status).observe(took_s)
        level = logging.WARNING if state is State.FAILED else logging.INFO
        _log.log(level, "job finished", extra=entry)

    def left(self, name: str) -> None:
        """Log that a job running here was ended by another server, or deleted."""
        with self._lock:
            self._at_work.pop(name, None)
        _log.info("job ended elsewhere", extra={"job": name})


def _question(job: Job) -> str:
    return str(job.request["instance"].get("question"))
