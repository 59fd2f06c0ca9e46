"""The HTTP API under ``/api/v1``; OpenAPI at ``/api/v1/openapi.json``."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, JSONResponse, StreamingResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.requests import ClientDisconnect

import uno_csp
from uno_csp.service import listings, pages
from uno_csp.service.bodies import AnswerOfAny, JobBody, JobPage, Question
from uno_csp.service.description import BINARY, TEXT, describe, operation_id, problems
from uno_csp.service.errands import Errands
from uno_csp.service.executor import Executor
from uno_csp.service.guards import Guard, KnownHosts, LargeBodies, OwnOrigin, RateHeaders
from uno_csp.service.jobs import Desk
from uno_csp.service.journal import Journal
from uno_csp.service.metrics import MEDIA_TYPE, Metrics
from uno_csp.service.problems import Problem
from uno_csp.service.replies import AdviceBody, AnalysisBody, Health, Readiness, Verdict
from uno_csp.service.responses import CopyResponse, add_handlers, respond
from uno_csp.service.seats import LocalSeats, Seats
from uno_csp.service.settings import Settings
from uno_csp.service.store import Job, State, Store, StoreFull, StoreUnavailable
from uno_csp.service.updates import Updates
from uno_csp.service.watching import Watched

PREFIX = "/api/v1"
NO_WORKERS = "no worker of the cluster is there: jobs wait"
_JSON = "application/json"


def create_app(settings: Settings, store: Store, seats: Seats | None = None) -> FastAPI:
    """The application; its jobs run while it does, and it closes the store at its end.

    They run in processes of this machine unless other seats are given.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        """Let the jobs run; at the end stop them, to be queued again."""
        updates = Updates()
        store.observer = Journal(app.state.metrics)
        executor = Executor(store, settings, seats or LocalSeats(settings), updates.publish)
        errands = Errands(settings, store)
        store.subscribe(executor.wake, executor.ended_elsewhere)
        executor.start()
        app.state.store, app.state.executor, app.state.errands = store, executor, errands
        app.state.desk = Desk(store, executor, errands, settings, updates)
        try:
            yield
        finally:
            await run_in_threadpool(executor.close)
            await run_in_threadpool(errands.close)
            store.close()

    app = FastAPI(
        title="uno-csp",
        version=uno_csp.__version__,
        summary="The card game UNO as a combinatorial problem.",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=problems(401, 413, 421, 429, 500, 503),
        generate_unique_id_function=operation_id,
    )
    app.add_middleware(RateHeaders)
    app.add_middleware(LargeBodies, most_bytes=settings.body_bytes)
    app.add_middleware(OwnOrigin, settings=settings)
    app.add_middleware(KnownHosts, settings=settings)
    app.state.settings = settings
    app.state.metrics = Metrics(settings)
    add_handlers(app)
    guarded = [Depends(Guard(settings))]
    _add_solving(app, guarded)
    _add_jobs(app, guarded)
    _add_outcomes(app, guarded)
    _add_tools(app, guarded)
    _add_games(app, guarded)
    listings.add(app, PREFIX, guarded, settings.backends)
    _add_health(app, guarded)
    describe(app, settings)
    pages.add(app, settings.results)
    app.add_middleware(Watched, metrics=app.state.metrics)
    return app


async def _text(request: Request) -> str:
    """The body of a request, which says that it is JSON.

    A page of somebody else's cannot say so without asking first, which it may not.
    """
    said = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if said != _JSON:
        raise Problem(415, f"the body must be {_JSON}, and its content type say so")
    try:
        return (await request.body()).decode("utf-8")
    except ClientDisconnect:
        raise Problem(400, "the body broke off") from None
    except UnicodeDecodeError:
        raise Problem(400, "the body is not JSON: it is not UTF-8 text") from None


Text = Annotated[str, Depends(_text)]


def _no_form(request: Request) -> None:
    """Refuse a body of another type where none is needed: pages from elsewhere can send forms."""
    said = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if said not in ("", _JSON):
        raise Problem(415, f"a body need not be sent, or must be {_JSON}")


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


TheDesk = Annotated[Desk, Depends(_desk)]
Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]


