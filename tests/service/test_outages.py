"""The service while its database, its scheduler or its workers are away."""

import json
import signal
import threading
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import httpx2 as httpx
import psutil
import pytest
from fastapi.testclient import TestClient

from tests.support.clusters import Cluster, cluster
from tests.support.databases import postgres_server
from tests.support.processes import JOBS, named_below
from tests.support.serving import (
    API,
    LONG,
    PAIR,
    client_of,
    finished,
    free_port,
    job_of,
    lives,
    made,
    start,
    wait_until,
)
from uno_csp.processes.supervision import Control, Limits, Outcome
from uno_csp.service.api.app import create_app
from uno_csp.service.handlers.declaring import do
from uno_csp.service.handlers.solving import solve_job
from uno_csp.service.jobs import recording, scheduler
from uno_csp.service.jobs.cluster_runner import ClusterRunner
from uno_csp.service.problems import StoreUnavailable
from uno_csp.service.settings import Settings
from uno_csp.service.stores.sqlite_store import SqliteStore

NO = {"question": "uno-1", "cards": ["R5", "B7"]}
USED_FOR_A_JOB = ("claim", "remember", "glance", "put_certificate", "finish", "publish_progress")


@pytest.mark.slow
def test_the_database_is_lost_and_no_accepted_job(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with postgres_server() as database, log.open("wb") as stream:
        port = free_port()
        options = ("--store", database.url, "--log-level", "info", "--log-format", "json")
        server = start(tmp_path / "data", port, *options, stderr=stream)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}{API}", timeout=200) as client:
            long = made(client, LONG, time_limit_s=5.0)
            wait_until(lambda: job_of(client, long)["state"] == "running")
            waiting = made(client, PAIR, seed=1)
            for _ in range(2):
                database.lose()
                wait_until(lambda: client.get("/ready").status_code == 503)
                with ThreadPoolExecutor(20) as pool:  # nobody waits for a connection in turn
                    ask = partial(client.post, "/solve")
                    asked = [pool.submit(ask, json={"instance": PAIR}) for _ in range(200)]
                    answers = [each.result() for each in asked]
                assert Counter(each.status_code for each in answers) == {503: 200}
                assert {each.headers["Retry-After"] for each in answers} == {"5"}
                database.start()
                wait_until(lambda: client.get("/ready").status_code == 200)
            assert finished(client, long)["answer"]["status"] in {"OPTIMAL", "UNKNOWN"}
            assert finished(client, waiting)["answer"]["status"] == "SATISFIABLE"
            wait_until(lambda: ask(json={"instance": PAIR}).status_code == 200)
        server.terminate()
        server.wait()
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    assert events.count("the job store is reachable again") == 2
    assert sum(event.startswith("the job store is unreachable: ") for event in events) == 2


