"""Dependencies of routes: the parts of the server."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Depends, Header, Request

from uno_csp.service.api.guards import counted_as
from uno_csp.service.jobs.job_service import JobService
from uno_csp.service.jobs.scheduler import Scheduler
from uno_csp.service.metrics import Metrics
from uno_csp.service.settings import Settings
from uno_csp.service.stores.job import Job
from uno_csp.service.stores.store import Store


def _part(name: str) -> Any:
    """Return the dependency on a part of the server, which the app's state holds by name."""

    # A coroutine: FastAPI runs other dependencies in a thread pool, which slow routes may fill.
    async def part(request: Request) -> Any:
        return getattr(request.app.state, name)

    return Depends(part)


TheSettings = Annotated[Settings, _part("settings")]
TheJobs = Annotated[JobService, _part("job_service")]
TheScheduler = Annotated[Scheduler, _part("scheduler")]
TheStore = Annotated[Store, _part("store")]
TheMetrics = Annotated[Metrics, _part("metrics")]
Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]


def _known_job(name: str, jobs: TheJobs) -> Job:
    """Return the job of that id, which is looked up before a stream begins."""
    return jobs.find(name)


async def _place(request: Request) -> AsyncIterator[None]:
    """Hold a place for a stream of events, before it begins and until it ends."""
    client = counted_as(request.client.host if request.client else "")
    with request.app.state.updates.stream(client):
        yield


Place = Depends(_place)
KnownJob = Annotated[Job, Depends(_known_job)]
