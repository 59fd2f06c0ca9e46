"""Dependencies of routes: the parts of the server, and the text of the request."""

from typing import Annotated, Any

from fastapi import Depends, Header, Request
from starlette.requests import ClientDisconnect

from uno_csp.service.jobs.executor import Executor
from uno_csp.service.jobs.job_service import JobService
from uno_csp.service.jobs.short_requests import ShortRequests
from uno_csp.service.metrics import Metrics
from uno_csp.service.problems import Problem
from uno_csp.service.settings import Settings
from uno_csp.service.stores.store import Job, Store

_JSON = "application/json"


async def _text(request: Request) -> str:
    """Return the body of a request, JSON by its type, which pages from elsewhere cannot send."""
    if _content_type(request) != _JSON:
        raise Problem(415, f"the body must be JSON, with the content type {_JSON}")
    try:
        return (await request.body()).decode("utf-8")
    except ClientDisconnect:
        raise Problem(400, "the connection closed before the end of the body") from None
    except UnicodeDecodeError:
        raise Problem(400, "the body is not JSON: it is not UTF-8 text") from None


def no_form(request: Request) -> None:
    """Refuse a body of another type where none is needed: pages from elsewhere can send forms."""
    if _content_type(request) not in ("", _JSON):
        raise Problem(415, f"the body must be empty, or have the content type {_JSON}")


def _content_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _part(name: str) -> Any:
    """Return the dependency on a part of the server, which the app's state holds by name."""

    # A coroutine: FastAPI runs other dependencies in a thread pool, which slow routes may fill.
    async def part(request: Request) -> Any:
        return getattr(request.app.state, name)

    return Depends(part)


Text = Annotated[str, Depends(_text)]
TheSettings = Annotated[Settings, _part("settings")]
TheJobs = Annotated[JobService, _part("job_service")]
TheShortRequests = Annotated[ShortRequests, _part("short_requests")]
TheStore = Annotated[Store, _part("store")]
TheExecutor = Annotated[Executor, _part("executor")]
TheMetrics = Annotated[Metrics, _part("metrics")]
Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]


def _known_job(name: str, jobs: TheJobs) -> Job:
    """Return the job of that id, which is looked up before a stream begins."""
    return jobs.find(name)


KnownJob = Annotated[Job, Depends(_known_job)]
