"""Connections of clients: their number and their deadlines, and what is read of a head."""

import asyncio
import json
import resource
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import httpx2 as httpx
import psutil
import pytest

from tests.support.serving import API, PAIR, done, free_port, listening, start, wait_until
from uno_csp.service.api import connections


@pytest.mark.slow
def test_idle_connections_and_bursts_take_no_descriptors_for_good(tmp_path: Path) -> None:
    """1500 connections that say nothing, 100 bursts beside them, and a soft limit of 1024."""
    port = free_port()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, soft), hard))
    server = start(tmp_path / "data", port)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(1500)]
    url, limits = f"http://127.0.0.1:{port}{API}", httpx.Limits(max_connections=30)
    answer = {"question": "uno-1", "status": "UNKNOWN"}
    with httpx.Client(base_url=url, timeout=200, limits=limits) as client:

        def status(number: int) -> int:
            """Ask one request of a burst."""
            asked = {"instance": {**PAIR, "name": str(number)}, "answer": answer}
            return client.post("/check", json=asked).status_code

        with ThreadPoolExecutor(15) as pool:
            for _ in range(100):
                assert [*pool.map(status, range(15))] == [200] * 15
        assert client.get("/ready").status_code == 200
        assert done(client, PAIR)["answer"]["status"] == "SATISFIABLE"
        for each in silent:
            each.close()
        wait_until(lambda: psutil.Process(server.pid).num_fds() < 120)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    server.terminate()
    server.wait(200)


WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


T = TypeVar("T")


async def ok(scope: Any, receive: Any, send: Any) -> None:
    """An application that says nothing."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body"})


def talked(app: Any, talk: Callable[[int], Awaitable[T]], protocol: Any = None) -> T:
    """The outcome of a connection to the port of an application."""

    async def served() -> T:
        async with listening(app, protocol or connections.bounded_protocol(1000)) as port:
            return await talk(port)

    return asyncio.run(served())


async def answer_to(port: int, said: bytes) -> bytes:
    """The first words of an answer; none if the connection is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(said)
    found = await asyncio.wait_for(reader.read(100), 200)
    writer.close()
    return found


