"""Routes for those who run the server; only the metrics need the token."""

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from uno_csp.questions.fields import GIVEN
from uno_csp.service.api.description import PREFIX, TEXT, problems
from uno_csp.service.api.guarded import (
    GuardedRoute,
    OpenRoute,
    TheMetrics,
    TheScheduler,
    TheStore,
)
from uno_csp.service.journal import MEDIA_TYPE
from uno_csp.service.problems import Problem

NO_WORKERS = "no worker of the cluster is there: jobs wait"

_TAG = ["operation"]
open_router = APIRouter(prefix=PREFIX, tags=[*_TAG], route_class=OpenRoute)
guarded_router = APIRouter(prefix=PREFIX, tags=[*_TAG], route_class=GuardedRoute)


class Health(BaseModel):
    """The server is up."""

    status: Literal["ok"]


class Readiness(Health):
    """The server accepts jobs; ``workers`` is the number of workers of its cluster, if any.

    If the cluster has no workers, jobs wait, and ``detail`` says so.
    """

    workers: Annotated[int | None, GIVEN] = None
    detail: Annotated[str | None, GIVEN] = None


@open_router.get("/openapi.json", include_in_schema=False)
def describe(request: Request) -> JSONResponse:
    """Return the OpenAPI document; behind a proxy the paths are below the prefix of that.

    It is no coroutine: to make the document takes a while, in which others are answered.
    """
    document, prefix = request.app.openapi(), request.scope.get("root_path", "")
    return JSONResponse({**document, "servers": [{"url": prefix}]} if prefix else document)


@open_router.get("/health")
async def health() -> Health:
    """Tell that the server is there."""
    return Health(status="ok")


@open_router.get("/ready", response_model_exclude_unset=True, responses=problems(503))
def ready(store: TheStore, scheduler: TheScheduler) -> Readiness:
    """Tell that jobs are taken: the store can be written, and all threads are at work."""
    store.ping()
    if not scheduler.alive:
        raise Problem(503, "a worker has stopped")
    workers = scheduler.cluster_workers
    if workers is None:
        return Readiness(status="ok")
    return Readiness(status="ok", workers=workers, **({} if workers else {"detail": NO_WORKERS}))


@guarded_router.get(
    "/metrics",
    name="metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": TEXT}}}},
)
def measured(store: TheStore, scheduler: TheScheduler, metrics: TheMetrics) -> Response:
    """Return requests, jobs and the queue in figures, for Prometheus."""
    return Response(metrics.text(store.counts(), scheduler.cluster_workers), media_type=MEDIA_TYPE)
