"""Workers as forks of a server, and as programs: both behave alike."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support import ROOT
from tests.support.hands import hard
from tests.support.processes import SOLVERS, named_below
from tests.support.serving import wait_until
from uno_csp.errors import BackendError
from uno_csp.formats import question_to_dict
from uno_csp.processes import forking
from uno_csp.processes.channel import READY, python_command
from uno_csp.processes.names import FORK_SERVER, worker_name
from uno_csp.processes.pool import EndedAtLimit, Worker
from uno_csp.processes.usage import usage

REPORTER = "tests.support.reporting"
LEAVING = "tests.support.leaving"
SLEEPER = "tests.support.sleeper"
needs_forks = pytest.mark.skipif(not forking.forks_work(), reason="this system has no fork server")


@pytest.fixture
def forked() -> Iterator[Callable[[str], Worker]]:
    """Starts workers, which are forks where that is possible, and ends them."""
    workers: list[Worker] = []

    def started(module: str) -> Worker:
        workers.append(Worker(module))
        return workers[-1]

    yield started
    for each in workers:
        each.end()


@pytest.fixture(params=["forked", pytest.param("spawned", marks=pytest.mark.slow)])
def start(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, forked: Callable[[str], Worker]
) -> Callable[[str], Worker]:
    """Starts workers in one of the two ways, and ends them."""
    if request.param == "spawned":
        monkeypatch.setattr(forking, "forks_work", lambda: False)
    elif not forking.forks_work():
        pytest.skip("this system has no fork server")
    return forked


@pytest.fixture
def fresh_server() -> Iterator[None]:
    """A test with a fork server of its own."""
    forking.end_fork_server()
    yield
    forking.end_fork_server()


def result(worker: Worker, task: object) -> dict[str, object]:
    worker.start(task)
    found: dict[str, object] = worker.receive().result
    return found


def server_of(worker: Worker) -> psutil.Process:
    return psutil.Process(psutil.Process(worker.pid).ppid())


def test_surroundings_are_those_of_the_moment(
    start: Callable[[str], Worker], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    start(REPORTER).end()  # the fork server runs
    monkeypatch.setenv("UNO_CSP_TEST_MARK", "here")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("/first")
    worker = start(REPORTER)
    found = result(worker, None)
    assert (found["folder"], found["mark"], found["path"]) == (str(tmp_path), "here", "/first")
    assert found["session"] == worker.pid
    temporary = Path(str(found["temporary"]))
    assert temporary.is_dir()
    worker.end()
    assert not temporary.exists()


def test_a_worker_starts_in_a_folder_that_is_gone(
    start: Callable[[str], Worker], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    worker = start(SLEEPER)
    worker.start({"obeys": True})
    assert worker.receive() is READY


@pytest.mark.parametrize("more", [[Path("/a b")], ["/x" * 30 + str(n) for n in range(3000)], [""]])
def test_a_worker_starts_with_any_search_path(
    start: Callable[[str], Worker], more: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", sys.path + more)
    done = subprocess.run(python_command("print(len(sys.path))"), capture_output=True, check=True)
    assert int(done.stdout) == sum(isinstance(entry, str) for entry in sys.path)
    worker = start(SLEEPER)
    worker.start({"obeys": True})
    assert worker.receive() is READY


@pytest.mark.parametrize(
    ("module", "said"),
    [
        (REPORTER, "exited with code 3: the end$"),
        ("tests.support.dying", "exited with code 1: no room$"),
        ("tests.support.nothing", "exited with code 1: ModuleNotFoundError"),
    ],
)
def test_the_end_of_a_worker_is_told(
    module: str, said: str, start: Callable[[str], Worker]
) -> None:
    worker = start(module)
    if module != "tests.support.nothing":
        worker.start("exit")
    with pytest.raises(BackendError, match=said):
        worker.receive()
    child = worker.child
    assert not child.alive
    assert said.startswith(f"exited with code {child.exit_code}: {child.last_words()[:6]}")


def test_a_worker_that_crashes_says_so(start: Callable[[str], Worker]) -> None:
    killed = start(SLEEPER)
    killed.start({"obeys": True})
    killed.receive()
    os.kill(killed.pid, signal.SIGSEGV)
    with pytest.raises(BackendError, match="ended by SIGSEGV"):
        killed.receive()


def test_workers_can_be_ended_at_any_moment(start: Callable[[str], Worker]) -> None:
    """Also before they have begun; no process, folder or descriptor is left."""
    start(SLEEPER).end()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(10):
        worker = start(SLEEPER)
        worker.end()
        worker.end()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert not named_below(os.getpid(), worker_name(SLEEPER))


def test_what_a_worker_started_ends_with_it(start: Callable[[str], Worker]) -> None:
    worker = start(LEAVING)
    worker.start(600)
    program = psutil.Process(worker.receive())
    number = worker.pid
    worker.end()
    program.wait(200)
    assert not psutil.pid_exists(number)


@needs_forks
def test_workers_are_forks_of_one_server(forked: Callable[[str], Worker]) -> None:
    workers = [forked(REPORTER) for _ in range(3)]
    server = server_of(workers[0])
    assert {psutil.Process(each.pid).ppid() for each in workers} == {server.pid}
    assert (server.name(), server.num_threads()) == (FORK_SERVER, 1)
    found = [result(each, None)["descriptors"] for each in workers]
    assert len(set(found)) == 1  # none has those of another
    assert {psutil.Process(each.pid).name() for each in workers} == {worker_name(REPORTER)}


@needs_forks
@pytest.mark.usefixtures("fresh_server")
def test_a_fork_server_of_solvers_starts_no_thread(forked: Callable[[str], Worker]) -> None:
    for each in ("service.jobs.worker", "experiments.worker", "pipeline.solver_worker"):
        server = server_of(forked(f"uno_csp.{each}"))
    assert server.num_threads() == 1
    libraries = {Path(each.path).name.partition(".")[0] for each in server.memory_maps()}
    assert {"pysolvers", "_multiarray_umath"} <= libraries


@needs_forks
@pytest.mark.usefixtures("fresh_server")
def test_a_fork_server_that_is_killed_takes_its_workers_along(
    forked: Callable[[str], Worker],
) -> None:
    worker = forked(SLEEPER)
    worker.start({"obeys": True})
    worker.receive()
    process = psutil.Process(worker.pid)
    server_of(worker).kill()
    worker.end()
    process.wait(200)
    assert worker.child.exit_code == -signal.SIGKILL
    again = forked(REPORTER)
    assert result(again, None)["session"] == again.pid


@needs_forks
@pytest.mark.usefixtures("fresh_server")
def test_a_worker_asked_of_a_dying_fork_server_says_that_it_was_killed(
    forked: Callable[[str], Worker],
) -> None:
    server = server_of(forked(SLEEPER))
    server.suspend()
    second = forked(SLEEPER)
    server.kill()
    with pytest.raises(EndedAtLimit):
        second.receive()
    assert (second.pid, second.child.alive) == (forking.NOBODY, False)


@needs_forks
@pytest.mark.usefixtures("fresh_server")
def test_a_fork_server_that_cannot_start_says_why(
    forked: Callable[[str], Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forking, "program", lambda *_: ("sh", "-c", "echo no room; exit 4"))
    with pytest.raises(BackendError, match="exited with code 4: no room"):
        forked(SLEEPER).receive()


@needs_forks
def test_a_worker_that_starts_workers_has_a_fork_server_of_its_own() -> None:
    """The memory of the server, which is that of its workers, is not counted twice."""
    outer = Worker("tests.support.nesting")
    outer.start(None)
    inner, server = outer.receive()
    assert psutil.Process(server).name() == FORK_SERVER
    assert psutil.Process(server).ppid() == outer.pid
    below = sum(psutil.Process(each).memory_info().rss for each in (outer.pid, inner, server))
    assert usage(outer.pid)[1] < below / (1 << 20)
    processes = [psutil.Process(each) for each in (inner, server)]
    outer.kill()
    psutil.wait_procs(processes, timeout=200)
    assert not any(each.is_running() for each in processes)


@needs_forks
def test_the_command_line_is_the_parent_of_its_fork_server(tmp_path: Path) -> None:
    """The server and its workers hold no stream of the program, and end with it."""
    file = tmp_path / "hard.json"
    file.write_text(json.dumps(question_to_dict(hard())))
    options = ("--method", "position", "--backend", "cadical195", "--no-presolve")
    asked = subprocess.Popen(
        [str(Path(sys.executable).parent / "uno-csp"), "solve", str(file), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wait_until(lambda: bool(named_below(asked.pid, SOLVERS)))
    below = psutil.Process(asked.pid).children(recursive=True)
    assert {each.name() for each in below} == {FORK_SERVER, SOLVERS}
    asked.kill()
    asked.communicate(timeout=200)  # up to the ends of both streams
    _, alive = psutil.wait_procs(below, timeout=200)
    assert not alive


THREADED = """
import threading
from uno_csp.processes import forking
forking.adopt_fork_server(["tests.support.sleeper"])
assert len(forking._servers) == 1
forking.end_fork_server()
wait = threading.Event()
threading.Thread(target=wait.wait).start()
forking.adopt_fork_server(["tests.support.sleeper"])
assert not forking._servers
wait.set()
"""


@needs_forks
def test_a_process_with_threads_is_not_forked() -> None:
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", THREADED], check=True, env=where, timeout=200)
