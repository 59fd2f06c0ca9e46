"""Processes in programs of others: embedded Pythons, green sockets, forks, solvers that wrap."""

import multiprocessing
import os
import socket
import sys
from pathlib import Path

import pytest

from tests.support.serving import wait_until
from uno_csp import BackendError, Status, parse, solve
from uno_csp.processes import forking, pool
from uno_csp.processes.channel import interpreter, pipe
from uno_csp.processes.modules import run_module

HAND = parse({"question": "uno-1", "cards": [[1, 1], [1, 2], [2, 2], [2, 3], [3, 3], [3, 1]]})
PROGRAM = "successor", "dimacs:wrapped"


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


@pytest.mark.parametrize(
    "wrapper", ["exec timeout 60 {0} {1}", "setsid -w {0} {1}", "({0} {1} &) ; sleep 60"]
)
def test_nothing_is_left_of_a_solver(
    wrapper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids, inner, outer = (tmp_path / name for name in ("pids", "inner", "wrapped"))
    inner.write_text(f"#!/bin/sh\necho $$ >> {pids}\nexec sleep 60\n")
    outer.write_text(f"#!/bin/sh\n{wrapper.format(inner, '')}\n")
    for each in (inner, outer):
        each.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    method, backend = PROGRAM
    answer = solve(HAND, method=method, backend=backend, presolve=False, time_limit_s=1.5)
    assert answer.status is Status.UNKNOWN
    started = [int(line) for line in pids.read_text().split()] if pids.exists() else []
    wait_until(lambda: not any(Path("/proc", str(pid)).exists() for pid in started))


def test_a_module_is_not_looked_for_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "random", "typing", "uno_csp"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BackendError) as caught:  # it is not told what to write
        run_module("uno_csp.exports.xcsp", None, "nothing", limit_s=60, title="told")
    assert "the wrong module" not in str(caught.value)
