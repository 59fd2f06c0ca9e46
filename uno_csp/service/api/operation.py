"""Routes for those who run the server; only the metrics need the token."""

from typing import Any

from fastapi import APIRouter, Response

from uno_csp.service.api.dependencies import TheExecutor, TheMetrics, TheStore
from uno_csp.service.api.description import PREFIX, TEXT, problems
from uno_csp.service.api.replies import Health, Readiness
from uno_csp.service.metrics import MEDIA_TYPE
from uno_csp.service.problems import Problem
from uno_csp.service.stores.store import StoreFull, StoreUnavailable

NO_WORKERS = "no worker of the cluster is there: jobs wait"

open_router, guarded_router = APIRouter(prefix=PREFIX), APIRouter(prefix=PREFIX)


@open_router.get("/health")
async def health() -> Health:
    """Tell that the server is there."""
    return Health(status="ok")


@open_router.get("/ready", response_model_exclude_unset=True, responses=problems(503))
def ready(store: TheStore, executor: TheExecutor) -> Readiness:
    """Tell that jobs are taken: the store can be written, and all threads are at work."""
    try:
        store.ping()
    except StoreFull as error:
        raise Problem(503, str(error)) from None
    except StoreUnavailable:  # its reason may name its host
        raise Problem(503, "the job store cannot be written") from None
    if not executor.alive:
        raise Problem(503, "a worker has stopped")
    found: dict[str, Any] = {"status": "ok"}
    workers = executor.cluster_workers
    if workers is not None:
        found["workers"] = workers
    if workers == 0:
        found["detail"] = NO_WORKERS
    return Readiness.model_validate(found)


@guarded_router.get(
    "/metrics",
    name="metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": TEXT}}}},
)
def measured(store: TheStore, executor: TheExecutor, metrics: TheMetrics) -> Response:
    """Return requests, jobs and the queue in figures, for Prometheus."""
    return Response(metrics.text(store, executor.cluster_workers), media_type=MEDIA_TYPE)
