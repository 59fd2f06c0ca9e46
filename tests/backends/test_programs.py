"""Programs that solve: what they print is never held whole, and they end with all they started."""

import os
import signal
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil
import pytest

from tests.support import ROOT
from tests.support.running import Patch
from tests.support.serving import wait_until
from uno_csp import Status, parse, start
from uno_csp.backends import _programs
from uno_csp.backends.dimacs_program import MOST_BYTES, DimacsBackend
from uno_csp.errors import BackendError
from uno_csp.modeling import Model
from uno_csp.processes import scratch
from uno_csp.processes.child import SpawnedChild
from uno_csp.processes.forking import forks_work

HAND = parse({"question": "uno-1", "cards": [[1, 1], [1, 2], [2, 2], [2, 3], [3, 3], [3, 1]]})
MB = 1 << 20
SIZE = 9 * MB  # a multiple of the length of the lines
ONE_LINE = f"head -c {SIZE} /dev/zero | tr '\\0' x"
MANY_LINES = f"yes c a comment | head -c {SIZE}; echo"
ANSWER = "echo s SATISFIABLE; echo v 1 -2 0"


def peak(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        (f"{MANY_LINES}; {ANSWER}", None),
        (f"{ONE_LINE}; echo; {ANSWER}", None),
        (f"{ANSWER}; {ONE_LINE}", None),
        (f"printf 'c '; {ONE_LINE} >&2; echo; {ANSWER}", None),
        (f"printf 'v '; {ONE_LINE}", "a line has more than"),
        (f"printf 's '; {ONE_LINE}", "a line has more than"),
        (f"yes v 1 | head -c {SIZE}; echo", "it has more than"),
        (f"{MANY_LINES}; exit 3", "gave no answer and exited with code 3; last line: c a comment"),
        (f"{ONE_LINE}; exit 3", f"last line: {'x' * 200}$"),
    ],
)
def test_what_a_solver_prints_is_never_held_whole(
    program: Callable[..., str], printed: str, said: str | None
) -> None:
    model = Model(2)
    model.add_clause(1, 2)
    session = DimacsBackend(program(printed)).open(model)

    def solve() -> None:
        if said is None:
            assert session.solve().status is Status.SATISFIABLE
            return
        with pytest.raises(BackendError, match=said):
            session.solve()

    assert peak(solve) < (4 if said is None else 8) * MOST_BYTES


@pytest.mark.parametrize("lines", ["yes v 1", "yes 12345678 | tr '\\n' ' '"])
def test_a_result_file_is_never_held_whole(program: Callable[..., str], lines: str) -> None:
    session = DimacsBackend(program(f'({lines}) | head -c {SIZE} > "$2"', "minisat")).open(Model(2))

    def refused() -> None:
        with pytest.raises(BackendError, match="bytes"):
            session.solve()

    assert peak(refused) < 8 * MOST_BYTES


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        (ONE_LINE, "x" * 100),
        (MANY_LINES, "c a comment"),
        (f"{ONE_LINE}; echo; echo the end", "the end"),
        ("true", ""),
        ("printf '\\377 end'", "\ufffd end"),
    ],
)
def test_last_words_are_read_from_the_end(printed: str, words: str) -> None:
    child = SpawnedChild(lambda _: ("sh", "-c", printed))
    child.wait()
    assert peak(child.reap) < MB
    assert child.last_words()[:100] in (words, "c"[len(words) :])


WAYS = {
    "timeout": "timeout 60 {0}",
    "setsid": "setsid {0}",
    "nohup": "nohup {0} 2>&1",
    "double": "(setsid sh -c '{0} & {0} &' &)",
    "deaf": "sh -c 'trap \"\" TERM HUP INT; {0}'",
    "chain": "python3 {1}",
}
"""Ways to leave one's parent, by names."""

CHAIN = """
import os, time
while True:
    open({mark!r}, "w").close()
    time.sleep(0.002)
    if os.fork():
        os._exit(0)
"""


def living(folder: Path) -> list[str]:
    """Command lines of processes that name a folder."""
    found = (" ".join(each.info["cmdline"] or ()) for each in psutil.process_iter(["cmdline"]))
    return [line for line in found if str(folder) in line]


def leaving(folder: Path, then: str) -> str:
    """A script of a shell that starts a sleeper in each of the ways, and then goes on."""
    marks = {name: folder / f"{name}.mark" for name in WAYS}
    lines = []
    for name, way in WAYS.items():
        sleeper, chain = folder / f"{name}.sh", folder / f"{name}.py"
        sleeper.write_text(f"#!/bin/sh\ntouch {marks[name]}\nwhile :; do sleep 600; done\n")
        sleeper.chmod(0o755)
        chain.write_text(CHAIN.format(mark=str(marks[name])))
        lines.append(f"{way.format(sleeper, chain)} &")
    started = " && ".join(f"[ -e {mark} ]" for mark in marks.values())
    lines.append(f"until {started}; do sleep 0.02; done; touch {folder}/all")
    return "\n".join([*lines, then])


