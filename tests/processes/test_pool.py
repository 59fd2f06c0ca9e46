"""Pools of workers: which worker a task gets."""

import threading
from unittest.mock import Mock

import psutil
import pytest

from uno_csp.cli import SOLVER
from uno_csp.errors import NotAccepted
from uno_csp.methods import DEFAULT_BACKEND
from uno_csp.pipeline.race import WORKER
from uno_csp.processes import pool
from uno_csp.processes.channel import READY, Done
from uno_csp.processes.pool import EndedAtLimit, Pool, Worker, end_idle_workers, start_ahead

SLEEPER = "tests.support.sleeper"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for the ends of workers sees them, however slow the machine is."""
    monkeypatch.setattr(pool, "LEAVE_S", 200.0)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """The workers that are started during a test, in order."""
    workers: list[Worker] = []

    def recorded(*arguments: str) -> Worker:
        workers.append(Worker(*arguments))
        return workers[-1]

    monkeypatch.setattr(pool, "Worker", recorded)
    return workers


def test_a_worker_started_ahead_gets_the_first_task_of_its_module(started: list[Worker]) -> None:
    start_ahead(SLEEPER, "one use")
    (ahead,) = started
    with Pool(0).worker("tests.support.dying", "one use") as other:
        assert other is not ahead
    with Pool(0).worker(SLEEPER, "another use") as worker:
        assert worker is ahead
        assert worker.key == "another use"
    with Pool(0).worker(SLEEPER, "another use") as later:
        assert later is not ahead


def test_an_idle_worker_is_taken_before_one_started_ahead(started: list[Worker]) -> None:
    workers = Pool()
    with workers.worker(SLEEPER, "a use") as first:
        pass
    start_ahead(SLEEPER, "a use")
    with workers.worker(SLEEPER, "a use") as again:
        assert again is first
    assert len(started) == 2
    end_idle_workers()


def test_a_task_that_cannot_be_sent_leaves_no_worker(started: list[Worker]) -> None:
    workers = Pool()
    with pytest.raises(NotAccepted, match="cannot be sent"):
        workers.start(SLEEPER, threading.Lock())
    assert started[0].connection.closed
    end_idle_workers()
    assert not psutil.pid_exists(started[0].pid)


def at_work(workers: Pool, *, obeys: bool) -> Worker:
    """A worker whose task has begun, and obeys an interrupt or not."""
    worker = workers.start(SLEEPER, {"obeys": obeys})
    assert worker.receive() is READY
    return worker


def stopped(workers: Pool, worker: Worker) -> None:
    """Have a worker stop, and wait for its end or that of the time for it."""
    workers.stop(worker)
    workers.await_stops()


def test_a_worker_that_stops_is_kept(
    started: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "STOP_S", 60.0)
    workers = Pool()
    worker = at_work(workers, obeys=True)
    number = worker.pid
    stopped(workers, worker)
    assert at_work(workers, obeys=True) is worker  # what it sent before is not left over
    workers.stop(worker)
    end_idle_workers()
    assert not psutil.pid_exists(number)
    assert len(started) == 1


def test_a_worker_that_does_not_stop_is_replaced(started: list[Worker]) -> None:
    workers = Pool()
    worker = at_work(workers, obeys=False)
    number = worker.pid
    stopped(workers, worker)
    assert workers.take(SLEEPER) is started[1]
    assert not psutil.pid_exists(number)
    started[1].end()


def test_a_worker_whose_result_cannot_be_read_is_replaced(
    started: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "STOP_S", 60.0)
    workers = Pool()
    worker = at_work(workers, obeys=True)
    number = worker.pid
    monkeypatch.setattr(worker, "receive", Mock(side_effect=TypeError))
    stopped(workers, worker)
    assert workers.take(SLEEPER) is started[1]
    assert not psutil.pid_exists(number)
    started[1].end()


def test_without_a_thread_for_it_a_worker_is_ended_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Pool()
    worker = workers.start(SLEEPER, {"obeys": True})
    number = worker.pid
    monkeypatch.setattr(threading.Thread, "start", Mock(side_effect=RuntimeError))
    stopped(workers, worker)
    assert not psutil.pid_exists(number)


def test_an_interrupt_that_comes_late_stops_no_other_task(started: list[Worker]) -> None:
    workers = Pool()
    with workers.worker(SLEEPER) as worker:
        worker.start({"obeys": True})
        assert worker.receive() is READY
        worker.interrupt()
        assert isinstance(worker.receive(), Done)
        worker.interrupt()
        worker.start({"obeys": True})
        assert worker.receive() is READY
        assert not worker.connection.poll(0.1)
        worker.interrupt()
        assert isinstance(worker.receive(), Done)
    assert started == [worker]
    end_idle_workers()


def test_a_worker_that_nobody_took_is_ended(started: list[Worker]) -> None:
    start_ahead(SLEEPER)
    number = started[0].pid
    end_idle_workers()
    assert not psutil.pid_exists(number)


def test_a_worker_that_cannot_be_started_ahead_is_no_error(
    started: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    start_ahead(SLEEPER)
    assert not started


def test_the_command_line_starts_the_worker_that_most_questions_need() -> None:
    assert SOLVER == (WORKER, DEFAULT_BACKEND)


def test_a_worker_that_is_killed_leaves_nothing_running() -> None:
    worker = Worker("tests.support.leaving")
    worker.start(600)
    program = psutil.Process(worker.receive())
    psutil.Process(worker.pid).kill()
    with pytest.raises(EndedAtLimit, match=r"ended by SIGKILL \(for lack of memory"):
        worker.receive()
    program.wait(200)
    worker.end()
