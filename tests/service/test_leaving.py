"""Clients that stall or go away, and servers that stop: nothing is held for them, or by them."""

import asyncio
import json
import logging
import math
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from starlette.requests import ClientDisconnect

from tests.support.serving import (
    API,
    LONG,
    PAIR,
    client_of,
    free_port,
    gone,
    listening,
    made,
    start,
    wait_until,
)
from uno_csp.registry import modules_of
from uno_csp.service.api import connections
from uno_csp.service.api.app import end_requests
from uno_csp.service.handlers.declaring import HANDLERS, PARSE
from uno_csp.service.handlers.plays import make_puzzle
from uno_csp.service.problems import Problem
from uno_csp.service.stores.sqlite_store import SqliteStore

LARGE = 20 << 20
"""More than the buffers of a connection take in."""


class GoneError(Exception):
    """The client has gone."""


def portal_of(client: TestClient) -> Any:
    """The event loop of the server."""
    assert client.portal is not None
    return client.portal


def scope_of(path: str) -> dict[str, Any]:
    """A request that posts JSON to a route, as a server hands it to the application."""
    path = f"{API}/{path}"
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode()}
    scope |= {"headers": [(b"host", b"localhost"), (b"content-type", b"application/json")]}
    scope |= {"query_string": b"", "root_path": "", "scheme": "http", "http_version": "1.1"}
    return scope | {"server": ("localhost", 80), "client": ("127.0.0.1", 1)}


def body_of(asked: Any) -> dict[str, Any]:
    """The message that has the whole body of a request."""
    return {"type": "http.request", "body": json.dumps(asked).encode(), "more_body": False}


@pytest.fixture
def waiting(tmp_path: Path) -> Any:
    """A server whose solve waits for a moment only."""
    with client_of(tmp_path, wait_s=1.0) as client:
        yield client