def _add_solving(app: FastAPI, guarded: list[Any]) -> None:
    @app.post(
        f"{PREFIX}/solve",
        dependencies=guarded,
        response_model=AnswerOfAny,
        responses={
            202: {"model": JobBody, "description": "still at work: ask the job"},
            **problems(400, 404, 409, 415, 422, 502, 503),
        },
    )
    async def solve(request: Request, body: Text, desk: TheDesk, key: Key = None) -> Response:
        """Answer a question; after a few seconds without an answer its job is handed back.

        The same idempotency key gives the same job, however often it is asked for.
        """
        settings: Settings = request.app.state.settings
        job = await desk.accept_and_wait(body, key, settings.wait_s)
        if job.state is State.DONE:
            return JSONResponse(job.result)
        if job.state is State.FAILED:
            return respond(dict(job.result or {}))
        if job.state is State.CANCELLED:
            raise Problem(409, f"the job {job.id} was cancelled")
        where = {"Location": f"{PREFIX}/jobs/{job.id}"}
        return JSONResponse(desk.describe(job).model_dump(mode="json"), 202, where)


def _add_jobs(app: FastAPI, guarded: list[Any]) -> None:
    jobs = f"{PREFIX}/jobs"

    @app.post(
        jobs,
        status_code=201,
        dependencies=guarded,
        responses=problems(400, 404, 415, 422, 502, 503),
    )
    async def create_job(body: Text, desk: TheDesk, response: Response, key: Key = None) -> JobBody:
        """Queue a question; the same idempotency key gives the same job."""
        job = await desk.accept(body, key)
        response.headers["Location"] = f"{jobs}/{job.id}"
        return desk.describe(job)

    @app.get(jobs, dependencies=guarded, responses=problems(404, 422))
    def list_jobs(
        desk: TheDesk,
        before: Annotated[int | None, Query(ge=0, lt=2**62)] = None,
        count: Annotated[int, Query(ge=1, le=200)] = 50,
        state: Annotated[str | None, Query(max_length=20)] = None,
    ) -> JobPage:
        """Jobs, the newest first, without questions and answers."""
        found, following = desk.page(before, count, state)
        described = [desk.describe(job, whole=False) for job in found]
        return JobPage(jobs=described, next=following)

    @app.get(f"{jobs}/{{name}}", dependencies=guarded, responses=problems(404, 422))
    def get_job(name: str, desk: TheDesk) -> JobBody:
        """A job with its question and, when it is done, its answer."""
        return desk.describe(desk.find(name))

    @app.post(
        f"{jobs}/{{name}}/cancel",
        dependencies=[*guarded, Depends(_no_form)],
        responses=problems(404, 415, 422),
    )
    def cancel_job(name: str, desk: TheDesk) -> JobBody:
        """End a job, with the best found and proved so far; a finished one stays as it is."""
        return desk.describe(desk.cancel(name))

    @app.delete(
        f"{jobs}/{{name}}",
        status_code=204,
        dependencies=guarded,
        responses=problems(404, 409, 422),
    )
    def delete_job(name: str, desk: TheDesk) -> None:
        """Forget a finished job."""
        desk.delete(name)


def _add_outcomes(app: FastAPI, guarded: list[Any]) -> None:
    """What a job comes to: its certificate, and how it goes on the way."""
    jobs = f"{PREFIX}/jobs"

    @app.get(
        f"{jobs}/{{name}}/certificate",
        dependencies=guarded,
        response_class=FileResponse,
        responses={
            200: {"content": {"application/zip": {"schema": BINARY}}, "description": "a zip file"},
            **problems(404, 409, 422),
        },
    )
    def get_certificate(name: str, desk: TheDesk) -> FileResponse:
        """What shows a no or an optimum, if the job was asked for a proof; a zip file."""
        path, is_copy = desk.certificate(name)
        kind = CopyResponse if is_copy else FileResponse
        return kind(path, media_type="application/zip", filename=f"certificate-{name}.zip")

    @app.get(
        f"{jobs}/{{name}}/events",
        dependencies=guarded,
        response_class=EventSourceResponse,
        responses=problems(404, 422),
    )
    async def watch_job(
        job: Annotated[Job, Depends(_known_job)], desk: TheDesk
    ) -> AsyncIterator[ServerSentEvent]:
        """Server-sent events: ``state``, ``progress`` (rounds, cuts, bounds), and ``end``."""
        async for event in desk.events(job):
            yield event


