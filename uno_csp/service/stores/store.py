"""Jobs as the service keeps them, and what the job stores have in common.

There are two stores: :mod:`~uno_csp.service.stores.sqlite_store`, for one server, and
:mod:`~uno_csp.service.stores.postgres_store`, which several servers share.
"""

import json
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol


class State(StrEnum):
    """State of a job: queued, running, or one of the three ways to be finished."""

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
    """A job, as one row of the store."""

    number: int
    id: str
    state: State
    request: Mapping[str, Any]  # the question and the options, as they were accepted
    canonical: str | None  # canonical hash under which its answer is cached; None if it must not be
    created: float
    started: float | None
    finished: float | None
    attempts: int
    # the answer of a job that is done, or the problem of one that failed
    result: Mapping[str, Any] | None
    # whether the answer came from the cache, from a question equal up to names and order
    cached: bool
    # latest progress published by the server that runs the job; None if there is none
    progress: Mapping[str, Any] | None = None
    # whether the server that runs it has been asked to end it with its incumbent
    cancel_requested: bool = False


class Observer(Protocol):
    """Handler of the changes of jobs, called once a change is committed."""

    def accepted(self, job: Job) -> None:
        """Handle a new job."""

    def started(self, job: Job) -> None:
        """Handle the start of a job."""

    def finished(
        self, name: str, state: State, result: Mapping[str, Any] | None, *, cached: bool
    ) -> None:
        """Handle the end of a job."""

    def left(self, name: str) -> None:
        """Handle a job that was running here but was ended elsewhere."""


class QueueFull(Exception):
    """The queue is full, so that no more jobs are accepted."""


class KeyReused(Exception):
    """An idempotency key was used again for another request."""


class StoreUnavailable(Exception):
    """The database is unreachable, or refuses; the operation may be retried later."""


NO_SPACE = "no space is left on the disk of the job store"


class StoreFull(StoreUnavailable):
    """No disk space is left in the store."""