@pytest.mark.parametrize("is_stored", [True, False])
@pytest.mark.parametrize(
    ("key", "states"), [(None, ("cancelled",)), ("mine", ("queued", "running"))]
)
def test_a_solve_whose_client_has_gone_is_cancelled_unless_it_has_a_key(
    waiting: TestClient,
    key: str | None,
    states: tuple[str, ...],
    is_stored: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The client leaves once its job is there, or while it is being stored."""
    app: Any = waiting.app
    body = json.dumps({"instance": LONG, "time_limit_s": 50})
    add, stored, left = SqliteStore.add, threading.Event(), threading.Event()

    def slow(self: SqliteStore, *given: Any, **named: Any) -> Any:
        job = add(self, *given, **named)
        stored.set()
        assert is_stored or left.wait(200)
        return job

    async def entered() -> bool:
        if stored.is_set():
            left.set()
        return left.is_set()

    monkeypatch.setattr(SqliteStore, "add", slow)
    asked = app.state.job_service.accept_and_wait
    with suppress(ClientDisconnect):
        portal_of(waiting).call(asked, body, key, 1.0, entered)
    (job,) = waiting.get("/jobs").json()["jobs"]
    assert job["state"] in states


def test_an_export_is_removed_when_it_is_sent(
    waiting: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    sent = waiting.post("/export", json={"instance": PAIR, "to": "dimacs"})
    assert int(sent.headers["content-length"]) == len(sent.content) > 0
    assert waiting.post("/export", json={"instance": PAIR, "to": "smt"}).status_code == 404
    assert not list(tmp_path.glob("uno-csp-of-*/exported"))


def test_an_export_is_removed_when_its_client_goes_away(
    waiting: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    messages = [body_of({"instance": PAIR, "to": "dimacs"})]
    seen: list[list[Path]] = []

    async def receive() -> dict[str, Any]:
        return messages.pop() if messages else await asyncio.Future()

    async def cannot_send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body":
            seen.append(list(tmp_path.glob("uno-csp-of-*/exported")))
            raise GoneError

    with pytest.raises(GoneError):
        portal_of(waiting).call(waiting.app, scope_of("export"), receive, cannot_send)
    assert len(seen[0]) == 1
    assert not list(tmp_path.glob("uno-csp-of-*/exported"))


def leave_after(
    client: TestClient, path: str, body: Any, bytes_before: bytes | None = None
) -> list[dict[str, Any]]:
    """Post a request, and leave when some bytes have come, or at once; return what was sent."""
    sent, here = list[dict[str, Any]](), asyncio.Event()
    messages = [body_of(body)]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await here.wait()
        return await gone()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)
        if bytes_before and bytes_before in message.get("body", b""):
            here.set()

    async def ask() -> None:
        if bytes_before is None:
            here.set()
        app: Any = client.app
        await asyncio.wait_for(app(scope_of(path), receive, send), 200)

    portal_of(client).call(ask)
    return sent


def logged(caplog: pytest.LogCaptureFixture) -> list[int]:
    """The statuses of the requests in the log."""
    return [each.status for each in caplog.records if each.message == "request"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", ["parse", "jobs", "analyse"])
def test_a_client_who_leaves_before_its_body_is_there_is_no_fault(
    client: TestClient, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    with caplog.at_level(logging.INFO, "uno_csp"):
        portal_of(client).call(client.app, scope_of(path), gone, AsyncMock())
    entries: list[Any] = [each for each in caplog.records if each.name.startswith("uno_csp")]
    assert [(each.levelname, each.status) for each in entries] == [("INFO", 499)]


modules_of("uno_csp.service.handlers")
OF_LANES = {handler.lane.name: handler for handler in HANDLERS.values()}
"""A handler of each lane."""


@pytest.mark.parametrize("path", [*(each.path for each in OF_LANES.values()), "solve", "jobs"])
def test_who_leaves_while_waiting_frees_its_place(
    waiting: TestClient, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    handler = next((each for each in OF_LANES.values() if each.path == path), None)
    lane = PARSE if handler is None else handler.lane
    body = next(iter(handler.example.values())) if handler else {"instance": PAIR}
    app: Any = waiting.app
    scheduler, opened = app.state.scheduler, threading.Event()
    for _ in range(lane.at_a_time):
        scheduler._lanes[lane.name].submit(opened.wait)
    try:
        with caplog.at_level(logging.INFO, "uno_csp"):
            leave_after(waiting, path, body)
        assert not scheduler.requests[lane.name]
    finally:
        opened.set()
    assert logged(caplog) == [499]
    assert not any(app.state.store.counts().values())


@pytest.mark.parametrize(
    ("instances", "read"), [([LONG, LONG], None), ([PAIR, LONG, LONG], b"SATISFIABLE")]
)
def test_a_list_whose_client_has_gone_is_not_solved(
    waiting: TestClient,
    caplog: pytest.LogCaptureFixture,
    instances: list[Any],
    read: bytes | None,
) -> None:
    """The caller leaves before the first answer, or after it."""
    asked = {"instances": instances, "time_limit_s": 30}
    with caplog.at_level(logging.INFO, "uno_csp"):
        sent = leave_after(waiting, "solve-many", asked, read)
    app: Any = waiting.app
    wait_until(lambda: not app.state.scheduler.requests["batch"])
    body = b"".join(each.get("body", b"") for each in sent)
    assert body.count(b'"status"') == (0 if read is None else 1)
    assert logged(caplog) == [499]


def test_a_solve_whose_client_has_gone_is_logged_as_such(
    waiting: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "uno_csp"):
        leave_after(waiting, "solve", {"instance": LONG, "time_limit_s": 50})
    assert logged(caplog) == [499]


def sending(ended: asyncio.Event) -> AbstractAsyncContextManager[int]:
    """Serve a large file in pieces; the event is set when the application has sent it."""

    async def app(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(LARGE >> 16):
            await send({"type": "http.response.body", "body": bytes(1 << 16), "more_body": True})
        await send({"type": "http.response.body"})
        ended.set()

    return listening(app, connections.bounded_protocol(1000))


def test_a_client_that_takes_nothing_in_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALLED_S", 0.3)

    async def stalled() -> None:
        ended = asyncio.Event()
        async with sending(ended) as port:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            await asyncio.wait_for(ended.wait(), 200)
            writer.transport.abort()

    asyncio.run(stalled())


def test_a_client_that_takes_in_a_little_is_not_cut_off() -> None:
    """Between two looks it has to take in a piece."""
    unsent, aborted = [10 * connections.PROGRESS], list[bool]()
    connection: Any = object.__new__(connections.bounded_protocol(1000))
    connection.transport = SimpleNamespace(
        get_write_buffer_size=lambda: unsent[0], abort=lambda: aborted.append(True)
    )

    async def watched() -> None:
        connection._watch(math.inf)
        for taken_in in (connections.PROGRESS, connections.PROGRESS + 1):
            before, unsent[0] = unsent[0], unsent[0] - taken_in
            connection._watch(before)
        assert not aborted
        before, unsent[0] = unsent[0], unsent[0] - connections.PROGRESS + 1
        connection._watch(before)
        assert aborted == [True]

    asyncio.run(watched())


def test_streams_end_when_the_server_stops(waiting: TestClient) -> None:
    app: Any = waiting.app
    job = app.state.job_service.find(made(waiting, LONG, time_limit_s=50))

    async def events() -> list[str]:
        """The server stops after the first event."""
        found: list[str] = []
        async for event in app.state.job_service.events(job):
            if not found:
                end_requests(app, 0)
            found.append(str(event.event))
        return found

    assert set(portal_of(waiting).call(events)) <= {"state", "progress"}


def test_who_waits_when_the_server_stops_is_told(waiting: TestClient) -> None:
    app: Any = waiting.app

    async def told() -> Any:
        asked = {"cards": 14, "level": "hard", "missing": 3}
        work = app.state.scheduler.answer(make_puzzle, json.dumps(asked), never)
        task = asyncio.create_task(work)
        await asyncio.sleep(0)
        end_requests(app, 0)
        return await task

    async def never() -> bool:
        return False

    with pytest.raises(Problem) as caught:
        portal_of(waiting).call(told)
    assert caught.value.status == 503


@pytest.mark.slow
def test_a_stop_with_open_streams_leaves_no_traceback(tmp_path: Path) -> None:
    port = free_port()
    server = start(tmp_path / "data", port, stderr=subprocess.PIPE)
    with socket.create_connection(("127.0.0.1", port)) as asking:
        body = json.dumps({"instance": LONG, "time_limit_s": 50}).encode()
        head = f"POST {API}/solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        asking.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert asking.recv(100).startswith(b"HTTP/1.1 202")
        (job,) = httpx.get(f"http://127.0.0.1:{port}{API}/jobs").json()["jobs"]
        with socket.create_connection(("127.0.0.1", port)) as watching:
            head = f"GET {API}/jobs/{job['id']}/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
            watching.sendall(head.encode())
            assert watching.recv(100).startswith(b"HTTP/1.1 200")
            server.send_signal(signal.SIGTERM)
            _, said = server.communicate(timeout=200)
    assert b"Traceback" not in said
    assert b"timeout graceful shutdown exceeded" not in said
