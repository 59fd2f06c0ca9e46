"""Notes of programs on themselves, which are never an error, and the words for their end."""

import resource
import signal
import sys
from pathlib import Path

import pytest

from tests.support.serving import wait_until
from uno_csp.processes import notes
from uno_csp.processes.endings import ending
from uno_csp.processes.notes import note


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("print(' solver 1.2 ')", "solver 1.2"),
        ("import sys; sys.stdout.buffer.write(b'v\\xff1')", "v\ufffd1"),
        ("pass", None),
        ("print('v1'); exit(3)", "v1"),
        ("while True: print('c' * 1000)", None),
        ("import os; os.close(1); os.kill(os.getpid(), 9)", None),
    ],
)
def test_programs(program: str, said: str | None) -> None:
    assert note([sys.executable, "-c", program]) == said


@pytest.mark.parametrize("name", ["no such program", "/", "a\0b", __file__])
def test_what_is_no_program(name: str) -> None:
    assert note([name]) is None


def test_a_program_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "LONGEST_S", 1.0)
    alive = tmp_path / "alive"
    program = f"import os, time; open({str(alive)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    assert note(["sh", "-c", '"$0" -c "$1" & wait', sys.executable, program]) is None
    if alive.exists():  # the child began before its shell was ended
        wait_until(lambda: not Path("/proc", alive.read_text() or "0").exists())


@pytest.mark.parametrize(
    ("code", "limits", "said"),
    [
        (None, (-1, -1), "was lost"),
        (0, (-1, -1), "exited with code 0"),
        (-signal.SIGABRT, (4, 4), "was ended by SIGABRT (Aborted)"),
        (-signal.SIGXCPU, (4, 9), "was ended by SIGXCPU (the CPU limit of 4 s)"),
        (-signal.SIGXCPU, (-1, -1), "was ended by SIGXCPU (the CPU limit)"),
        (-signal.SIGKILL, (-1, -1), "was ended by SIGKILL (for lack of memory, or by somebody)"),
        (
            -signal.SIGKILL,
            (4, 9),
            "was ended by SIGKILL (for lack of memory, at the CPU limit of 9 s, or by somebody)",
        ),
        (-signal.SIGRTMIN - 3, (-1, -1), f"was ended by signal {signal.SIGRTMIN + 3} (Real-time"),
    ],
)
def test_an_ending_says_what_is_known(
    code: int | None, limits: tuple[int, int], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    assert ending(code).startswith(said)
