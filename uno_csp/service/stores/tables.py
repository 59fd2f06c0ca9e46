"""The tables of the job store, in SQLite and PostgreSQL, and how older ones are brought up to date.

Alembic is not used: releases that wrote their version into ``user_version`` or ``schema_version``
look there before they open a store, and there is one conversion of rows since the first release.
"""

import json
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import BIGINT
from sqlalchemy.schema import CreateColumn

from uno_csp.errors import NotAccepted


class Json(sa.TypeDecorator[Any]):
    """JSON as text, with sorted keys, so that equal requests are equal texts."""

    impl, cache_ok = sa.Text, True

    def process_bind_param(self, value: Any, _dialect: sa.Dialect) -> str | None:
        """Return the text of a value; None stands for no value."""
        return None if value is None else json.dumps(value, sort_keys=True)

    def process_result_value(self, value: str | None, _dialect: sa.Dialect) -> Any:
        """Return the value of a text."""
        return None if value is None else json.loads(value)


VERSION = 2  # version of the tables
_LOCK = 7_216_004  # advisory lock held while the tables are changed: two servers may start at once
_LARGE = sa.Integer().with_variant(BIGINT(), "postgresql")

metadata = sa.MetaData()
jobs = sa.Table(
    "jobs",
    metadata,
    sa.Column("number", _LARGE, sa.Identity(always=True), primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("request", Json, nullable=False),
    sa.Column("canonical", sa.Text),
    sa.Column("idempotency", sa.Text, unique=True),
    sa.Column("sent", sa.Text),  # hash of the request, by which a reused key is recognised
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("started", sa.Double),
    sa.Column("finished", sa.Double),
    sa.Column("attempts", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("result", Json),
    sa.Column("cached", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("owner", sa.Text),  # the server that runs it
    sa.Column("leased_until", sa.Double),
    sa.Column("progress", Json),
    sa.Column("cancel_requested", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("jobs_by_state", "state", "number"),
    sqlite_autoincrement=True,
)
answers = sa.Table(
    "answers",
    metadata,
    sa.Column("canonical", sa.Text, primary_key=True),
    sa.Column("answer", Json, nullable=False),
)
certificates = sa.Table(
    "certificates",
    metadata,
    sa.Column("job", sa.Text, sa.ForeignKey(jobs.c.id, ondelete="CASCADE"), primary_key=True),
    sa.Column("piece", sa.Integer, primary_key=True),
    sa.Column("content", sa.LargeBinary, nullable=False),
)
versions = sa.Table(
    "schema_version",
    metadata,
    sa.Column("single", sa.Boolean, primary_key=True, server_default=sa.text("TRUE")),
    sa.Column("version", sa.Integer, nullable=False),
)


def migrate(connection: sa.Connection) -> None:
    """Bring the tables up to date, in the transaction of the connection.

    Raises NotAccepted if a newer release wrote them.
    """
    own = connection.dialect.name == "postgresql"
    if own:
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    version = version_of(connection)
    require_known(version)
    if version == VERSION:
        return
    metadata.create_all(connection, [jobs, answers, *([certificates, versions] if own else [])])
    present = {column["name"] for column in sa.inspect(connection).get_columns(jobs.name)}
    for column in jobs.columns:
        if column.name not in present:
            added = CreateColumn(column).compile(dialect=connection.dialect)
            connection.execute(sa.text(f"ALTER TABLE {jobs.name} ADD COLUMN {added}"))
    for index in jobs.indexes:
        index.create(connection, checkfirst=True)
    _rename_encoding(connection)
    if own:
        connection.execute(versions.delete())
        connection.execute(versions.insert().values(single=True, version=VERSION))
    else:
        connection.execute(sa.text(f"PRAGMA user_version = {VERSION}"))


def require_known(version: int) -> None:
    """Raise NotAccepted if tables have a newer version than this release knows."""
    if version > VERSION:
        raise NotAccepted(
            f"a newer release wrote this job store: its tables have version {version}, and this "
            f"release reads up to {VERSION}"
        )


def version_of(connection: sa.Connection) -> int:
    """Return the version of the tables; 0 if there are none or they are not numbered."""
    if connection.dialect.name == "sqlite":
        return int(connection.execute(sa.text("PRAGMA user_version")).scalar_one())
    if not sa.inspect(connection).has_table(versions.name):
        return 0
    return connection.execute(sa.select(versions.c.version)).scalar() or 0


def _rename_encoding(connection: sa.Connection) -> None:
    """Rename the key that the first releases had for the method, in requests and answers."""
    old = '%"encoding"%'

    def named(column: sa.Column[Any]) -> Any:
        return sa.type_coerce(column, sa.Text).like(old)

    found = sa.select(jobs.c.number, jobs.c.request, jobs.c.result)
    for row in connection.execute(found.where(named(jobs.c.request) | named(jobs.c.result))).all():
        request = {**row.request, "options": _renamed(row.request.get("options"))}
        result = None if row.result is None else _renamed(row.result)
        values = {"request": request, "result": result}
        connection.execute(sa.update(jobs).where(jobs.c.number == row.number).values(values))
    for row in connection.execute(sa.select(answers).where(named(answers.c.answer))).all():
        known = answers.c.canonical == row.canonical
        connection.execute(sa.update(answers).where(known).values(answer=_renamed(row.answer)))


def _renamed(given: dict[str, Any] | None) -> dict[str, Any]:
    """Return options or an answer with ``method`` for ``encoding``."""
    found = dict(given or {})
    named = found.pop("encoding", None)
    return {**found, "method": found.get("method") or named}
