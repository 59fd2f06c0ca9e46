"""The tables of the PostgreSQL job store, and the steps that bring older ones up to date."""

from typing import TYPE_CHECKING, Any

from uno_csp.service.stores.schema import require_known

if TYPE_CHECKING:
    from psycopg import Connection

_LOCK = 7_216_004  # advisory lock held while the tables are changed: two servers may start at once
_VERSION_TABLE = """
CREATE TABLE IF NOT EXISTS schema_version (
    single BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (single),
    version INTEGER NOT NULL
)
"""
_MIGRATIONS = (
    """
CREATE TABLE IF NOT EXISTS jobs (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    request TEXT NOT NULL,
    canonical TEXT,
    idempotency TEXT UNIQUE,
    created DOUBLE PRECISION NOT NULL,
    started DOUBLE PRECISION,
    finished DOUBLE PRECISION,
    attempts INTEGER NOT NULL DEFAULT 0,
    result TEXT,
    cached BOOLEAN NOT NULL DEFAULT FALSE,
    owner TEXT,
    leased_until DOUBLE PRECISION,
    progress TEXT,
    cancel_requested BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, number);
CREATE TABLE IF NOT EXISTS answers (canonical TEXT PRIMARY KEY, answer TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS certificates (
    job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    piece INTEGER NOT NULL,
    content BYTEA NOT NULL,
    PRIMARY KEY (job, piece)
);
""",
)
"""Step i takes a database from version i to version i + 1. The first one changes nothing in a
database of the releases that did not number their tables."""

VERSION = len(_MIGRATIONS)  # version of the tables, kept in the table ``schema_version``


def migrate(connection: "Connection[Any]") -> None:
    """Bring the tables up to date, in the transaction of the connection."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
    connection.execute(_VERSION_TABLE)
    row = connection.execute("SELECT version FROM schema_version").fetchone()
    version = int(row[0]) if row else 0
    require_known(version, VERSION)
    for step in _MIGRATIONS[version:]:
        connection.execute(step.encode())
    if version < VERSION:
        connection.execute(
            "INSERT INTO schema_version (version) VALUES (%s)"
            " ON CONFLICT (single) DO UPDATE SET version = excluded.version",
            (VERSION,),
        )
