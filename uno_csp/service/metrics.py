"""What a server measures, for Prometheus: its requests, its jobs, its queue."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from uno_csp.service.settings import Settings
from uno_csp.service.store import Store

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4
_REQUESTS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_JOBS_S = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 900, 3600)


class Metrics:
    """The figures of one server since its start.

    Attributes
    ----------
    request_s
        Seconds until a request was answered in full, by ``method`` and ``route``, the template of
        the path.
    requests
        How many there were, with their ``status`` too.
    solving_s
        Seconds a job was at work, by ``question`` and ``status``: that of its answer, or ``failed``
        or ``cancelled``.
    waiting_s
        Seconds from the acceptance of a job to its start.
    recalled
        Jobs whose answer was known, by ``question``.
    """

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
            "Seconds a job was at work",
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
            "uno_csp_recalled_answers", "Answers that were known", ["question"], registry=registry
        )
        self._jobs = Gauge("uno_csp_jobs", "Jobs by state", ["state"], registry=registry)
        room = Gauge("uno_csp_queue_capacity", "Jobs that may wait", registry=registry)
        room.set(settings.queue)
        workers = Gauge("uno_csp_workers", "Jobs solved at a time", registry=registry)
        workers.set(settings.workers)
        self._cluster_workers: Gauge | None = None

    def text(self, store: Store, cluster_workers: int | None) -> bytes:
        """All of it, with the jobs there are in each state, in Prometheus's text format."""
        if cluster_workers is not None:
            self._show_cluster(cluster_workers)
        for state, count in store.counts().items():
            self._jobs.labels(state).set(count)
        return generate_latest(self._registry)

    def _show_cluster(self, workers: int) -> None:
        """A server without a cluster does not have the figure."""
        if self._cluster_workers is None:
            about = "Workers of the cluster that are there"
            self._cluster_workers = Gauge("uno_csp_cluster_workers", about, registry=self._registry)
        self._cluster_workers.set(workers)
