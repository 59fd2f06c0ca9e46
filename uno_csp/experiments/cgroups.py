"""Execute a run as a program in a control group of its own, by BenchExec's ``RunExecutor``.

The group holds all that the run starts, so its CPU time and its peak memory are the kernel's
figures, not samples, and nothing outlives it. The peak includes the loading of the solver.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from pydantic import TypeAdapter

from uno_csp.errors import BackendUnavailable
from uno_csp.experiments.runs import Run
from uno_csp.processes.channel import WAS_STOPPED, python_command
from uno_csp.processes.cpu_time import cpu_time_s
from uno_csp.processes.deadline import GRACE_S
from uno_csp.processes.scratch import scratch_folder
from uno_csp.processes.supervision import Outcome

AS_JSON = TypeAdapter(Run)
MB = 1 << 20
UNMEASURED = "this system gives no control groups to measure CPU and memory"
MOST_KEPT = 100_000  # bytes that are kept of what a run prints
START_S = 20.0  # most for the start of Python, which the wall-clock limit of a run does not count
LOOK_S = 0.1  # time between two looks whether the runs were stopped
_first = Lock()  # the first executor may move this process to another group


def outcome_in_cgroup(run: Run, stop: Event | None = None) -> Outcome:
    """Do a run under its limits, which count from the start of its program, until ``stop``.

    Raises BackendUnavailable if BenchExec is not installed, or the system gives no control groups.
    """
    executor, limits = _executor(), run.process_limits
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    with scratch_folder() as folder, _stopped_by(stop, executor):
        (folder / "run").write_bytes(AS_JSON.dump_json(run))
        printed = folder / "printed"
        try:
            ended = executor.execute_run(
                [*python_command(f"import {__name__} as it; it.main()"), str(folder)],
                str(printed),
                hardtimelimit=limits.cpu_s,
                walltimelimit=None if limits.wall_s is None else limits.wall_s + START_S + GRACE_S,
                memlimit=None if limits.memory_mb is None else int(limits.memory_mb * MB),
                environments={"newEnv": {"XDG_CACHE_HOME": cache}},  # the home is a fresh one
                maxLogfileSize=MOST_KEPT,
                write_header=False,
            )
        except SystemExit:
            raise BackendUnavailable("BenchExec cannot set the limits of the run here") from None
        if not {"cputime", "memory"} <= ended.keys():  # as in kernels without a peak of memory
            raise BackendUnavailable(UNMEASURED)
        result, code = folder / "result", ended["exitcode"]
        found, loading_s = json.loads(result.read_text()) if result.exists() else (None, 0.0)
        return Outcome(
            found,
            _limit_hit(run, ended.get("terminationreason")),
            -code.signal if code.signal else code.value,
            float(ended["walltime"]),
            float(ended["cputime"]) - loading_s,
            ended["memory"] / MB,
            printed.read_text(errors="replace").strip().rpartition("\n")[2],
        )


def _executor() -> Any:
    """Return a ``RunExecutor`` that measures CPU time and memory."""
    try:
        from benchexec.runexecutor import RunExecutor
    except ImportError:
        raise BackendUnavailable(
            "control groups need BenchExec, which is not installed; pip install benchexec"
        ) from None
    try:
        with _first:
            executor = RunExecutor(use_namespaces=False)
    except SystemExit:
        raise BackendUnavailable("this system gives no control groups to BenchExec") from None
    groups = executor.cgroups
    if groups.CPU not in groups or groups.MEMORY not in groups:
        raise BackendUnavailable(UNMEASURED)
    return executor


@contextmanager
def _stopped_by(stop: Event | None, executor: Any) -> Iterator[None]:
    """End what an executor runs when an event is set."""
    over = Event()

    def watch() -> None:
        while stop and not over.wait(LOOK_S):
            if stop.is_set():
                executor.stop()

    watching = Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()


def _limit_hit(run: Run, reason: str | None) -> str:
    """Return what ended a run, in the words of a supervised process."""
    limits = run.process_limits
    return {
        "walltime": f"time limit of {limits.wall_s} s reached",
        "cputime": f"CPU limit of {limits.cpu_s} s reached",
        "memory": f"memory limit of {limits.memory_mb} MB reached",
        "killed": WAS_STOPPED,
    }.get(reason or "", "")


def main() -> None:
    """Do the run that a folder, the only argument, describes, and leave its result there.

    The CPU time before the solver was loaded stands beside it.
    """
    from uno_csp.experiments.worker import found_by

    folder, loading_s = Path(sys.argv[1]), 0.0

    def begin() -> None:
        nonlocal loading_s
        loading_s = cpu_time_s(os.getpid())

    found = found_by(AS_JSON.validate_json((folder / "run").read_bytes()), begin)
    (folder / "part").write_text(json.dumps([found, loading_s]))
    (folder / "part").replace(folder / "result")
