"""The stores of jobs, and several servers with one queue in PostgreSQL."""

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx2 as httpx
import psycopg
import pytest
from sqlalchemy import Connection, text

from tests.support import ROOT
from tests.support.databases import fresh_database, postgres
from tests.support.running import outcome, refused
from tests.support.serving import API, LONG, PAIR, done, free_port, job_of, made, start, wait_until
from uno_csp.errors import BackendUnavailable, NotAccepted
from uno_csp.service.job import State
from uno_csp.service.problems import Problem, StoreUnavailable
from uno_csp.service.stores import postgres_store, tables
from uno_csp.service.stores import store as store_module
from uno_csp.service.stores.postgres_store import PostgresStore
from uno_csp.service.stores.sqlite_store import SqliteStore
from uno_csp.service.stores.store import Store
from uno_csp.service.stores.tables import VERSION

NO = {"question": "uno-1", "cards": ["R5", "B7"]}
JOBS = 200


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as found:
        yield found


@pytest.fixture
def url(server: str) -> str:
    return fresh_database(server)


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    on_file = request.param == "SQLite"
    found = SqliteStore(tmp_path) if on_file else PostgresStore(request.getfixturevalue("url"))
    yield found
    found.close()


def test_what_every_store_owes(store: Store) -> None:
    request = {"instance": {"question": "uno-1"}, "options": {"name": "\x00"}}
    add = partial(store.add, canonical=None, most_queued=1)
    job = add(request, idempotency="k")
    assert add(request, idempotency="k").id == job.id
    with pytest.raises(Problem, match="idempotency key"):
        add({"other": 1}, idempotency="k")
    with pytest.raises(Problem, match="the queue is full"):
        add(request)
    answered = add(request, result={"status": "y"})
    assert (answered.state, answered.result, answered.cached) == (State.DONE, {"status": "y"}, True)
    assert store.delete(answered.id)
    claimed: Any = store.claim()
    assert (claimed.id, claimed.state, claimed.attempts) == (job.id, State.RUNNING, 1)
    assert (claimed.request, claimed.known) == (request, None)
    assert store.claim() is None
    assert not store.delete(job.id)
    assert store.finish(job.id, State.DONE, {"status": "x"})
    assert not store.finish(job.id, State.FAILED, {})
    found: Any = store.get(job.id)
    assert (found.state, found.result) == (State.DONE, {"status": "x"})
    store.remember("h", {"a": 1})
    store.remember("h", {"a": 2})
    assert store.recall("h") == {"a": 2}
    add(request, canonical="h")
    claimed = store.claim()
    assert claimed.known == {"a": 2}
    assert [each.id for each in store.page(None, 10, State.DONE)] == [job.id]
    assert store.counts()[State.DONE] == 1
    assert store.delete(job.id)
    assert store.counts()[State.DONE] == 0


def test_what_servers_that_share_a_store_owe(url: str, tmp_path: Path) -> None:
    store, other, third = (PostgresStore(url, lease_s=each) for each in (0.6, 600, 600))
    job = store.add({"instance": {}}, None, most_queued=1)
    assert store.claim() is not None
    store.publish_progress(job.id, {"cuts": 3})
    other.publish_progress(job.id, {"cuts": 4})  # it is not its own
    assert not store.request_cancel(job.id)
    assert other.request_cancel(job.id)
    seen: Any = other.glance(job.id)
    assert (seen.progress, seen.cancel_requested) == ({"cuts": 3}, True)
    for _ in range(3):  # it is renewed as long as its server lives
        before = lease_of(url)
        wait_until(lambda before=before: lease_of(url) > before)  # type: ignore[misc]
    packed, fetched = tmp_path / "a.zip", tmp_path / "b.zip"
    content = os.urandom((1 << 20) + 7)
    packed.write_bytes(content)
    store.put_certificate(job.id, packed)
    store._closing.set()  # it is as good as dead: its leases run out
    store._heart.join()
    wait_until(lambda: other.claim() is not None)
    assert third.claim() is None
    assert other.finish(job.id, State.DONE, {"status": "x"})
    assert not store.finish(job.id, State.FAILED, {})
    assert other.fetch_certificate(job.id, fetched)
    assert (fetched.read_bytes(), packed.exists()) == (content, False)
    assert not other.fetch_certificate("nobody", fetched)
    for each in (store, other, third):
        each.close()


