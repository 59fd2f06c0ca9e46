"""The command line where its surroundings fail: streams, devices, signals, lack of processes."""

import errno
import json
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.support import ROOT
from tests.support.running import Patch, outcome, refused, run, shell
from uno_csp import Uno1, export, solve
from uno_csp.cli import cli
from uno_csp.formats.files import written
from uno_csp.processes import scratch

HAND = str(ROOT / "examples/paper-example-1.json")
LONG = str(ROOT / "examples/hard-3000.json")
PROGRAM = Path(sys.executable).parent / "uno-csp"


BARE = 'env -i PATH="$PATH" HOME="$HOME" LANG=C.UTF-8'
"""An environment without PYTHONUNBUFFERED and the like, which change how output fails."""


UP = "until [ -s d/jobs.sqlite3 ]; do sleep 0.1; done; sleep 1; kill $!; wait $!"
"""Waits until a server has its store and is about to listen, and ends it."""


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        (
            "printf '%s\\n' '{}' '{}' > q.jsonl; uno-csp solve q.jsonl > /dev/full",
            2,
            "standard output: no space left on device",
        ),
        (f"{BARE} uno-csp solve --help > /dev/full", 2, "output: no space left on device"),
        (f"{BARE} PYTHONUNBUFFERED=1 uno-csp --help > /dev/full", 2, "output: no space left"),
        ("set -o pipefail; uno-csp solve --help | true", 141, None),
        (f"set -o pipefail; uno-csp solve {LONG} --format json | true", 141, None),
        (f"uno-csp export {60 * 'R5 '} --to dimacs --method position | grep -qm1 ^c", 0, None),
        (f"uno-csp solve {HAND} >&-", 2, "standard output is closed"),
        ("uno-csp solve - <&-", 2, "standard input is closed"),
        ("uno-csp solve nothing 2>&-", 2, None),
        (f"uno-csp solve {HAND} --format json <&- 2>&- | grep -q sequence", 0, None),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                (f"{BARE} uno-csp solve {HAND} > /dev/full", 2, "output: no space left on device"),
                (f"uno-csp serve --data d --port 0 <&- >&- 2>&- & {UP}", 143, None),
                (f"uno-csp solve {HAND} 2>&- > /dev/null", 10, None),
                (f"uno-csp solve {HAND} 2> /dev/full > /dev/null", 10, None),
                (f"uno-csp solve {HAND} <&- >&- 2>&-", 2, None),
            )
        ),
    ],
)
def test_one_line_and_the_right_code(
    line: str, code: int, message: str | None, tmp_path: Path
) -> None:
    done = shell(line, tmp_path)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    if message is not None:
        assert message in done.stderr
        assert done.stderr.startswith("uno-csp: ")
        assert done.stderr.count("\n") == 1
    else:
        assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", HAND, "--plot", "missing/x.svg"), "missing/x.svg: there is no folder missing"),
        (("export", HAND, "--to", "dimacs", "-o", "missing/x"), "x: there is no folder missing"),
        (("export", HAND, "--to", "dimacs", "-o", "/dev/full"), "no space left on device"),
        (("solve", HAND, "--workers", "100000"), "workers must be from 1 to 256, not 100000"),
        (("new", "uno-1", "\udcff,1"), r"\xff,1 is not UTF-8 text"),
        (("new", "uno-1", "--name", "\udcff"), r"'--name': \xff is not UTF-8 text"),
        (("solve", "\udcff"), "no such file"),
    ],
)
def test_what_cannot_be_written_or_read_gets_one_line(
    arguments: tuple[str, ...], message: str
) -> None:
    said = refused(*arguments)
    assert said.startswith("uno-csp: ")
    assert message in said
    assert said.count("\n") == 1


