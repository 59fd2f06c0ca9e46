"""Runs in control groups, by BenchExec."""

import sys
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, Mock

import pytest

from tests.support.running import outcome
from tests.support.suites import CADICAL, POSITION, SMALL, one_run
from uno_csp.errors import BackendUnavailable
from uno_csp.experiments import cgroups
from uno_csp.experiments.executing import execute

LARGE = 'family = "random"\nparameters = [{ colours = 20, numbers = 20, cards = 250 }]\nseeds = [1]'


try:
    _found = bool(cgroups._executor())
except BackendUnavailable:
    _found = False
needs_groups = pytest.mark.skipif(not _found, reason="no control groups for BenchExec here")


@needs_groups
def test_a_run_in_a_group_is_that_of_a_worker_but_for_its_costs(tmp_path: Path) -> None:
    run = one_run(tmp_path, SMALL, CADICAL, "wall_s = 250, cpu_s = 60, memory_mb = 4000")
    apart, pooled = execute(run, cgroups=True), execute(run)
    assert apart["measured_by"] == "cgroup"
    assert pooled["measured_by"] == "sampling"
    costs = {"wall_s", "cpu_s", "peak_memory_mb", "measured_by", "stats", "started"}
    assert {k: v for k, v in apart.items() if k not in costs} == {
        k: v for k, v in pooled.items() if k not in costs
    }
    assert 0 < apart["cpu_s"] < 30
    assert 20 < apart["peak_memory_mb"] < 2000


@needs_groups
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ("wall_s = 250, memory_mb = 150", "memory limit of 150.0 MB reached"),
        ("wall_s = 250, cpu_s = 1", "CPU limit of 1.0 s reached"),
    ],
)
def test_the_kernel_ends_a_run_at_its_limits(tmp_path: Path, limits: str, reason: str) -> None:
    record = execute(one_run(tmp_path, LARGE, POSITION, limits), cgroups=True)
    assert (record["category"], record["status"]) == ("unknown", "UNKNOWN")
    assert record["reason"] == reason


class Scripted:
    """A ``RunExecutor`` that runs nothing, and returns the given result."""

    def __init__(self, **given: Any) -> None:
        self.result = {"walltime": 1.0, "cputime": 0.5, "memory": 1 << 20, **given}
        self.stopped = Event()

    def execute_run(self, args: list[str], printed: str, **_: Any) -> dict[str, Any]:
        Path(printed).write_text("first\nlast words\n")
        self.stopped.wait(10)
        return {"exitcode": SimpleNamespace(value=None, signal=9), **self.result}

    def stop(self) -> None:
        self.stopped.set()


def test_runs_are_stopped_and_what_they_said_last_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = Event()
    stop.set()
    run = one_run(tmp_path, SMALL, CADICAL)
    monkeypatch.setattr(cgroups, "_executor", lambda: Scripted(terminationreason="killed"))
    assert execute(run, stop, cgroups=True)["reason"] == "it was stopped"
    monkeypatch.setattr(cgroups, "_executor", Scripted)
    record = execute(run, stop, cgroups=True)
    assert (record["category"], record["cpu_s"], record["peak_memory_mb"]) == ("error", 0.5, 1.0)
    assert record["reason"] == (
        "the process was ended by SIGKILL (for lack of memory, or by somebody): last words"
    )


def gives_advice(*_: Any, **__: Any) -> None:
    sys.exit("a page of advice")


@pytest.mark.parametrize(
    ("module", "says"),
    [
        (None, "control groups need BenchExec, which is not installed; pip install benchexec"),
        (Mock(RunExecutor=gives_advice), "this system gives no control groups to BenchExec"),
        (MagicMock(), "this system gives no control groups to measure CPU and memory"),
    ],
)
def test_a_system_without_groups_is_named_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: Any, says: str
) -> None:
    monkeypatch.setitem(sys.modules, "benchexec.runexecutor", module)
    suite = tmp_path / "suite.toml"
    suite.write_text(f'name = "one"\n[[instances]]\n{SMALL}\n[[combinations]]\n{CADICAL}')
    code, _, said = outcome("bench", "run", str(suite), "--out", str(tmp_path / "out"), "--cgroups")
    assert (code, said.splitlines()) == (3, [f"uno-csp: {says}"])


def test_a_run_without_figures_of_its_group_is_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, unmeasured = one_run(tmp_path, SMALL, CADICAL), Scripted()
    del unmeasured.result["memory"]
    unmeasured.stop()
    refusing = Mock(execute_run=gives_advice)
    for executor, says in ((unmeasured, "no control groups"), (refusing, "cannot set the limits")):
        monkeypatch.setattr(cgroups, "_executor", lambda given=executor: given)
        with pytest.raises(BackendUnavailable, match=says):
            execute(run, Event(), cgroups=True)
