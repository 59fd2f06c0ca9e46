"""Routes that answer questions: ``solve``, which waits a moment, and jobs."""

import re
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BeforeValidator

from uno_csp.questions.wording import shown
from uno_csp.service.api.description import BAD_BODY, BINARY, PLACE, PREFIX, body_of, problems
from uno_csp.service.api.guarded import (
    GuardedRoute,
    Key,
    KnownJob,
    Place,
    ScratchFile,
    TheJobs,
    TheScheduler,
    TheSettings,
    TheStore,
    no_form,
)
from uno_csp.service.api.responses import TaggedFile, respond
from uno_csp.service.handlers.solving import EXAMPLES, SolveRequest
from uno_csp.service.job import State
from uno_csp.service.messages import AnyAnswer, Deleted, JobBody, JobPage
from uno_csp.service.problems import Problem

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_ZIP = {"content": {"application/zip": {"schema": BINARY}}}
_LATER = {"model": JobBody, "description": "still at work: ask the job", "headers": PLACE}


def _number(given: str) -> str | float:
    """Return a number in the address; Pydantic also reads ``1_0`` and digits of any script."""
    if not _NUMBER.fullmatch(given):
        raise ValueError(f"{shown(given)} is not allowed; expected a number in digits")
    return given if given.isdigit() else float(given)


Number = BeforeValidator(_number)


@router.post(
    "/solve",
    tags=["solving"],
    response_model=AnyAnswer,
    responses={202: _LATER, **problems(409, *BAD_BODY)},
)
async def solve(
    request: Request,
    settings: TheSettings,
    body: body_of(SolveRequest, EXAMPLES),  # type: ignore[valid-type]
    jobs: TheJobs,
    key: Key = None,
) -> Response:
    """Answer a question; after a few seconds without an answer its job is handed back.

    The same idempotency key gives the same job, however often it is asked for.
    """
    job = await jobs.accept_and_wait(body, key, settings.wait_s, request.is_disconnected)
    request.state.job = job.id
    if job.state is State.DONE:
        return JSONResponse(job.result)
    if job.state is State.FAILED:
        return respond(dict(job.result or {}))
    if job.state is State.CANCELLED:
        raise Problem(409, f"the job {job.id} was cancelled")
    where = {"Location": f"jobs/{job.id}"}  # relative: a proxy may show this below a path
    return JSONResponse(jobs.describe(job), 202, where)


@router.post(
    "/jobs",
    tags=["jobs"],
    status_code=201,
    response_model=JobBody,
    responses={201: {"headers": PLACE}, **problems(*BAD_BODY)},
)
async def create_job(
    request: Request,
    body: body_of(SolveRequest, EXAMPLES),  # type: ignore[valid-type]
    jobs: TheJobs,
    key: Key = None,
) -> Response:
    """Queue a question; the same idempotency key gives the same job."""
    job = await jobs.accept(body, key, request.is_disconnected)
    request.state.job = job.id
    return JSONResponse(jobs.describe(job), 201, {"Location": f"jobs/{job.id}"})


@router.get("/jobs", tags=["jobs"], response_model=JobPage, responses=problems(422))
def list_jobs(
    store: TheStore,
    jobs: TheJobs,
    before: Annotated[int | None, Query(ge=0, lt=2**62), Number] = None,
    count: Annotated[int, Query(ge=1, le=200), Number] = 50,
    state: State | None = None,
) -> JSONResponse:
    """List jobs, the newest first, without questions and answers."""
    found = store.page(before, count, state)
    described = [jobs.describe(job, whole=False) for job in found]
    following = found[-1].number if len(found) == count else None
    return JSONResponse({"jobs": described, "next": following})


@router.delete("/jobs", tags=["jobs"], responses=problems(422))
def delete_jobs(
    scheduler: TheScheduler,
    older_days: Annotated[float, Query(ge=0, le=36_500), Number],
    state: State | None = None,
) -> Deleted:
    """Forget all jobs that finished that many days ago or more, or those of them in one state."""
    return Deleted(deleted=scheduler.forget(86_400 * older_days, state))


@router.get("/jobs/{name}", tags=["jobs"], response_model=JobBody, responses=problems(404, 422))
def get_job(name: str, jobs: TheJobs) -> JSONResponse:
    """Return a job with its question and, when it is done, its answer."""
    return JSONResponse(jobs.describe(jobs.find(name)))


@router.post(
    "/jobs/{name}/cancel",
    tags=["jobs"],
    response_model=JobBody,
    dependencies=[Depends(no_form)],
    responses=problems(404, 415, 422),
)
def cancel_job(name: str, jobs: TheJobs) -> JSONResponse:
    """End a job, with its incumbent and bound; a finished one stays as it is."""
    return JSONResponse(jobs.describe(jobs.cancel(name)))


@router.delete("/jobs/{name}", tags=["jobs"], status_code=204, responses=problems(404, 409, 422))
def delete_job(name: str, jobs: TheJobs) -> None:
    """Forget a finished job."""
    jobs.delete(name)


@router.get(
    "/jobs/{name}/certificate",
    tags=["jobs"],
    response_class=TaggedFile,
    responses={
        200: {**_ZIP, "description": "a zip file"},
        206: {**_ZIP, "description": "the range of it that was asked for"},
        304: {"description": "it is the one that the client has"},
        **problems(404, 409, 416, 422),
    },
)
def get_certificate(name: str, jobs: TheJobs, path: ScratchFile) -> TaggedFile:
    """Return the certificate of a no or an optimum, if the job was asked for one; a zip file."""
    found = jobs.certificate(name, path)
    return TaggedFile(found, media_type="application/zip", filename=f"certificate-{name}.zip")


@router.get(
    "/jobs/{name}/events",
    tags=["jobs"],
    response_class=EventSourceResponse,
    dependencies=[Place],
    responses=problems(404, 422),
)
async def watch_job(job: KnownJob, jobs: TheJobs) -> AsyncIterator[ServerSentEvent]:
    """Send events: ``state``, ``progress`` (rounds, cuts, bounds), and ``end``."""
    async for event in jobs.events(job):
        yield event