@pytest.mark.slow
def test_every_character_reaches_a_narrow_terminal_and_none_commands_it(tmp_path: Path) -> None:
    question = {"question": "uno-1", "cards": [["rød\x1b[2J", 1], ["x\u202e", 3]]}
    (tmp_path / "q.json").write_text(json.dumps(question))
    for encoding in ("ascii", "utf-8", "latin-1"):
        done = shell("uno-csp solve q.json", tmp_path, PYTHONIOENCODING=encoding)
        assert done.returncode == 20
        assert "\x1b" not in done.stdout
        assert "\u202e" not in done.stdout
        assert '\\u001b[2J" 1 and "x\\u202e" 3' in done.stdout
    done = shell("uno-csp solve $'q\\e[2J.json'", tmp_path)
    assert done.returncode == 2
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("form", ["dimacs", "wcnf", "lp", "mps", "cpsat", "dot"])
def test_devices_and_pipes_are_neither_replaced_nor_removed(form: str, tmp_path: Path) -> None:
    """wcnf fails: there is nothing to minimise."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    code = run("export", HAND, "--to", form, "-o", str(pipe))
    read = os.read(reader, 1 << 16)
    os.close(reader)
    assert code == (2 if form == "wcnf" else 0)
    assert (len(read) > 20) == (form != "wcnf")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_was_there_stays_until_the_new_is_whole(tmp_path: Path) -> None:
    old = tmp_path / "old.cnf"
    old.write_text("kept")
    old.chmod(0o640)
    link = tmp_path / "link.cnf"
    link.symlink_to(old)
    assert run("export", HAND, "--to", "wcnf", "-o", str(old)) == 2
    with pytest.raises(ZeroDivisionError), written(link) as stream:
        stream.write(b"half of it")
        raise ZeroDivisionError
    assert old.read_text() == "kept"
    assert {each.name for each in tmp_path.iterdir()} == {"link.cnf", "old.cnf"}
    export(Uno1(((1, 2), (1, 3))), "dimacs", str(link))
    assert link.is_symlink()
    assert old.read_text().startswith("c uno-csp dimacs")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


INTERRUPTED_AT = """
import os, signal, sys
def hook(event, args):
    if event == "import" and args[0] == {module!r}:
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
import uno_csp_command
sys.argv = ["uno-csp", "list", "backends"]
uno_csp_command.main()
"""


@pytest.mark.parametrize(
    "module",
    [
        "uno_csp",
        "click",
        *(pytest.param(f"uno_csp.cli{part}", marks=pytest.mark.slow) for part in ("", ".output")),
    ],
)
def test_ctrl_c_while_the_program_loads_is_quiet(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT.format(module=module)],
        capture_output=True,
        check=False,
        text=True,
        timeout=200,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.slow
def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """A killed CBC, an export ended by a signal, a killed parent."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    where = {"TMPDIR": str(temporary)}
    plain = "--method hub-trail --no-presolve"
    make = "uno-csp generate random --colours 300 --numbers 300 --cards 400 --question longest"
    assert shell(f"{make} > long.json", tmp_path).returncode == 0
    done = shell(f"uno-csp solve long.json {plain} --backend cbc --time-limit 2", tmp_path, **where)
    assert (done.returncode, [*temporary.iterdir()]) == (0, [])

    def started(line: str) -> "subprocess.Popen[bytes]":
        """Start a command, and wait until it has a folder or has ended."""
        environment = {**os.environ, **where}
        child = subprocess.Popen([PROGRAM, *line.split()], cwd=tmp_path, env=environment)
        while not [*temporary.iterdir()] and child.poll() is None:
            time.sleep(0.005)
        return child

    child = started("export long.json --to lp -o out.lp --connectivity flow")
    child.terminate()
    assert child.wait(200) in (-signal.SIGTERM, 0)
    assert [*temporary.iterdir()] == []
    child = started(f"solve long.json {plain} --backend cbc")
    child.kill()
    child.wait()
    assert [*temporary.iterdir()]
    for folder in temporary.iterdir():
        os.utime(folder, (0, 0))  # as if it had been a while ago
    assert shell(f"uno-csp solve {HAND}", tmp_path, **where).returncode == 10
    assert [*temporary.iterdir()] == []


def test_folders_of_the_living_are_kept(monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kept = ["of-somebody-else", "uno-csp-of-just-now"]
    with scratch.scratch_folder() as mine:
        for name in ("uno-csp-of-the-dead", *kept):
            (tmp_path / name).mkdir()
        for name in (mine.name, "uno-csp-of-the-dead", "of-somebody-else"):
            os.utime(tmp_path / name, (0, 0))
        scratch.sweep()
        assert {each.name for each in tmp_path.iterdir()} == {mine.name, *kept}
    assert {each.name for each in tmp_path.iterdir()} == {*kept}


def test_what_is_no_folder_is_left_alone_and_not_waited_for(
    monkeypatch: Patch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/file").touch()
    (tmp_path / "uno-csp-of-link").symlink_to("precious")
    (tmp_path / "uno-csp-of-file").touch()
    os.mkfifo(tmp_path / "uno-csp-of-pipe")
    for each in tmp_path.iterdir():
        os.utime(each, (0, 0), follow_symlinks=False)
    before = {*tmp_path.rglob("*")}
    scratch.sweep()
    assert {*tmp_path.rglob("*")} == before


def test_a_parent_without_standard_streams_can_solve() -> None:
    code = (
        "import os, sys; [os.close(each) for each in (0, 1, 2)];"
        "from uno_csp import parse, solve;"
        "answer = solve(parse('1,2\\n1,3\\n2,3\\n'), presolve=False);"
        "os._exit(42 if answer.checked else 1)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 42
    assert solve(Uno1(((1, 2), (1, 3)))).checked


def test_a_server_says_where_it_is_and_where_it_keeps_jobs(tmp_path: Path) -> None:
    command = [str(PROGRAM), "serve", "--data", "jobs", "--port", "0", "--log-level", "info"]
    child = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    assert child.stderr is not None
    message, started = child.stderr.readline(), child.stderr.readline()
    child.terminate()
    child.communicate(timeout=200)
    said = r"http://127\.0\.0\.1:[1-9]\d*/ \(jobs are stored in jobs; Ctrl-C stops it\)\n"
    assert re.fullmatch(said, message)
    assert "Started server process" in started


REFUSALS = (
    (OSError(errno.EAGAIN, "Resource temporarily unavailable"), "temporarily unavailable"),
    (OSError(errno.ENOMEM, "Cannot allocate memory"), "cannot allocate memory"),
    (RuntimeError("can't start new thread"), "can't start new thread"),
    (MemoryError(), "out of memory"),
    (ImportError("Help!\n\nlib.so: failed to map segment from shared object\n"), "failed to map"),
)


@pytest.mark.parametrize(("error", "said"), REFUSALS)
def test_a_refusal_of_the_system_is_one_line_and_code_3(
    error: Exception, said: str, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(cli, "main", Mock(side_effect=error))
    code, _, complained = outcome("list", "backends")
    (line,) = complained.splitlines()
    assert line.startswith("uno-csp: the system gives no more processes, threads or memory: ")
    assert (code, said in line) == (3, True)


@pytest.mark.parametrize("error", [RuntimeError("a bug"), ImportError("no module named x")])
def test_a_bug_is_no_refusal(error: Exception, monkeypatch: Patch) -> None:
    monkeypatch.setattr(cli, "main", Mock(side_effect=error))
    with pytest.raises(type(error)):
        run("list", "backends")
