"""The service when things go wrong: killed workers, killed servers, a full disk, a crowd."""

import errno
import json
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from tests.support.loading import questions
from tests.support.processes import JOBS, named_below
from tests.support.serving import (
    API,
    LONG,
    PAIR,
    client_of,
    done,
    finished,
    free_port,
    job_of,
    made,
    orphans,
    start,
    wait_until,
)
from uno_csp import NotAccepted, check, parse, parse_answer
from uno_csp.errors import BackendError
from uno_csp.formats import question_to_dict
from uno_csp.processes.supervision import Limits, Outcome
from uno_csp.service.handlers.declaring import do
from uno_csp.service.handlers.plays import make_puzzle
from uno_csp.service.handlers.solving import solve_job
from uno_csp.service.job import Job, State
from uno_csp.service.jobs import recording, runners, scheduler, worker
from uno_csp.service.jobs.runners import LocalRunner
from uno_csp.service.logs import _log_dying_thread
from uno_csp.service.problems import StoreUnavailable
from uno_csp.service.stores.sqlite_store import SharedSync, SqliteStore


@pytest.mark.slow
def test_a_worker_killed_in_mid_solve_is_a_failed_job(own_client: TestClient) -> None:
    name = made(own_client, LONG)
    wait_until(lambda: job_of(own_client, name)["progress"] is not None)
    for process in named_below(os.getpid(), JOBS):
        process.kill()
    job = finished(own_client, name)
    assert (job["state"], job["problem"]["status"]) == ("failed", 502)
    assert "was ended by SIGKILL" in job["problem"]["detail"]
    assert own_client.post("/solve", json={"instance": PAIR}).json()["status"] == "SATISFIABLE"