async def whole_answer(port: int, *pieces: bytes, pause_s: float = 0) -> bytes:
    """All that is sent until the connection is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for piece in pieces:
        writer.write(piece)
        await asyncio.sleep(pause_s)
    found = await asyncio.wait_for(reader.read(), 200)
    writer.close()
    return found


def test_a_connection_that_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answers(port: int) -> list[bytes]:
        silent = (b"", b"POST / HTTP/1.1\r\nHost: localhost\r\n")
        return [await answer_to(port, each) for each in silent]

    assert talked(ok, lambda port: answer_to(port, WHOLE)).startswith(b"HTTP/1.1 200")
    monkeypatch.setattr(connections, "HEAD_S", 0.3)
    assert talked(ok, answers) == [b"", b""]


async def waits(scope: Any, receive: Any, send: Any) -> None:
    """An application that is at work until its client goes away."""
    while (await receive())["type"] != "http.disconnect":
        pass


def head(path: str, *more: str) -> bytes:
    """A request of these lines."""
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *more, "", ""]).encode()


async def by_path(scope: Any, receive: Any, send: Any) -> None:
    """An application that is long at work on all but one path."""
    await (ok if scope["path"] == "/" else waits)(scope, receive, send)


async def opened(port: int, count: int, said: bytes = b"") -> list[asyncio.StreamWriter]:
    """Connections that say the same, and then nothing."""
    held = []
    for _ in range(count):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        held.append(writer)
    for _ in range(20):  # turns of the loop, which serves them all however long a turn takes
        await asyncio.sleep(0.01)
    return held


async def closed(writers: list[asyncio.StreamWriter]) -> None:
    for writer in writers:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def test_beyond_the_bound_connections_are_turned_away() -> None:
    protocol = connections.bounded_protocol(100)

    async def answers(port: int) -> list[bytes]:
        held = await opened(port, protocol.most, head("/long"))
        refused = await whole_answer(port)  # to its end: none lingers beyond the bound
        await closed(held)
        return [refused, await answer_to(port, WHOLE)]

    assert protocol.most == 50
    found = talked(by_path, answers, protocol)
    assert [each[:12] for each in found] == [b"HTTP/1.1 503", b"HTTP/1.1 200"]


@pytest.mark.parametrize("token", [None, "secret"])
@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\n",
        b"POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
        WHOLE,
    ],
    ids=["silent", "in the head", "in the body", "idle"],
)
def test_who_keeps_the_server_waiting_makes_room(begun: bytes, token: str | None) -> None:
    """However many they are, and whether they have a token or not, others are served."""

    async def answers(port: int) -> list[bytes]:
        held = await opened(port, 90, begun)
        said = [await answer_to(port, WHOLE) for _ in range(3)]
        await closed(held)
        return said

    found = talked(by_path, answers, connections.bounded_protocol(60, token))
    assert [each[:12] for each in found] == [b"HTTP/1.1 200"] * 3


def test_callers_with_the_token_have_places_of_their_own() -> None:
    shown = "Authorization: bearer secret"
    protocol = connections.bounded_protocol(80, "secret")
    assert (protocol.most, protocol.kept) == (40, 10)

    async def statuses(port: int) -> list[bytes]:
        others = await opened(port, 40, head("/long"))
        found = [await answer_to(port, each) for each in (WHOLE, head("/", shown))]
        known = await opened(port, 9, head("/long", shown))
        idle = await opened(port, 1, head("/", shown))
        found += [await answer_to(port, each) for each in (WHOLE, head("/", shown))]
        idle[0].write(head("/", shown))  # its place was not taken
        await closed([*known, *idle, *others])
        return [each[9:12] for each in found]

    assert talked(by_path, statuses, protocol) == [b"503", b"200", b"503", b"503"]


async def read_first(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the body before it answers."""
    while (await receive()).get("more_body"):
        pass
    await ok(scope, receive, send)


