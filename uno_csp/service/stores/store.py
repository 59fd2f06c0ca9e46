"""The job store: what it does with jobs, in either database.

There are two stores: :mod:`~uno_csp.service.stores.sqlite_store`, for one server, and
:mod:`~uno_csp.service.stores.postgres_store`, which several servers share. Both run the
same statements; a claim skips rows that others have locked, where the database has such locks.

A server claims a job and leases it. Where servers share a store, each renews the leases of the jobs
it is running; once a lease has expired, another server claims the job again. A job has one result,
because the first one committed ends it. Times are those of the database, so the clocks of the
servers need not agree.
"""

import hashlib
import json
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.compiler import compiles

from uno_csp.service.job import FINISHED, Job, State, job_entered
from uno_csp.service.journal import Journal
from uno_csp.service.problems import Problem, StoreUnavailable
from uno_csp.service.stores.tables import Json, answers, jobs

MOST_CONNECTIONS = 8  # maximum number of connections of a server, which all threads share
RETRY_S = 5  # seconds after which a client is to try again where the queue is full
LEASE_S = 15.0  # seconds after the last renewal before another server may claim a job
_FIELDS, _TIMES = [each.name for each in fields(Job)], ("created", "finished")
QUEUED = "queued "  # before the id of a new job that is announced; of an ended one, the id is
_NO_REQUEST = sa.literal({"instance": {}, "options": {}}, Json())
_KNOWN = (
    sa.select(answers.c.answer)
    .where(answers.c.canonical == jobs.c.canonical)
    .correlate(jobs)
    .scalar_subquery()
)


class _Now(sa.FunctionElement[float]):
    """The clock of the database, in seconds since the epoch."""

    type = sa.Double()
    inherit_cache = True