@pytest.mark.parametrize("ends", ["limit", "answer", "stop"])
def test_nothing_is_left_of_a_solver(
    ends: str, program: Callable[..., str], tmp_path: Path
) -> None:
    """It ends at the limit, by itself with an answer, or is killed; its children hold its pipes."""
    then = "echo s UNSATISFIABLE; exit 20" if ends == "answer" else "sleep 600"
    lines = leaving(tmp_path, then)
    backend = "dimacs:" + program(lines, f"leaving-{ends}")  # an idle worker has an older PATH
    limit_s = 2.0 if ends == "limit" else 200.0
    task = start(HAND, method="successor", backend=backend, presolve=False, time_limit_s=limit_s)
    if ends == "stop":
        wait_until((tmp_path / "all").exists)
        task.cancel()
    answer = task.result(300)
    assert ends == "limit" or (tmp_path / "all").exists()
    assert answer.status is (Status.UNSATISFIABLE if ends == "answer" else Status.UNKNOWN)
    wait_until(partial(lambda folder: not living(folder), tmp_path))


@pytest.mark.skipif(not forks_work(), reason="this system has no fork server")
@pytest.mark.parametrize("how", ["the program", "its group"])
def test_nothing_is_left_of_a_solver_when_its_program_is_killed(
    how: str, program: Callable[..., str], tmp_path: Path
) -> None:
    backend = "dimacs:" + program(leaving(tmp_path, "trap '' IO; sleep 600"), "leaving-killed")
    options = ["--method", "successor", "--backend", backend, "--no-presolve"]
    words = [sys.executable, "-m", "uno_csp", "solve", "R5", "R7", "B7", "B9", "G9", *options]
    with subprocess.Popen(words, cwd=ROOT, start_new_session=True) as started:
        wait_until((tmp_path / "all").exists)
        if how == "the program":
            started.kill()
        else:
            os.killpg(started.pid, signal.SIGKILL)
    wait_until(partial(lambda folder: not living(folder), tmp_path))


def test_the_number_of_a_program_that_has_ended_is_nobodys(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    killed = list[int]()
    monkeypatch.setattr(_programs, "kill_below", killed.append)
    assert _programs.run_program(["true"], tmp_path, None).code == 0
    assert not killed
    assert _programs.run_program(["sleep", "60"], tmp_path, 0.1).code is None
    assert len(killed) == 1


def test_a_file_on_the_path_that_cannot_be_executed_is_named(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    """A folder of that name, or nothing, is no program."""
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "plain").write_text("#!/bin/sh")
    (tmp_path / "folder").mkdir()
    assert DimacsBackend("plain").install_hint() == f"{tmp_path / 'plain'} is not executable"
    for name in ("folder", "missing"):
        assert DimacsBackend(name).install_hint().startswith(f"put {name} on the PATH")
        assert not DimacsBackend(name).available()


CALL = """
from uno_csp.methods import find_backend
from uno_csp.modeling import Model
model = Model()
model.add_clause(model.new_var())
find_backend({name!r}).open(model).solve()
"""


@pytest.mark.parametrize("name", ["dimacs:slow", "minizinc"])
def test_the_folder_of_a_caller_that_is_killed_is_swept(
    name: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    """A caller without a worker that a signal ends; then no block of it is left."""
    programs, folder, at_work = tmp_path / "bin", tmp_path / "tmp", tmp_path / "pid"
    programs.mkdir()
    folder.mkdir()
    for each in ("slow", "minizinc"):
        (programs / each).write_text(f"#!/bin/sh\necho $$ > {at_work}\nexec sleep 60\n")
        (programs / each).chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-c", CALL.format(name=name)]
    environment = {**os.environ, "PATH": path, "TMPDIR": str(folder)}
    with subprocess.Popen(command, cwd=ROOT, env=environment) as caller:
        wait_until(lambda: at_work.exists() and at_work.read_text().endswith("\n"))
        caller.terminate()
    os.kill(int(at_work.read_text()), signal.SIGKILL)
    assert caller.returncode == -signal.SIGTERM
    assert [*folder.iterdir()]
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr(scratch, "FRESH_S", -1.0)
    scratch.sweep()
    assert not [*folder.iterdir()]
