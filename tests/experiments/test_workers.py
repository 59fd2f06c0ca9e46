"""Processes kept from one run to the next, and what they must not carry over."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.suites import CADICAL, POSITION, SMALL, one_run
from uno_csp.experiments import executing
from uno_csp.experiments.executing import execute
from uno_csp.experiments.runs import Run
from uno_csp.processes.pool import Pool

LARGE = 'family = "random"\nparameters = [{ colours = 12, numbers = 12, cards = 100 }]\nseeds = [1]'


@contextmanager
def idle() -> Iterator[Pool]:
    """A pool for one run at a time."""
    pool = executing.workers_for(1)
    try:
        yield pool
    finally:
        pool.clear()


def kept(pool: Pool) -> list[int]:
    """Return the numbers of tasks of the idle workers."""
    return [worker.tasks for worker in pool._idle]


def small(folder: Path, combination: str = CADICAL, limits: str = "wall_s = 20") -> Run:
    return one_run(folder, SMALL, combination, limits)


def test_a_process_does_run_after_run(tmp_path: Path) -> None:
    run = small(tmp_path)
    with idle() as pool:
        records = [execute(run, None, pool) for _ in range(5)]
        assert kept(pool) == [5]
        again = execute(run)
    assert kept(pool) == []
    for record in (*records, again):
        assert (record["category"], record["status"]) == ("answered", records[0]["status"])
        assert record["wall_s"] > 0
        assert "clean" not in record
    peaks = [record["peak_memory_mb"] for record in (*records, again)]
    # A sample may or may not find the worker's own fork server, which is smaller than the worker.
    assert max(peaks) < 2 * min(peaks)


def test_what_a_run_took_is_not_counted_in_the_next(tmp_path: Path) -> None:
    heavy = one_run(tmp_path, LARGE.replace("100", "50"), POSITION, "wall_s = 250")
    light = small(tmp_path, POSITION)
    with idle() as pool:
        first, second = execute(heavy, None, pool), execute(light, None, pool)
        assert kept(pool) == [2]
    alone = execute(light)
    assert first["cpu_s"] > second["cpu_s"]
    assert second["status"] == alone["status"]


def test_one_that_may_harm_the_next_run_is_not_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was killed, has started a program, or holds much memory."""
    with idle() as pool:
        record = execute(one_run(tmp_path, LARGE, POSITION, "memory_mb = 60"), None, pool)
        assert record["reason"] == "memory limit of 60 MB reached"
        assert kept(pool) == []
        execute(small(tmp_path, CADICAL.replace("cadical195", "cbc")), None, pool)
        assert kept(pool) == []
    monkeypatch.setattr(executing, "MAX_IDLE_MB", 10.0)
    with idle() as pool:
        assert execute(small(tmp_path), None, pool)["category"] == "answered"
        assert kept(pool) == []


def test_only_some_wait_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executing, "MAX_IDLE", 2)
    names = ("glucose3", "glucose4", "minisat22")
    with idle() as pool:
        for name in names:
            execute(small(tmp_path, CADICAL.replace("cadical195", name)), None, pool)
        waiting = [worker.key.backend for worker in pool._idle]  # type: ignore[attr-defined]
        assert waiting == ["glucose4", "minisat22"]
