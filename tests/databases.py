"""A PostgreSQL server for the tests, as Debian has it, on loopback and in a folder of its own."""

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.serving import free_port

UNPRIVILEGED = "nobody"
"""It refuses to be run by root."""


def _program(name: str) -> str | None:
    """The newest of Debian's, which are not on the path, or what is on it."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


@contextmanager
def postgres(*, durable: bool = False) -> Iterator[str]:
    """The URL of a fresh database; one that is ``durable`` writes to the disk what it commits."""
    initdb, server = _program("initdb"), _program("postgres")
    if initdb is None or server is None:
        pytest.skip("PostgreSQL is not installed")
    root = os.geteuid() == 0
    as_user = ["setpriv", f"--reuid={UNPRIVILEGED}", "--clear-groups"] if root else []
    with tempfile.TemporaryDirectory(prefix="uno-pg-", dir="/tmp") as folder:
        if root:
            shutil.chown(folder, UNPRIVILEGED)
        data, port = f"{folder}/data", free_port()
        make = [initdb, "-D", data, "-U", "uno", "-A", "trust", "-N"]
        subprocess.run([*as_user, *make], check=True, capture_output=True, cwd=folder)
        options = ["-D", data, "-k", folder, "-h", "127.0.0.1", "-p", str(port)]
        options += [] if durable else ["-F"]
        running = subprocess.Popen(
            [*as_user, server, *options],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield _answering(f"postgresql://uno@127.0.0.1:{port}/postgres")
        finally:
            running.terminate()
            running.wait()


def fresh_database(url: str) -> str:
    """The URL of a new database on the server that has the given one."""
    import psycopg

    name = f"uno_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return f"{url.rpartition('/')[0]}/{name}"


def _answering(url: str) -> str:
    import psycopg

    from tests.serving import wait_until

    def answers() -> bool:
        """Whether it takes connections."""
        try:
            psycopg.connect(url).close()
        except psycopg.Error:
            return False
        return True

    wait_until(answers)
    return url
