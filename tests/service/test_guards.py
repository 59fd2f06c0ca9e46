"""What a server does not let clients do, and how it behaves when its disk is full."""

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from tests.support.running import refused
from tests.support.serving import API, LONG, PAIR, client_of, done, finished, made, wait_until
from tests.support.tables import table
from uno_csp.cli.serve import configured
from uno_csp.service.api.app import create_app
from uno_csp.service.handlers.declaring import LONG as LONG_LANE
from uno_csp.service.handlers.declaring import do
from uno_csp.service.handlers.solving import solve_job
from uno_csp.service.job import State
from uno_csp.service.jobs import worker
from uno_csp.service.problems import StoreFull
from uno_csp.service.settings import Settings
from uno_csp.service.stores.sqlite_store import DATABASE, RESERVE, Reserve, SqliteStore

SOLVED = {"instance": PAIR, "backend": "cadical195", "presolve": False}


def test_no_other_route_takes_a_backend(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    taking = set()
    for path, operations in document["paths"].items():
        for operation in operations.values():
            body = json.dumps(operation.get("requestBody", {}))
            taking |= {path} if "SolveRequest" in body else set()
            assert '"backend"' not in body
            names = {each["name"] for each in operation.get("parameters", ())}
            assert not names & {"backend", "program"}
    assert taking == {f"{API}/solve", f"{API}/jobs"}
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("Request") and name not in ("SolveRequest", "SolveManyRequest"):
            assert "backend" not in schema["properties"], name


def test_a_queued_job_of_another_server_runs_no_program_that_this_one_does_not_allow() -> None:
    options = {"backend": "dimacs:touch", "time_limit_s": 5.0}
    task = {"do": do(solve_job), "instance": PAIR, "options": options, "hash": None, "proof": None}
    found = worker.handle({**task, "backends": ()}, Mock())
    assert found["error"]["status"] == 404


@pytest.mark.skipif(shutil.which("picosat") is None, reason="a solver program to allow")
def test_the_owner_allows_more_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "my-solver"
    own.symlink_to(shutil.which("picosat") or "")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with client_of(tmp_path / "d", backends=("dimacs:my-solver",)) as client:
        asked = {"instance": PAIR, "backend": "dimacs:my-solver", "presolve": False}
        response = client.post("/solve", json=asked).json()
        assert (response["status"], response["backend"]) == ("SATISFIABLE", "dimacs:my-solver")
        listed = {row["name"] for row in client.get("/backends").json()}
        assert {"dimacs:my-solver", "dimacs:kissat"} <= listed
        assert client.post("/solve", json={**asked, "backend": "dimacs:sh"}).status_code == 404


@pytest.mark.parametrize(("headers", "status"), table("service", "from elsewhere"))
def test_pages_from_elsewhere_cancel_nothing(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    job = made(client, **SOLVED)
    response = client.post(f"/jobs/{job}/cancel", headers=headers)
    assert response.status_code == status
    if status == 403:
        assert client.delete(f"/jobs/{job}", headers=headers).status_code == 403


def test_a_token_is_needed_where_one_is_set(tmp_path: Path) -> None:
    with client_of(tmp_path, token="secret") as client:  # noqa: S106
        for path in ("/jobs", "/metrics"):
            for shown, status in (
                (None, 401),
                ("Bearer secre", 401),
                ("secret", 401),
                ("Bearer secret", 200),
                ("bearer secret", 200),
                ("BEARER secret", 200),
            ):
                headers = {} if shown is None else {"Authorization": shown}
                found = client.get(path, headers=headers)
                assert found.status_code == status
                assert found.headers.get("www-authenticate") == (
                    "Bearer" if status == 401 else None
                )
        assert client.get("/health").status_code == 200
        # With a token a page from elsewhere, which does not know it, can do nothing anyway.
        origin = {"origin": "http://app.example", "authorization": "Bearer secret"}
        assert client.post("/solve", json=SOLVED, headers=origin).status_code == 200


@pytest.mark.parametrize("behind_proxy", [False, True])
def test_who_asks_is_believed_of_a_proxy_only(tmp_path: Path, behind_proxy: bool) -> None:
    settings = Settings(tmp_path, requests_per_minute=20, behind_proxy=behind_proxy)
    config = configured(create_app(settings, SqliteStore(tmp_path)), settings, 1000)
    config.load()
    assert config.timeout_keep_alive > 60  # longer than proxies keep an idle connection
    app: Any = config.loaded_app
    with TestClient(app, f"http://localhost{API}", client=("127.0.0.1", 1)) as client:
        headers = [{"x-forwarded-for": f"10.0.0.{each}"} for each in range(30)]
        statuses = {client.get("/questions", headers=each).status_code for each in headers}
    assert statuses == ({200} if behind_proxy else {200, 429})


def test_pages_that_people_look_for_lead_somewhere(client: TestClient) -> None:
    for path in ("/redoc", "/api", "/api/v1", "/api/v1/", "/openapi.json"):
        response = client.get(f"http://localhost{path}")
        assert response.status_code == 200, path
        assert [each.status_code for each in response.history] == [307]
        assert not response.history[0].headers["location"].startswith("/")  # below any path


def test_short_requests_have_places_that_long_ones_cannot_take(own_client: TestClient) -> None:
    """However many games are analysed; nothing here waits for an analysis."""
    deal = {"players": 5, "cards": 15}
    game = own_client.post("/generate", json={"family": "open-game", "parameters": deal}).json()
    scheduler = own_client.app.state.scheduler  # type: ignore[attr-defined]
    drawn = {"family": "random", "parameters": {"cards": 4}, "seed": 1}
    claim = {"question": "uno-1", "status": "UNKNOWN"}
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(own_client.post, "/analyse", json={"instance": game}) for _ in "ab"]
        wait_until(lambda: len(scheduler.requests[LONG_LANE.name]) == 2)
        for path, body in (
            ("generate", drawn),
            ("check", {"instance": PAIR, "answer": claim}),
            ("export", {"instance": PAIR, "to": "dimacs"}),
        ):
            assert own_client.post(f"/{path}", json=body).status_code == 200
        assert not any(each.done() for each in asked)
        scheduler.stop_requests()


def test_a_deletion_during_a_stream_ends_it(tmp_path: Path) -> None:
    """Deleted in the store itself, and so between two looks at it, however fast they are."""
    with client_of(tmp_path, workers=1) as client:
        _, job = (made(client, LONG, time_limit_s=200) for _ in range(2))
        service = client.app.state.job_service  # type: ignore[attr-defined]

        async def events() -> list[tuple[str, Any]]:
            """After the first one the job is forgotten, which waits."""
            found = []
            async for event in service.events(service.find(job)):
                found.append((event.event, event.data))
                with closing(sqlite3.connect(tmp_path / DATABASE, timeout=200)) as database:
                    database.execute("DELETE FROM jobs WHERE id = ?", (job,))
                    database.commit()
            return found

        assert client.portal is not None
        found = client.portal.call(events)
        assert found == [("state", {"state": "queued"}), ("end", {"id": job, "state": "deleted"})]


def test_a_job_deleted_while_its_stream_opens(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found, and gone when its end is to be told."""
    job = done(client, **SOLVED)["id"]
    get, seen = SqliteStore.get, []

    def once(self: SqliteStore, name: str) -> Any:
        """There at the first look."""
        seen.append(name)
        return get(self, name) if len(seen) == 1 else None

    monkeypatch.setattr(SqliteStore, "get", once)
    told = client.get(f"/jobs/{job}/events").text.replace("\r", "")
    assert told.endswith(f'event: end\ndata: {{"id": "{job}", "state": "deleted"}}\n\n')


@contextmanager
def full(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No page can be added to the database before the reserve is released."""
    space = threading.Event()

    def limit(connection: sqlite3.Connection, *_: Any) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {1 << 30 if space.is_set() else pages}")

    event.listen(store._engine, "checkout", limit)
    end_writer(store)
    with monkeypatch.context() as patched:
        patched.setattr(Reserve, "lay", lambda _self: False)
        patched.setattr(Reserve, "release", lambda _self: space.set())
        yield
    space.set()
    end_writer(store)


def end_writer(store: SqliteStore) -> None:
    """Have the next write take its connection from the pool."""
    with store._writing:
        if store._writer is not None:
            store._writer.close()
        store._writer = None


def test_on_a_full_disk_accepted_jobs_end_and_can_be_deleted(
    own_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    app: Any = own_client.app
    store: SqliteStore = app.state.store
    large = {"question": "uno-1", "cards": [[i // 2, (i + 1) // 2] for i in range(4000)]}
    asked = {**SOLVED, "instance": large, "time_limit_s": 100}
    claim, gate = SqliteStore.claim, threading.Event()
    monkeypatch.setattr(SqliteStore, "claim", lambda self: claim(self) if gate.is_set() else None)
    name, kept = made(own_client, **asked), made(own_client, **SOLVED)
    with full(store, monkeypatch):
        gate.set()
        job = finished(own_client, name)
        # In the space of the reserve, or failed with the reason.
        assert job["state"] == "done" or "no space is left" in job["problem"]["detail"]
        response = own_client.get("/ready")
        assert (response.status_code, response.json()["detail"]) == (
            503,
            "no space is left on the disk of the job store",
        )
        response = own_client.post("/jobs", json=SOLVED)
        kind = response.headers["content-type"]
        assert (response.status_code, kind) == (503, "application/problem+json")
        finished(own_client, kept)
        for each in (name, kept):
            assert own_client.delete(f"/jobs/{each}").status_code == 204
            assert own_client.get(f"/jobs/{each}").status_code == 404
    assert own_client.get("/ready").status_code == 200
    assert own_client.post("/solve", json=SOLVED).json()["status"] == "SATISFIABLE"


def test_an_answer_that_cannot_be_kept_is_a_failed_job(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = SqliteStore.finish

    def no_space(self: SqliteStore, name: str, state: State, *result: Any, **more: Any) -> bool:
        if state is State.DONE:
            raise StoreFull("no space is left on the disk of the job store")
        return finish(self, name, state, *result, **more)

    monkeypatch.setattr(SqliteStore, "finish", no_space)
    job = done(client, **SOLVED)
    assert (job["state"], job["problem"]["status"]) == ("failed", 507)
    assert "no space is left" in job["problem"]["detail"]
    assert client.post("/solve", json=SOLVED).status_code == 507


def test_a_store_without_space_records_a_failure_and_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(tmp_path)
    assert (tmp_path / RESERVE).stat().st_size > 1 << 20
    job = store.add({"instance": PAIR, "options": {}}, None, most_queued=5)
    with full(store, monkeypatch):
        with pytest.raises(StoreFull):
            store.add({"instance": PAIR, "options": {}}, None, most_queued=5)
        assert store.claim() is not None
        with pytest.raises(StoreFull):
            store.finish(job.id, State.DONE, {"long": "x" * 100_000})
        assert store.finish(job.id, State.FAILED, {"status": 507})
        assert store.delete(job.id)
        with pytest.raises(StoreFull):
            store.ping()
    store.ping()
    store.close()


def test_a_reserve_is_allocated_once_and_given_back(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path)
    assert reserve.lay()
    assert reserve.lay()
    assert (tmp_path / RESERVE).stat().st_blocks * 512 >= 4 << 20
    reserve.release()
    reserve.release()
    assert not (tmp_path / RESERVE).exists()
    assert not Reserve(tmp_path / "missing").lay()


@pytest.mark.parametrize("name", ["dimacs:../sh", "magic"])
def test_only_names_of_backends_can_be_allowed(name: str, tmp_path: Path) -> None:
    where = ("--data", str(tmp_path), "--port", "0")
    assert "is called" in refused("serve", *where, "--allow-backend", name)


def test_many_headers_are_refused(client: TestClient) -> None:
    headers = {f"X-{number}": "1" for number in range(120)}
    assert client.get("/health", headers=headers).status_code == 431
