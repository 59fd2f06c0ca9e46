"""Runs in the background: awaited, watched, cancelled, and stopped by Ctrl-C."""

import asyncio
import gc
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import networkx as nx
import psutil
import pytest

from tests.support import proving
from tests.support.running import Patch
from tests.support.serving import LONG, wait_until
from uno_csp import (
    InstanceError,
    NotAccepted,
    Status,
    Uno1,
    analyse,
    count,
    generate,
    parse,
    plays,
    sample,
    solve,
    solve_async,
    start,
)
from uno_csp.hamilton import hamiltonian_cycle
from uno_csp.pipeline import Progress, certifying
from uno_csp.processes.pool import Pool, end_idle_workers
from uno_csp.processes.supervision import Control, LimitedTask, Limits, supervise
from uno_csp.puzzles import Reasoner
from uno_csp.questions.open_game import Goal, OpenGame

SMALL = Uno1((("red", 5), ("red", 7), ("blue", 7)))
PROGRAM = Path(sys.executable).parent / "uno-csp"


def busy_children() -> list[psutil.Process]:
    """Processes of this one that work: those that wait for a next task do not."""
    found = psutil.Process().children(recursive=True)
    before = {each.pid: sum(each.cpu_times()[:2]) for each in found if each.is_running()}
    time.sleep(0.25)
    busy = []
    for each in found:
        try:
            if sum(each.cpu_times()[:2]) - before[each.pid] > 0.1:
                busy.append(each)
        except psutil.NoSuchProcess:
            continue
    return busy


def worked_s(pid: int) -> float:
    """CPU seconds of the processes below one; they do not depend on what else runs."""
    total = 0.0
    for each in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            total += sum(each.cpu_times()[:2])
    return total


def test_a_task_has_its_answer() -> None:
    heard: list[Progress] = []
    task = start(SMALL, presolve=False, on_progress=heard.append)
    assert task.result(200) == task.result()
    assert task.done()
    assert task.result().status is Status.SATISFIABLE
    assert task.progress() == heard[-1]
    task.cancel()  # too late, and no harm
    assert task.result().checked


LIMIT: dict[str, Any] = {"time_limit_s": 0.3}
DENSE = generate("random", colours=12, numbers=12, cards=96, seed=1)
HEXAGONS = [*nx.hexagonal_lattice_graph(9, 9).edges]
SLOW: dict[str, Callable[[Path], Any]] = {
    "method": lambda _: solve(parse(LONG), method="hub-trail", presolve=False, **LIMIT),
    "race": lambda _: solve(parse(LONG), presolve=False, **LIMIT),
    "count": lambda _: count(DENSE, **LIMIT),
    "graph": lambda _: hamiltonian_cycle(HEXAGONS, method="position", presolve=False, **LIMIT),
    "certificate": lambda folder: solve("R5 B7", proof=folder, **LIMIT),
}
"""Calls that reach their limit."""


@pytest.mark.parametrize("call", SLOW)
@pytest.mark.parametrize("tick_s", [0.0, 1e-9])
def test_a_limit_holds_while_the_clock_of_the_program_stands_still(
    call: str, tick_s: float, monkeypatch: Patch, tmp_path: Path
) -> None:
    real = SimpleNamespace(monotonic=time.monotonic)
    monkeypatch.setattr("multiprocessing.connection.time", real)  # which libraries leave alone
    monkeypatch.setenv("UNO_CSP_TEST_PID_FILE", str(tmp_path / "pid"))
    certifying.WORKERS.clear()  # an idle one has not this environment
    monkeypatch.setattr(certifying, "_certify", proving.hang)
    for name in ("time", "monotonic", "perf_counter"):
        ticks = itertools.count(getattr(time, name)(), tick_s)
        monkeypatch.setattr(time, name, partial(next, ticks))
    answer = SLOW[call](tmp_path / "proof")
    certificate = getattr(answer, "certificate", None) or {}
    reason = certificate.get("summary", answer.reason)
    assert "time limit" in reason


def interrupt(name: str, call: Callable[[], Any], is_due: Callable[[], bool]) -> None:
    """Send a signal soon after a call has begun, once it is due; its handler has to end the call.

    Without callbacks of the garbage collector (Hypothesis has one): an exception in them is lost.
    """
    number = getattr(signal, name)
    callbacks = gc.callbacks[:]
    gc.callbacks.clear()

    def refuse(_number: int, _frame: object) -> None:
        raise RuntimeError(name)

    def send() -> None:
        wait_until(is_due)
        os.kill(os.getpid(), number)

    previous = signal.signal(number, refuse)
    timer = threading.Timer(0.3, send)
    try:
        with pytest.raises(RuntimeError, match=name):
            timer.start()  # a busy machine may send it before this returns
            call()
    finally:
        signal.signal(number, previous)
        timer.join()
        gc.callbacks[:] = callbacks


def in_common() -> OpenGame:
    """A game whose search is not compiled."""
    game = generate("open-game", players=3, cards=14, seed=1)
    assert isinstance(game, OpenGame)
    return replace(game, goal=Goal.TOGETHER)


RED_1 = ("red", 1)
HARD = Uno1(tuple(("red", i % 10) if i < 20 else ("blue", i % 10) for i in range(30)), after=RED_1)
LONG_S = 100.0
IN_THE_CALLER: dict[str, Callable[[], Any]] = {
    "count": lambda: count(DENSE, "frontier", time_limit_s=LONG_S),
    "sample": lambda: sample("R1 R2 B2 B3 G3 G4 Y4 Y5 R5", 1_000_000, time_limit_s=LONG_S),
    "plays": lambda: deque(plays(DENSE, time_limit_s=LONG_S), maxlen=0),
    "analyse": lambda: analyse(in_common(), most=10**9, time_limit_s=LONG_S),
    "hint": lambda: [Reasoner(HARD, time_limit_s=LONG_S).hint([]) for _ in range(100)],
}
"""Calls that work in the process of their caller, each for longer than a signal takes."""


