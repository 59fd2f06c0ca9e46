"""The HTTP API under ``/api/v1``; OpenAPI at ``/api/v1/openapi.json``."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException
from starlette.routing import Match

import uno_csp
from uno_csp.checker import check
from uno_csp.errors import UnoCspError
from uno_csp.formats.schemas import question_schema
from uno_csp.service import listings, metrics, pages
from uno_csp.service.bodies import (
    CheckRequest,
    ExportRequest,
    GenerateRequest,
    Health,
    JobBody,
    JobPage,
    ProblemBody,
    SolveRequest,
    Verdict,
    ViolationBody,
)
from uno_csp.service.errands import Errands
from uno_csp.service.executor import Executor, parse_answer_object
from uno_csp.service.guards import Guard, LargeBodies
from uno_csp.service.jobs import Desk, News
from uno_csp.service.problems import (
    MEDIA_TYPE,
    Problem,
    problem,
    respond,
    tell_our_error,
    tell_problem,
)
from uno_csp.service.settings import Settings
from uno_csp.service.store import State, Store

PREFIX = "/api/v1"
_PROBLEM: dict[str, Any] = {
    "model": ProblemBody,
    "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemBody"}}},
}
_TOLD = {
    400: "not JSON", 401: "no token", 404: "no such thing", 409: "not now", 413: "too large",
    422: "a bad question or option", 429: "too much at a time", 500: "a bug",
    502: "a solver failed", 503: "not available",
}  # fmt: skip


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: {**_PROBLEM, "description": _TOLD[status]} for status in statuses}


def create_app(settings: Settings) -> FastAPI:
    """The application; its jobs run while it does.

    Raises
    ------
    NotAccepted
        When it starts, if another server is at work in the data folder.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        """Open the store and let the jobs run; at the end stop them, to be queued again."""
        store = await run_in_threadpool(Store, settings.data)
        news = News()
        executor = Executor(store, settings, news.tell)
        executor.start()
        app.state.store, app.state.executor = store, executor
        app.state.desk = Desk(store, executor, settings, news)
        try:
            yield
        finally:
            await run_in_threadpool(executor.close)
            store.close()

    app = FastAPI(
        title="uno-csp",
        version=uno_csp.__version__,
        summary="The card game UNO as a combinatorial problem.",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=_problems(401, 413, 429, 500, 503),
    )
    app.add_middleware(LargeBodies, most_bytes=settings.body_bytes)
    app.state.settings = settings
    app.state.errands = Errands(settings)
    app.add_exception_handler(Problem, tell_problem)
    app.add_exception_handler(UnoCspError, tell_our_error)
    app.add_exception_handler(sqlite3.Error, _tell_store)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.add_exception_handler(HTTPException, _tell_http)
    guarded = [Depends(Guard(settings))]
    _add_solving(app, guarded)
    _add_jobs(app, guarded)
    _add_tools(app, guarded)
    listings.add(app, PREFIX, guarded)
    _add_health(app)
    _describe_questions(app)
    pages.add(app, settings.results)
    return app