def test_an_error_of_the_server_ends_no_thread(
    own_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job whose end cannot be recorded does not keep others from being done."""
    finish, lost = SqliteStore.finish, list[str]()

    def finish_others(store: SqliteStore, name: str, *arguments: Any, **options: Any) -> bool:
        """It fails for the first job, at every attempt."""
        lost[:] = lost or [name]
        if name in lost:
            raise ZeroDivisionError
        return finish(store, name, *arguments, **options)

    monkeypatch.setattr(SqliteStore, "finish", finish_others)
    first = made(own_client, PAIR)
    wait_until(lambda: lost == [first])
    for name in [made(own_client, PAIR) for _ in range(4)]:
        assert finished(own_client, name)["answer"]["status"] == "SATISFIABLE"
    assert own_client.get("/ready").status_code == 200
    assert job_of(own_client, first)["state"] == "running"


def test_a_store_in_a_folder_outlives_its_server(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    with pytest.raises(NotAccepted, match="another server is at work there"):
        SqliteStore(tmp_path)
    job = store.add({"instance": {}, "options": {}}, None, most_queued=1)
    assert store.claim() is not None
    store._close()
    store = SqliteStore(tmp_path)  # as after a crash: it is queued again
    again: Any = store.claim()
    assert again.attempts == 2
    assert store.finish(job.id, State.DONE, {"status": "x"})
    store.close()
    store = SqliteStore(tmp_path)
    assert store.claim() is None
    found: Any = store.get(job.id)
    assert (found.state, found.result) == (State.DONE, {"status": "x"})
    store.close()


def test_only_what_must_survive_a_crash_waits_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, synced, sync = SqliteStore(tmp_path), list[str](), os.fsync

    def noted(descriptor: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    log = [str(tmp_path / "jobs.sqlite3-wal")]
    job = store.add({"instance": {}}, None, idempotency="k", most_queued=1)
    assert synced == log
    assert store.add({"instance": {}}, None, idempotency="k", most_queued=1).id == job.id
    assert synced == log * 2  # who wrote it may still have waited
    assert store.claim() is not None
    store.remember("h", {})
    assert synced == log * 2
    assert store.finish(job.id, State.DONE, {})
    assert synced == log * 3

    def broken(_descriptor: int) -> None:
        raise OSError("the disk is broken")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(StoreUnavailable, match="the disk is broken"):
        store.add({"instance": {}}, None, most_queued=1)
    monkeypatch.undo()
    store.close()


def test_threads_share_a_sync_that_begins_after_their_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    path.touch()
    shared: Any = SharedSync(path)
    gate, begun = threading.Event(), list[int]()

    def slow(descriptor: int) -> None:
        begun.append(descriptor)
        assert gate.wait(200)

    monkeypatch.setattr(os, "fsync", slow)
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(shared)
        wait_until(lambda: len(begun) == 1)
        others = [pool.submit(shared) for _ in range(8)]  # the first sync began before their writes
        # One of them is to begin the next sync, and the others wait for its end.
        wait_until(lambda: shared._next and len(shared._next._condition._waiters) == 7)
        assert not any(each.done() for each in (first, *others))
        gate.set()
        for each in (first, *others):
            each.result()
    assert len(begun) == 2


@pytest.mark.slow
def test_kills_of_the_server_lose_and_repeat_nothing(tmp_path: Path) -> None:
    folder, port = tmp_path / "data", free_port()
    batch = [question_to_dict(each) for each in questions(100)]
    names: dict[int, str] = {}
    done_before: dict[str, float] = {}
    for round_number in range(6):
        server = start(folder, port)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}{API}", timeout=200) as client:
            for name, when in done_before.items():
                assert job_of(client, name)["finished"] == when  # it was not done again
            for index in range(20 * round_number, min(100, 20 * round_number + 20)):
                body = {"instance": batch[index]}
                response = client.post("/jobs", json=body, headers={"Idempotency-Key": str(index)})
                names[index] = response.json()["id"]
            if round_number < 5:
                time.sleep(0.3)
                page = client.get("/jobs", params={"count": 100, "state": "done"}).json()["jobs"]
                done_before = {job["id"]: job["finished"] for job in page}
                server.kill()
                server.wait()
                wait_until(lambda: not orphans(folder))
                continue
            assert len(set(names.values())) == 100
            for index, name in names.items():
                job = finished(client, name)
                assert job["state"] == "done"
                assert not check(parse(batch[index]), parse_answer(json.dumps(job["answer"])))
            assert 'uno_csp_jobs{state="done"} 100.0' in client.get("/metrics").text
            server.terminate()
            assert server.wait(200) in (0, -signal.SIGTERM)
    wait_until(lambda: not orphans(folder))


def test_a_graceful_end_keeps_the_job_for_the_next_start(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        name = made(client, LONG, time_limit_s=3)
        wait_until(lambda: job_of(client, name)["state"] == "running")
    with client_of(tmp_path) as client:
        assert finished(client, name)["answer"]["reason"] == "time limit of 3 s reached"


def test_a_hundred_clients_at_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "WAIT_S", 1000.0)  # however slow the machine is

    def status(number: int) -> int:
        body = {"instance": {**PAIR, "cards": [[0, i] for i in range(number + 1)]}}
        return int(client.post("/solve", json=body).status_code)

    with ThreadPoolExecutor(100) as pool:
        assert [*pool.map(status, range(100))] == 100 * [200]


def test_a_job_that_ends_its_servers_fails_at_last(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    name = store.add({"instance": PAIR, "options": {"time_limit_s": 9}}, None, most_queued=9).id
    for _ in range(3):
        assert store.claim() is not None
        store._close()
        store = SqliteStore(tmp_path)
    store.close()
    with client_of(tmp_path) as client:
        job = finished(client, name)
    assert (job["state"], job["problem"]["status"]) == ("failed", 500)
    assert job["problem"]["detail"] == "3 servers ended while they were at this job"


def test_a_job_waits_while_no_process_can_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, refused = LocalRunner.run, [2]

    def scarce(self: LocalRunner, task: Any, *rest: Any) -> Any:
        if task["do"] == do(solve_job) and refused[0] > 0:
            refused[0] -= 1
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        if task["do"] == do(make_puzzle):
            raise RuntimeError("can't start new thread")
        return run(self, task, *rest)

    monkeypatch.setattr(LocalRunner, "run", scarce)
    monkeypatch.setattr(recording, "IDLE_S", 0.02)
    with client_of(tmp_path) as client:
        assert (done(client, PAIR)["state"], refused) == ("done", [0])
        short = client.post("/puzzle", json={"cards": 7})
        assert (short.status_code, short.headers["retry-after"]) == (503, "5")
        assert short.json()["detail"] == "no process can be started now"


@pytest.mark.parametrize(
    ("returned", "later"),
    [
        (Outcome({"later": "can't start new thread"}, ""), True),
        (Outcome(None, "", exit_code=1, last_words="it could not be forked: [Errno 11]"), True),
        (Outcome(None, "", exit_code=1, last_words="ZeroDivisionError"), False),
        (Outcome({"result": "could not be forked"}, ""), False),
    ],
)
def test_a_worker_without_process_or_thread_is_for_later(
    returned: Outcome, later: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runners, "supervise", lambda *_: returned)
    runner = LocalRunner(0, 100.0)
    with pytest.raises(BlockingIOError) if later else nullcontext():
        assert runner.run({}, Limits()) == returned


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (RuntimeError("can't start new thread"), "later"),
        (BackendError("the solver process exited with code 1: it could not be forked"), "later"),
        (BackendError("the solver process exited with code 1"), "error"),
        (MemoryError(), "error"),
        (ZeroDivisionError(), "error"),
    ],
)
def test_what_a_worker_tells_of_an_error(
    error: Exception, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(worker, "resolve_name", lambda _name: fail)
    assert worker.handle({"do": "anything"}, Mock()).keys() == {key}


def test_a_released_job_is_at_work_once_however_soon_it_is_claimed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads that release what another has claimed again forget nothing of it, and go on."""
    refused = [30]

    def scarce(
        self: recording.Recorder, job: Job, running: recording.Running, leave: Callable[[], None]
    ) -> None:
        if refused[0] > 0:
            refused[0] -= 1
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        solve(self, job, running, leave)

    solve = recording.Recorder._solve
    monkeypatch.setattr(recording.Recorder, "_solve", scarce)
    monkeypatch.setattr(recording, "IDLE_S", 0.0)
    with client_of(tmp_path, workers=4) as client:
        names = [made(client, PAIR) for _ in range(2)]
        assert {finished(client, name)["state"] for name in names} == {"done"}
        assert client.get("/ready").status_code == 200
        scheduler = client.app.state.scheduler  # type: ignore[attr-defined]
        wait_until(lambda: scheduler._at_work == {})


def test_a_job_is_at_work_while_the_one_before_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is waited for beside the next task; no more tasks than places are at work."""
    both, record, seen = threading.Barrier(2), SqliteStore.finish, threading.Semaphore(1)

    def finish(self: SqliteStore, *given: Any, **named: Any) -> bool:
        both.wait(200)  # until the other job is to be recorded, too
        return record(self, *given, **named)

    run, free = LocalRunner.run, list[bool]()

    def run_alone(self: LocalRunner, *given: Any) -> Outcome:
        if self is not runner:
            return run(self, *given)
        free.append(seen.acquire(blocking=False))
        try:
            return run(self, *given)
        finally:
            seen.release()

    monkeypatch.setattr(SqliteStore, "finish", finish)
    monkeypatch.setattr(LocalRunner, "run", run_alone)
    with client_of(tmp_path, workers=1) as client:
        runner = client.app.state.scheduler._runner  # type: ignore[attr-defined]
        names = [made(client, PAIR, method="hub-trail") for _ in range(4)]  # no answer is cached
        assert {finished(client, name)["state"] for name in names} == {"done"}
    assert free == [True] * 4


def test_a_thread_that_dies_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    error = ValueError("no")
    died = threading.ExceptHookArgs((ValueError, error, None, threading.current_thread()))
    _log_dying_thread(died)
    assert [each.exc_info and each.exc_info[1] for each in caplog.records] == [error]


def test_jobs_expire_and_many_are_deleted_at_once(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        for _ in range(3):
            done(client, PAIR)
        assert client.delete("/jobs", params={"older_days": 1}).json() == {"deleted": 0}
        assert client.delete("/jobs").status_code == 422
        asked = {"older_days": "0", "state": "failed"}
        assert client.delete("/jobs", params=asked).json() == {"deleted": 0}
        assert client.delete("/jobs", params={"older_days": 0}).json() == {"deleted": 3}
        done(client, PAIR)
    with client_of(tmp_path, keep_days=1e-9) as client:
        wait_until(lambda: not client.get("/jobs").json()["jobs"])


def test_no_job_ends_before_it_was_accepted(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    name = store.add({"instance": PAIR, "options": {}}, None, most_queued=9).id
    with store._run(True) as connection:  # accepted by a clock that was an hour ahead
        connection.exec_driver_sql("UPDATE jobs SET created = created + 3600")
    store.claim()
    store.finish(name, State.DONE, {})
    job: Any = store.get(name)
    assert job.started == job.finished == job.created
    store.close()
