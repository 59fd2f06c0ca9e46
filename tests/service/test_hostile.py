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
from contextlib import suppress
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import Any

import httpx2 as httpx
import psutil
import pytest
from fastapi.testclient import TestClient
from starlette.requests import ClientDisconnect

from tests.support.running import run
from tests.support.serving import LONG, PAIR, client_of, free_port, job_of, wait_until
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
    done: list[Any] = []
    thread = threading.Thread(target=lambda: done.append(doing()))
    thread.start()
    answered = 0
    while thread.is_alive():
        assert client.get("/health").status_code == 200
        answered += thread.is_alive()
        time.sleep(0.01)
    thread.join()
    return done[0], answered


def multipede(spine: int, seed: int) -> dict[str, Any]:
    """A hand whose graph is rigid, and hard to see as such: BLISS takes ten seconds for this one.

    Parity gadgets of four nodes, each on three drawn pairs of feet.
    """
    rng = random.Random(seed)
    hand: list[list[str]] = []
    for i in range(spine):
        legs = rng.sample(range(spine), 3)
        for bits in product((0, 1), repeat=3):
            if sum(bits) % 2 == 0:
                hand += [
                    [f"{i}/{bits}", f"{leg}.{bit}"] for leg, bit in zip(legs, bits, strict=True)
                ]
    return {"question": "uno-1", "cards": hand}


@pytest.mark.slow
def test_hard_canonical_forms_and_large_bodies_hold_up_nobody(client: TestClient) -> None:
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


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ("[" * 100_000, 400, "nested too deeply"),
        ('{"instance": ' + "9" * 5000 + "}", 422, "an integer has at most 4000 digits"),
    ],
)
def test_bodies_are_read_strictly(body: str, status: int, message: str, client: TestClient) -> None:
    for path in ("solve", "jobs", "check", "export", "generate", "parse"):
        found = client.post(f"/{path}", content=body, headers=JSON)
        assert found.status_code == status, path
        assert found.headers["content-type"] == "application/problem+json"
        assert message in found.json()["detail"]


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


def test_names_that_lead_here_from_elsewhere_are_turned_away(tmp_path: Path) -> None:
    with client_of(tmp_path / "a", names=("uno.example",)) as client:
        for host, status in (
            ("evil.example", 421),
            ("evil.example:8000", 421),
            ("", 421),
            ("[::1", 421),
            ("[::1]evil.example", 421),
            ("[::1]:evil.example", 421),
            ("[evil.example]", 421),
            ("localhost:80:80", 421),
            ("localhost evil.example", 421),
            ("localhost", 200),
            ("LOCALHOST:8000", 200),
            ("127.0.0.1:8000", 200),
            ("[::1]:8", 200),
            ("[::1]", 200),
            ("[2001:DB8::1]:8000", 200),
            ("localhost:", 200),
            ("192.168.1.7", 200),
            ("uno.example", 200),
            ("127.0.0.1.evil.example", 421),
        ):
            assert client.get("/health", headers={"host": host}).status_code == status, host
        assert client.get("http://localhost/", headers={"host": "evil.example"}).status_code == 421
        for hosts in permutations(("localhost", "evil.example")):  # none of two is believed
            headers = [("host", host) for host in hosts]
            assert client.get("/health", headers=headers).status_code == 421
    with client_of(tmp_path / "b", token="secret") as client:  # noqa: S106
        assert client.get("/health", headers={"host": "evil.example"}).status_code == 200


@pytest.mark.parametrize("name", ["Content-Type", "Idempotency-Key", "Authorization"])
def test_a_header_with_two_values_is_refused(tmp_path: Path, name: str) -> None:
    with client_of(tmp_path) as client:
        found = client.post("/jobs", headers=[(name, "application/json"), (name, "b")])
        assert found.status_code == 400
        assert f"{name.lower()} stands there more than once" in found.json()["detail"]


def test_every_family_stays_under_the_card_limit(tmp_path: Path) -> None:
    with client_of(tmp_path, cards=30) as client:
        found = client.post("/generate", json={"family": "petersen-fragments"})
        assert found.status_code in (404, 413)
        found = client.post("/generate", json={"family": "diamond"})
        assert (found.status_code, "more than the 30 allowed" in found.json()["detail"]) == (
            413,
            True,
        )


def test_a_job_cancelled_while_it_is_waited_for_is_told(tmp_path: Path) -> None:
    with client_of(tmp_path, wait_s=30) as client:
        message: list[httpx.Response] = []
        body = {"instance": LONG, "time_limit_s": 50}
        thread = threading.Thread(target=lambda: message.append(client.post("/solve", json=body)))
        thread.start()
        wait_until(lambda: bool(client.get("/jobs", params={"state": "running"}).json()["jobs"]))
        name = client.get("/jobs").json()["jobs"][0]["id"]
        client.post(f"/jobs/{name}/cancel")
        thread.join()
        assert (message[0].status_code, message[0].json()["detail"]) == (
            409,
            f"the job {name} was cancelled",
        )
        assert job_of(client, name)["state"] == "cancelled"


def test_a_worker_survives_what_goes_wrong_and_fails_the_job(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        """A bug."""
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(Recorder, "_solve", fail)
        asked_only_here = {"question": "uno-1", "cards": [["red", i] for i in range(19)]}
        name = client.post("/jobs", json={"instance": asked_only_here}).json()["id"]
        wait_until(lambda: job_of(client, name)["state"] == "failed")
        assert "ZeroDivisionError" in job_of(client, name)["problem"]["detail"]
        assert client.get("/ready").status_code == 200
    assert client.post("/solve", json={"instance": {**PAIR, "name": "2"}}).status_code == 200


def test_connections_to_the_store_are_few(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    threads = [threading.Thread(target=store.ping) for _ in range(60)]
    before = psutil.Process().num_fds()
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
    kind: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, port = tmp_path / "data", str(free_port())
    held: Any = None
    if kind == "a file":
        data.write_text("x")
    elif kind == "no database":
        data.mkdir()
        (data / "jobs.sqlite3").write_text("x" * 5000)
    elif kind == "in use":
        held = SqliteStore(data)
    else:
        held = socket.create_server(("127.0.0.1", int(port)))
    assert run("serve", "--data", str(data), "--port", port) == 2
    assert re.fullmatch(rf"uno-csp: [^\n]*{said}[^\n]*\n", capsys.readouterr().err)
    if held is not None:
        held.close()


SLOW_EXPORT = {"question": "uno-1", "cards": [[i, i % 7] for i in range(400)]}
"""Its textbook model has millions of clauses."""


EXPORT = {
    "do": do(export_question),
    "body": json.dumps({"instance": SLOW_EXPORT, "to": "dimacs", "method": "position"}),
    "path": os.devnull,
    "cards": 10**6,
}


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
    monkeypatch.setattr(scheduling, "WAIT_S", 0.1)
    monkeypatch.setattr(scheduling, "CHECK_EVERY_S", 0.05)

    async def told() -> Problem:
        asked = [asyncio.create_task(scheduler.run(FILE, export)) for _ in range(3)]
        with pytest.raises(Problem) as caught:
            await asked[2]
        scheduler.stop_requests()
        await asyncio.gather(*asked, return_exceptions=True)
        return caught.value

    assert asyncio.run(told()).status == 503
