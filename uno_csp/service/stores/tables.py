"""The tables of the job store, in SQLite and PostgreSQL, and how older ones are brought up to date.

Alembic is not used: releases that wrote their version into ``user_version`` or ``schema_version``
look there before they open a store, and there is one conversion of rows since the first release.
"""

import json
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Dialect,
    Double,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    false,
    inspect,
    select,
    text,
    type_coerce,
    update,
)
from sqlalchemy.dialects.postgresql import BIGINT
from sqlalchemy.schema import CreateColumn

from uno_csp.errors import NotAccepted


class Json(TypeDecorator[Any]):
    """JSON as text, with sorted keys, so that equal requests are equal texts."""

    impl, cache_ok = Text, True

    def process_bind_param(self, value: Any, _dialect: Dialect) -> str | None:
        """Return the text of a value; None stands for no value."""
        return None if value is None else json.dumps(value, sort_keys=True)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> Any:
        """Return the value of a text."""
        return None if value is None else json.loads(value)


VERSION = 2  # version of the tables
_LOCK = 7_216_004  # advisory lock held while the tables are changed: two servers may start at once
_LARGE = Integer().with_variant(BIGINT(), "postgresql")

metadata = MetaData()
jobs = Table(
    "jobs",
    metadata,
    Column("number", _LARGE, Identity(always=True), primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("state", Text, nullable=False),
    Column("request", Json, nullable=False),
    Column("canonical", Text),
    Column("idempotency", Text, unique=True),
    Column("sent", Text),  # what was sent with the idempotency key, which comes with nothing else
    Column("created", Double, nullable=False),
    Column("started", Double),
    Column("finished", Double),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("result", Json),
    Column("cached", Boolean, nullable=False, server_default=false()),
    Column("owner", Text),  # the server that runs it
    Column("leased_until", Double),
    Column("progress", Json),
    Column("cancel_requested", Boolean, nullable=False, server_default=false()),
    Index("jobs_by_state", "state", "number"),
    sqlite_autoincrement=True,
)
answers = Table(
    "answers",
    metadata,
    Column("canonical", Text, primary_key=True),
    Column("answer", Json, nullable=False),
)
certificates = Table(
    "certificates",
    metadata,
    Column("job", Text, ForeignKey(jobs.c.id, ondelete="CASCADE"), primary_key=True),
    Column("piece", Integer, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
versions = Table(
    "schema_version",
    metadata,
    Column("single", Boolean, primary_key=True, server_default=text("TRUE")),
    Column("version", Integer, nullable=False),
)


def migrate(connection: Connection) -> None:
    """Bring the tables up to date, in the transaction of the connection.

    Raises
    ------
    NotAccepted
        If a newer release wrote them.
    """
    own = connection.dialect.name == "postgresql"
    if own:
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    version = version_of(connection)
    require_known(version)
    if version == VERSION:
        return
    metadata.create_all(connection, [jobs, answers, *([certificates, versions] if own else [])])
    present = {column["name"] for column in inspect(connection).get_columns(jobs.name)}
    for column in jobs.columns:
        if column.name not in present:
            added = CreateColumn(column).compile(dialect=connection.dialect)
            connection.execute(text(f"ALTER TABLE {jobs.name} ADD COLUMN {added}"))
    for index in jobs.indexes:
        index.create(connection, checkfirst=True)
    _rename_encoding(connection)
    if own:
        connection.execute(versions.delete())
        connection.execute(versions.insert().values(single=True, version=VERSION))
    else:
        connection.execute(text(f"PRAGMA user_version = {VERSION}"))


def require_known(version: int) -> None:
    """Raise NotAccepted if tables have a newer version than this release knows."""
    if version > VERSION:
        raise NotAccepted(
            f"a newer release wrote this job store: its tables have version {version}, and this "
            f"release reads up to {VERSION}"
        )


def version_of(connection: Connection) -> int:
    """Return the version of the tables; 0 if there are none or they are not numbered."""
    if connection.dialect.name == "sqlite":
        return int(connection.execute(text("PRAGMA user_version")).scalar_one())
    if not inspect(connection).has_table(versions.name):
        return 0
    return connection.execute(select(versions.c.version)).scalar() or 0


def _rename_encoding(connection: Connection) -> None:
    """Rename the key that the first releases had for the method, in requests and answers."""
    old = '%"encoding"%'

    def named(column: Column[Any]) -> Any:
        return type_coerce(column, Text).like(old)

    found = select(jobs.c.number, jobs.c.request, jobs.c.result)
    for row in connection.execute(found.where(named(jobs.c.request) | named(jobs.c.result))).all():
        request = {**row.request, "options": _renamed(row.request.get("options"))}
        result = None if row.result is None else _renamed(row.result)
        values = {"request": request, "result": result}
        connection.execute(update(jobs).where(jobs.c.number == row.number).values(values))
    for row in connection.execute(select(answers).where(named(answers.c.answer))).all():
        known = answers.c.canonical == row.canonical
        connection.execute(update(answers).where(known).values(answer=_renamed(row.answer)))


def _renamed(given: dict[str, Any] | None) -> dict[str, Any]:
    """Return options or an answer with ``method`` for ``encoding``."""
    found = dict(given or {})
    named = found.pop("encoding", None)
    return {**found, "method": found.get("method") or named}