def _describe_questions(app: FastAPI) -> None:
    """Put the schemas of question files into the OpenAPI document."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        """The document, made once."""
        document = described()
        schemas = document["components"]["schemas"]
        if "Question" not in schemas:
            question = question_schema("#/components/schemas/{model}")
            schemas |= question.pop("$defs")
            schemas["Question"] = question
            for body in (SolveRequest, CheckRequest, ExportRequest):
                properties = schemas[body.__name__]["properties"]
                properties["instance"] = {"$ref": "#/components/schemas/Question"}
        return document

    app.openapi = openapi  # type: ignore[method-assign]


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


TheDesk = Annotated[Desk, Depends(_desk)]
Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]


def _add_solving(app: FastAPI, guarded: list[Any]) -> None:
    @app.post(
        f"{PREFIX}/solve",
        dependencies=guarded,
        response_model=dict[str, Any],
        responses={
            202: {"model": JobBody, "description": "still at work: ask the job"},
            **_problems(400, 404, 422, 502, 503),
        },
    )
    async def solve(request: Request, body: SolveRequest, desk: TheDesk) -> Response:
        """Answer a question; after a few seconds without an answer its job is handed back."""
        settings: Settings = request.app.state.settings
        job = await run_in_threadpool(desk.accept, body, None)
        job = await desk.wait(job, settings.wait_s)
        if job.state is State.DONE:
            return JSONResponse(job.result)
        if job.state is State.FAILED:
            return respond(dict(job.result or {}))
        where = {"Location": f"{PREFIX}/jobs/{job.id}"}
        return JSONResponse(desk.describe(job).model_dump(mode="json"), 202, where)


def _add_jobs(app: FastAPI, guarded: list[Any]) -> None:
    jobs = f"{PREFIX}/jobs"

    @app.post(
        jobs, status_code=201, dependencies=guarded, responses=_problems(400, 404, 422, 503)
    )  # fmt: skip
    def create(body: SolveRequest, desk: TheDesk, response: Response, key: Key = None) -> JobBody:
        """Queue a question; the same idempotency key gives the same job."""
        job = desk.accept(body, key)
        response.headers["Location"] = f"{jobs}/{job.id}"
        return desk.describe(job)

    @app.get(jobs, dependencies=guarded, responses=_problems(404, 422))
    def page(
        desk: TheDesk,
        before: Annotated[int | None, Query(ge=0, lt=2**62)] = None,
        count: Annotated[int, Query(ge=1, le=200)] = 50,
        state: Annotated[str | None, Query(max_length=20)] = None,
    ) -> JobPage:
        """Jobs, the newest first, without questions and answers."""
        found, following = desk.page(before, count, state)
        described = [desk.describe(job, whole=False) for job in found]
        return JobPage(jobs=described, next=following)

    @app.get(f"{jobs}/{{name}}", dependencies=guarded, responses=_problems(404, 422))
    def get(name: str, desk: TheDesk) -> JobBody:
        """A job with its question and, when it is done, its answer."""
        return desk.describe(desk.find(name))

    @app.post(f"{jobs}/{{name}}/cancel", dependencies=guarded, responses=_problems(404, 422))
    def cancel(name: str, desk: TheDesk) -> JobBody:
        """End a job at once; a finished one stays as it is."""
        return desk.describe(desk.cancel(name))

    @app.delete(
        f"{jobs}/{{name}}", status_code=204, dependencies=guarded,
        responses=_problems(404, 409, 422),
    )  # fmt: skip
    def delete(name: str, desk: TheDesk) -> None:
        """Forget a finished job."""
        desk.delete(name)

    @app.get(
        f"{jobs}/{{name}}/events", dependencies=guarded, response_class=EventSourceResponse,
        responses=_problems(404, 422),
    )  # fmt: skip
    async def events(
        job: Annotated[str, Depends(_known_job)], desk: TheDesk
    ) -> AsyncIterator[ServerSentEvent]:
        """Server-sent events: ``state``, ``progress`` (rounds, cuts, bounds), and ``end``."""
        async for event in desk.events(job):
            yield event


def _known_job(name: str, desk: TheDesk) -> str:
    """The id of a job that is there; checked before a stream begins."""
    return desk.find(name).id


def _add_tools(app: FastAPI, guarded: list[Any]) -> None:
    @app.post(f"{PREFIX}/check", dependencies=guarded, responses=_problems(400, 422))
    def verify(body: CheckRequest, desk: TheDesk) -> Verdict:
        """What the independent checker says of an answer."""
        instance = desk.read(body.instance)
        violations = check(instance, parse_answer_object(body.answer))
        told = [
            ViolationBody(rule=each.rule, step=each.step, message=each.message)
            for each in violations
        ]
        return Verdict(valid=not violations, violations=told)

    @app.post(
        f"{PREFIX}/export", dependencies=guarded, response_class=StreamingResponse,
        responses={
            200: {"content": {"text/plain": {}}, "description": "the file"},
            **_problems(400, 404, 422, 502),
        },
    )  # fmt: skip
    def export(request: Request, body: ExportRequest, desk: TheDesk) -> StreamingResponse:
        """The question as a file for other solvers."""
        errands: Errands = request.app.state.errands
        return StreamingResponse(
            errands.export(desk.read(body.instance), body), media_type="text/plain; charset=utf-8"
        )

    @app.post(f"{PREFIX}/generate", dependencies=guarded, responses=_problems(400, 404, 422, 502))
    def generate(request: Request, body: GenerateRequest) -> dict[str, Any]:
        """An instance of a family, as a question."""
        errands: Errands = request.app.state.errands
        return errands.generate(body)


def _add_health(app: FastAPI) -> None:
    @app.get(f"{PREFIX}/health")
    async def health() -> Health:
        """Whether the server is there."""
        return Health(status="ok")

    @app.get(f"{PREFIX}/ready", responses=_problems(503))
    def ready(request: Request) -> Health:
        """Whether it can take jobs: the store can be written, and the workers are at work."""
        try:
            request.app.state.store.ping()
        except Exception as error:
            raise Problem(503, f"the job store cannot be written: {error}") from None
        if not request.app.state.executor.alive:
            raise Problem(503, "a worker has stopped")
        return Health(status="ok")

    @app.get(f"{PREFIX}/metrics", response_class=Response)
    def measured(request: Request) -> Response:
        """Counts of jobs by state, for Prometheus."""
        return Response(metrics.text(request.app.state.store), media_type=metrics.MEDIA_TYPE)


async def _tell_store(_request: Request, error: Exception) -> JSONResponse:
    """A store that cannot be written, say on a full disk; nothing was accepted."""
    return respond(problem(503, f"the job store cannot be used: {error}"), {"Retry-After": "30"})


async def _tell_invalid(_request: Request, error: Exception) -> JSONResponse:
    """A body or parameter that does not fit, in one line that names the place."""
    assert isinstance(error, RequestValidationError)  # noqa: S101
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return respond(problem(400, "the body is not JSON"))
    place = ".".join(str(step) for step in first["loc"][1:]) or str(first["loc"][0])
    return respond(problem(422, f"{place}: {first['msg'].lower()}", place=place))


async def _tell_http(request: Request, error: Exception) -> JSONResponse:
    """What the framework itself refuses: unknown paths and methods, bodies too large."""
    assert isinstance(error, HTTPException)  # noqa: S101
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_allowed(request))
    return respond(problem(error.status_code, str(error.detail)), headers)


def _allowed(request: Request) -> list[str]:
    """The methods a path has, over all routes; the framework names those of one."""
    found: set[str] = set()
    for route in request.app.routes:
        match, _ = route.matches(request.scope)
        if match is not Match.NONE:
            found |= set(getattr(route, "methods", None) or ())
    return sorted(found)
