"""What the service keeps of jobs, and what a store of them must offer.

There are two: :mod:`~uno_csp.service.sqlite_store`, for one server, and
:mod:`~uno_csp.service.postgres_store`, which several servers share.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol


class State(StrEnum):
    """Where a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


NO_REQUEST = json.dumps({"instance": {}, "options": {}})
AT_A_GLANCE = (
    f"number, id, state, '{NO_REQUEST}' AS request, canonical, created, started, finished,"
    " attempts, CASE state WHEN 'failed' THEN result END AS result, cached"
)
"""The columns of a job without its question and its answer, which may be large."""

FINISHED = (State.DONE, State.FAILED, State.CANCELLED)


@dataclass(frozen=True, slots=True)
class Job:
    """One row.

    Parameters
    ----------
    request
        The question and the options, as they were accepted.
    canonical
        The hash under which its answer may be shared; None if it may not.
    result
        The answer of a job that is done, or the problem of one that failed.
    cached
        Whether the answer was known from a question that is the same but for names and order.
    progress
        How far another server says that it is with the job; None if that is not told.
    asked
        Whether the server that has it is to end it with the best it has found.
    """

    number: int
    id: str
    state: State
    request: Mapping[str, Any]
    canonical: str | None
    created: float
    started: float | None
    finished: float | None
    attempts: int
    result: Mapping[str, Any] | None
    cached: bool
    progress: Mapping[str, Any] | None = None
    asked: bool = False


class Observer(Protocol):
    """Somebody who is told of every change of a job, once it is committed."""

    def accepted(self, job: Job) -> None:
        """There is a new job."""

    def started(self, job: Job) -> None:
        """It is at work."""

    def finished(
        self, name: str, state: State, result: Mapping[str, Any] | None, *, cached: bool
    ) -> None:
        """It has come to an end."""

    def left(self, name: str) -> None:
        """It was at work here, but somebody else has ended it."""


class QueueFull(Exception):
    """So many jobs wait already that no more are accepted."""


class KeyReused(Exception):
    """An idempotency key came again with another request."""


class StoreFull(Exception):
    """There is no space left for what is to be kept."""


class StoreUnavailable(Exception):
    """The database is away, or refuses; the same may be tried again later."""


class Store(Protocol):
    """The jobs; its methods may be called from any thread.

    Each of them raises StoreUnavailable when the database cannot be used.
    """

    observer: Observer | None

    def subscribe(self, queued: Callable[[], None], ended: Callable[[str], None]) -> None:
        """Have functions called, in some thread, when another server has changed the jobs.

        ``queued`` is called when it has accepted a job, ``ended`` with the id of a job that it has
        ended. A call may be missed while the database is away.
        """
        ...

    def close(self) -> None:
        """Leave the database; what was being solved here is queued again."""
        ...

    def add(
        self,
        request: Mapping[str, Any],
        canonical: str | None,
        *,
        name: str | None = None,
        idempotency: str | None = None,
        result: Mapping[str, Any] | None = None,
        most_queued: int,
    ) -> Job:
        """Accept a job, with that name or a new one; one whose answer is known is done at once.

        Raises
        ------
        QueueFull
            When ``most_queued`` jobs wait.
        KeyReused
            When the idempotency key belongs to another request.
        StoreFull
            When there is no space for it.
        """
        ...

    def claim(self) -> Job | None:
        """The job that has waited longest, now running; None if none waits."""
        ...

    def finish(
        self, name: str, state: State, result: Mapping[str, Any] | None, *, cached: bool = False
    ) -> bool:
        """Record how a job ended; False if it had ended before.

        Raises
        ------
        StoreFull
            When there is no space for the result; a failure with a short reason has always some.
        """
        ...

    def tell(self, name: str, progress: Mapping[str, Any]) -> None:
        """Let other servers see how far a job is that is at work at this one."""
        ...

    def ask(self, name: str) -> bool:
        """Have the server that has a job at work end it; False if no other server has it."""
        ...

    def get(self, name: str) -> Job | None:
        """The job of that id."""
        ...

    def glance(self, name: str) -> Job | None:
        """The job of that id without its question and its answer."""
        ...

    def page(self, before: int | None, count: int, state: State | None) -> Sequence[Job]:
        """Up to ``count`` jobs, the newest first, with numbers below ``before``; at a glance."""
        ...

    def delete(self, name: str) -> bool:
        """Forget a finished job; False if it is not finished, or not there."""
        ...

    def counts(self) -> dict[str, int]:
        """How many jobs are in each state."""
        ...

    def remember(self, canonical: str, answer: Mapping[str, Any]) -> None:
        """Keep the answer of a question up to names and order."""
        ...

    def recall(self, canonical: str) -> dict[str, Any] | None:
        """The answer that was kept, in canonical names."""
        ...

    def put_certificate(self, name: str, path: Path) -> None:
        """Take the certificate of a job that lies at that path, if every server is to find it."""
        ...

    def fetch_certificate(self, name: str, path: Path) -> bool:
        """Put the certificate of a job at that path; False if there is none here."""
        ...

    def ping(self) -> None:
        """Write something.

        Raises
        ------
        StoreFull
            When there is no space for a new job.
        """
        ...


def job_of(row: Mapping[str, Any]) -> Job:
    """The job of a row of either database."""
    return Job(
        row["number"],
        row["id"],
        State(row["state"]),
        json.loads(row["request"]),
        row["canonical"],
        row["created"],
        row["started"],
        row["finished"],
        row["attempts"],
        None if row["result"] is None else json.loads(row["result"]),
        bool(row["cached"]),
    )
