"""Servers and clients for the tests: in this process, or as a process of their own."""

import asyncio
import os
import socket
import subprocess
import sys
import time
import zlib
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import randrange
from typing import Any
from urllib.request import urlopen

import httpx2 as httpx
import psutil
from fastapi.testclient import TestClient
from uvicorn import Config
from uvicorn.server import ServerState

from tests.support import ROOT
from uno_csp import Longest, generate
from uno_csp.formats import question_to_dict
from uno_csp.processes.supervision import Outcome
from uno_csp.service.api.app import create_app
from uno_csp.service.handlers.declaring import Lane
from uno_csp.service.settings import Settings
from uno_csp.service.stores.sqlite_store import SqliteStore

PAIR = {"question": "uno-1", "cards": ["R5", "R7"]}
API = "/api/v1"
SERVER_PORTS = (10_000, 32_768)  # below those that Linux gives to connections
# It takes longer than any test waits, and something is found and bounded at once.
LONG = question_to_dict(
    Longest(generate("petersen-fragments", base="random", vertices=40, fragments=10, seed=1).cards)
)


@contextmanager
def client_of(folder: Path, *, hurried: bool = False, **options: Any) -> Iterator[TestClient]:
    """A client of a service in this process, whose ``/solve`` waits for its answer.

    Unless it is ``hurried``, a short request has more time than its lane gives, however slow the
    machine is.
    """
    app = create_app(Settings(folder, **{"wait_s": 200.0, **options}), SqliteStore(folder))
    with TestClient(app, base_url="http://localhost/api/v1") as client:
        if not hurried:
            _give_time(app.state.scheduler)
        yield client


def _give_time(scheduler: Any) -> None:
    run = scheduler._run_near

    def run_at_length(lane: Lane, *given: Any) -> Outcome:
        found: Outcome = run(replace(lane, wall_s=max(lane.wall_s, 200.0)), *given)
        return found

    scheduler._run_near = run_at_length


async def gone() -> dict[str, Any]:
    """Message of a client that has left."""
    return {"type": "http.disconnect"}


@asynccontextmanager
async def listening(app: Any, protocol: Any) -> AsyncIterator[int]:
    """The port of an application that is served in this event loop."""
    config = Config(app, log_config=None, ws="none")
    config.load()
    made = partial(protocol, config=config, server_state=ServerState(), app_state={})
    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


def packed(text: str | bytes) -> str:
    """A value in the query of a link."""
    packing = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    written = packing.compress(text.encode() if isinstance(text, str) else text) + packing.flush()
    return urlsafe_b64encode(written).decode().rstrip("=")


def wait_until(met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 200
    while not met():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def job_of(client: TestClient | httpx.Client, name: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/jobs/{name}").json()
    return found


def made(client: TestClient | httpx.Client, instance: Any, **options: Any) -> str:
    """The name of a new job."""
    response = client.post("/jobs", json={"instance": instance, **options})
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def done(client: TestClient | httpx.Client, instance: Any, **options: Any) -> dict[str, Any]:
    """A new job when it is finished."""
    return finished(client, made(client, instance, **options))


def finished(client: TestClient | httpx.Client, name: str) -> dict[str, Any]:
    """The job when it is."""
    wait_until(lambda: job_of(client, name)["state"] not in ("queued", "running"))
    return job_of(client, name)


def free_port() -> int:
    """A port that the system gives to no connection, so that a server may come back to it."""
    while True:
        port = randrange(*SERVER_PORTS)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


def start(folder: Path, port: int, *options: str, **how: Any) -> "subprocess.Popen[bytes]":
    where = ("--data", str(folder), "--port", str(port), "--rate", "1e9")
    command = [sys.executable, "-m", "uno_csp", "serve", *where, *options]
    marked = {**os.environ, "UNO_CSP_TEST_MARK": str(folder)}
    server = subprocess.Popen(command, cwd=ROOT, env=marked, **how)

    def ready() -> bool:
        assert server.poll() is None, "the server has ended"
        return is_ready(f"http://127.0.0.1:{port}{API}")

    wait_until(ready)
    return server


def is_ready(url: str) -> bool:
    """Return True if the server of an API answers."""
    # Not by httpx, which loads certificates for each request.
    with suppress(OSError), urlopen(f"{url}/ready") as answer:  # noqa: S310
        return bool(answer.status == 200)
    return False


@contextmanager
def served(
    folder: Path, port: int, *options: str, **how: Any
) -> Iterator["subprocess.Popen[bytes]"]:
    """A server that is stopped at the end, also when the test fails."""
    server = start(folder, port, *options, **how)
    try:
        yield server
    finally:
        server.terminate()
        server.wait(200)


def orphans(folder: Path) -> list[int]:
    """Processes of a server of that folder that are left."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            marked = process.environ().get("UNO_CSP_TEST_MARK") == str(folder)
            if marked and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
    return found


def lives(process: psutil.Process) -> bool:
    """Return True if it is at work; the child of a killed worker may remain as a zombie."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
