"""Durable job store in an SQLite database with a write-ahead log.

A job is accepted when its row is committed, and finished when its result is. Each is one
statement, so a server killed at any moment loses no accepted job and repeats no finished one.
Jobs that were running then are queued again when the store is opened.

Deleting a row, or recording a job as failed, takes a write, which a full disk refuses. So a file
beside the database reserves some space: it is removed when no other space is left, and allocated
again when there is some.

Where a disk gives no locks, nothing keeps other servers away, and SQLite works without locks of its
own through one connection.
"""

import logging
import math
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import SQLAlchemyError

from uno_csp.errors import NotAccepted
from uno_csp.processes.locks import Taken, lock
from uno_csp.service.job import State
from uno_csp.service.problems import StoreFull, StoreUnavailable
from uno_csp.service.stores.store import Store
from uno_csp.service.stores.tables import VERSION, jobs, migrate

DATABASE, LOCK, RESERVE = "jobs.sqlite3", "lock", "reserve"
RESERVE_BYTES = 4 << 20  # far more than a transaction that ends or deletes a job writes
BUSY_S = 30.0

_FULL = {"SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_TRUNCATE"}
"""Error names of SQLite for a full disk."""

_log = logging.getLogger(__name__)


class Reserve:
    """The file in a folder that reserves space."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / RESERVE

    def lay(self) -> bool:
        """Allocate the file unless it exists; return False if there is no space for it."""
        with suppress(FileNotFoundError):
            if self._path.stat().st_size == RESERVE_BYTES:
                return True
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return False
        try:
            os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
        except OSError:
            self.release()
            return False
        finally:
            os.close(descriptor)
        return True

    def release(self) -> None:
        """Remove the file to free its space."""
        self._path.unlink(missing_ok=True)


class SqliteStore(Store):
    """Job store in one data folder, for one server at a time and all its threads.

    On a full disk, statements that end or delete a job use the space of a reserve file. Raises
    NotAccepted when the folder cannot be used, or a newer release wrote it.
    """

    insert = staticmethod(insert)

    def __init__(self, folder: Path) -> None:
        self._path = folder / DATABASE
        self._lock, self._is_locked = _locked(folder)
        most = None if self._is_locked else 1
        super().__init__("sqlite://", math.inf, BUSY_S, most)  # no other server takes a job over
        sa.event.listen(self._engine, "handle_error", _invalidate)
        self._reserve = Reserve(folder)
        # SQLite allows one writer at a time, and makes the others sleep and retry.
        self._writing = threading.Lock()
        self._writers: dict[bool, sa.Connection] = {}  # of durable writes, and of others
        try:
            with self._reading() as connection:
                connection.execute(sa.text("BEGIN IMMEDIATE"))
                migrate(connection)
                running = sa.update(jobs).where(jobs.c.state == State.RUNNING)
                connection.execute(running.values(state=State.QUEUED, started=None))
                connection.execute(sa.text("COMMIT"))
        except (StoreUnavailable, NotAccepted) as error:
            self._close()
            raise NotAccepted(f"{self._path}: {error}") from None
        self._reserve.lay()

    def close(self) -> None:
        """Queue the running jobs again, close the database, and unlock the folder."""
        with suppress(StoreUnavailable):  # else they are queued at the next start
            self._release_all()
        self._close()

    def _close(self) -> None:
        for writer in self._writers.values():
            writer.close()
        self._engine.dispose()
        os.close(self._lock)

    def _insert(self, values: Mapping[str, Any], most_queued: int) -> Mapping[str, Any] | None:
        if not self._reserve.lay():
            raise StoreFull
        return super()._insert(values, most_queued)

    def delete(self, name: str) -> bool:
        """Delete a finished job; return False if it is unfinished or unknown."""
        gone = super().delete(name)
        if not self._reserve.lay():  # the freed space is still held by the write-ahead log
            with suppress(StoreUnavailable), self._reading() as connection:
                connection.execute(sa.text("PRAGMA wal_checkpoint(TRUNCATE)"))
            self._reserve.lay()
        return gone

    def ping(self) -> None:
        """Write to the database; raise StoreFull when no disk space but the reserve is left."""
        self._write(sa.text(f"PRAGMA user_version = {VERSION}"))
        if not self._reserve.lay():
            raise StoreFull

    def _settle(
        self, statement: sa.Executable, *, durable: bool = True, **values: Any
    ) -> list[dict[str, Any]]:
        try:
            return self._write(statement, durable=durable, **values)
        except StoreFull:
            self._reserve.release()
            return self._write(statement, durable=durable, **values)

    def _connect(self) -> sqlite3.Connection:
        address = self._path.absolute().as_uri()
        address += "" if self._is_locked else "?vfs=unix-none"
        found = sqlite3.connect(address, timeout=BUSY_S, check_same_thread=False, uri=True)
        try:
            if not self._is_locked:  # the write-ahead log then needs no shared memory
                found.execute("PRAGMA locking_mode = EXCLUSIVE")
            found.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error:  # it is no database
            found.close()
            raise
        return found

    @contextmanager
    def _run(self, durable: bool) -> Iterator[sa.Connection]:
        """See :meth:`~uno_csp.service.stores.store.Store._run`.

        To take a connection from the pool for each write, and to set how durable it is, takes as
        long as the write. Without locks there is one connection, whose writes are all durable.
        """
        with self._writing:
            if not self._is_locked:
                with self._reading() as connection:
                    yield connection
                return
            try:
                with ExitStack() as unless_written:
                    writer = self._writers.pop(durable, None) or self._writer(durable)
                    unless_written.callback(writer.close)
                    yield writer
                    unless_written.pop_all()
                    self._writers[durable] = writer
            except SQLAlchemyError as error:
                raise self._failure(error) from None

    def _writer(self, durable: bool) -> sa.Connection:
        """Return a connection for writes alone."""
        found = self._engine.connect()
        found.exec_driver_sql(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        return found

    def _failure(self, error: SQLAlchemyError) -> StoreUnavailable:
        origin = getattr(error, "orig", None)
        if getattr(origin, "sqlite_errorname", "") in _FULL:
            return StoreFull()
        return StoreUnavailable(str(origin or error))


def _invalidate(context: ExceptionContext) -> None:
    """Have a connection closed and not used again after an error."""
    context.is_disconnect, context.invalidate_pool_on_disconnect = True, False


def _locked(folder: Path) -> tuple[int, bool]:
    """Lock a data folder for this process; return the descriptor, and True if it holds a lock."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise NotAccepted(f"{folder}: {(error.strerror or str(error)).lower()}") from None
    try:
        unlocked = lock(descriptor, wait=False)
    except Taken:  # two servers would do each job twice
        os.close(descriptor)
        raise NotAccepted(f"{folder}: another server is at work there") from None
    if unlocked:
        _log.warning("%s: %s: start no other server with this folder", folder, unlocked)
    return descriptor, not unlocked
