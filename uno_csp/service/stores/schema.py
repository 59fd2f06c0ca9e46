"""The tables of the SQLite job store, and the steps that bring older ones up to date."""

import sqlite3

from uno_csp.errors import NotAccepted

_MIGRATIONS = (
    """
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    request TEXT NOT NULL,
    canonical TEXT,
    idempotency TEXT UNIQUE,
    created REAL NOT NULL,
    started REAL,
    finished REAL,
    attempts INTEGER NOT NULL DEFAULT 0,
    result TEXT,
    cached INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, number);
CREATE TABLE IF NOT EXISTS answers (
    canonical TEXT PRIMARY KEY,
    answer TEXT NOT NULL
);
""",
)
"""Step i takes a database from version i to version i + 1. The first one changes nothing in a
database of the releases that did not number their tables."""

VERSION = len(_MIGRATIONS)  # version of the tables, kept in SQLite's ``user_version``


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables up to date, each step in a transaction of its own."""
    check_version(connection)
    version = version_of(connection)
    for reached, step in enumerate(_MIGRATIONS[version:], start=version + 1):
        connection.executescript(f"BEGIN; {step}; PRAGMA user_version = {reached}; COMMIT")


def check_version(connection: sqlite3.Connection) -> None:
    """Raise NotAccepted if a newer release wrote the database."""
    require_known(version_of(connection), VERSION)


def require_known(version: int, known: int) -> None:
    """Raise NotAccepted if tables have a newer version than this release knows."""
    if version > known:
        raise NotAccepted(
            f"a newer release wrote this job store: its tables have version {version}, and this "
            f"release reads up to {known}"
        )


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of the tables; 0 if there are none or they are not numbered."""
    row = connection.execute("SELECT user_version FROM pragma_user_version").fetchone()
    return int(row["user_version"] if isinstance(row, dict) else row[0])
