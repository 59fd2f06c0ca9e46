"""Job store that several servers share, in a PostgreSQL database that may be away for a while.

New jobs and ends of jobs are announced by notifications of the database. One thread keeps a
connection of its own, on which it receives them. When that connection or any other breaks, every
use of the store fails at once, until that thread has reconnected.
"""

import logging
import select as polling
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import exc as errors
from sqlalchemy.dialects.postgresql import ARRAY, insert

from uno_csp.errors import BackendUnavailable, NotAccepted
from uno_csp.service.problems import StoreFull, StoreUnavailable
from uno_csp.service.stores.store import LEASE_S, QUEUED, Store
from uno_csp.service.stores.tables import certificates, migrate, versions

if TYPE_CHECKING:
    import psycopg

CHUNK = 1 << 20  # bytes of a certificate's pieces, so that none is in memory whole
RETRY_S = 1.0  # seconds between two attempts to reconnect to the database
CONNECT_S = 5  # seconds to wait for a new connection
FREE_S = 3.0  # seconds to wait for a free connection of the pool
STATEMENT_S = 15  # maximum seconds of one statement, including its wait for locks
TOGETHER_S = 0.01  # seconds for which notifications are gathered
SILENCE_S = 10  # seconds of silence after which a connection counts as broken
_LISTEN_S = 0.5
_IN_TRANSACTION = {"isolation_level": "READ COMMITTED"}
_CHANNEL = "uno_csp_jobs"
_OPTIONS: dict[str, Any] = {
    "connect_timeout": CONNECT_S,
    "keepalives_idle": SILENCE_S // 2,
    "keepalives_interval": 1,
    "keepalives_count": SILENCE_S // 2,
    "tcp_user_timeout": 1000 * SILENCE_S,
}
_NOT_DURABLE = sa.select(
    sa.func.set_config("synchronous_commit", "off", True).label("off")
).subquery()
"""Joined to a statement whose loss in a crash, with later ones, would only repeat work."""

_SAID = sa.func.unnest(sa.bindparam("news", type_=ARRAY(sa.Text()))).column_valued("said")
_NOTIFY = sa.select(sa.func.pg_notify(_CHANNEL, _SAID)).where(
    _NOT_DURABLE.c.off == sa.literal("off")
)

_log = logging.getLogger(__name__)


