"""What happens to jobs, in the log and in the figures: accepted, started, finished.

A line names the job by its id, the kind of question and how it ended; never the question itself.
"""

import logging
import threading
import time
from collections.abc import Mapping
from typing import Any

from uno_csp.service.metrics import Metrics
from uno_csp.service.store import Job, State

_log = logging.getLogger(__name__)


class Journal:
    """Is told of every change of a job by the store; see :class:`~uno_csp.service.store.Observer`.

    Of a job that never was at work its end tells no question.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._lock = threading.Lock()
        self._at_work: dict[str, tuple[str, float]] = {}

    def accepted(self, job: Job) -> None:
        """A job waits, or is done at once because its answer is known."""
        question = _question(job)
        about = {"job": job.id, "question": question, "cached": job.cached}
        _log.info("job accepted", extra=about)
        if job.cached:
            self._metrics.recalled.labels(question).inc()

    def started(self, job: Job) -> None:
        """A job is at work."""
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
        """A job is done, has failed or was cancelled."""
        with self._lock:
            question, since = self._at_work.pop(name, ("", None))
        told: dict[str, Any] = {"job": name, "state": str(state), "cached": cached}
        if question:
            told["question"] = question
        status = str(state)
        if state is State.DONE:
            told["status"] = status = str((result or {}).get("status"))
        if state is State.FAILED:
            told["problem"] = (result or {}).get("status")
        if cached:
            self._metrics.recalled.labels(question).inc()
        elif since is not None:
            took_s = time.monotonic() - since
            told["duration_s"] = round(took_s, 3)
            self._metrics.solving_s.labels(question, status).observe(took_s)
        level = logging.WARNING if state is State.FAILED else logging.INFO
        _log.log(level, "job finished", extra=told)

    def left(self, name: str) -> None:
        """A job that was at work here has been ended by another server, or forgotten."""
        with self._lock:
            self._at_work.pop(name, None)
        _log.info("job ended elsewhere", extra={"job": name})


def _question(job: Job) -> str:
    return str(job.request["instance"].get("question"))