def test_an_answer_is_waited_for_while_the_store_is_away(
    own_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An accepted question is not answered with an error, which would have it asked again."""
    glance = SqliteStore.glance
    away = iter([StoreUnavailable("it is away")] * 3)

    def flaky(store: SqliteStore, name: str) -> Any:
        for error in away:
            raise error
        return glance(store, name)

    monkeypatch.setattr(SqliteStore, "glance", flaky)
    answer = own_client.post("/solve", json={"instance": PAIR})
    assert (answer.status_code, answer.json()["status"]) == (200, "SATISFIABLE")


def test_whatever_of_the_store_is_away_the_job_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (recording, scheduler):
        monkeypatch.setattr(module, "IDLE_S", 0.02)
    left: dict[str, int] = {}
    for name in USED_FOR_A_JOB:
        method = getattr(SqliteStore, name)

        def flaky(*values: Any, _name: str = name, _method: Any = method, **named: Any) -> Any:
            """It is away three times."""
            left[_name] = left.get(_name, 3) - 1
            if left[_name] >= 0:
                raise StoreUnavailable("it is away")
            return _method(*values, **named)

        monkeypatch.setattr(SqliteStore, name, flaky)
    with client_of(tmp_path, workers=1) as client:
        for instance, proof in ((PAIR, False), (NO, True)):
            left.clear()
            left["glance"] = 0  # at first by the client itself
            name = made(client, instance, proof=proof)
            job = finished(client, name)
            assert (job["state"], job["problem"]) == ("done", None)
            assert left["finish"] < 0
        assert client.get(f"/jobs/{name}/certificate").status_code == 200


def test_the_same_key_asks_the_same_question(tmp_path: Path) -> None:
    asked, key = {"instance": PAIR, "seed": 1}, {"Idempotency-Key": "mine"}
    with client_of(tmp_path) as client:
        ask = partial(client.post, headers=key)
        answers = [ask("/solve", json=asked) for _ in range(3)]
        assert [each.status_code for each in answers] == [200] * 3
        assert answers[0].json() == answers[2].json()
        (job,) = client.get("/jobs").json()["jobs"]
        assert ask("/jobs", json=asked).json()["id"] == job["id"]
        for path in ("/solve", "/jobs"):
            other = ask(path, json={"instance": PAIR, "seed": 2})
            assert (other.status_code, other.json()["place"]) == (422, "Idempotency-Key")
            assert "idempotency key" in other.json()["detail"]
        none = [client.post("/jobs", json=asked, headers={"Idempotency-Key": ""}) for _ in range(2)]
        assert len({each.json()["id"] for each in none}) == 2
    # The same request, whatever the default time limit of a server that is started again.
    with client_of(tmp_path, wall_s=30.0) as client:
        assert client.post("/solve", json=asked, headers=key).json() == answers[0].json()


def figure(client: TestClient, name: str) -> float:
    """A figure of the server without labels."""
    lines = client.get("/metrics").text.splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{name} ")))


def ready(client: TestClient) -> Mapping[str, Any]:
    answer = client.get("/ready")
    assert answer.status_code == 200
    return dict(answer.json())


@pytest.mark.slow
def test_workers_that_are_ended_in_order_are_no_deaths(tmp_path: Path) -> None:
    with cluster(tmp_path) as there:
        app = create_app(
            Settings(tmp_path / "d"), SqliteStore(tmp_path / "d"), ClusterRunner(there.address)
        )
        with TestClient(app, base_url="http://localhost/api/v1") as client:
            wait_until(lambda: ready(client) == {"status": "ok", "workers": 2})
            name = made(client, LONG)
            for _ in range(6):
                busy = wait_until_busy(there)
                children = psutil.Process(busy.pid).children(recursive=True)
                busy.send_signal(signal.SIGTERM)
                assert busy.wait(200) == 0
                wait_until(partial(none_lives, children))
                there.workers.remove(busy)
                there.workers.append(there.start_worker())
                job = job_of(client, name)
                assert (job["state"], job["problem"]) == ("running", None)
            assert client.post(f"/jobs/{name}/cancel").json()["state"] == "cancelled"
            for each in there.workers:
                each.terminate()
                each.wait(200)
            wait_until(lambda: ready(client).get("workers") == 0)
            assert "jobs wait" in ready(client)["detail"]
            assert figure(client, "uno_csp_cluster_workers") == 0
            name = made(client, PAIR)
            there.start_worker()
            assert finished(client, name)["state"] == "done"
            wait_until(lambda: figure(client, "uno_csp_cluster_workers") == 1)


def none_lives(processes: list[psutil.Process]) -> bool:
    return not any(map(lives, processes))


def wait_until_busy(there: Cluster) -> Any:
    """The worker that has a job."""

    def busy() -> list[Any]:
        return [
            each for each in there.workers if each.poll() is None and named_below(each.pid, JOBS)
        ]

    wait_until(lambda: bool(busy()))
    return busy()[0]


@pytest.mark.slow
def test_workers_with_nannies_that_are_ended_in_order_are_no_deaths(tmp_path: Path) -> None:
    heard: list[Mapping[str, Any]] = []
    ended: list[Outcome] = []
    options = {"time_limit_s": 200, "seed": 0}
    task = {"do": do(solve_job), "instance": LONG, "options": options, "hash": None, "backends": ()}
    with cluster(tmp_path, "--nanny") as there, closing(ClusterRunner(there.address)) as runner:
        stop, limits = threading.Event(), Limits(200.0, None, 4000.0)

        def run() -> None:
            ended.append(
                runner.run({**task, "proof": None}, limits, Control(stop, listener=heard.append))
            )

        solving = threading.Thread(target=run)
        solving.start()
        for _ in range(5):
            heard.clear()
            wait_until(lambda: bool(heard))
            for each in there.workers:
                each.terminate()
            for each in there.workers:
                assert each.wait(200) == 0
            there.workers[:] = [there.start_worker(), there.start_worker()]
        heard.clear()
        wait_until(lambda: bool(heard))
        stop.set()
        solving.join()
        for each in there.workers:
            each.terminate()
            each.wait(200)
    assert ended[0].limit_hit == "it was stopped"
