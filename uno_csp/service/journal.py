"""Log lines and Prometheus metrics of a server: its requests, jobs and queue.

A line of a job has its id, the kind of question and how it ended; never the question itself.
"""

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from uno_csp.service.job import Job, State
from uno_csp.service.settings import Settings

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4
_REQUESTS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_JOBS_S = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 900, 3600)
MetricT = TypeVar("MetricT", Counter, Gauge, Histogram)
_log = logging.getLogger(__name__)


class Metrics:
    """Metrics of one server since its start: of requests, and of jobs by question and status."""

    def __init__(self, settings: Settings) -> None:
        self._registry = CollectorRegistry()
        about, labels = "Seconds to answer a request", ("method", "route")
        self.request_s = self._add(
            Histogram, "http_request_seconds", about, labels, buckets=_REQUESTS_S
        )
        self.requests = self._add(Counter, "http_requests", "Requests", (*labels, "status"))
        about, labels = "Seconds a job ran", ("question", "status")
        self.solving_s = self._add(Histogram, "solving_seconds", about, labels, buckets=_JOBS_S)
        about = "Seconds from acceptance to start"
        self.waiting_s = self._add(Histogram, "queue_wait_seconds", about, buckets=_JOBS_S)
        about = "Answers from the cache"
        self.recalled = self._add(Counter, "recalled_answers", about, ("question",))
        self._jobs = self._add(Gauge, "jobs", "Jobs by state", ("state",))
        about = "Maximum number of queued jobs"
        self._add(Gauge, "queue_capacity", about).set(settings.queue)
        self._add(Gauge, "workers", "Maximum number of running jobs").set(settings.workers)
        self._cluster_workers: Gauge | None = None

    def _add(
        self, kind: type[MetricT], name: str, about: str, labels: Sequence[str] = (), **more: Any
    ) -> MetricT:
        return kind(f"uno_csp_{name}", about, labels, registry=self._registry, **more)

    def text(self, jobs: Mapping[str, int], cluster_workers: int | None) -> bytes:
        """Return all metrics, with the number of jobs in each state, in Prometheus text format."""
        if cluster_workers is not None:  # a server without a cluster lacks this gauge
            if self._cluster_workers is None:
                about = "Current number of workers of the cluster"
                self._cluster_workers = self._add(Gauge, "cluster_workers", about)
            self._cluster_workers.set(cluster_workers)
        for state, count in jobs.items():
            self._jobs.labels(state).set(count)
        return generate_latest(self._registry)


class Journal:
    """Logs and counts every change of a job, once it is committed."""

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
