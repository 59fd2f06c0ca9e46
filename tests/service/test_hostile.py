"""The service under requests that mean no good: each is answered, and nobody else waits for it."""

import asyncio
import json
import os
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import psutil
import pytest
from fastapi.testclient import TestClient
from starlette.requests import ClientDisconnect

from tests.support.running import refused
from tests.support.serving import LONG, PAIR, client_of, done, free_port, job_of, wait_until
from uno_csp.service.handlers.declaring import FILE, do
from uno_csp.service.handlers.files import export_question
from uno_csp.service.jobs import scheduler as scheduling
from uno_csp.service.jobs.recording import Recorder
from uno_csp.service.jobs.runners import LocalRunner
from uno_csp.service.jobs.scheduler import Run, Scheduler
from uno_csp.service.problems import Problem
from uno_csp.service.settings import Settings
from uno_csp.service.stores.sqlite_store import SqliteStore

JSON = {"content-type": "application/json"}


def while_health_is_asked(client: TestClient, doing: Callable[[], Any]) -> tuple[Any, int]:
    """What comes of something, and how many times /health was answered meanwhile."""
    answered = 0
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(doing)
        while not result.done():
            assert client.get("/health").status_code == 200
            answered += not result.done()
            time.sleep(0.01)
    return result.result(), answered


def multipede(spine: int, seed: int) -> dict[str, Any]:
    """A hand whose graph is rigid, and hard to see as such: BLISS takes ten seconds for this one.

    Parity gadgets of four nodes, each on three drawn pairs of feet.
    """
    rng = random.Random(seed)
    hand: list[list[str]] = []
    for i in range(spine):
        legs = rng.sample(range(spine), 3)
        for bits in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)):
            feet = zip(legs, bits, strict=True)
            hand += [[f"{i}/{bits}", f"{leg}.{bit}"] for leg, bit in feet]
    return {"question": "uno-1", "cards": hand}


@pytest.mark.slow
def test_hard_canonical_forms_and_large_bodies_hold_up_nobody(tmp_path: Path) -> None:
    with client_of(tmp_path, hurried=True) as client:
        client.post("/solve", json={"instance": PAIR})
        for instance in (
            multipede(166, 7),
            {"question": "uno-1", "cards": [[i, i] for i in range(50_000)]},
        ):
            body = json.dumps({"instance": instance, "time_limit_s": 1})
            ask = partial(client.post, "/jobs", content=body, headers=JSON)
            expected, answered = while_health_is_asked(client, ask)
            assert expected.status_code == 201
            assert answered > 1  # who is held up gets one answer, at the end


@pytest.mark.parametrize(("dimension", "rule"), [(24, 12), (64, 32)])
def test_many_hubs_hold_up_nobody(dimension: int, rule: int, client: TestClient) -> None:
    """Listing the hubs of one such card takes minutes and gigabytes."""
    hands = [[[(i >> (j % 5)) & 1 for j in range(dimension)] for i in range(n)] for n in (4, 3)]
    instance = {"question": "uncooperative", "hands": hands, "at_least": rule}
    answer = client.post("/solve", json={"instance": instance}).json()
    assert answer["checked"]
    body = {"instance": instance, "answer": answer}
    check = partial(client.post, "/check", json=body)
    responses, answered = while_health_is_asked(client, lambda: [check() for _ in range(20)])
    verdicts = [response.json() for response in responses]
    assert {(each["valid"], each["checked"]) for each in verdicts} == {(True, "strategy")}
    assert answered > 1  # who is held up gets one answer, at the end


def test_bodies_are_read_strictly(client: TestClient) -> None:
    digits = '{"instance": ' + "9" * 5000 + "}"
    for path in ("solve", "jobs", "check", "export", "generate", "parse"):
        for body, status, message in (
            ("[" * 100_000, 400, "nested too deeply"),
            (digits, 422, "an integer has at most 4000 digits"),
        ):
            found = client.post(f"/{path}", content=body, headers=JSON)
            assert (found.status_code, message in found.json()["detail"]) == (status, True), path
            assert found.headers["content-type"] == "application/problem+json"


