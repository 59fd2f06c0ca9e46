"""Attack a server with hostile bodies, bursts and silent clients: it must keep answering."""

import json
import random
import socket
import subprocess
import tempfile
import threading
import time
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import httpx2 as httpx
import psutil

from tests.attacks.questions import Counterexample
from tests.support.drawing import drawn, questions
from tests.support.serving import API, free_port, served
from tests.support.tables import table
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance

BURST = 30
SLOWEST_S = 60.0
"""Maximum time of a harmless request during the attack, in seconds."""

MOST_DESCRIPTORS = 200
"""Maximum number of open file descriptors of the idle server."""

HOSTILE: tuple[str, ...] = (
    *table("attacks", "hostile"),
    '{"instance": {"question": "uno-1", "cards": [' + "[" * 5000 + "]}}",
    '{"instance": {"question": "uno-1", "cards": [[' + "9" * 5000 + "]]}}",
)
LINKS = (
    "R5 " * 60_000,
    "[" * 100_000,
    '{"question": "uno-1", "cards": [' + '"R5",' * 100_000 + '"R5"]}',
    '{"question": "uno-1", "cards": ["R5"]}',
)
"""Links: what they hold."""

PATHS = ("solve", "jobs", "check", "export", "generate", "parse")


def attack(rng: random.Random, until: float) -> int:
    """Send requests until the deadline; return the number of answered ones."""
    count = 0
    with _server() as (url, server), httpx.Client(base_url=url, timeout=60) as client:
        while time.monotonic() < until:
            count += _burst(rng, url)
            for _ in range(10):
                path, body = rng.choice(PATHS), _body(rng)
                _require_sane(client.post(path, content=body, headers=_JSON), path, body)
                count += 1
            _require_well(client)
            if server.poll() is not None:
                raise Counterexample(f"the server ended with {server.returncode}", {})
        _require_rest(client, server.pid)
    return count


_JSON = {"content-type": "application/json"}


@cache
def _asked() -> Sequence[Instance]:
    """Questions that are sent."""
    return drawn(questions(), 200)


def _body(rng: random.Random) -> bytes:
    """Return a hostile body, or a valid one with random changes."""
    if rng.random() < 0.4:
        return rng.choice(HOSTILE).encode("utf-8", "surrogatepass")
    good: dict[str, Any] = {"instance": question_to_dict(rng.choice(_asked()))}
    good |= rng.choice(
        ({}, {"to": "dimacs"}, {"answer": {"question": "uno-1", "status": "UNKNOWN"}})
    )
    text = json.dumps(good)
    for _ in range(rng.randint(0, 3)):
        place = rng.randrange(len(text) + 1)
        text = (
            text[:place]
            + rng.choice(('"', "[", "]", "9", ",", "\\ud800", "*", ""))
            + text[place + 1 :]
        )
    return text.encode()


def _require_sane(response: httpx.Response, path: str, body: bytes) -> None:
    case = {
        "path": path,
        "body": body.decode(errors="replace")[:2000],
        "status": response.status_code,
    }
    if response.status_code >= 500 and response.status_code not in (502, 503):
        raise Counterexample(f"{response.status_code} {response.text[:200]}", case)
    if response.status_code >= 400:
        kind = response.headers.get("content-type", "")
        if kind != "application/problem+json" or "\n" in response.json()["detail"]:
            raise Counterexample(f"not a one-line problem+json: {response.text[:200]}", case)


def _burst(rng: random.Random, url: str) -> int:
    """Send from many clients at once, with some connections silent or incomplete."""
    fell: list[Counterexample] = []
    silent = [_connected(url) for _ in range(rng.randint(0, 50))]
    for each in silent[::2]:
        each.sendall(b"POST /api/v1/solve HTTP/1.1\r\nContent-Length: 1000\r\n")
    bodies = [(rng.choice(PATHS), _body(rng)) for _ in range(BURST)]

    def one(path: str, body: bytes) -> None:
        """Send one request."""
        try:
            response = httpx.post(f"{url}/{path}", content=body, headers=_JSON, timeout=60)
            _require_sane(response, path, body)
        except Counterexample as error:
            fell.append(error)
        except httpx.HTTPError as error:
            fell.append(
                Counterexample(f"no answer: {error}", {"path": path, "body": str(body[:500])})
            )

    threads = [threading.Thread(target=one, args=each) for each in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in silent:
        each.close()
    _follow_link(rng, url)
    if fell:
        raise fell[0]
    return BURST


def _follow_link(rng: random.Random, url: str) -> None:
    """Require that a page and a picture are there for any link."""
    packing = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packing.compress(rng.choice(LINKS).encode()) + packing.flush()
    link = {"q": urlsafe_b64encode(packed).decode().rstrip("=")}
    for page in ("/", "/preview.png"):
        response = httpx.get(url.removesuffix("/api/v1") + page, params=link, timeout=60)
        if response.status_code != 200:
            raise Counterexample(f"{response.status_code} {response.text[:200]}", link)


def _connected(url: str) -> socket.socket:
    host, port = url.split("/")[2].split(":")
    return socket.create_connection((host, int(port)))


def _require_well(client: httpx.Client) -> None:
    """Require that the server is ready and answers a harmless request quickly."""
    began = time.monotonic()
    asked = {"instance": {"question": "uno-1", "cards": ["R5", "R7"]}}
    response = client.get("ready")
    if response.status_code != 200:
        raise Counterexample(f"not ready: {response.text[:200]}", {})
    response = client.post(
        "check", json={**asked, "answer": {"question": "uno-1", "status": "UNKNOWN"}}
    )
    if response.status_code != 200 or time.monotonic() - began > SLOWEST_S:
        raise Counterexample(f"{response.status_code} after {time.monotonic() - began:.1f} s", {})


def _require_rest(client: httpx.Client, pid: int) -> None:
    """Require that the idle server holds few file descriptors and still solves."""
    time.sleep(1)
    held = psutil.Process(pid).num_fds()
    if held > MOST_DESCRIPTORS:
        raise Counterexample(f"{held} open file descriptors", {})
    response = client.post("solve", json={"instance": {"question": "uno-1", "cards": ["R5", "R7"]}})
    if response.status_code not in (200, 202):
        raise Counterexample(f"nothing is solved any more: {response.text[:200]}", {})


@contextmanager
def _server() -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="uno-csp-attack-") as folder:
        log = Path(folder, "log")
        options = ("--time-limit", "2", "--queue", "50")
        with (
            log.open("wb") as words,
            served(Path(folder, "data"), port, *options, stderr=words, stdout=words) as server,
        ):
            yield f"http://127.0.0.1:{port}{API}", server
        said = log.read_text(errors="replace")
        if "Traceback" in said:
            raise Counterexample("a traceback in the server's log", {"log": said[-3000:]})
