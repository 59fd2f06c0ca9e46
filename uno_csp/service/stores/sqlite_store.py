"""Durable job store in an SQLite database with a write-ahead log.

A job is accepted when its row is committed, and finished when its result is. Each is one
transaction, so a server killed at any moment loses no accepted job and repeats no finished one.
Jobs that were running then are queued again when the store is opened.
"""

import json
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from uno_csp.errors import NotAccepted
from uno_csp.processes.locks import Taken, lock
from uno_csp.service.stores.reserve import Reserve
from uno_csp.service.stores.schema import VERSION, migrate
from uno_csp.service.stores.store import (
    FINISHED,
    NO_SPACE,
    Job,
    State,
    Store,
    StoreFull,
    StoreUnavailable,
    job_of,
)

DATABASE, LOCK = "jobs.sqlite3", "lock"
BUSY_S = 30.0

_FULL = {"SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_TRUNCATE"}
"""Error names of SQLite for a full disk."""

MOST_CONNECTIONS = 8  # maximum number of connections, which all threads share


_INSERT = f"""
INSERT INTO jobs (id, state, request, canonical, idempotency, created, finished, result, cached)
SELECT :id, :state, :request, :canonical, :idempotency, :now, :finished, :result, :done
WHERE :done OR :most_queued > (SELECT COUNT(*) FROM jobs WHERE state = '{State.QUEUED}')
ON CONFLICT (idempotency) DO NOTHING
RETURNING number, created
"""  # noqa: S608


class SqliteStore(Store):
    """Job store in one data folder, for one server at a time and all its threads.

    On a full disk, transactions that end or delete a job use the space of a reserve file. Raises
    NotAccepted when the folder cannot be used, or a newer release wrote it.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / DATABASE
        self._reserve = Reserve(folder)
        # SQLite allows one writer at a time, and makes the others sleep and retry.
        self._writing = threading.Lock()
        self._free: queue.LifoQueue[sqlite3.Connection | None] = queue.LifoQueue()
        for _ in range(MOST_CONNECTIONS):
            self._free.put(None)  # an unused slot: opened when it is needed
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise NotAccepted(f"{folder}: {(error.strerror or str(error)).lower()}") from None
        try:
            unlocked = lock(self._lock, wait=False)
        except Taken:
            unlocked = "another server is at work there"
        if unlocked:
            os.close(self._lock)
            raise NotAccepted(f"{folder}: {unlocked}")
        try:
            self._prepare()
        except (StoreUnavailable, NotAccepted) as error:
            self.close()
            raise NotAccepted(f"{self._path}: {error}") from None

    def _prepare(self) -> None:
        with self._connection() as connection:
            migrate(connection)
            connection.execute(
                "UPDATE jobs SET state = ?, started = NULL WHERE state = ?",
                (State.QUEUED, State.RUNNING),
            )
        self._reserve.lay()

    def close(self) -> None:
        """Close the database and unlock the folder."""
        for _ in range(MOST_CONNECTIONS):
            connection = self._free.get()
            if connection is not None:
                connection.close()
        os.close(self._lock)

    def _insert(self, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
        if not self._reserve.lay():
            raise StoreFull(NO_SPACE)
        now = time.time()
        with self._transaction() as connection:
            row: Mapping[str, Any] | None = connection.execute(
                _INSERT, {**values, "now": now, "finished": now if values["done"] else None}
            ).fetchone()
            return row

    def claim(self) -> Job | None:
        """Claim the oldest queued job, which is then running; None if none is queued."""
        rows, _ = self._settle(
            "UPDATE jobs SET state = ?, started = ?, attempts = attempts + 1 WHERE number ="
            " (SELECT MIN(number) FROM jobs WHERE state = ?)"
            " RETURNING *",
            (State.RUNNING, time.time(), State.QUEUED),
            durable=False,
        )
        job = job_of(rows[0]) if rows else None
        if job is not None and self.observer is not None:
            self.observer.started(job)
        return job

    def finish(
        self, name: str, state: State, result: Mapping[str, Any] | None, *, cached: bool = False
    ) -> bool:
        """Record how a job ended; return False if it had already ended."""
        # An answer may be large; a job without one always fits into the reserve.
        write = self._write if state is State.DONE else self._settle
        _, changed = write(
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
        if changed and self.observer is not None:
            self.observer.finished(name, state, result, cached=cached)
        return changed > 0

    def delete(self, name: str) -> bool:
        """Delete a finished job; return False if it is unfinished or unknown."""
        _, gone = self._settle(
            "DELETE FROM jobs WHERE id = ? AND state IN (?, ?, ?)", (name, *FINISHED)
        )
        if not self._reserve.lay():  # the freed space is still held by the write-ahead log
            with suppress(StoreUnavailable), self._connection() as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._reserve.lay()
        return gone > 0

    def remember(self, canonical: str, answer: Mapping[str, Any]) -> None:
        """Cache an answer, given in canonical names, under the hash of its question."""
        with self._transaction(durable=False) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?)", (canonical, json.dumps(answer))
            )

    def ping(self) -> None:
        """Write to the database; raise StoreFull when no disk space but the reserve is left."""
        with self._transaction() as connection:
            connection.execute(f"PRAGMA user_version = {VERSION}")
        if not self._reserve.lay():
            raise StoreFull(NO_SPACE)

    def _read(self, query: str, *values: object) -> list[dict[str, Any]]:
        with self._connection() as connection:
            return connection.execute(query, values).fetchall()

    def _write(
        self, query: str, values: Sequence[object], *, durable: bool = True
    ) -> tuple[list[dict[str, Any]], int]:
        """Run a statement as a transaction; return its rows, and the number of rows it changed."""
        with self._transaction(durable=durable) as connection:
            cursor = connection.execute(query, tuple(values))
            return cursor.fetchall(), cursor.rowcount

    def _settle(
        self, query: str, values: Sequence[object], *, durable: bool = True
    ) -> tuple[list[dict[str, Any]], int]:
        """Run a statement as `_write` does, in the space of the reserve if the disk is full."""
        try:
            return self._write(query, values, durable=durable)
        except StoreFull:
            self._reserve.release()
            return self._write(query, values, durable=durable)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection; after an error it is closed and not used again."""
        connection = self._free.get()
        try:
            if connection is None:
                connection = self._connect()
            yield connection
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            connection = None
            if getattr(error, "sqlite_errorname", "") in _FULL:
                raise StoreFull(NO_SPACE) from None
            raise StoreUnavailable(str(error)) from None
        finally:
            self._free.put(connection)

    def _connect(self) -> sqlite3.Connection:
        found = sqlite3.connect(
            self._path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
        )
        found.row_factory = _named
        try:
            found.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error:  # it is no database
            found.close()
            raise
        return found

    @contextmanager
    def _transaction(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Run a write; unless ``durable``, a loss of power may undo it and later ones."""
        with self._writing, self._connection() as connection:
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # some errors have rolled back already
                    connection.execute("ROLLBACK")
                raise


def _named(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> dict[str, Any]:
    """Return a row as a dictionary from column names to values."""
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}
