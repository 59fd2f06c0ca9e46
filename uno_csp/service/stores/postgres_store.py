"""Job store that several servers share, in a PostgreSQL database.

A server claims a job with a row lock that others skip, and leases it. It renews the leases of the
jobs it is running; once a lease has expired, another server claims the job again. A job has one
result, because the first one committed ends it. Times are those of the database, so the clocks of
the servers need not agree.

New jobs and ends of jobs are announced by notifications of the database.
"""

# ruff: noqa: S608 (only constants of this file are interpolated into statements)

import json
import logging
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from uno_csp.service.stores.postgres_database import Database
from uno_csp.service.stores.store import Job, State, Store, StoreUnavailable, job_of

LEASE_S = 15.0  # seconds after the last renewal before another server may claim a job
CHUNK = 1 << 20  # bytes of a certificate's pieces, so that none is in memory whole
_CHANNEL = "uno_csp_jobs"
_QUEUED = "queued"  # announces a new job, after the owner; an ended job is announced by its id
_NOT_DURABLE = "(SELECT set_config('synchronous_commit', 'off', TRUE)) AS not_durable"
"""Joined to a statement whose loss in a crash, with later ones, would only repeat work."""

Parameters = Sequence[object] | Mapping[str, object]
"""Parameters of a statement, by position or by name."""

_NOW = "extract(epoch FROM clock_timestamp())::double precision"
_ADD = f"""
WITH added AS (
    INSERT INTO jobs
        (id, state, request, canonical, idempotency, created, finished, result, cached)
    SELECT %(id)s, %(state)s, %(request)s, %(canonical)s, %(idempotency)s, {_NOW},
        CASE WHEN %(done)s THEN {_NOW} END, %(result)s, %(done)s
    WHERE %(done)s OR %(most_queued)s > (
        SELECT COUNT(*) FROM (
            SELECT FROM jobs WHERE state = '{State.QUEUED}' LIMIT %(most_queued)s
        ) AS waiting
    )
    ON CONFLICT (idempotency) DO NOTHING
    RETURNING number, created
)
SELECT *, CASE WHEN NOT %(done)s THEN pg_notify('{_CHANNEL}', %(announcement)s) END FROM added
"""
_log = logging.getLogger(__name__)


