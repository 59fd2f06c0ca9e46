"""The statements of the job stores, which SQLite and PostgreSQL share.

A claim skips rows that others have locked, where the database has such locks.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles

from uno_csp.service.job import FINISHED, State
from uno_csp.service.stores.tables import Json, answers, jobs

_NO_REQUEST = sa.literal({"instance": {}, "options": {}}, Json())


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


NOW = _Now()
GLANCE = (
    *(jobs.c[name] for name in ("number", "id", "state", "canonical", "created", "started")),
    *(jobs.c[name] for name in ("finished", "attempts", "cached", "progress", "cancel_requested")),
    _NO_REQUEST.label("request"),
    sa.case((jobs.c.state == State.FAILED, jobs.c.result)).label("result"),
)
"""The columns of a job without its question and its answer, which may be large."""

BY_ID = jobs.c.id == sa.bindparam("name")
ENDED = jobs.c.state.in_(FINISHED)
LATER = sa.case((jobs.c.created > NOW, jobs.c.created), else_=NOW)  # clocks may be set back
WHOLE = sa.select(jobs).where(BY_ID)
SHORT = sa.select(*GLANCE).where(BY_ID)
OF_KEY = sa.select(jobs).where(jobs.c.idempotency == sa.bindparam("key"))
_CLAIMABLE = sa.or_(
    jobs.c.state == State.QUEUED,
    sa.and_(jobs.c.state == State.RUNNING, jobs.c.leased_until < NOW),
)
CLAIM = (
    sa.update(jobs)
    .values(
        state=State.RUNNING,
        started=LATER,
        attempts=jobs.c.attempts + 1,
        owner=sa.bindparam("owner"),
        progress=None,
        leased_until=NOW + sa.bindparam("lease_s"),
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
    .returning(jobs)
)
FINISH = (
    sa.update(jobs)
    .values(
        state=sa.bindparam("new_state"),
        finished=LATER,
        result=sa.bindparam("new_result"),
        cached=sa.bindparam("new_cached"),
        progress=None,
    )
    .where(BY_ID, sa.not_(ENDED))
    .returning(jobs.c.id)
)
OWN = sa.and_(jobs.c.owner == sa.bindparam("me"), jobs.c.state == State.RUNNING)
PROGRESS = sa.update(jobs).values(progress=sa.bindparam("shown")).where(BY_ID, OWN)
RELEASE = sa.update(jobs).values(
    state=State.QUEUED, started=None, owner=None, attempts=jobs.c.attempts - 1
)
RENEW = sa.update(jobs).values(leased_until=NOW + sa.bindparam("lease_s")).where(OWN)
CANCEL = (
    sa.update(jobs)
    .values(cancel_requested=True)
    .where(BY_ID, jobs.c.state == State.RUNNING, jobs.c.owner != sa.bindparam("me"))
    .where(jobs.c.leased_until >= NOW)
    .returning(jobs.c.id)
)
COUNTS = sa.select(jobs.c.state, sa.func.count().label("jobs")).group_by(jobs.c.state)
RECALL = sa.select(answers.c.answer).where(answers.c.canonical == sa.bindparam("hash"))
ADDED = ("id", "state", "request", "canonical", "idempotency", "sent", "result", "cached")
