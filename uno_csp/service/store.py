"""Jobs that outlive the server: an SQLite database in write-ahead mode.

A job is accepted when its row is committed, and finished when its result is; both are one
transaction, so a server that is killed at any moment loses no accepted job and repeats no finished
one. Jobs that were being solved then are queued again when the store is opened.
"""

import fcntl
import json
import os
import queue
import sqlite3
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from uno_csp.errors import NotAccepted

DATABASE, LOCK = "jobs.sqlite3", "lock"
BUSY_S = 30.0
MOST_CONNECTIONS = 8
"""Threads come and go, and share so many connections; SQLite writes one thing at a time anyway."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    request TEXT NOT NULL,
    canonical TEXT,
    idempotency TEXT UNIQUE,
    created REAL NOT NULL,
    started REAL,
    finished REAL,
    attempts INTEGER NOT NULL DEFAULT 0,
    result TEXT,
    cached INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, number);
CREATE TABLE IF NOT EXISTS answers (
    canonical TEXT PRIMARY KEY,
    answer TEXT NOT NULL
);
"""


class State(StrEnum):
    """Where a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


_NO_REQUEST = json.dumps({"instance": {}, "options": {}})
_AT_A_GLANCE = (
    f"number, id, state, '{_NO_REQUEST}' AS request, canonical, created, started, finished,"
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


class QueueFull(Exception):
    """So many jobs wait already that no more are accepted."""


class KeyReused(Exception):
    """An idempotency key came again with another request."""


class Store:
    """The jobs of one data folder, for one server at a time and all its threads.

    Raises
    ------
    NotAccepted
        When the folder cannot be used, or another server is at work there.
    """

    def __init__(self, folder: Path) -> None:
        self.observer: Observer | None = None
        self._path = folder / DATABASE
        self._free: queue.LifoQueue[sqlite3.Connection | None] = queue.LifoQueue()
        for _ in range(MOST_CONNECTIONS):
            self._free.put(None)  # room for one that is opened when it is needed
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise NotAccepted(f"{folder}: {(error.strerror or str(error)).lower()}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise NotAccepted(f"{folder}: another server is at work there") from None
        try:
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise NotAccepted(f"{self._path}: {error}") from None

    def _prepare(self) -> None:
        with self._connection() as connection:
            connection.executescript(_SCHEMA)
            connection.execute(
                "UPDATE jobs SET state = ?, started = NULL WHERE state = ?",
                (State.QUEUED, State.RUNNING),
            )

    def close(self) -> None:
        """Close the database and let another server in."""
        for _ in range(MOST_CONNECTIONS):
            connection = self._free.get()
            if connection is not None:
                connection.close()
        os.close(self._lock)

    def add(
        self,
        request: Mapping[str, Any],
        canonical: str | None,
        *,
        idempotency: str | None = None,
        result: Mapping[str, Any] | None = None,
        most_queued: int,
    ) -> Job:
        """Accept a job; one whose answer is known is done at once.

        Raises
        ------
        QueueFull
            When ``most_queued`` jobs wait.
        KeyReused
            When the idempotency key belongs to another request.
        """
        text = json.dumps(request, sort_keys=True)
        now = time.time()
        with self._transaction() as connection:
            if idempotency is not None:
                row = connection.execute(
                    "SELECT * FROM jobs WHERE idempotency = ?", (idempotency,)
                ).fetchone()
                if row is not None:
                    found = _job(row)
                    if json.dumps(found.request, sort_keys=True) != text:
                        raise KeyReused
                    return found
            if result is None and self._count(connection, State.QUEUED) >= most_queued:
                raise QueueFull
            name = uuid.uuid4().hex
            done = result is not None
            connection.execute(
                "INSERT INTO jobs (id, state, request, canonical, idempotency, created, finished,"
                " result, cached) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    name,
                    State.DONE if done else State.QUEUED,
                    text,
                    canonical,
                    idempotency,
                    now,
                    now if done else None,
                    json.dumps(result) if done else None,
                    done,
                ),
            )
        job = self.get(name)
        assert job is not None  # noqa: S101
        if self.observer is not None:
            self.observer.accepted(job)
        return job

    def claim(self) -> Job | None:
        """The job that has waited longest, now running; None if none waits."""
        with self._transaction() as connection:
            row = connection.execute(
                "UPDATE jobs SET state = ?, started = ?, attempts = attempts + 1 WHERE number ="
                " (SELECT MIN(number) FROM jobs WHERE state = ?)"
                " RETURNING *",
                (State.RUNNING, time.time(), State.QUEUED),
            ).fetchone()
        job = None if row is None else _job(row)
        if job is not None and self.observer is not None:
            self.observer.started(job)
        return job

    def finish(
        self, name: str, state: State, result: Mapping[str, Any] | None, *, cached: bool = False
    ) -> bool:
        """Record how a job ended; False if it had ended before."""
        with self._transaction() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = ?, finished = ?, result = ?, cached = ?"
                " WHERE id = ? AND state IN (?, ?)",
                (
                    state,
                    time.time(),
                    None if result is None else json.dumps(result),
                    cached,
                    name,
                    State.QUEUED,
                    State.RUNNING,
                ),
            )
        if changed.rowcount > 0 and self.observer is not None:
            self.observer.finished(name, state, result, cached=cached)
        return changed.rowcount > 0

    def get(self, name: str) -> Job | None:
        """The job of that id."""
        rows = self._read("SELECT * FROM jobs WHERE id = ?", name)
        return _job(rows[0]) if rows else None

    def glance(self, name: str) -> Job | None:
        """The job of that id without its question and its answer."""
        rows = self._read(f"SELECT {_AT_A_GLANCE} FROM jobs WHERE id = ?", name)  # noqa: S608
        return _job(rows[0]) if rows else None

    def page(self, before: int | None, count: int, state: State | None) -> Sequence[Job]:
        """Up to ``count`` jobs, the newest first, with numbers below ``before``; at a glance."""
        rows = self._read(
            f"SELECT {_AT_A_GLANCE} FROM jobs WHERE number < ? AND (? IS NULL OR state = ?)"  # noqa: S608
            " ORDER BY number DESC LIMIT ?",
            before if before is not None else 1 << 62,
            state,
            state,
            count,
        )
        return [_job(row) for row in rows]

    def delete(self, name: str) -> bool:
        """Forget a finished job; False if it is not finished, or not there."""
        with self._transaction() as connection:
            gone = connection.execute(
                "DELETE FROM jobs WHERE id = ? AND state IN (?, ?, ?)", (name, *FINISHED)
            )
        return gone.rowcount > 0

    def counts(self) -> dict[str, int]:
        """How many jobs are in each state."""
        rows = self._read("SELECT state, COUNT(*) FROM jobs GROUP BY state")
        return {str(state): 0 for state in State} | {row[0]: row[1] for row in rows}

    def remember(self, canonical: str, answer: Mapping[str, Any]) -> None:
        """Keep the answer of a question up to names and order."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?)", (canonical, json.dumps(answer))
            )

    def recall(self, canonical: str) -> dict[str, Any] | None:
        """The answer that was kept, in canonical names."""
        rows = self._read("SELECT answer FROM answers WHERE canonical = ?", canonical)
        return json.loads(rows[0][0]) if rows else None

    def ping(self) -> None:
        """Write something; raises sqlite3.Error if that cannot be done."""
        with self._transaction() as connection:
            connection.execute("PRAGMA user_version = 1")

    def _read(self, query: str, *values: object) -> list[sqlite3.Row]:
        with self._connection() as connection:
            return connection.execute(query, values).fetchall()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for the time being; one that may be broken is not used again."""
        connection = self._free.get()
        try:
            if connection is None:
                connection = self._connect()
            yield connection
        except sqlite3.Error:
            if connection is not None:
                connection.close()
            connection = None
            raise
        finally:
            self._free.put(connection)

    def _connect(self) -> sqlite3.Connection:
        found = sqlite3.connect(
            self._path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
        )
        found.row_factory = sqlite3.Row
        found.execute("PRAGMA journal_mode = WAL")
        found.execute("PRAGMA synchronous = FULL")
        return found

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @staticmethod
    def _count(connection: sqlite3.Connection, state: State) -> int:
        (count,) = connection.execute(
            "SELECT COUNT(*) FROM jobs WHERE state = ?", (state,)
        ).fetchone()
        return int(count)


def _job(row: sqlite3.Row) -> Job:
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