class PostgresStore(Store):
    """One server's access to the shared jobs, at a ``postgresql://user@host:port/database``.

    Leases are renewed each third of ``lease_s``. Raises BackendUnavailable when the database cannot
    be used, and NotAccepted when a newer release wrote it.
    """

    more_columns = ", progress, cancel_requested"

    def __init__(self, url: str, *, lease_s: float = LEASE_S) -> None:
        self._owner, self._lease_s = uuid.uuid4().hex, lease_s
        self._database = Database(url)
        self._here: set[str] = set()  # ids of jobs claimed here that have not ended
        self._closing = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="leases", daemon=True)
        self._heart.start()

    def subscribe(self, queued: Callable[[], None], ended: Callable[[str], None]) -> None:
        """See :meth:`~uno_csp.service.stores.store.Store.subscribe`."""

        def heard(payload: str) -> None:
            owner, _, what = payload.partition(" ")
            if owner == self._owner:
                return
            if what == _QUEUED:
                queued()
            else:
                ended(what)

        self._database.listen(_CHANNEL, heard)

    def close(self) -> None:
        """Queue the running jobs again, and close the database."""
        self._closing.set()
        self._heart.join()
        with suppress(StoreUnavailable):  # else the leases expire
            self._do(
                "UPDATE jobs SET state = %s, started = NULL, owner = NULL"
                " WHERE owner = %s AND state = %s",
                (State.QUEUED, self._owner, State.RUNNING),
            )
        self._database.close()

    def _beat(self) -> None:
        """Renew the leases of running jobs until the store is closed."""
        while not self._closing.wait(self._lease_s / 3):
            try:
                self._do(
                    f"UPDATE jobs SET leased_until = {_NOW} + %s"
                    " WHERE owner = %s AND state = %s AND id = ANY(%s)",
                    (self._lease_s, self._owner, State.RUNNING, [*self._here]),
                )
            except StoreUnavailable as error:
                _log.warning("leases were not renewed: %s", error)

    def _insert(self, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Insert a job; of concurrent requests each may exceed the limit of the queue by one."""
        rows = self._do(_ADD, {**values, "announcement": f"{self._owner} {_QUEUED}"})
        return rows[0] if rows else None

    def claim(self) -> Job | None:
        """Claim the oldest job that is queued or whose lease has expired; None if there is none."""
        rows = self._do(
            f"UPDATE jobs SET state = %s, started = {_NOW}, attempts = attempts + 1, owner = %s,"
            f" progress = NULL, leased_until = {_NOW} + %s FROM {_NOT_DURABLE}"
            " WHERE number = (SELECT number FROM jobs WHERE"
            f" (state = %s OR (state = %s AND leased_until < {_NOW})) AND id <> ALL(%s)"
            " ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING jobs.*",
            (State.RUNNING, self._owner, self._lease_s, State.QUEUED, State.RUNNING, [*self._here]),
        )
        job = job_of(rows[0]) if rows else None
        if job is not None:
            self._here.add(job.id)
            if self.observer is not None:
                self.observer.started(job)
        return job

    def finish(
        self, name: str, state: State, result: Mapping[str, Any] | None, *, cached: bool = False
    ) -> bool:
        """Record how a job ended; return False if it had already ended."""
        rows = self._do(
            f"WITH ended AS (UPDATE jobs SET state = %s, finished = {_NOW}, result = %s,"
            " cached = %s, progress = NULL"
            " WHERE id = %s AND state IN (%s, %s) RETURNING id)"
            " SELECT pg_notify(%s, %s) FROM ended",
            (
                state,
                None if result is None else json.dumps(result),
                cached,
                name,
                State.QUEUED,
                State.RUNNING,
                _CHANNEL,
                f"{self._owner} {name}",
            ),
        )
        was_here = name in self._here
        self._here.discard(name)
        if self.observer is not None:
            if rows:
                self.observer.finished(name, state, result, cached=cached)
            elif was_here:
                self.observer.left(name)
        return bool(rows)

    def publish_progress(self, name: str, progress: Mapping[str, Any]) -> None:
        """Publish the progress of a job running here to other servers."""
        self._do(
            f"UPDATE jobs SET progress = %s FROM {_NOT_DURABLE}"
            " WHERE id = %s AND owner = %s AND state = %s",
            (json.dumps(progress), name, self._owner, State.RUNNING),
        )

    def request_cancel(self, name: str) -> bool:
        """Ask the other server that runs a job to end it; return False if none does."""
        return bool(
            self._do(
                "UPDATE jobs SET cancel_requested = TRUE WHERE id = %s AND state = %s"
                f" AND owner <> %s AND leased_until >= {_NOW} RETURNING id",
                (name, State.RUNNING, self._owner),
            )
        )

    def delete(self, name: str) -> bool:
        """Delete a finished job and its certificate; False if it is unfinished or unknown."""
        unfinished = (State.QUEUED, State.RUNNING)
        return bool(
            self._do(
                "DELETE FROM jobs WHERE id = %s AND state NOT IN (%s, %s) RETURNING id",
                (name, *unfinished),
            )
        )

    def remember(self, canonical: str, answer: Mapping[str, Any]) -> None:
        """Cache an answer, given in canonical names, under the hash of its question."""
        self._do(
            f"INSERT INTO answers SELECT %s, %s FROM {_NOT_DURABLE}"
            " ON CONFLICT (canonical) DO UPDATE SET answer = excluded.answer",
            (canonical, json.dumps(answer)),
        )

    def put_certificate(self, name: str, path: Path) -> None:
        """Move a certificate into the database, piece by piece."""
        with (
            self._database.connection() as connection,
            connection.transaction(),
            path.open("rb") as stream,
        ):
            connection.execute("DELETE FROM certificates WHERE job = %s", (name,))
            for number, piece in enumerate(iter(lambda: stream.read(CHUNK), b"")):
                connection.execute(
                    "INSERT INTO certificates VALUES (%s, %s, %s)", (name, number, piece)
                )
        path.unlink()

    def fetch_certificate(self, name: str, path: Path) -> bool:
        """Write the certificate of a job to this path; return False if it has none."""
        query = "SELECT content FROM certificates WHERE job = %s ORDER BY piece"
        with (
            path.open("wb") as stream,
            self._database.connection() as connection,
            connection.transaction(),
            connection.cursor(name="pieces") as cursor,
        ):
            cursor.itersize = 1
            for row in cursor.execute(query, (name,)):
                stream.write(row["content"])
            return stream.tell() > 0

    def ping(self) -> None:
        """See :meth:`~uno_csp.service.stores.store.Store.ping`."""
        self._do("SELECT txid_current()")

    def _read(self, query: str, *values: object) -> list[dict[str, Any]]:
        return self._do(query.replace("?", "%s"), values)

    def _do(self, query: str, values: Parameters = ()) -> list[dict[str, Any]]:
        with self._database.connection() as connection:
            cursor = connection.execute(query.encode(), values)
            return cursor.fetchall() if cursor.description is not None else []
