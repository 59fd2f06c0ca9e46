"""The HTTP API under ``/api/v1``; OpenAPI at ``/api/v1/openapi.json``."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Security
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPBearer
from starlette.middleware.gzip import GZipMiddleware

from uno_csp.service.api import operation, pages, solving
from uno_csp.service.api.border import Border
from uno_csp.service.api.description import (
    TAGS,
    operation_id,
    problems,
    without_item_schemas,
)
from uno_csp.service.api.guarded import Guard
from uno_csp.service.api.handling import handlers_router
from uno_csp.service.api.listings import listings_router
from uno_csp.service.api.responses import add_handlers
from uno_csp.service.jobs.job_service import JobService
from uno_csp.service.jobs.runners import Runner, local_runner
from uno_csp.service.jobs.scheduler import Scheduler
from uno_csp.service.jobs.updates import Updates
from uno_csp.service.journal import Journal, Metrics
from uno_csp.service.settings import Settings
from uno_csp.service.stores.store import Store

SMALL = 4096  # bytes of a response that is not compressed


class _Api(FastAPI):
    """The application, whose description is of the version that it declares."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        return without_item_schemas(super().openapi())


def end_requests(app: FastAPI, limit_s: float) -> None:
    """End the requests of a server that stops: those for a job at once, others at the limit."""
    app.state.updates.close()
    asyncio.get_running_loop().call_later(limit_s, app.state.scheduler.stop_requests)


def _build_routes(app: FastAPI) -> None:
    """Have FastAPI build its routes, which else the first request waits for, and all after it."""
    for route in app.routes:
        route.matches({"type": "http", "method": "GET", "path": "/"})


def create_app(settings: Settings, store: Store, runner: Runner | None = None) -> FastAPI:
    """Return the application, which runs jobs, here or by a runner, and closes the store."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        updates = Updates()
        store.journal = Journal(app.state.metrics)
        scheduler = Scheduler(store, settings, runner or local_runner(settings), updates.publish)
        store.subscribe(scheduler.wake, scheduler.ended_elsewhere)
        scheduler.start()
        app.state.store, app.state.scheduler = store, scheduler
        app.state.updates = updates
        app.state.job_service = JobService(store, scheduler, settings, updates)
        _build_routes(app)
        try:
            yield
        finally:
            await run_in_threadpool(scheduler.close)
            store.close()

    app = _Api(
        title="uno-csp",
        version=version("uno-csp"),
        summary="The card game UNO as a combinatorial problem.",
        openapi_url=None,
        docs_url=None,
        redirect_slashes=False,
        redoc_url=None,
        lifespan=lifespan,
        openapi_tags=TAGS,
        responses=problems(
            *(() if settings.token else (403, 421)), 400, 405, 412, 413, 431, 500, 501, 503
        ),
        generate_unique_id_function=operation_id,
    )
    app.state.settings = settings
    app.state.metrics = Metrics(settings)
    add_handlers(app)
    app.state.guard = Guard(settings)
    token = [Security(HTTPBearer(scheme_name="token", auto_error=False))] if settings.token else []
    refusals = problems(*((401,) if settings.token else ()), 422, 429)
    for router in (
        solving.router,
        handlers_router(),
        listings_router(settings.backends),
        operation.guarded_router,
    ):
        app.include_router(router, dependencies=token, responses=refusals)
    app.include_router(operation.open_router)
    pages.add(app, settings)
    app.add_middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=4)
    app.add_middleware(Border, settings=settings, metrics=app.state.metrics)
    return app
