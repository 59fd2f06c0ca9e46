"""Prometheus metrics of a server: its requests, jobs and queue."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from uno_csp.service.settings import Settings
from uno_csp.service.stores.store import Store

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4
_REQUESTS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_JOBS_S = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 900, 3600)


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

    def text(self, store: Store, cluster_workers: int | None) -> bytes:
        """Return all metrics, with the number of jobs in each state, in Prometheus text format."""
        if cluster_workers is not None:
            self._show_cluster(cluster_workers)
        for state, count in store.counts().items():
            self._jobs.labels(state).set(count)
        return generate_latest(self._registry)

    def _show_cluster(self, workers: int) -> None:
        """Set the number of cluster workers; a server without a cluster lacks this gauge."""
        if self._cluster_workers is None:
            about = "Current number of workers of the cluster"
            self._cluster_workers = Gauge("uno_csp_cluster_workers", about, registry=self._registry)
        self._cluster_workers.set(workers)