def lease_of(url: str) -> float:
    """The moment at which the lease of the only job ends."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT leased_until FROM jobs").fetchone()
    assert row is not None
    return float(row[0])


def test_each_new_job_wakes_a_thread_of_another_server(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database passes on equal words of one statement once; an error ends no thread."""
    store, other = PostgresStore(url), PostgresStore(url)
    words, failing, full = list[str](), threading.Event(), threading.Event()
    other.subscribe(lambda: words.append("new"), words.append)

    def listens() -> bool:
        store._announce("a job")
        return "a job" in words

    wait_until(listens)

    def fail(*_given: Any, **_named: Any) -> None:
        failing.set()
        full.wait(200)
        monkeypatch.undo()
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(store, "_read", fail)
    store._announce("lost")
    failing.wait(200)
    for _ in range(4):
        store.add({"instance": {}}, None, most_queued=9)
    full.set()
    wait_until(lambda: words.count("new") == 4)
    assert "lost" not in words
    for each in (store, other):
        each.close()


def test_who_gets_no_connection_is_told_soon(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MOST_CONNECTIONS", 1)
    monkeypatch.setattr(postgres_store, "FREE_S", 0.1)
    store = PostgresStore(url)
    with store._reading(), pytest.raises(StoreUnavailable, match="no connection was free"):
        store.counts()
    assert store.counts()[State.QUEUED] == 0
    store.close()


def test_a_database_that_refuses_is_not_called_away(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE ROLE guest LOGIN")
    with pytest.raises(BackendUnavailable, match="cannot be used: permission denied"):
        PostgresStore(url.replace("uno@", "guest@"))


def version_of(url: str) -> int | None:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT version FROM schema_version").fetchone()
        return None if row is None else int(row[0])


OLD = (ROOT / "tests/data/old_jobs_of_postgres.sql").read_text()
"""Tables of the releases that did not number them."""

NUMBERED = """
CREATE TABLE schema_version (
    single BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (single), version INTEGER NOT NULL);
INSERT INTO schema_version (version) VALUES (1);
"""


@pytest.mark.parametrize("numbered", ["", NUMBERED])
def test_older_tables_are_brought_up_to_date_once(url: str, numbered: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute((OLD + numbered).encode())
    with ThreadPoolExecutor(4) as pool:  # several servers start at once
        for each in [pool.submit(PostgresStore, url) for _ in range(4)]:
            each.result().close()
    assert version_of(url) == VERSION
    store = PostgresStore(url)
    request = {"options": {}, "question": "x"}
    assert store.add(request, None, idempotency="k", most_queued=9).id == "kept"
    with pytest.raises(Problem, match="idempotency key"):
        store.add({**request, "question": "y"}, None, idempotency="k", most_queued=9)
    assert store.claim() is not None
    store.close()


def test_a_step_that_fails_changes_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(url) as connection:
        connection.execute((OLD + NUMBERED).encode())

    def fail(connection: Connection) -> None:
        connection.execute(text("ALTER TABLE nothing ADD COLUMN x TEXT"))

    monkeypatch.setattr(tables, "_rename_encoding", fail)
    with pytest.raises(BackendUnavailable, match='relation "nothing" does not exist'):
        PostgresStore(url)
    assert version_of(url) == 1
    columns = "SELECT column_name FROM information_schema.columns WHERE table_name = 'jobs'"
    with psycopg.connect(url) as connection:
        assert ("sent",) not in connection.execute(columns).fetchall()


def test_tables_of_a_newer_release_are_refused(url: str, tmp_path: Path) -> None:
    PostgresStore(url).close()
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE schema_version SET version = 99")
    newer = "its tables have version 99, and this release reads up to "
    with pytest.raises(NotAccepted, match=newer):
        PostgresStore(url)
    options = ("--store", url, "--port", str(free_port()))
    assert newer in refused("serve", "--data", str(tmp_path), *options)
    assert version_of(url) == 99


def test_what_is_at_work_here_is_not_claimed_here_again(url: str) -> None:
    # The first renews its leases too seldom to meet the times that are set here.
    store, other = PostgresStore(url, lease_s=600), PostgresStore(url, lease_s=0.6)
    job = store.add({"question": "x"}, None, most_queued=9)
    assert store.claim() is not None
    expired = "UPDATE jobs SET leased_until = 0"
    store._write(text(expired))  # as after a database that was away
    assert store.claim() is None
    store._write(text(expired))
    seen: Any = other.claim()
    assert seen.attempts == 2
    other._here.clear()  # as if the answer to the claim had been lost: nobody is at it
    wait_until(lambda: other.claim() is not None)
    assert other.finish(job.id, State.DONE, {})
    assert not store.finish(job.id, State.DONE, {})
    assert not store._here | other._here
    assert store.delete(job.id)
    store.close()
    other.close()


def test_who_asks_twice_at_once_has_one_job(url: str) -> None:
    store = PostgresStore(url)
    asked = partial(store.add, {"question": "x"}, None, idempotency="twice", most_queued=9)
    with ThreadPoolExecutor(6) as pool:
        tried = [pool.submit(asked, result={"status": "y"}) for _ in range(30)]
    found = [each.result() for each in tried]
    assert len({job.id for job in found}) == 1
    assert all(job.result == {"status": "y"} for job in found)
    assert store.delete(found[0].id)
    store.close()


@pytest.mark.slow
def test_any_server_tells_of_a_job_and_ends_it(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = [free_port(), free_port()]
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setenv("TMPDIR", str(copies))
    servers = [start(tmp_path / str(port), port, "--store", url) for port in ports]
    roots = [f"http://127.0.0.1:{port}{API}" for port in ports]
    try:
        asking = partial(httpx.Client, timeout=200)
        with asking(base_url=roots[0]) as first, asking(base_url=roots[1]) as second:
            clients = (first, second)
            name = made(first, LONG)
            for client in clients:  # one of them has it at work
                wait_until(partial(shows_bounds, client, name))
            ended = [client.post(f"/jobs/{name}/cancel").json() for client in clients]
            assert ended[0] == ended[1]
            assert ended[0]["state"] == "cancelled"
            assert ended[0]["answer"]["objective"] <= ended[0]["answer"]["bound"]
            proved = done(first, NO, proof=True)["id"]
            there = f"/jobs/{proved}/certificate"
            packed = [client.get(there).content for client in clients]
            assert packed[0] == packed[1] != b""
            assert first.get(there, headers={"Range": "bytes=9999999-"}).status_code == 416
            # A copy is removed after its last byte was sent, when the client may have moved on.
            wait_until(lambda: not list(copies.glob("*.zip")))
            assert not list(tmp_path.glob("*/certificates/*"))
            for each in (name, proved):
                assert second.delete(f"/jobs/{each}").status_code == 204
    finally:
        for server in servers:
            server.terminate()
            server.wait()


def shows_bounds(client: httpx.Client, name: str) -> bool:
    """Whether a server knows what has been found and proved."""
    progress = job_of(client, name)["progress"] or {}
    return progress.get("objective") is not None and progress.get("bound") is not None


@pytest.mark.slow
def test_one_of_two_servers_is_killed_and_every_job_is_done_once(tmp_path: Path, url: str) -> None:
    ports = [free_port(), free_port()]
    options = ("--store", url, "--jobs", "2")
    servers = [start(tmp_path / "first", ports[0], *options)]
    try:
        with (
            psycopg.connect(url, autocommit=True) as seen,
            httpx.Client(base_url=f"http://127.0.0.1:{ports[1]}{API}", timeout=200) as second,
        ):
            # The first server does ten jobs and is held by two long ones, so that it is certainly
            # at work when it is killed; the second has a third long one and does all short ones.
            store = PostgresStore(url)
            for number in range(JOBS):
                instance, limit_s = (LONG, 600.0) if number in (10, 11, 12) else (PAIR, 60.0)
                request = {"instance": instance, "options": {"time_limit_s": limit_s, "seed": 1}}
                store.add(request, None, most_queued=JOBS)
            store.close()
            count = "SELECT count(*) FROM jobs WHERE "
            wait_until(lambda: found(seen, f"{count} state = 'running' AND number > 10") == [(2,)])
            (owner,) = found(seen, "SELECT DISTINCT owner FROM jobs WHERE state = 'running'")[0]
            servers.append(start(tmp_path / "second", ports[1], *options))
            wait_until(lambda: found(seen, f"{count} state = 'done'") != [(10,)])
            servers[0].kill()
            servers[0].wait()
            at_work = "SELECT id FROM jobs WHERE state = 'running' AND owner <> %s AND number IN "

            def all_ended() -> bool:
                """Cancel the long jobs that the second server has at work."""
                for (name,) in found(seen, f"{at_work} (11, 12, 13)", owner):
                    assert second.post(f"/jobs/{name}/cancel").status_code == 200
                return found(seen, f"{count} state IN ('queued', 'running')") == [(0,)]

            wait_until(all_ended)
            query = "SELECT state, attempts, count(*) FROM jobs GROUP BY state, attempts"
            ended = found(seen, f"{query} ORDER BY state, attempts")
            assert ended == [("cancelled", 1, 1), ("cancelled", 2, 2), ("done", 1, JOBS - 3)]
            assert found(seen, f"{count} state = 'done' AND result IS NOT NULL") == [(JOBS - 3,)]
            assert found(seen, f"{count} owner = %s", owner) == [(10,)]
            name = done(second, NO, proof=True)["id"]
            assert second.get(f"/jobs/{name}/certificate").status_code == 200
    finally:
        for server in servers:
            server.terminate()
            server.wait()


def found(
    seen: "psycopg.Connection[tuple[object, ...]]", query: str, *values: object
) -> list[tuple[object, ...]]:
    """The rows that a query finds."""
    return seen.execute(query.encode(), values).fetchall()


def test_a_database_that_is_away_is_one_line(tmp_path: Path) -> None:
    away = f"postgresql://127.0.0.1:{free_port()}/none"
    code, _, said = outcome("serve", "--data", str(tmp_path), "--store", away)
    assert (code, said.count("\n")) == (3, 1)
    assert "the job store cannot be reached" in said
    refused("serve", "--data", str(tmp_path), "--store", "mysql://x")


def test_a_driver_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uno_csp.service.stores.postgres_store.find_spec", lambda name: None)
    with pytest.raises(BackendUnavailable, match="pip install 'uno-csp\\[postgres\\]'"):
        PostgresStore("postgresql://127.0.0.1/none")


@pytest.mark.parametrize(
    "url",
    [f"postgresql://uno:{word}@db/uno" for word in ("pa%ss", "pa@ss", "pa/ss", "1/2")],
)
def test_the_password_of_a_malformed_address_is_not_told(url: str) -> None:
    with pytest.raises(NotAccepted, match="the URL is malformed") as refused:
        PostgresStore(url)
    assert "pa%" not in str(refused.value)
    assert "ss@" not in str(refused.value)


def test_a_database_that_only_reads_is_not_ready(url: str) -> None:
    store = PostgresStore(url)
    store.ping()
    name = url.rpartition("/")[2]
    with psycopg.connect(url, autocommit=True) as connection:
        read_only = f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'
        connection.execute(read_only.encode())
    store._engine.dispose()
    with pytest.raises(StoreUnavailable, match="read-only"):
        store.ping()
    with pytest.raises(StoreUnavailable, match="read-only"):
        store.add({"question": "x"}, None, most_queued=9)
    assert store.counts()["queued"] == 0
    store.close()
