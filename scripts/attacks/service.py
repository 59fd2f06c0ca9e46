"""A server of its own under hostile bodies, bursts and silence: it answers, and goes on."""

import json
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2 as httpx
import psutil

from scripts.attacks.drawing import Fell, draw
from uno_csp.formats import question_to_dict

BURST = 30
SLOWEST_S = 5.0
"""So long a harmless request may take while the server is attacked."""

MOST_DESCRIPTORS = 200
"""So many a server holds at most once it is left alone."""

HOSTILE = (
    "",
    "{",
    "null",
    "[]",
    '"x"',
    "{}",
    '{"instance": null}',
    '{"instance": {}}',
    "\ud83d",
    '{"instance": {"question": "uno-1", "cards": [], "name": "\\ud800"}}',
    '{"instance": {"question": "uno-1", "cards": [["\\udfff", 1]]}}',
    '{"instance": {"question": "uno-1", "cards": [], "cards": []}}',
    '{"instance": {"question": "uno-1", "cards": [[1, 2]], "at_least": 1e400}}',
    '{"instance": {"question": "uno-1", "cards": [' + "[" * 5000 + "]}}",
    '{"instance": {"question": "uno-1", "cards": [[' + "9" * 5000 + "]]}}",
    '{"instance": {"question": "uno-1", "cards": ["R5"]}, "backend": "dimacs:../../bin/sh"}',
    '{"instance": {"question": "uno-1", "cards": ["R5"]}, "time_limit_s": 1e308}',
    '{"family": "random"}',
    '{"family": "random", "parameters": {"seed": 1, "family": 2}}',
    '{"family": "cubic-graph", "parameters": {}}',
    '{"family": "\\ud800"}',
    '{"family": "random", "parameters": {"cards": "x"}}',
    '{"instance": {"question": "open-game", "rules": {"preset": ["official"]}}}',
    '{"instance": {"question": "uno-1", "cards": ["R5"]}, "backend": "dimacs:touch"}',
    '{"text": "\\u0000"}',
    '{"text": "{"}',
)
PATHS = ("solve", "jobs", "check", "export", "generate", "parse")


def attack(dice: random.Random, until: float) -> int:
    """Send until the time is up; how many requests were answered."""
    count = 0
    with _server() as (url, server), httpx.Client(base_url=url, timeout=60) as client:
        while time.monotonic() < until:
            count += _burst(dice, url)
            for _ in range(10):
                path, body = dice.choice(PATHS), _body(dice)
                _require_sane(client.post(path, content=body, headers=_JSON), path, body)
                count += 1
            _require_well(client)
            if server.poll() is not None:
                raise Fell(f"the server ended with {server.returncode}", {})
        _require_rest(client, server.pid)
    return count


_JSON = {"content-type": "application/json"}


def _body(dice: random.Random) -> bytes:
    """A hostile body, or a good one with something changed."""
    if dice.random() < 0.4:
        return dice.choice(HOSTILE).encode("utf-8", "surrogatepass")
    good: dict[str, Any] = {"instance": question_to_dict(draw(dice))}
    good |= dice.choice(
        ({}, {"to": "dimacs"}, {"answer": {"question": "uno-1", "status": "UNKNOWN"}})
    )
    text = json.dumps(good)
    for _ in range(dice.randint(0, 3)):
        place = dice.randrange(len(text) + 1)
        text = (
            text[:place]
            + dice.choice(('"', "[", "]", "9", ",", "\\ud800", "*", ""))
            + text[place + 1 :]
        )
    return text.encode()


def _require_sane(told: httpx.Response, path: str, body: bytes) -> None:
    case = {"path": path, "body": body.decode(errors="replace")[:2000], "status": told.status_code}
    if told.status_code >= 500 and told.status_code not in (502, 503):
        raise Fell(f"{told.status_code} {told.text[:200]}", case)
    if told.status_code >= 400:
        kind = told.headers.get("content-type", "")
        if kind != "application/problem+json" or "\n" in told.json()["detail"]:
            raise Fell(f"no problem is told: {told.text[:200]}", case)


def _burst(dice: random.Random, url: str) -> int:
    """Many clients at once, some of which say nothing, or stop in the midst of it."""
    fell: list[Fell] = []
    silent = [_connected(url) for _ in range(dice.randint(0, 50))]
    for each in silent[::2]:
        each.sendall(b"POST /api/v1/solve HTTP/1.1\r\nContent-Length: 1000\r\n")
    bodies = [(dice.choice(PATHS), _body(dice)) for _ in range(BURST)]

    def one(path: str, body: bytes) -> None:
        """A client with one request."""
        try:
            told = httpx.post(f"{url}/{path}", content=body, headers=_JSON, timeout=60)
            _require_sane(told, path, body)
        except Fell as error:
            fell.append(error)
        except httpx.HTTPError as error:
            fell.append(Fell(f"no answer: {error}", {"path": path, "body": str(body[:500])}))

    threads = [threading.Thread(target=one, args=each) for each in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in silent:
        each.close()
    if fell:
        raise fell[0]
    return BURST


def _connected(url: str) -> socket.socket:
    host, port = url.split("/")[2].split(":")
    return socket.create_connection((host, int(port)))


def _require_well(client: httpx.Client) -> None:
    """A harmless request is answered soon, and the server says that it is well."""
    began = time.monotonic()
    asked = {"instance": {"question": "uno-1", "cards": ["R5", "R7"]}}
    told = client.get("ready")
    if told.status_code != 200:
        raise Fell(f"not ready: {told.text[:200]}", {})
    told = client.post(
        "check", json={**asked, "answer": {"question": "uno-1", "status": "UNKNOWN"}}
    )
    if told.status_code != 200 or time.monotonic() - began > SLOWEST_S:
        raise Fell(f"{told.status_code} after {time.monotonic() - began:.1f} s", {})


def _require_rest(client: httpx.Client, pid: int) -> None:
    """Once it is left alone, the server holds few descriptors and solves."""
    time.sleep(1)
    held = psutil.Process(pid).num_fds()
    if held > MOST_DESCRIPTORS:
        raise Fell(f"{held} descriptors are held", {})
    told = client.post("solve", json={"instance": {"question": "uno-1", "cards": ["R5", "R7"]}})
    if told.status_code not in (200, 202):
        raise Fell(f"nothing is solved any more: {told.text[:200]}", {})


@contextmanager
def _server() -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/api/v1"
    with tempfile.TemporaryDirectory(prefix="uno-csp-attack-") as folder:
        log = Path(folder, "log")
        command = [sys.executable, "-m", "uno_csp", "serve", "--port", str(port), "--rate", "1e9"]
        command += ["--data", str(Path(folder, "data")), "--time-limit", "2", "--queue", "50"]
        with log.open("wb") as words:
            server = subprocess.Popen(command, stderr=words, stdout=words)
        try:
            _wait_until_ready(url)
            yield url, server
        finally:
            server.terminate()
            server.wait()
        said = log.read_text(errors="replace")
        if "Traceback" in said:
            raise Fell("a traceback in the server's log", {"log": said[-3000:]})


def _wait_until_ready(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(httpx.TransportError):
            if httpx.get(f"{url}/ready").status_code == 200:
                return
        time.sleep(0.1)
    raise TimeoutError("the server did not start")
