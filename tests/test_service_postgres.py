"""Several servers with one queue in PostgreSQL."""

import os
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import psycopg
import pytest

from tests.databases import postgres
from tests.running import run
from tests.serving import API, PAIR, finished, free_port, start, wait_until
from uno_csp.errors import BackendUnavailable
from uno_csp.service.postgres_store import PostgresStore
from uno_csp.service.store import KeyReused, QueueFull, State

Capture = pytest.CaptureFixture[str]
NO = {"question": "uno-1", "cards": ["R5", "B7"]}
JOBS = 200


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres() as found:
        yield found


def test_what_a_store_owes(url: str, tmp_path: Path) -> None:
    store, other = PostgresStore(url, lease_s=0.6), PostgresStore(url, lease_s=0.6)
    request = {"instance": {"question": "uno-1"}, "options": {"name": "\x00"}}
    job = store.add(request, None, idempotency="k", most_queued=1)
    assert other.add(request, None, idempotency="k", most_queued=1).id == job.id
    with pytest.raises(KeyReused):
        store.add({"other": 1}, None, idempotency="k", most_queued=1)
    with pytest.raises(QueueFull):
        store.add(request, None, most_queued=1)
    claimed = store.claim()
    assert claimed is not None
    assert (claimed.id, claimed.request, claimed.attempts) == (job.id, request, 1)
    assert other.claim() is None
    with pytest.raises(AssertionError):  # it is renewed as long as its server lives
        wait_until(lambda: other.claim() is not None, 1.5)
    packed, fetched = tmp_path / "a.zip", tmp_path / "there" / "b.zip"
    packed.write_bytes(os.urandom((1 << 20) + 7))
    store.put_certificate(job.id, packed)
    store._closing.set()  # it is as good as dead: its leases run out
    store._heart.join()
    wait_until(lambda: other.claim() is not None, 10)
    assert other.finish(job.id, State.DONE, {"status": "x"})
    assert not store.finish(job.id, State.FAILED, {})
    other.fetch_certificate(job.id, fetched)
    assert fetched.read_bytes() == packed.read_bytes()
    other.remember("h", {"a": 1})
    other.remember("h", {"a": 2})
    assert store.recall("h") == {"a": 2}
    assert [each.id for each in store.page(None, 10, State.DONE)] == [job.id]
    assert store.delete(job.id)
    assert store.counts()[State.DONE] == 0
    store.close()
    other.close()


@pytest.mark.slow
def test_one_of_two_servers_is_killed_and_every_job_is_done_once(tmp_path: Path, url: str) -> None:
    ports = [free_port(), free_port()]
    servers = [start(tmp_path / str(port), port, "--store", url) for port in ports]
    first, second = (httpx.Client(base_url=f"http://127.0.0.1:{port}{API}") for port in ports)
    try:
        names = []
        for number in range(JOBS):
            asked = {"instance": PAIR, "backend": "cadical195", "seed": number}
            told = (first, second)[number % 2].post("/jobs", json=asked, timeout=30)
            names.append(str(told.json()["id"]))
        proved = second.post("/jobs", json={"instance": NO, "proof": True}).json()["id"]
        with psycopg.connect(url, autocommit=True) as seen:
            held = "SELECT count(*) FROM jobs WHERE state = 'running'"
            wait_until(lambda: (seen.execute(held).fetchone() or [0])[0] >= 3)
            servers[0].kill()
            servers[0].wait()
        for name in names:
            assert finished(second, name)["answer"]["status"] == "SATISFIABLE"
        assert finished(second, proved)["state"] == "done"
        assert second.get(f"/jobs/{proved}/certificate").status_code == 200
        with psycopg.connect(url) as seen:
            query = "SELECT state, count(*), count(result), max(attempts) FROM jobs GROUP BY state"
            ((state, count, results, attempts),) = seen.execute(query).fetchall()
        assert (state, count, results) == ("done", JOBS + 1, JOBS + 1)
        assert attempts == 2
    finally:
        for server in servers:
            server.terminate()
            server.wait()


def test_a_database_that_is_away_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    away = f"postgresql://127.0.0.1:{free_port()}/none"
    assert run("serve", "--data", str(tmp_path), "--store", away) == 3
    told = capsys.readouterr().err
    assert "the job store cannot be reached" in told
    assert len(told.strip().splitlines()) == 1
    assert run("serve", "--data", str(tmp_path), "--store", "mysql://x") == 2


def test_a_driver_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uno_csp.service.postgres_store.find_spec", lambda name: None)
    with pytest.raises(BackendUnavailable, match="pip install 'uno-csp\\[postgres\\]'"):
        PostgresStore("postgresql://127.0.0.1/none")
