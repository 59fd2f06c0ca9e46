"""Processes kept from one run to the next, and what they must not carry over."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.suites import one_run
from uno_csp.experiments import executing
from uno_csp.experiments.executing import Bench, execute
from uno_csp.experiments.runs import Run

SMALL = 'family = "random"\nparameters = [{ cards = 12 }]\nseeds = [1]'
LARGE = 'family = "random"\nparameters = [{ colours = 12, numbers = 12, cards = 100 }]\nseeds = [1]'
CADICAL = 'methods = ["hub-trail"]\nbackends = ["cadical195"]'
POSITION = 'methods = ["position"]\nbackends = ["cadical195"]'


def kept(bench: Bench) -> list[int]:
    """The processes that wait for a run, by how many they have done."""
    return [program.tasks for program in bench._programs.values()]


def small(folder: Path, combination: str = CADICAL, limits: str = "wall_s = 20") -> Run:
    return one_run(folder, SMALL, combination, limits)


def test_a_process_does_run_after_run(tmp_path: Path) -> None:
    run = small(tmp_path)
    with closing(Bench()) as bench:
        records = [execute(run, None, bench) for _ in range(5)]
        assert kept(bench) == [5]
        again = execute(run)
    assert kept(bench) == []
    for record in (*records, again):
        assert (record["category"], record["status"]) == ("answered", records[0]["status"])
        assert record["wall_s"] > 0
        assert "clean" not in record
    peaks = [record["peak_memory_mb"] for record in (*records, again)]
    assert max(peaks) < 1.2 * min(peaks)


def test_what_a_run_took_is_not_counted_in_the_next(tmp_path: Path) -> None:
    heavy = one_run(tmp_path, LARGE, POSITION, "wall_s = 60")
    light = small(tmp_path, POSITION)
    with closing(Bench()) as bench:
        first, second = execute(heavy, None, bench), execute(light, None, bench)
        assert kept(bench) == [2]
    alone = execute(light)
    assert first["cpu_s"] > second["cpu_s"] + 0.1
    assert second["cpu_s"] < alone["cpu_s"] + 0.2
    assert second["status"] == alone["status"]


def test_one_that_started_a_program_is_not_used_again(tmp_path: Path) -> None:
    with closing(Bench()) as bench:
        execute(small(tmp_path, CADICAL.replace("cadical195", "cbc")), None, bench)
        assert kept(bench) == []


def test_one_that_was_killed_is_not_used_again(tmp_path: Path) -> None:
    with closing(Bench()) as bench:
        record = execute(one_run(tmp_path, LARGE, POSITION, "memory_mb = 60"), None, bench)
        assert record["reason"] == "memory limit of 60 MB reached"
        assert kept(bench) == []
        assert execute(small(tmp_path), None, bench)["category"] == "answered"


def test_one_that_holds_much_is_not_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executing, "MOST_MB", 10.0)
    with closing(Bench()) as bench:
        execute(small(tmp_path), None, bench)
        assert kept(bench) == []


def test_only_some_wait_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executing, "MOST_KEPT", 2)
    names = ("glucose3", "glucose4", "minisat22")
    with closing(Bench()) as bench:
        for name in names:
            execute(small(tmp_path, CADICAL.replace("cadical195", name)), None, bench)
        waiting = [combination.backend for _, combination in bench._programs]
        assert waiting == ["glucose4", "minisat22"]
