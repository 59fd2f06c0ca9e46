"""Processes in programs of others: embedded Pythons, green sockets, forks, ends."""

import multiprocessing
import os
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.serving import wait_until
from uno_csp import BackendError, Status, parse, solve
from uno_csp.processes import forking, pool
from uno_csp.processes.channel import interpreter, pipe
from uno_csp.processes.modules import run_module

HAND = parse({"question": "uno-1", "cards": [[1, 1], [1, 2], [2, 2], [2, 3], [3, 3], [3, 1]]})


@pytest.mark.parametrize("given", [None, "", "/nowhere/python3", "/usr/sbin/httpd", sys.executable])
def test_only_a_python_is_started(given: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", given)
    monkeypatch.setattr(multiprocessing.spawn, "_python_exe", given)
    assert Path(interpreter()).name.startswith("python")


def test_no_python_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("prefix", "base_prefix", "executable"):
        monkeypatch.setattr(sys, name, "/opt/application")
    monkeypatch.setattr(multiprocessing.spawn, "_python_exe", "/opt/application")
    with pytest.raises(BackendError, match=r"multiprocessing\.set_executable"):
        interpreter()


def test_pipes_block_where_sockets_are_green(monkeypatch: pytest.MonkeyPatch) -> None:
    class Green(socket.socket):
        def setblocking(self, flag: bool) -> None:
            del flag
            os.set_blocking(self.fileno(), False)

    plain = socket.socketpair
    green = lambda *given: tuple(Green(fileno=end.detach()) for end in plain(*given))  # noqa: E731
    monkeypatch.setattr(socket, "socketpair", green)
    ours, theirs = forking._socket_pair()
    ours.close()
    for end in (*pipe(), theirs):
        assert os.get_blocking(end.fileno())
        end.close()


def test_a_forked_copy_does_not_wait_for_locks_of_its_parents_threads() -> None:
    solve(HAND, method="successor", presolve=False)
    held = [pool._lock, forking._lock, *(each._lock for each in pool._pools)]
    for each in held:
        each.acquire()  # as another thread does in the midst of a change
    try:
        pid = os.fork()
        if not pid:
            locks = [pool._lock, forking._lock, *(each._lock for each in pool._pools)]
            os._exit(sum(each.locked() for each in locks))
    finally:
        for each in held:
            each.release()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def solves() -> bool:
    return solve(HAND, method="successor", presolve=False).status is Status.SATISFIABLE


def fork() -> int:
    """The exit code of a forked copy that solves."""
    pid = os.fork()
    if not pid:
        try:
            os._exit(0 if solves() else 3)
        finally:
            os._exit(4)
    ended: list[int] = []

    def reap() -> bool:
        number, status = os.waitpid(pid, os.WNOHANG)
        ended[:] = [status]
        return number == pid

    wait_until(reap)
    return os.waitstatus_to_exitcode(ended[0])


def start_with_fork() -> int:
    """The exit code of a process that ``multiprocessing`` forked, and that solves."""
    child = multiprocessing.get_context("fork").Process(target=lambda: os._exit(not solves()))
    child.start()
    child.join(200)
    return -1 if child.exitcode is None else child.exitcode


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_processes_that_are_forked_while_threads_solve_do_not_hang() -> None:
    """At several moments: threads start workers, wait for them, and give them back."""
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            assert solves()

    with ThreadPoolExecutor(2) as threads:
        working = [threads.submit(work) for _ in range(2)]
        try:
            for way in (fork, start_with_fork, fork):
                assert way() == 0
                # Code of this process runs in a fork before this program.
                ran = subprocess.run(["true"], preexec_fn=lambda: None, check=False, timeout=200)
                assert ran.returncode == 0
        finally:
            over.set()
    assert [each.result() for each in working] == [None, None]


LAST = """
import asyncio, tempfile, threading
from uno_csp import parse, solve, solve_async, start
hand = parse({"question": "uno-1", "cards": [[1, 1], [1, 2], [2, 2], [2, 3], [3, 3], [3, 1]]})
solve(hand, method="successor", presolve=False)
asyncio.run(solve_async(hand))
solve("R5 B7", proof=tempfile.mkdtemp())
start(hand, method="successor", presolve=False, time_limit_s=50)
def refused(thread):
    raise RuntimeError("can't create new thread at interpreter shutdown")
threading._register_atexit(lambda: setattr(threading.Thread, "start", refused))
"""


def test_no_thread_is_started_at_the_end() -> None:
    """After a task, a coroutine, a run with a limit and a certificate, each with its workers."""
    ran = [sys.executable, "-c", LAST]
    done = subprocess.run(ran, capture_output=True, check=False, cwd=ROOT, timeout=200)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_module_is_not_looked_for_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "random", "typing", "uno_csp"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BackendError) as caught:  # it is not told what to write
        run_module("uno_csp.exports.xcsp", None, "nothing", limit_s=60, title="told")
    assert "the wrong module" not in str(caught.value)