@pytest.mark.parametrize("call", IN_THE_CALLER)
def test_a_call_in_the_process_of_its_caller_blocks_no_signals(call: str) -> None:
    interrupt("SIGUSR2", IN_THE_CALLER[call], lambda: True)


@pytest.mark.parametrize("name", ["SIGALRM", "SIGUSR2", "SIGVTALRM", "SIGHUP"])
def test_a_signal_handler_that_raises_leaves_nothing(name: str) -> None:
    solve(SMALL, presolve=False)  # its worker and the server stay
    before, used_s = len([*Path("/proc/self/fd").iterdir()]), worked_s(os.getpid())

    def waits() -> bool:
        """Return True once a worker is at work, and the main thread waits for messages."""
        number = threading.main_thread().ident
        frame = sys._current_frames()[number or 0]
        return worked_s(os.getpid()) > used_s + 0.2 and "select" in frame.f_code.co_name

    interrupt(name, lambda: solve(parse(LONG), presolve=False), waits)
    wait_until(lambda: busy_children() == [])
    end_idle_workers()
    assert len([*Path("/proc/self/fd").iterdir()]) <= before


def test_a_cancelled_task_hands_over_the_best() -> None:
    task = start(parse(LONG), backend="cadical195", presolve=False)
    wait_until(lambda: getattr(task.progress(), "objective", None) is not None)
    seen = task.progress()
    assert seen is not None
    with pytest.raises(TimeoutError):
        task.result(0.01)
    task.cancel()
    answer = task.result(200)
    wait_until(lambda: busy_children() == [])
    assert (answer.status, answer.reason) == (Status.UNKNOWN, "it was stopped")
    assert answer.checked
    assert (answer.objective or 0) >= (seen.objective or 0) > 0
    assert (answer.bound or 0) >= (answer.objective or 0)


def test_errors_come_with_the_result() -> None:
    with pytest.raises(NotAccepted):
        start(SMALL, seed=-1)
    with pytest.raises(InstanceError):
        start("R55").result(200)

    def refuse(_: Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        start(parse(LONG), presolve=False, on_progress=refuse).result(200)
    at_once = start(parse(LONG), presolve=False)
    at_once.cancel()
    assert at_once.result(200).status is Status.UNKNOWN


def test_many_tasks_leave_no_descriptors() -> None:
    counts = []
    for _ in range(2):
        for task in [start(SMALL, presolve=False) for _ in range(8)]:
            task.result(200)
        end_idle_workers()
        counts.append(len(list(Path("/proc/self/fd").iterdir())))
    assert abs(counts[1] - counts[0]) < 8  # a pipe each would make sixteen


def test_coroutines_go_on_meanwhile() -> None:
    async def both() -> list[Status]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.005)

        ticking = asyncio.create_task(tick())
        asked = [solve_async(SMALL), solve_async(parse(LONG), presolve=False, time_limit_s=1)]
        found = await asyncio.gather(*asked)
        ticking.cancel()
        assert ticks > 2  # who blocks lets it tick once
        return [answer.status for answer in found]

    assert asyncio.run(both()) == [Status.SATISFIABLE, Status.UNKNOWN]


def test_a_cancelled_coroutine_leaves_nothing_at_work() -> None:
    async def given_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(solve_async(parse(LONG), presolve=False), 1.5)

    asyncio.run(given_up())
    wait_until(lambda: busy_children() == [])


def test_ctrl_c_shows_the_best_that_was_found(tmp_path: Path) -> None:
    file = tmp_path / "long.json"
    file.write_text(json.dumps(LONG))
    child = subprocess.Popen(
        [PROGRAM, "solve", str(file), "--no-presolve", "--backend", "cadical195"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: worked_s(child.pid) > 1)  # one is found in much less
    child.send_signal(signal.SIGINT)
    said, complained = child.communicate(timeout=200)
    assert child.returncode == 130
    assert re.fullmatch(r"interrupted after [0-9]+ s\n", complained)
    assert said.startswith("UNKNOWN  ")
    assert "cards can be discarded in one sequence, and no more than" in said
    assert "\nit was stopped\n" in said


@pytest.mark.slow
@pytest.mark.parametrize("obeys", [True, False])
def test_an_interrupted_worker_may_hand_over_what_it_has(obeys: bool, monkeypatch: Patch) -> None:
    """One that does not is ended all the same."""
    if obeys:
        monkeypatch.setattr("uno_csp.processes.supervision.INTERRUPT_S", 100.0)
    interrupt = threading.Event()
    threading.Timer(1.0, interrupt.set).start()
    with Pool(0).worker("tests.support.sleeper") as worker:
        outcome = supervise(
            LimitedTask(worker, {"obeys": obeys}, Limits(), Control(interrupt=interrupt))
        )
    assert outcome.result == ({"best": 7} if obeys else None)
    assert outcome.limit_hit == ("" if obeys else "it was stopped")


@pytest.mark.slow
def test_a_worker_that_still_loads_outlives_an_interrupt(monkeypatch: Patch) -> None:
    """It would be killed by a signal that it does not handle yet; it obeys when it is ready."""
    monkeypatch.setattr("uno_csp.processes.supervision.INTERRUPT_S", 100.0)
    interrupt = threading.Event()
    interrupt.set()
    with Pool(0).worker("tests.support.sleeper") as worker:
        task = {"obeys": True, "loads_s": 0.5}
        outcome = supervise(LimitedTask(worker, task, Limits(), Control(interrupt=interrupt)))
    assert (outcome.result, outcome.limit_hit) == ({"best": 7}, "")
