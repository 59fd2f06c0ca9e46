"""The statements of the job stores, which SQLite and PostgreSQL share.

A claim skips rows that others have locked, where the database has such locks.
"""

from typing import Any

from sqlalchemy import (
    Double,
    and_,
    bindparam,
    case,
    func,
    literal,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from uno_csp.service.job import FINISHED, State
from uno_csp.service.stores.tables import Json, answers, jobs

_NO_REQUEST = literal({"instance": {}, "options": {}}, Json())


class _Now(FunctionElement[float]):
    """The clock of the database, in seconds since the epoch."""

    type = Double()
    inherit_cache = True


@compiles(_Now, "sqlite")
def _sqlite_now(_element: _Now, _compiler: Any, **_options: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(_Now, "postgresql")
def _postgres_now(_element: _Now, _compiler: Any, **_options: Any) -> str:
    return "extract(epoch FROM clock_timestamp())::double precision"


NOW = _Now()
GLANCE = (
    *(jobs.c[name] for name in ("number", "id", "state", "canonical", "created", "started")),
    *(jobs.c[name] for name in ("finished", "attempts", "cached", "progress", "cancel_requested")),
    _NO_REQUEST.label("request"),
    case((jobs.c.state == State.FAILED, jobs.c.result)).label("result"),
)
"""The columns of a job without its question and its answer, which may be large."""

BY_ID = jobs.c.id == bindparam("name")
ENDED = jobs.c.state.in_(FINISHED)
LATER = case((jobs.c.created > NOW, jobs.c.created), else_=NOW)  # clocks may be set back
WHOLE = select(jobs).where(BY_ID)
SHORT = select(*GLANCE).where(BY_ID)
OF_KEY = select(jobs).where(jobs.c.idempotency == bindparam("key"))
_CLAIMABLE = or_(
    jobs.c.state == State.QUEUED,
    and_(jobs.c.state == State.RUNNING, jobs.c.leased_until < NOW),
)
CLAIM = (
    update(jobs)
    .values(
        state=State.RUNNING,
        started=LATER,
        attempts=jobs.c.attempts + 1,
        owner=bindparam("owner"),
        progress=None,
        leased_until=NOW + bindparam("lease_s"),
    )
    .where(
        jobs.c.number
        == select(jobs.c.number)
        .where(_CLAIMABLE, jobs.c.id.not_in(bindparam("here", expanding=True)))
        .order_by(jobs.c.number)
        .limit(1)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    .returning(jobs)
)
FINISH = (
    update(jobs)
    .values(
        state=bindparam("new_state"),
        finished=LATER,
        result=bindparam("new_result"),
        cached=bindparam("new_cached"),
        progress=None,
    )
    .where(BY_ID, not_(ENDED))
    .returning(jobs.c.id)
)
OWN = and_(jobs.c.owner == bindparam("me"), jobs.c.state == State.RUNNING)
PROGRESS = update(jobs).values(progress=bindparam("shown")).where(BY_ID, OWN)
RELEASE = update(jobs).values(
    state=State.QUEUED, started=None, owner=None, attempts=jobs.c.attempts - 1
)
RENEW = update(jobs).values(leased_until=NOW + bindparam("lease_s")).where(OWN)
CANCEL = (
    update(jobs)
    .values(cancel_requested=True)
    .where(BY_ID, jobs.c.state == State.RUNNING, jobs.c.owner != bindparam("me"))
    .where(jobs.c.leased_until >= NOW)
    .returning(jobs.c.id)
)
COUNTS = select(jobs.c.state, func.count().label("jobs")).group_by(jobs.c.state)
RECALL = select(answers.c.answer).where(answers.c.canonical == bindparam("hash"))
ADDED = ("id", "state", "request", "canonical", "idempotency", "sent", "result", "cached")
