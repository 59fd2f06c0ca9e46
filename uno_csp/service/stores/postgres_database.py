"""Connections to a PostgreSQL server that may be unreachable for a while.

One thread keeps a connection of its own, on which it receives notifications. When that connection
or any other breaks, the connection pool is closed, so that no thread waits for it. From then on
every use fails at once, until the listener thread has reconnected.
"""

import logging
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from uno_csp.errors import BackendUnavailable
from uno_csp.service.stores.postgres_schema import migrate
from uno_csp.service.stores.store import StoreFull, StoreUnavailable

if TYPE_CHECKING:
    from psycopg import Connection, Notify
    from psycopg.rows import DictRow
    from psycopg_pool import ConnectionPool

MOST_CONNECTIONS = 8  # maximum number of pooled connections of one server
RETRY_S = 1.0  # seconds between two attempts to reconnect to the database
CONNECT_S = 5  # seconds to wait for a new connection, or for a free one of the pool
STATEMENT_S = 15  # maximum seconds of one statement, including its wait for locks
SILENCE_S = 10  # seconds of silence after which a connection counts as broken
_LISTEN_S = 0.5
_OPTIONS: dict[str, Any] = {
    "connect_timeout": CONNECT_S,
    "keepalives_idle": SILENCE_S // 2,
    "keepalives_interval": 1,
    "keepalives_count": SILENCE_S // 2,
    "tcp_user_timeout": 1000 * SILENCE_S,
}
_log = logging.getLogger(__name__)


class Database:
    """A PostgreSQL database with the tables of the job store, at a ``postgresql://`` address.

    Raises BackendUnavailable when it cannot be used, NotAccepted when a newer release wrote it.
    """

    def __init__(self, url: str) -> None:
        if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
            raise BackendUnavailable(
                "--store needs psycopg, which is not installed; pip install 'uno-csp[postgres]'"
            )
        import psycopg

        self._url = url
        try:
            connection = psycopg.connect(url, **_OPTIONS)
        except psycopg.Error as error:
            raise BackendUnavailable(
                f"the job store cannot be reached: {_one_line(error)}"
            ) from None
        try:
            with connection:
                migrate(connection)
        except psycopg.Error as error:
            raise BackendUnavailable(f"the job store cannot be used: {_one_line(error)}") from None
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._lost = threading.Event()
        self._reason = ""
        self._pool = self._open()
        self._listener: threading.Thread | None = None

    def listen(self, channel: str, heard: Callable[[str], None]) -> None:
        """Call a function in a thread, which also reconnects, with a channel's payloads."""
        self._listener = threading.Thread(
            target=self._listen, args=(channel, heard), name="database", daemon=True
        )
        self._listener.start()

    def close(self) -> None:
        """Stop the listener and close all connections."""
        self._closing.set()
        if self._listener is not None:
            self._listener.join(2 * _LISTEN_S)
        self._pool.close()

    @contextmanager
    def connection(self) -> "Iterator[Connection[DictRow]]":
        """Lend a connection that commits each statement; raise StoreUnavailable."""
        import psycopg
        from psycopg_pool import PoolClosed, PoolTimeout

        if self._lost.is_set():
            raise StoreUnavailable(self._reason)
        pool = self._pool
        try:
            with pool.connection() as connection:
                try:
                    yield connection
                except psycopg.OperationalError as error:
                    if connection.broken or connection.closed:
                        self._lose(pool, error)
                    raise
        except psycopg.errors.DiskFull as error:
            raise StoreFull(_one_line(error)) from None
        except PoolClosed:
            raise StoreUnavailable(self._reason or "the store is closed") from None
        except PoolTimeout:
            raise StoreUnavailable(f"no connection was free in {CONNECT_S} s") from None
        except psycopg.Error as error:
            raise StoreUnavailable(_one_line(error)) from None

    def _open(self) -> "ConnectionPool[Connection[DictRow]]":
        from psycopg.rows import dict_row
        from psycopg_pool import ConnectionPool

        return ConnectionPool(
            self._url,
            kwargs={"row_factory": dict_row, "autocommit": True, **_OPTIONS},
            min_size=1,
            max_size=MOST_CONNECTIONS,
            timeout=CONNECT_S,
            configure=_configure,
            check=_check,
            open=True,
        )

    def _lose(self, pool: "ConnectionPool[Connection[DictRow]]", error: Exception) -> None:
        """Close the pool, so that threads waiting for a connection fail at once.

        Without a listener thread to reconnect, it stays open and reconnects by itself.
        """
        with self._lock:
            if self._listener is None or self._lost.is_set() or pool is not self._pool:
                return
            self._reason = _one_line(error)
            self._lost.set()
        _log.warning("the job store is unreachable: %s", self._reason)
        pool.close(timeout=0)

    def _listen(self, channel: str, heard: Callable[[str], None]) -> None:
        import psycopg

        while not self._closing.is_set():
            pool, listening = self._pool, False
            try:
                with psycopg.connect(self._url, autocommit=True, **_OPTIONS) as connection:
                    connection.execute(f"LISTEN {channel}".encode())
                    pool, listening = self._restore(), True
                    while not self._closing.is_set() and not self._lost.is_set():
                        for each in connection.notifies(timeout=_LISTEN_S):
                            _hear(each, heard)
            except psycopg.Error as error:
                if listening:
                    self._lose(pool, error)
                else:
                    self._closing.wait(RETRY_S)

    def _restore(self) -> "ConnectionPool[Connection[DictRow]]":
        """Return the pool, a new one if the connection was lost."""
        with self._lock:
            if self._lost.is_set():
                self._pool = self._open()
                self._lost.clear()
                _log.warning("the job store is reachable again")
            return self._pool


def _configure(connection: "Connection[DictRow]") -> None:
    connection.execute(f"SET statement_timeout = {1000 * STATEMENT_S}".encode())


def _check(connection: "Connection[DictRow]") -> None:
    """Raise OperationalError if the connection is closed; ask only if data has come on it."""
    from psycopg_pool import ConnectionPool

    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    if waiting.poll(0):
        ConnectionPool.check_connection(connection)


def _hear(notification: "Notify", heard: Callable[[str], None]) -> None:
    try:
        heard(notification.payload)
    except Exception:
        _log.exception("a notification could not be handled")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
