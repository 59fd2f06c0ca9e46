"""A PostgreSQL server for the tests, as Debian has it, on loopback and in a folder of its own."""

import os
import shutil
import signal
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.serving import free_port, wait_until

UNPRIVILEGED = "nobody"
"""It refuses to be run by root."""


def _program(name: str) -> str | None:
    """The newest of Debian's, which are not on the path, or what is on it."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


class Postgres:
    """A server that can be lost and started again.

    Parameters
    ----------
    folder
        Where its data are.
    durable
        Whether it writes to the disk what it commits.
    """

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        initdb, server = _program("initdb"), _program("postgres")
        if initdb is None or server is None:
            pytest.skip("PostgreSQL is not installed")
        root = os.geteuid() == 0
        as_user = ["setpriv", f"--reuid={UNPRIVILEGED}", "--clear-groups"] if root else []
        if root:
            shutil.chown(folder, UNPRIVILEGED)
        make = [initdb, "-D", str(folder / "data"), "-U", "uno", "-A", "trust", "-N"]
        subprocess.run([*as_user, *make], check=True, capture_output=True, cwd=folder)
        port = free_port()
        self.url = f"postgresql://uno@127.0.0.1:{port}/postgres"
        options = ["-D", str(folder / "data"), "-k", str(folder), "-h", "127.0.0.1"]
        options += ["-p", str(port)] if durable else ["-p", str(port), "-F"]
        self._command = [*as_user, server, *options]
        self._folder = folder
        self.start()

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        self._process = subprocess.Popen(
            self._command, cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_until(self._answers)

    def lose(self) -> None:
        """End it at once, as ``pg_ctl -m immediate stop`` does."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()

    def close(self) -> None:
        """End it for good."""
        self._process.send_signal(signal.SIGINT)  # it waits for no client
        self._process.wait()

    def _answers(self) -> bool:
        """Return True if it takes connections."""
        import psycopg

        try:
            psycopg.connect(self.url).close()
        except psycopg.Error:
            return False
        return True


@contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[Postgres]:
    """A server with an empty database."""
    with tempfile.TemporaryDirectory(prefix="uno-pg-", dir="/tmp") as folder:
        server = Postgres(Path(folder), durable=durable)
        try:
            yield server
        finally:
            server.close()


@contextmanager
def postgres(*, durable: bool = False) -> Iterator[str]:
    """The URL of an empty database."""
    with postgres_server(durable=durable) as server:
        yield server.url


def fresh_database(url: str) -> str:
    """The URL of a new database on the server that has the given one."""
    import psycopg

    name = f"uno_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return f"{url.rpartition('/')[0]}/{name}"
