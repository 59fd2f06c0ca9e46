"""Signals: handlers and timers of a caller come back, and other threads than the main one work."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.support.running import Patch, run
from uno_csp import cli
from uno_csp.cli.interrupts import on_interrupt
from uno_csp.processes.channel import pickled
from uno_csp.processes.deadline import Deadline, TimeUp
from uno_csp.processes.signals import handled


def in_a_thread(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as other:
        return other.submit(work).result(200)


def ignore(_number: int, _frame: object) -> None:
    """Do nothing."""


@pytest.fixture
def alarm() -> Iterator[None]:
    """An alarm that is not set; that of the tests' own limit goes on afterwards."""
    kept, timer = signal.getsignal(signal.SIGALRM), signal.setitimer(signal.ITIMER_REAL, 0.0)
    yield
    signal.signal(signal.SIGALRM, kept)
    signal.setitimer(signal.ITIMER_REAL, *timer)


@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize("before", [signal.SIG_DFL, signal.SIG_IGN, ignore])
def test_an_interrupt_leaves_the_alarm_as_it_was(before: Any) -> None:
    signal.signal(signal.SIGALRM, before)
    with pytest.raises(TimeUp), Deadline.after(0.01).interrupting():
        time.sleep(60)
    with Deadline.after(1e300).interrupting():
        assert signal.getsignal(signal.SIGALRM) != before
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.usefixtures("alarm")
def test_a_finalizer_does_not_swallow_the_limit() -> None:
    class Slow:
        def __del__(self) -> None:
            time.sleep(60)

    with pytest.raises(TimeUp), Deadline.after(0.01).interrupting():
        Slow()
        time.sleep(60)


@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize(
    ("rings_s", "spent_s", "least_s", "most_s"),
    [(100.0, 0.0, 90.0, 100.0), (100.0, 60.0, 30.0, 40.0), (5.0, 60.0, 0.0, 1.0), (0, 60.0, 0, 0)],
)
def test_a_timer_of_the_caller_has_what_is_left_of_it(
    rings_s: float, spent_s: float, least_s: float, most_s: float, monkeypatch: Patch
) -> None:
    now = time.monotonic()
    clock = [now]
    monkeypatch.setattr("uno_csp.processes.deadline.clock_s", lambda: clock[0])
    rung = threading.Event()
    signal.signal(signal.SIGALRM, lambda *_: rung.set())
    signal.setitimer(signal.ITIMER_REAL, rings_s, 7.0)
    with Deadline(now + 1000.0).interrupting():
        clock[0] += spent_s
    left_s, again_s = signal.setitimer(signal.ITIMER_REAL, 0.0)
    assert again_s == (7.0 if rings_s else 0.0)
    assert least_s <= left_s <= most_s or rung.is_set()


@pytest.mark.usefixtures("alarm")
def test_an_alarm_before_the_block_begins_leaves_no_timer(monkeypatch: Patch) -> None:
    """It would end the program when its handler is given back."""
    _slow_down("setitimer", monkeypatch)
    with pytest.raises(TimeUp), Deadline.after(0.001).interrupting():
        time.sleep(60)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.usefixtures("alarm")
def test_a_late_timer_of_the_caller_rings_for_the_caller(monkeypatch: Patch) -> None:
    rung = threading.Event()
    signal.signal(signal.SIGALRM, lambda *_: rung.set())
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    _slow_down("signal", monkeypatch)
    with Deadline.after(1000.0).interrupting():
        time.sleep(0.02)
    assert rung.wait(200)


def _slow_down(name: str, monkeypatch: Patch) -> None:
    """Let a function of the module signal begin and return late, as on a busy machine."""
    work = getattr(signal, name)

    def late(*given: Any) -> Any:
        time.sleep(0.02)
        found = work(*given)
        time.sleep(0.02)
        return found

    monkeypatch.setattr(signal, name, late)


class Signalling:
    """An object that a signal comes to when it is first pickled."""

    def __init__(self) -> None:
        self.is_pickled = False

    def __reduce__(self) -> Any:
        if not self.is_pickled:
            self.is_pickled = True
            signal.raise_signal(signal.SIGUSR2)
        return int, ()


def test_what_a_handler_raises_while_a_task_is_pickled_is_no_fault_of_the_task() -> None:
    def refuse(_number: int, _frame: object) -> None:
        raise ZeroDivisionError

    before = signal.signal(signal.SIGUSR2, refuse)
    try:
        with pytest.raises(ZeroDivisionError):
            pickled(Signalling())
    finally:
        signal.signal(signal.SIGUSR2, before)


def test_a_handler_that_cannot_be_given_back_stays(monkeypatch: Patch) -> None:
    """That of a library in C, of which Python knows nothing."""
    monkeypatch.setattr(signal, "getsignal", lambda _: None)
    monkeypatch.setattr(signal, "signal", lambda *_: pytest.fail("it was replaced"))
    with handled(signal.SIGTERM, ignore) as possible, on_interrupt(lambda: None) as interrupt:
        assert not (possible or interrupt)
    with Deadline.after(1000.0).interrupting():
        pass
    with pytest.raises(TimeUp), Deadline(0.0).interrupting():
        pass


def test_other_threads_notice_the_limit_at_the_end() -> None:
    done: list[str] = []

    def work() -> None:
        with Deadline(0.0).interrupting():
            done.append("done")

    with pytest.raises(TimeUp):
        in_a_thread(work)
    assert done == ["done"]


@pytest.mark.parametrize(
    "line", ["solve R5 R7", "hamilton FILE --cycle", "count R5 R7", "list backends"]
)
def test_a_command_runs_in_any_thread(line: str, tmp_path: Path) -> None:
    file = tmp_path / "triangle.edges"
    file.write_text("a b\nb c\nc a\n")
    words = line.replace("FILE", str(file)).split() + ["--time-limit=100"] * ("list" not in line)
    found = in_a_thread(lambda: CliRunner().invoke(cli.cli, words, standalone_mode=False))
    assert (found.exception, found.stderr) == (None, "")
    assert in_a_thread(lambda: run(*words)) == (found.return_value or 0)


@pytest.mark.parametrize("number", cli.TERMINATING)
@pytest.mark.parametrize("before", [signal.SIG_DFL, signal.SIG_IGN, ignore])
def test_the_command_gives_handlers_back_and_leaves_ignored_signals(
    number: signal.Signals, before: Any, monkeypatch: Patch
) -> None:
    kept = signal.signal(number, before)
    seen: list[Any] = []

    def observed(_: object) -> int:
        seen.append(signal.getsignal(number))
        return 7

    monkeypatch.setattr(cli, "_run", observed)
    try:
        assert run("list") == 7
        assert signal.getsignal(number) == before
        assert seen == [before if before is signal.SIG_IGN else cli._terminate]
    finally:
        signal.signal(number, kept)


def test_a_hangup_ends_a_server_as_sigterm_does() -> None:
    """A server has a handler of SIGTERM, which ends it gracefully."""
    terminated: list[int] = []
    with handled(signal.SIGTERM, lambda number, _: terminated.append(number)):
        cli._terminate(signal.SIGHUP, None)
    assert terminated == [signal.SIGTERM]