@compiles(_Now, "sqlite")
def _sqlite_now(_element: _Now, _compiler: Any, **_options: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(_Now, "postgresql")
def _postgres_now(_element: _Now, _compiler: Any, **_options: Any) -> str:
    return "extract(epoch FROM clock_timestamp())::double precision"


_NOW = _Now()
_GLANCE = (
    *(jobs.c[name] for name in ("number", "id", "state", "canonical", "created", "started")),
    *(jobs.c[name] for name in ("finished", "attempts", "cached", "progress", "cancel_requested")),
    _NO_REQUEST.label("request"),
    sa.case((jobs.c.state == State.FAILED, jobs.c.result)).label("result"),
)
"""The columns of a job without its question and its answer, which may be large."""

_BY_ID = jobs.c.id == sa.bindparam("name")
_ENDED = sa.or_(*(jobs.c.state == state for state in FINISHED))  # IN is put together each time
_LATER = sa.case((jobs.c.created > _NOW, jobs.c.created), else_=_NOW)  # clocks may be set back
_WHOLE = sa.select(jobs).where(_BY_ID)
_SHORT = sa.select(*_GLANCE).where(_BY_ID)
_OF_KEY = sa.select(jobs).where(jobs.c.idempotency == sa.bindparam("key"))
_CLAIMABLE = sa.or_(
    jobs.c.state == State.QUEUED,
    sa.and_(jobs.c.state == State.RUNNING, jobs.c.leased_until < _NOW),
)
_CLAIM = (
    sa.update(jobs)
    .values(
        state=State.RUNNING,
        started=_LATER,
        attempts=jobs.c.attempts + 1,
        owner=sa.bindparam("owner"),
        progress=None,
        leased_until=_NOW + sa.bindparam("lease_s"),
    )
    .where(
        jobs.c.number
        == sa.select(jobs.c.number)
        .where(_CLAIMABLE, jobs.c.id.not_in(sa.bindparam("here", expanding=True)))
        .order_by(jobs.c.number)
        .limit(1)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    .returning(jobs, _KNOWN.label("known"))
)
_FINISH = (
    sa.update(jobs)
    .values(
        state=sa.bindparam("new_state"),
        finished=_LATER,
        result=sa.bindparam("new_result"),
        cached=sa.bindparam("new_cached"),
        progress=None,
    )
    .where(_BY_ID, sa.not_(_ENDED))
    .returning(jobs.c.id)
)
_OWN = sa.and_(jobs.c.owner == sa.bindparam("me"), jobs.c.state == State.RUNNING)
_PROGRESS = sa.update(jobs).values(progress=sa.bindparam("shown")).where(_BY_ID, _OWN)
_RELEASE = sa.update(jobs).values(
    state=State.QUEUED, started=None, owner=None, attempts=jobs.c.attempts - 1
)
_RENEW = sa.update(jobs).values(leased_until=_NOW + sa.bindparam("lease_s")).where(_OWN)
_CANCEL = (
    sa.update(jobs)
    .values(cancel_requested=True)
    .where(_BY_ID, jobs.c.state == State.RUNNING, jobs.c.owner != sa.bindparam("me"))
    .where(jobs.c.leased_until >= _NOW)
    .returning(jobs.c.id)
)
_COUNTS = sa.select(jobs.c.state, sa.func.count().label("jobs")).group_by(jobs.c.state)
_RECALL = sa.select(answers.c.answer).where(answers.c.canonical == sa.bindparam("hash"))
_ADDED = ("id", "state", "request", "canonical", "idempotency", "sent", "result", "cached")


class Store(ABC):
    """A job store in a database; its methods may be called from any thread.

    Each method raises StoreUnavailable when the database cannot be used. A store that several
    servers share overrides the methods that do nothing here.
    """

    journal: Journal | None = None
    insert: ClassVar[Callable[..., Any]]  # INSERT of the dialect, with ON CONFLICT

    def __init__(
        self, dialect: str, lease_s: float, free_s: float, most: int | None = None
    ) -> None:
        """Make the pool; who wants a connection waits up to ``free_s`` for a free one."""
        self._engine = sa.create_engine(
            dialect,
            creator=self._connect,
            poolclass=sa.QueuePool,
            pool_size=most or MOST_CONNECTIONS,
            max_overflow=0,
            pool_timeout=free_s,
            isolation_level="AUTOCOMMIT",
            enable_from_linting=False,  # one statement has a join on purpose
        )
        self._owner, self._lease_s = uuid.uuid4().hex, lease_s
        self._here: set[str] = set()  # ids of jobs claimed here that have not ended
        self._claiming = self._loose(_CLAIM)
        self._progressing = self._loose(_PROGRESS)

    @cached_property
    def _remembering(self) -> Any:
        answer = sa.bindparam("new_answer", type_=answers.c.answer.type)
        given: Any = sa.select(sa.bindparam("new_canonical"), answer)
        chosen = self._loose(given.where(sa.true()))
        statement = type(self).insert(answers).from_select(["canonical", "answer"], chosen)
        changed = {"answer": statement.excluded.answer}
        return statement.on_conflict_do_update(index_elements=["canonical"], set_=changed)

    @abstractmethod
    def _connect(self) -> Any:
        """Return a new connection of the database's driver."""

    @abstractmethod
    def _failure(self, error: SQLAlchemyError) -> StoreUnavailable:
        """Return what is raised for an error of the database."""

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        """Lend a connection."""
        try:
            with self._engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise self._failure(error) from None

    def _run(self, durable: bool) -> AbstractContextManager[sa.Connection]:  # noqa: ARG002
        """Lend a connection for a write; unless ``durable``, a crash may undo it and later ones."""
        return self._reading()

    def _announce(self, what: str) -> None:  # noqa: B027 (there may be no other server, here and below)
        """Tell other servers of a job that is new or has ended, see `QUEUED`."""

    def _loose(self, statement: Any) -> Any:
        """Return a statement that need not survive a crash."""
        return statement

    def subscribe(  # noqa: B027
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
        sent: str | None = None,
        result: Mapping[str, Any] | None = None,
        most_queued: int,
    ) -> Job:
        """Accept a job, with ``name`` or a new id; a job that has its ``result`` is done at once.

        ``sent`` is what came with the idempotency key, by default the request. Raises a Problem,
        429 if ``most_queued`` jobs wait, 422 if the key belongs to another request.
        """
        text, name = sent or json.dumps(request, sort_keys=True), name or uuid.uuid4().hex
        digest = hashlib.sha256(text.encode()).hexdigest()
        known = self._of_key(idempotency, digest, request)
        if known is not None:
            return known
        done = result is not None
        row = self._insert(
            {
                "id": name,
                "state": State.DONE if done else State.QUEUED,
                "request": request,
                "canonical": canonical,
                "idempotency": idempotency or None,
                "sent": digest,
                "result": result,
                "cached": done,
            },
            most_queued,
        )
        if row is None:
            faster = self._of_key(idempotency, digest, request)  # was the key inserted meanwhile?
            if faster is None:
                raise Problem(429, "the queue is full", headers={"Retry-After": str(RETRY_S)})
            return faster
        job = job_entered(row["number"], name, request, canonical, row["created"], result)
        if self.journal is not None:
            self.journal.accepted(job)
        return job

    def _insert(self, values: Mapping[str, Any], most_queued: int) -> Mapping[str, Any] | None:
        """Insert a job; None if its key is taken or the queue full.

        Of concurrent requests each may exceed the limit of the queue by one.
        """
        given = {f"new_{key}": it for key, it in values.items()}
        rows = self._write(self._adding, **given, most_queued=most_queued)
        if rows and values["state"] is State.QUEUED:
            self._announce(QUEUED + values["id"])
        return rows[0] if rows else None

    @cached_property
    def _adding(self) -> Any:
        given = [sa.bindparam(f"new_{key}", type_=jobs.c[key].type) for key in _ADDED]
        most = sa.bindparam("most_queued", type_=sa.Integer())
        done = sa.bindparam("new_state", type_=sa.Text()) == State.DONE
        waiting = sa.select(jobs.c.id).where(jobs.c.state == State.QUEUED).limit(most).subquery()
        room = sa.select(sa.func.count()).select_from(waiting).scalar_subquery() < most
        finished = sa.case((done, _NOW))
        chosen = sa.select(*given, _NOW, finished).where(done | room)
        added = type(self).insert(jobs).from_select([*_ADDED, *_TIMES], chosen)
        known = added.on_conflict_do_nothing(index_elements=["idempotency"])
        return known.returning(jobs.c.number, jobs.c.created)

    def _of_key(self, key: str | None, digest: str, request: Mapping[str, Any]) -> Job | None:
        """Return the job with this idempotency key; None if there is none."""
        rows = self._read(_OF_KEY, key=key) if key else []
        if not rows:
            return None
        found = _job_of(rows[0])
        if rows[0]["sent"] is None:  # accepted by a release that kept the request alone
            same = _asks_the_same(found.request, request)
        else:
            same = rows[0]["sent"] == digest
        if not same:
            said = "the idempotency key was used for another request"
            raise Problem(422, said, place="Idempotency-Key")
        return found

    def claim(self) -> Job | None:
        """Claim the oldest job that is queued or whose lease has expired; None if there is none.

        It has the cached answer to its question, which may have come since it was accepted.
        """
        mine = {"owner": self._owner, "lease_s": self._lease_s, "here": [*self._here]}
        rows = self._settle(self._claiming, durable=False, **mine)
        job = _job_of(rows[0]) if rows else None
        if job is not None:
            self._here.add(job.id)
            if self.journal is not None:
                self.journal.started(job)
        return job

    def finish(
        self, name: str, state: State, result: Mapping[str, Any] | None, *, cached: bool = False
    ) -> bool:
        """Record how a job ended; return False if it had ended. A short failure always fits."""
        # An answer may be large; a job without one always fits into the reserve.
        write = self._write if state is State.DONE else self._settle
        values: dict[str, Any] = {"new_state": state, "new_result": result, "new_cached": cached}
        rows = write(_FINISH, name=name, **values)
        if rows:
            self._announce(name)
        was_here = name in self._here
        self._here.discard(name)
        if self.journal is not None:
            if rows:
                self.journal.finished(name, state, result, cached=cached)
            elif was_here:
                self.journal.left(name)
        return bool(rows)

    def release(self, name: str) -> None:
        """Queue a job that could not be begun here again."""
        self._here.discard(name)  # before another thread may claim it
        mine = _RELEASE.where(_BY_ID, _OWN)
        self._settle(mine, name=name, me=self._owner)

    def _release_all(self) -> None:
        """Queue the jobs that this server runs again."""
        self._settle(_RELEASE.where(_OWN), me=self._owner)

    def _renew(self) -> None:
        """Renew the leases of the jobs that this server runs."""
        mine = jobs.c.id.in_([*self._here])
        self._write(_RENEW.where(mine), me=self._owner, lease_s=self._lease_s)

    def publish_progress(self, name: str, progress: Mapping[str, Any]) -> None:
        """Publish the progress of a job running here to other servers."""
        self._write(self._progressing, durable=False, name=name, me=self._owner, shown=progress)

    def request_cancel(self, name: str) -> bool:
        """Ask the other server that runs a job to end it; return False if none does."""
        return bool(self._write(_CANCEL, name=name, me=self._owner))

    def get(self, name: str) -> Job | None:
        """Return the job with this id; None if there is none."""
        return self._one(_WHOLE, name)

    def glance(self, name: str) -> Job | None:
        """Return the job with this id, without its question and answer."""
        return self._one(_SHORT, name)

    def _one(self, statement: sa.Executable, name: str) -> Job | None:
        rows = self._read(statement, name=name)
        return _job_of(rows[0]) if rows else None

    def page(self, before: int | None, count: int, state: State | None) -> Sequence[Job]:
        """Return up to ``count`` jobs numbered below ``before``, newest first, as `glance` does."""
        found = sa.select(*_GLANCE).order_by(jobs.c.number.desc()).limit(count)
        if before is not None:
            found = found.where(jobs.c.number < before)
        if state is not None:
            found = found.where(jobs.c.state == state)
        return [_job_of(row) for row in self._read(found)]

    def delete(self, name: str) -> bool:
        """Delete a finished job; return False if it is unfinished or unknown."""
        gone = sa.delete(jobs).where(_BY_ID, _ENDED).returning(jobs.c.id)
        return bool(self._settle(gone, name=name))

    def forget(self, older_s: float, state: State | None = None) -> list[str]:
        """Delete jobs that finished that many seconds ago or more, and return their ids."""
        old = sa.and_(_ENDED, jobs.c.finished < _NOW - older_s)
        wanted = old if state is None else sa.and_(old, jobs.c.state == state)
        rows = self._settle(sa.delete(jobs).where(wanted).returning(jobs.c.id))
        return [row["id"] for row in rows]

    def counts(self) -> dict[str, int]:
        """Return the number of jobs in each state."""
        rows = self._read(_COUNTS)
        return {str(state): 0 for state in State} | {row["state"]: row["jobs"] for row in rows}

    def remember(self, canonical: str, answer: Mapping[str, Any]) -> None:
        """Cache an answer, given in canonical names, under the hash of its question."""
        self._write(self._remembering, durable=False, new_canonical=canonical, new_answer=answer)

    def recall(self, canonical: str) -> dict[str, Any] | None:
        """Return the cached answer, in canonical names; None if there is none."""
        rows = self._read(_RECALL, hash=canonical)
        return rows[0]["answer"] if rows else None

    def put_certificate(self, name: str, path: Path) -> None:  # noqa: B027
        """Move the certificate at this path into the store, if servers share the store."""

    def fetch_certificate(self, name: str, path: Path) -> bool:  # noqa: ARG002
        """Write the certificate of a job to this path; return False if the store has none."""
        return False

    @abstractmethod
    def ping(self) -> None:
        """Write to the database; raise StoreFull when there is no disk space for a new job."""

    def _read(self, statement: sa.Executable, **values: Any) -> list[dict[str, Any]]:
        with self._reading() as connection:
            return _rows(connection.execute(statement, values))

    def _write(
        self, statement: sa.Executable, *, durable: bool = True, **values: Any
    ) -> list[dict[str, Any]]:
        """Run a statement as a transaction, and return its rows."""
        with self._run(durable) as connection:
            found = connection.execute(statement, values)
            return _rows(found) if found.returns_rows else []

    def _settle(
        self, statement: sa.Executable, *, durable: bool = True, **values: Any
    ) -> list[dict[str, Any]]:
        """Run a statement as `_write` does, also where a full disk leaves only a reserve."""
        return self._write(statement, durable=durable, **values)


def _job_of(row: Mapping[str, Any]) -> Job:
    found = {name: row[name] for name in _FIELDS if name in row}
    return Job(**{**found, "state": State(row["state"])})


def _rows(found: "sa.CursorResult[Any]") -> list[dict[str, Any]]:
    names = [*found.keys()]
    return [dict(zip(names, row, strict=True)) for row in found]


def _asks_the_same(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Compare the questions, and the options that both have; old limits may be a server's own."""
    ours, theirs = (each.get("options") or {} for each in (old, new))
    common = ours.keys() & theirs.keys() - {"time_limit_s"}
    rest = [{k: v for k, v in each.items() if k not in ("options", "proof")} for each in (old, new)]
    return rest[0] == rest[1] and all(ours[key] == theirs[key] for key in common)