@pytest.mark.parametrize(
    "begun",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx",
    ],
    ids=["head", "body"],
)
def test_a_byte_from_time_to_time_moves_no_deadline(
    begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_S", 1.0)
    monkeypatch.setattr(connections, "BODY_S", 0.3)

    async def slow(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(begun)
        answer = asyncio.ensure_future(reader.read(100))
        while not answer.done():
            writer.write(b"x")
            await asyncio.wait([answer], timeout=0.1)
        writer.close()
        return answer.result() if answer.exception() is None else b""

    assert talked(read_first, slow) == b""


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_an_offer_to_upgrade_is_passed_over(version: bytes) -> None:
    body = b'{"a": 1}'

    async def echo(scope: Any, receive: Any, send: Any) -> None:
        """An application that sends the body back."""
        sent = (await receive())["body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": sent})

    offer = b"Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n"
    asked = b"POST / HTTP/%b\r\nHost: x\r\n%bContent-Length: 8\r\n\r\n%b" % (version, offer, body)
    said = talked(echo, lambda port: whole_answer(port, asked))
    assert body in said
    assert (b"chunked" in said) == (version == b"1.1")


async def tell(scope: Any, receive: Any, send: Any) -> None:
    """An application that sends the path and the host back, once it has read the body."""
    while (await receive()).get("more_body"):
        pass
    said = scope["path"].encode() + b" " + dict(scope["headers"]).get(b"host", b"")
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": said})


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        ("GET /a HTTP/1.1\nHost: b\n", 200, "/a b"),
        ("GET http://c:80/a?b HTTP/1.1\nHost: b\n", 200, "/a c:80"),
        ("GET HTTPS://c HTTP/1.1\nHost: c\n", 200, "/ c"),
        ("GET http://c?q HTTP/1.0\n", 200, "/ c"),
        ("POST / HTTP/1.1\nHost: b\nTransfer-Encoding: chunked\n", 200, "/ b"),
        (
            "POST / HTTP/1.1\nHost: b\nTransfer-Encoding: chunked\nContent-Length: 5\n",
            400,
            "beside Content-Length",
        ),
        ("POST / HTTP/1.0\nTransfer-Encoding: chunked\n", 400, "in HTTP/1.0"),
        ("POST / HTTP/1.1\nHost: b\nTransfer-Encoding: gzip\n", 501, "only chunked is read"),
        ("POST / HTTP/1.1\nHost: b\nTransfer-Encoding: gzip, chunked\n", 501, "only chunked is"),
        ("GET / HTTP/2.0\nHost: b\n", 505, "only HTTP/1.0 and HTTP/1.1 are read"),
        ("GET / HTTP/0.9\nHost: b\n", 505, "only HTTP/1.0 and HTTP/1.1 are read"),
        ("GET / HTTP/1.1\nHost: b\nX: " + 65_000 * "x" + "\n", 200, "/ b"),
        ("GET / HTTP/1.1\nHost: b\nX: " + 66_000 * "x" + "\n", 431, "more than 65536 bytes"),
        ("GET /" + 66_000 * "x" + " HTTP/1.1\nHost: b\n", 431, "more than 65536 bytes"),
        ("POST / HTTP/1.1\nHost: b\nContent-Length: 1\nContent-Length: 2\n", 400, "not well-"),
        ("GET / HTTP/1.1\n", 400, "not well-formed"),
        ("GET / HTTP/1.1\nHost: b\nHost: c\n", 400, "not well-formed"),
        ("GET /\u00e9 HTTP/1.1\nHost: b\n", 400, "not well-formed"),
        ("GET / HTTP/1.1\nHost: b\nno header\n", 400, "not well-formed"),
        ("nonsense\n", 400, "not well-formed"),
        ("GET / HTTP/1.1\nHost: b\nX: " + 500_000 * "x" + "\n", 431, "more than 65536 bytes"),
        ("GET /" + 500_000 * "x" + " HTTP/1.1\nHost: b\n", 431, "more than 65536 bytes"),
        ("POST / HTTP/1.1\nHost: b\nTransfer-Encoding: chunked\n\nx", 400, "not well-formed"),
    ],
)
def test_a_head_is_read_in_one_meaning_or_refused_with_a_problem(
    sent: str, status: int, said: str
) -> None:
    end = "0\n\n" if "chunked" in sent else ""
    asked = f"{sent}Connection: close\n\n{end}".replace("\n", "\r\n").encode()
    whole = talked(tell, lambda port: whole_answer(port, asked))
    begun, _, body = whole.decode().partition("\r\n\r\n")
    assert begun.split()[1] == str(status)
    if status == 200:
        assert said in body
    else:
        found = json.loads(body)
        assert "content-type: application/problem+json" in begun.lower()
        assert (found["status"], said in found["detail"]) == (status, True)


@pytest.mark.parametrize(
    "said",
    [
        b"\r\n" + WHOLE,
        b"\n\r\n" + WHOLE,
        WHOLE + b"\r\n" + WHOLE,
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab\r\n" + WHOLE,
    ],
)
@pytest.mark.parametrize("at_once", [True, False])
def test_empty_lines_before_a_request_are_passed_over(said: bytes, at_once: bool) -> None:
    """The bytes may come in pieces that are cut anywhere."""
    pieces = [said] if at_once else [bytes([each]) for each in said]
    pieces.append(head("/", "Connection: close"))
    found = talked(ok, lambda port: whole_answer(port, *pieces, pause_s=0.001))
    assert found.count(b"HTTP/1.1 200") == said.count(b"HTTP/1.1") + 1
    assert b"HTTP/1.1 4" not in found


@pytest.mark.parametrize("begun", [b"\r" + WHOLE, b" \r\n" + WHOLE])
def test_what_is_no_empty_line_is_refused(begun: bytes) -> None:
    assert talked(ok, lambda port: answer_to(port, begun)).startswith(b"HTTP/1.1 400")
