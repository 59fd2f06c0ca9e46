"""Counts for Prometheus."""

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from uno_csp.service.store import Store

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4


def text(store: Store) -> bytes:
    """The jobs in each state, in Prometheus's text format."""
    registry = CollectorRegistry()
    jobs = Gauge("uno_csp_jobs", "Jobs by state", ["state"], registry=registry)
    for state, count in store.counts().items():
        jobs.labels(state).set(count)
    return generate_latest(registry)
