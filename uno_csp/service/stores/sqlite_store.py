"""Durable job store in an SQLite database with a write-ahead log.

A job is accepted when its row is committed, and finished when its result is. Each is one
statement, so a server killed at any moment loses no accepted job and repeats no finished one.
Jobs that were running then are queued again when the store is opened.

A sync of the disk takes longer than all else that a job needs of the store, so several threads
share one: a commit is written to the log, and its thread waits for a sync that begins after that. A
statement whose loss would only repeat work waits for none.

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
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import SQLAlchemyError

from uno_csp.errors import NotAccepted
from uno_csp.processes.locks import Taken, lock
from uno_csp.service.job import Job, State
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


class SharedSync:
    """Syncs a file to the disk, once for all threads that wait for it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock, self._syncing = threading.Lock(), threading.Lock()
        self._next: Future[None] | None = None  # the sync that begins next, if anybody waits for it

    def __call__(self) -> None:
        """Return when a sync has ended that began after the call; raise OSError if it failed."""
        with self._lock:
            found, is_first = self._next, self._next is None
            if found is None:
                found = self._next = Future()
        if is_first:
            with self._syncing:
                with self._lock:
                    self._next = None  # who comes from now on waits for another
                try:
                    self._sync()
                    found.set_result(None)
                except Exception as error:
                    found.set_exception(error)
        found.result()

    def _sync(self) -> None:
        with suppress(FileNotFoundError):  # SQLite removes its log when all of it is synced
            descriptor = os.open(self._path, os.O_RDWR)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


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
        self._writer: sa.Connection | None = None
        self._sync = SharedSync(folder / f"{DATABASE}-wal")
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
        if self._writer is not None:
            self._writer.close()
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

        To take a connection from the pool for each write takes as long as the write. Without locks
        there is one connection, and SQLite syncs each write by itself.
        """
        if not self._is_locked:
            with self._writing, self._reading() as connection:
                yield connection
            return
        try:
            with self._writing, ExitStack() as unless_written:
                writer = self._writer or self._connected_writer()
                self._writer = None
                unless_written.callback(writer.close)
                yield writer
                unless_written.pop_all()
                self._writer = writer
            if durable:
                self._sync()
        except SQLAlchemyError as error:
            raise self._failure(error) from None
        except OSError as error:
            raise StoreUnavailable(str(error)) from None

    def _connected_writer(self) -> sa.Connection:
        """Return a connection whose writes wait for no sync."""
        found = self._engine.connect()
        found.exec_driver_sql("PRAGMA synchronous = NORMAL")
        return found

    def _of_key(self, key: str | None, digest: str, request: Mapping[str, Any]) -> Job | None:
        found = super()._of_key(key, digest, request)
        if found is not None and self._is_locked:
            self._sync()  # another thread may just have written it
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