class PostgresStore(Store):
    """One server's access to the shared jobs, at a ``postgresql://user@host:port/database``.

    Leases are renewed each third of ``lease_s``. Raises BackendUnavailable when the database cannot
    be used, and NotAccepted when the address is malformed or a newer release wrote the tables.
    """

    insert = staticmethod(insert)

    def __init__(self, url: str, *, lease_s: float = LEASE_S) -> None:
        _require_driver(url)
        self._url = url
        super().__init__("postgresql+psycopg://", lease_s, FREE_S)
        self._lock = threading.Lock()
        self._closing, self._lost = threading.Event(), threading.Event()
        self._reason = ""
        sa.event.listen(self._engine, "checkout", _check)
        try:
            with self._engine.execution_options(**_IN_TRANSACTION).begin() as connection:
                migrate(connection)
        except errors.DBAPIError as error:
            how = "used" if error.statement else "reached"
            said = f"the job store cannot be {how}: {_one_line(error)}"
            raise BackendUnavailable(said) from None
        finally:
            self._engine.dispose()  # also of a store that is not to be used
        self._listener: threading.Thread | None = None
        self._heart = threading.Thread(target=self._beat, name="leases", daemon=True)
        self._heart.start()
        self._news: SimpleQueue[str | None] = SimpleQueue()
        self._herald = threading.Thread(target=self._send_news, name="news", daemon=True)
        self._herald.start()

    def subscribe(self, queued: Callable[[], None], ended: Callable[[str], None]) -> None:
        """See :meth:`~uno_csp.service.stores.store.Store.subscribe`."""

        def heard(payload: str) -> None:
            owner, _, what = payload.partition(" ")
            if owner == self._owner:
                return
            if what.startswith(QUEUED):
                queued()
            else:
                ended(what)

        self._listener = threading.Thread(
            target=self._listen, args=(heard,), name="database", daemon=True
        )
        self._listener.start()

    def close(self) -> None:
        """Queue the running jobs again, and close the database."""
        self._closing.set()
        self._heart.join()
        with suppress(StoreUnavailable):  # else the leases expire
            self._release_all()
        self._news.put(None)
        self._herald.join()
        if self._listener is not None:
            self._listener.join(2 * _LISTEN_S)
        self._engine.dispose()

    def _beat(self) -> None:
        """Renew the leases of running jobs until the store is closed."""
        while not self._closing.wait(self._lease_s / 3):
            try:
                self._renew()
            except StoreUnavailable as error:
                _log.warning("leases were not renewed: %s", error)

    def put_certificate(self, name: str, path: Path) -> None:
        """Move a certificate into the database, piece by piece."""
        with self._transaction() as connection, path.open("rb") as stream:
            connection.execute(sa.delete(certificates).where(certificates.c.job == name))
            for number, piece in enumerate(iter(lambda: stream.read(CHUNK), b"")):
                connection.execute(
                    certificates.insert().values(job=name, piece=number, content=piece)
                )
        path.unlink()

    def fetch_certificate(self, name: str, path: Path) -> bool:
        """Write the certificate of a job to this path; return False if it has none."""
        of_job = sa.select(certificates.c.content).where(certificates.c.job == name)
        number = 0
        with path.open("wb") as stream:
            while rows := self._read(of_job.where(certificates.c.piece == number)):
                stream.write(rows[0]["content"])
                number += 1
        return number > 0

    def ping(self) -> None:
        """See :meth:`~uno_csp.service.stores.store.Store.ping`."""
        with self._transaction() as connection:
            # A database that only reads refuses it; a sequence would not be taken back.
            connection.execute(sa.update(versions).values(version=versions.c.version))
            connection.rollback()

    def _announce(self, what: str) -> None:
        self._news.put(f"{self._owner} {what}")

    def _send_news(self) -> None:
        """Notify other servers of what has come together, until None comes.

        The database commits transactions that notify one at a time, so those that wait for the disk
        do not.
        """
        goes_on = True
        while goes_on:
            news = [self._news.get()]
            self._closing.wait(TOGETHER_S)
            while not self._news.empty():  # no other thread takes any
                news.append(self._news.get())
            goes_on = None not in news
            if said := [each for each in news if each]:
                self._notify(said)

    def _notify(self, said: Sequence[str]) -> None:
        try:
            self._read(_NOTIFY, news=said)
        except Exception as error:  # the other servers look for themselves each second
            _log.warning("other servers were not notified: %s", error)

    def _loose(self, statement: Any) -> Any:
        return statement.where(_NOT_DURABLE.c.off == sa.literal("off"))

    def _connect(self) -> "psycopg.Connection[Any]":
        import psycopg

        found = psycopg.connect(self._url, **_OPTIONS)
        found.execute(f"SET statement_timeout = {1000 * STATEMENT_S}".encode())
        found.commit()
        return found

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        """Lend a connection in a transaction."""
        with self._reading() as found, found.execution_options(**_IN_TRANSACTION).begin():
            yield found

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        """Lend a connection; fail at once while the database is away."""
        if self._lost.is_set():
            raise StoreUnavailable(self._reason)
        with super()._reading() as connection:
            yield connection

    def _failure(self, error: errors.SQLAlchemyError) -> StoreUnavailable:
        if isinstance(error, errors.TimeoutError):
            return StoreUnavailable(f"no connection was free in {FREE_S:g} s")
        if getattr(error, "connection_invalidated", False) or not getattr(error, "statement", ""):
            self._lose(error)
        full = getattr(getattr(error, "orig", None), "sqlstate", None) == "53100"
        return (StoreFull if full else StoreUnavailable)(_one_line(error))

    def _lose(self, error: Exception) -> None:
        """Have every use fail at once, until the listener thread has reconnected."""
        with self._lock:
            if self._listener is None or self._lost.is_set():
                return
            self._reason = _one_line(error)
            self._lost.set()
        _log.warning("the job store is unreachable: %s", self._reason)

    def _listen(self, heard: Callable[[str], None]) -> None:
        import psycopg

        while not self._closing.is_set():
            listening = False
            try:
                with psycopg.connect(self._url, autocommit=True, **_OPTIONS) as connection:
                    connection.execute(f"LISTEN {_CHANNEL}".encode())
                    self._restore()
                    listening = True
                    while not self._closing.is_set() and not self._lost.is_set():
                        for each in connection.notifies(timeout=_LISTEN_S):
                            _hear(each.payload, heard)
            except psycopg.Error as error:
                if listening:
                    self._lose(error)
                else:
                    self._closing.wait(RETRY_S)

    def _restore(self) -> None:
        """Drop the broken connections, and let the store be used again."""
        with self._lock:
            if self._lost.is_set():
                self._engine.dispose()
                self._lost.clear()
                _log.warning("the job store is reachable again")


def _require_driver(url: str) -> None:
    """Raise BackendUnavailable without the driver, and NotAccepted for a malformed address."""
    if find_spec("psycopg") is None:
        raise BackendUnavailable(
            "--store needs psycopg, which is not installed; pip install 'uno-csp[postgres]'"
        )
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        found = {key: str(value) for key, value in conninfo_to_dict(url).items()}
        well = found.get("port", "").replace(",", "").isdigit() or not found.get("port")
        if not well or "@" in found.get("host", "") + found.get("dbname", ""):
            raise psycopg.ProgrammingError  # a part of the password is taken for another part
    except psycopg.Error:  # its message may show the password
        raise NotAccepted(
            "--store: the URL is malformed; expected postgresql://USER@HOST/NAME with the special "
            "characters of a password percent-encoded"
        ) from None


def _check(connection: "psycopg.Connection[Any]", _record: Any, _proxy: Any) -> None:
    """Have the pool reconnect if data has come on an idle connection: it was closed."""
    waiting = polling.poll()
    waiting.register(connection.fileno(), polling.POLLIN)
    if waiting.poll(0):
        raise errors.DisconnectionError


def _hear(payload: str, heard: Callable[[str], None]) -> None:
    try:
        heard(payload)
    except Exception:
        _log.exception("a notification could not be handled")


def _one_line(error: Exception) -> str:
    return " ".join(str(getattr(error, "orig", None) or error).split())