def _known_job(name: str, desk: TheDesk) -> Job:
    """The job of that id; looked up before a stream begins."""
    return desk.find(name)


def _add_tools(app: FastAPI, guarded: list[Any]) -> None:
    @app.post(
        f"{PREFIX}/parse",
        dependencies=guarded,
        responses=problems(400, 415, 422, 502),
    )
    async def parse_question(request: Request, body: Text) -> Question:
        """What a question file holds, JSON or text with one card a line, as a question."""
        return await _errands(request).parse(body)

    @app.post(
        f"{PREFIX}/check",
        dependencies=guarded,
        responses=problems(400, 415, 422, 502),
    )
    async def check_answer(request: Request, body: Text) -> Verdict:
        """What the independent checker says of an answer."""
        return Verdict.model_validate(await _errands(request).check(body, request.is_disconnected))

    @app.post(
        f"{PREFIX}/export",
        dependencies=guarded,
        response_class=StreamingResponse,
        responses={
            200: {"content": {"text/plain": {"schema": TEXT}}, "description": "the file"},
            **problems(400, 404, 415, 422, 502),
        },
    )
    async def export_question(request: Request, body: Text) -> StreamingResponse:
        """The question as a file for other solvers."""
        pieces = await _errands(request).export(body, request.is_disconnected)
        return StreamingResponse(pieces, media_type="text/plain; charset=utf-8")

    @app.post(
        f"{PREFIX}/generate",
        dependencies=guarded,
        responses=problems(400, 404, 415, 422, 502),
    )
    async def generate_question(request: Request, body: Text) -> Question:
        """An instance of a family, as a question."""
        return await _errands(request).generate(body, request.is_disconnected)


def _add_games(app: FastAPI, guarded: list[Any]) -> None:
    """The real game, move by move."""

    @app.post(
        f"{PREFIX}/analyse",
        dependencies=guarded,
        response_model=AnalysisBody,
        response_model_exclude_unset=True,
        responses=problems(400, 415, 422, 502),
    )
    async def analyse_game(request: Request, body: Text) -> dict[str, Any]:
        """What every move of an open game leads to, after some turns have been played."""
        return await _errands(request).analyse(body, request.is_disconnected)

    @app.post(
        f"{PREFIX}/advise",
        dependencies=guarded,
        response_model=AdviceBody,
        response_model_exclude_unset=True,
        responses=problems(400, 415, 422, 502),
    )
    async def advise_player(request: Request, body: Text) -> dict[str, Any]:
        """In which share of the deals that agree with what is known each move wins."""
        return await _errands(request).advise(body, request.is_disconnected)


def _errands(request: Request) -> Errands:
    errands: Errands = request.app.state.errands
    return errands


def _add_health(app: FastAPI, guarded: list[Any]) -> None:
    @app.get(f"{PREFIX}/health")
    async def health() -> Health:
        """Whether the server is there."""
        return Health(status="ok")

    @app.get(f"{PREFIX}/ready", response_model_exclude_unset=True, responses=problems(503))
    def ready(request: Request) -> Readiness:
        """Tell that jobs are taken: the store can be written, and all threads are at work."""
        try:
            request.app.state.store.ping()
        except StoreFull as error:
            raise Problem(503, str(error)) from None
        except StoreUnavailable:  # its reason may name its host
            raise Problem(503, "the job store cannot be written") from None
        if not request.app.state.executor.alive:
            raise Problem(503, "a worker has stopped")
        found: dict[str, Any] = {"status": "ok"}
        workers = request.app.state.executor.cluster_workers
        if workers is not None:
            found["workers"] = workers
        if workers == 0:
            found["detail"] = NO_WORKERS
        return Readiness.model_validate(found)

    @app.get(
        f"{PREFIX}/metrics",
        name="metrics",
        dependencies=guarded,
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": TEXT}}}},
    )
    def measured(request: Request) -> Response:
        """Requests, jobs and the queue in figures, for Prometheus."""
        found: Metrics = request.app.state.metrics
        workers = request.app.state.executor.cluster_workers
        return Response(found.text(request.app.state.store, workers), media_type=MEDIA_TYPE)