def test_a_method_that_is_not_allowed_is_answered_with_those_that_are(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("")
    with client_of(tmp_path / "data", guide=tmp_path) as client:
        allowed = {
            f"http://localhost{path.replace('{name}', 'x')}": {name.upper() for name in methods}
            | ({"HEAD"} if "get" in methods and not path.endswith("/events") else set())
            for path, methods in client.get("/openapi.json").json()["paths"].items()
        }
        folders = ("", "game", "preview.png", "example.json", "guide/", "icon.svg")
        allowed |= {f"http://localhost/{path}": {"GET", "HEAD"} for path in folders}
        for path, methods in allowed.items():
            for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - methods:
                found = client.request(method, path)
                assert found.status_code == 405, (method, path)
                assert set(found.headers["allow"].split(", ")) == methods, (method, path)


def test_what_is_not_said_to_be_json_is_not_read(own_client: TestClient) -> None:
    """A page from elsewhere may send plain text without asking first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        found = own_client.post(
            "/jobs", content=json.dumps({"instance": PAIR}), headers={"content-type": kind}
        )
        assert found.status_code == 415
    assert own_client.get("/jobs").json()["jobs"] == []


FOREIGN = (
    *("evil.example", "evil.example:8000", "", "[::1", "[::1]evil.example", "[::1]:evil.example"),
    *("[evil.example]", "localhost:80:80", "localhost evil.example", "127.0.0.1.evil.example"),
)
OWN = (
    *("localhost", "LOCALHOST:8000", "127.0.0.1:8000", "[::1]:8", "[::1]", "[2001:DB8::1]:8000"),
    *("localhost:", "192.168.1.7", "uno.example"),
)


def test_names_that_lead_here_from_elsewhere_are_turned_away(tmp_path: Path) -> None:
    with client_of(tmp_path / "a", names=("uno.example",)) as client:
        for host in (*FOREIGN, *OWN):
            status = client.get("/health", headers={"host": host}).status_code
            assert status == (200 if host in OWN else 421), host
        assert client.get("http://localhost/", headers={"host": "evil.example"}).status_code == 421
        for hosts in permutations(("localhost", "evil.example")):  # none of two is believed
            headers = [("host", host) for host in hosts]
            assert client.get("/health", headers=headers).status_code == 421
    with client_of(tmp_path / "b", token="secret") as client:  # noqa: S106
        assert client.get("/health", headers={"host": "evil.example"}).status_code == 200


@pytest.mark.parametrize("name", ["Content-Type", "Idempotency-Key", "Authorization"])
def test_a_header_with_two_values_is_refused(client: TestClient, name: str) -> None:
    found = client.post("/jobs", headers=[(name, "application/json"), (name, "b")])
    assert found.status_code == 400
    assert f"{name.lower()} stands there more than once" in found.json()["detail"]


def test_every_family_stays_under_the_card_limit(tmp_path: Path) -> None:
    with client_of(tmp_path, cards=30) as client:
        for family in ("petersen-fragments", "diamond"):
            found = client.post("/generate", json={"family": family})
            assert found.status_code == 413
            assert "more than the 30 allowed" in found.json()["detail"]


def test_a_job_cancelled_while_it_is_waited_for_is_told(tmp_path: Path) -> None:
    with client_of(tmp_path) as client, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.post, "/solve", json={"instance": LONG, "time_limit_s": 50})
        running = {"state": "running"}
        wait_until(lambda: bool(client.get("/jobs", params=running).json()["jobs"]))
        name = client.get("/jobs").json()["jobs"][0]["id"]
        client.post(f"/jobs/{name}/cancel")
        told = asked.result()
        detail = f"the job {name} was cancelled"
        assert (told.status_code, told.json()["detail"]) == (409, detail)
        assert job_of(client, name)["state"] == "cancelled"


def test_a_worker_survives_what_goes_wrong_and_fails_the_job(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Recorder, "_solve", Mock(side_effect=ZeroDivisionError))
        job = done(client, {"question": "uno-1", "cards": [["red", i] for i in range(19)]})
        assert job["state"] == "failed"
        assert "ZeroDivisionError" in job["problem"]["detail"]
        assert client.get("/ready").status_code == 200
    assert client.post("/solve", json={"instance": {**PAIR, "name": "2"}}).status_code == 200


def test_connections_to_the_store_are_few(tmp_path: Path) -> None:
    store, before = SqliteStore(tmp_path), psutil.Process().num_fds()
    threads = [threading.Thread(target=store.ping) for _ in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert psutil.Process().num_fds() - before < 40
    store.close()
    assert psutil.Process().num_fds() < before


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("a file", "is a file"),
        ("no database", "not a database"),
        ("in use", "another server is at work there"),
        ("the port", "in use"),
    ],
)
def test_a_server_that_cannot_start_says_so_in_one_line(
    kind: str, said: str, tmp_path: Path
) -> None:
    data, port = tmp_path / "data", free_port()
    with ExitStack() as held:
        if kind == "a file":
            data.write_text("x")
        elif kind == "no database":
            data.mkdir()
            (data / "jobs.sqlite3").write_text("x" * 5000)
        elif kind == "in use":
            held.callback(SqliteStore(data).close)
        else:
            held.enter_context(socket.create_server(("127.0.0.1", port)))
        complaint = refused("serve", "--data", str(data), "--port", str(port))
    assert re.fullmatch(rf"uno-csp: [^\n]*{said}[^\n]*\n", complaint)


SLOW = {"question": "uno-1", "cards": [[i, i % 7] for i in range(400)]}
EXPORT = {
    "do": do(export_question),
    "body": json.dumps({"instance": SLOW, "to": "dimacs", "method": "position"}),
    "path": os.devnull,
    "cards": 10**6,
}
"""An export whose textbook model has millions of clauses."""


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Scheduler]:
    """A scheduler whose lane of files gives all the time in the world."""
    store = SqliteStore(tmp_path)
    made = Scheduler(store, Settings(tmp_path), LocalRunner(1, 1000.0), lambda *_, **__: None)
    made.start()
    yield made
    made.close()
    store.close()


def export(run: Run) -> str:
    """Run an export, and return the limit that ended it."""
    return run(EXPORT).limit_hit


def test_nothing_is_done_for_clients_who_have_gone(scheduler: Scheduler) -> None:
    """What nobody waits for keeps nobody waiting: at work or in the queue, it frees its place."""

    async def left() -> list[Any]:
        gone = asyncio.Event()

        async def departed() -> bool:
            return gone.is_set()

        asked = [asyncio.create_task(scheduler.run(FILE, export, departed)) for _ in range(9)]
        await asyncio.sleep(0.5)
        assert len(scheduler.requests[FILE.name]) == 9
        gone.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    ended = asyncio.run(left())
    assert [type(each) for each in ended] == [ClientDisconnect] * 9
    assert len(scheduler.requests[FILE.name]) == 0


def test_short_requests_of_a_server_that_ends_are_stopped(scheduler: Scheduler) -> None:
    """The handler is cancelled while its program works; nobody waits for that."""

    async def cancelled() -> bool:
        under_way = asyncio.create_task(scheduler.run(FILE, export))
        await asyncio.sleep(0.5)
        under_way.cancel()
        with suppress(asyncio.CancelledError):
            await under_way
        return under_way.cancelled()

    assert asyncio.run(cancelled())


def test_a_request_that_waits_too_long_is_told_to_come_later(
    scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "CHECK_EVERY_S", 0.05)
    begun = threading.Semaphore(0)

    def noted(run: Run) -> str:
        begun.release()
        return export(run)

    async def told() -> Problem:
        asked = [asyncio.create_task(scheduler.run(FILE, noted)) for _ in range(FILE.at_a_time)]
        for _ in asked:
            await asyncio.to_thread(begun.acquire)
        monkeypatch.setattr(scheduling, "WAIT_S", 0.1)
        with pytest.raises(Problem) as caught:
            await scheduler.run(FILE, export)
        scheduler.stop_requests()
        await asyncio.gather(*asked, return_exceptions=True)
        return caught.value

    assert asyncio.run(told()).status == 503
