"""Log lines and Prometheus metrics of a server: its requests, jobs and queue.

A line of a job has its id, the kind of question and how it ended; never the question itself.
"""

import logging
import threading
import time
from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from uno_csp.service.job import Job, State
from uno_csp.service.settings import Settings

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4
_REQUESTS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_JOBS_S = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 900, 3600)
_log = logging.getLogger(__name__)


class Metrics:
    """Metrics of one server since its start: of requests, and of jobs by question and status."""

    def __init__(self, settings: Settings) -> None:
        self._registry = registry = CollectorRegistry()
        self.request_s = Histogram(
            "uno_csp_http_request_seconds",
            "Seconds to answer a request",
            ["method", "route"],
            buckets=_REQUESTS_S,
            registry=registry,
        )
        self.requests = Counter(
            "uno_csp_http_requests", "Requests", ["method", "route", "status"], registry=registry
        )
        self.solving_s = Histogram(
            "uno_csp_solving_seconds",
            "Seconds a job ran",
            ["question", "status"],
            buckets=_JOBS_S,
            registry=registry,
        )
        self.waiting_s = Histogram(
            "uno_csp_queue_wait_seconds",
            "Seconds from acceptance to start",
            buckets=_JOBS_S,
            registry=registry,
        )
        self.recalled = Counter(
            "uno_csp_recalled_answers", "Answers from the cache", ["question"], registry=registry
        )
        self._jobs = Gauge("uno_csp_jobs", "Jobs by state", ["state"], registry=registry)
        room = Gauge("uno_csp_queue_capacity", "Maximum number of queued jobs", registry=registry)
        room.set(settings.queue)
        workers = Gauge("uno_csp_workers", "Maximum number of running jobs", registry=registry)
        workers.set(settings.workers)
        self._cluster_workers: Gauge | None = None

    def text(self, jobs: Mapping[str, int], cluster_workers: int | None) -> bytes:
        """Return all metrics, with the number of jobs in each state, in Prometheus text format."""
        if cluster_workers is not None:
            self._show_cluster(cluster_workers)
        for state, count in jobs.items():
            self._jobs.labels(state).set(count)
        return generate_latest(self._registry)

    def _show_cluster(self, workers: int) -> None:
        """Set the number of cluster workers; a server without a cluster lacks this gauge."""
        if self._cluster_workers is None:
            about = "Current number of workers of the cluster"
            self._cluster_workers = Gauge("uno_csp_cluster_workers", about, registry=self._registry)
        self._cluster_workers.set(workers)


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