class Store(ABC):
    """A job store in a database; its methods may be called from any thread.

    Each method raises StoreUnavailable when the database cannot be used. A store that several
    servers share also has the methods that do nothing here.
    """

    observer: Observer | None = None
    more_columns = ""  # columns of a glance that only a shared store has

    @abstractmethod
    def _read(self, query: str, *values: object) -> list[dict[str, Any]]:
        """Return the rows of a query, whose parameters are question marks."""

    @abstractmethod
    def _insert(self, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Insert a job; return its number and time, or None if its key is taken or the queue full.

        ``most_queued`` is the limit of the queue for a job that is not ``done``.
        """

    def subscribe(  # noqa: B027 (there may be no other server, here and below)
        self, queued: Callable[[], None], ended: Callable[[str], None]
    ) -> None:
        """Register callbacks for changes by other servers; they are called in some thread.

        ``queued`` is called when another server has accepted a job, ``ended`` with the id of a job
        that it has ended. A call may be missed while the database is unreachable.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the database; jobs that were running here are queued again."""

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
        """Accept a job, with ``name`` or a new id; a job that has its ``result`` is done at once.

        Raises
        ------
        QueueFull
            When ``most_queued`` jobs wait.
        KeyReused
            When the idempotency key belongs to another request.
        StoreFull
            When there is no disk space for it.
        """
        text, name = json.dumps(request, sort_keys=True), name or uuid.uuid4().hex
        known = self._of_key(idempotency, text)
        if known is not None:
            return known
        done = result is not None
        values = {
            "id": name,
            "state": State.DONE if done else State.QUEUED,
            "request": text,
            "canonical": canonical,
            "idempotency": idempotency,
            "result": json.dumps(result) if done else None,
            "done": done,
            "most_queued": most_queued,
        }
        row = self._insert(values)
        if row is None:
            faster = self._of_key(idempotency, text)  # was the key inserted meanwhile?
            if faster is None:
                raise QueueFull
            return faster
        job = job_entered(row["number"], name, request, canonical, row["created"], result)
        if self.observer is not None:
            self.observer.accepted(job)
        return job

    def _of_key(self, key: str | None, request: str) -> Job | None:
        """Return the job with this idempotency key; None if there is none."""
        rows = self._read("SELECT * FROM jobs WHERE idempotency = ?", key) if key else []
        if not rows:
            return None
        found = job_of(rows[0])
        if json.dumps(found.request, sort_keys=True) != request:
            raise KeyReused
        return found

    @abstractmethod
    def claim(self) -> Job | None:
        """Claim the oldest queued job, which is then running; None if none is queued."""

    @abstractmethod
    def finish(
        self, name: str, state: State, result: Mapping[str, Any] | None, *, cached: bool = False
    ) -> bool:
        """Record how a job ended; return False if it had ended. A short failure always fits."""

    def publish_progress(self, name: str, progress: Mapping[str, Any]) -> None:  # noqa: B027
        """Publish the progress of a job running here to other servers."""

    def request_cancel(self, name: str) -> bool:  # noqa: ARG002
        """Ask the other server that runs a job to end it; return False if none does."""
        return False

    def get(self, name: str) -> Job | None:
        """Return the job with this id; None if there is none."""
        rows = self._read("SELECT * FROM jobs WHERE id = ?", name)
        return job_of(rows[0]) if rows else None

    def glance(self, name: str) -> Job | None:
        """Return the job with this id, without its question and answer."""
        columns = AT_A_GLANCE + self.more_columns
        rows = self._read(f"SELECT {columns} FROM jobs WHERE id = ?", name)  # noqa: S608
        return job_of(rows[0]) if rows else None

    def page(self, before: int | None, count: int, state: State | None) -> Sequence[Job]:
        """Return up to ``count`` jobs numbered below ``before``, newest first, as `glance` does."""
        rows = self._read(
            f"SELECT {AT_A_GLANCE} FROM jobs WHERE number < ? AND state = COALESCE(?, state)"  # noqa: S608
            " ORDER BY number DESC LIMIT ?",
            before if before is not None else 1 << 62,
            state,
            count,
        )
        return [job_of(row) for row in rows]

    @abstractmethod
    def delete(self, name: str) -> bool:
        """Delete a finished job; return False if it is unfinished or unknown."""

    def counts(self) -> dict[str, int]:
        """Return the number of jobs in each state."""
        rows = self._read("SELECT state, COUNT(*) AS jobs FROM jobs GROUP BY state")
        return {str(state): 0 for state in State} | {row["state"]: row["jobs"] for row in rows}

    @abstractmethod
    def remember(self, canonical: str, answer: Mapping[str, Any]) -> None:
        """Cache an answer, given in canonical names, under the hash of its question."""

    def recall(self, canonical: str) -> dict[str, Any] | None:
        """Return the cached answer, in canonical names; None if there is none."""
        rows = self._read("SELECT answer FROM answers WHERE canonical = ?", canonical)
        return json.loads(rows[0]["answer"]) if rows else None

    def put_certificate(self, name: str, path: Path) -> None:  # noqa: B027
        """Move the certificate at this path into the store, if servers share the store."""

    def fetch_certificate(self, name: str, path: Path) -> bool:  # noqa: ARG002
        """Write the certificate of a job to this path; return False if the store has none."""
        return False

    @abstractmethod
    def ping(self) -> None:
        """Write to the database; raise StoreFull when there is no disk space for a new job."""


def job_entered(
    number: int,
    name: str,
    request: Mapping[str, Any],
    canonical: str | None,
    now: float,
    result: Mapping[str, Any] | None = None,
) -> Job:
    """Return a job that was accepted just now: done if its answer is known, otherwise queued."""
    known = result is not None
    state, finished = (State.DONE, now) if known else (State.QUEUED, None)
    return Job(number, name, state, request, canonical, now, None, finished, 0, result, known)


def job_of(row: Mapping[str, Any]) -> Job:
    """Return the job of a row of either database."""
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
        None if row.get("progress") is None else json.loads(row["progress"]),
        bool(row.get("cancel_requested")),
    )
