"""Programs that solve: run with their output in files, and ended with all that they started."""

import os
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from uno_csp.backends._sessions import within_range
from uno_csp.errors import BackendError
from uno_csp.processes.channel import Channel
from uno_csp.processes.cpu_time import kill_below
from uno_csp.processes.endings import ending
from uno_csp.processes.printed import TAIL_BYTES, last_line
from uno_csp.questions.wording import printable, shown

LAST_WORDS_CHARS = 200  # maximum length of the line of a program that a message quotes


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that has ended, and the files of its output; no code if it hit the limit."""

    printed: Path
    errors: Path
    code: int | None
    wall_s: float

    @property
    def ending(self) -> str:
        """A sentence on the end of the program, with its last words."""
        how = "was stopped at the limit" if self.code is None else ending(self.code)
        words = ""
        for path in (self.errors, self.printed):
            with path.open("rb") as stream:
                words = words or last_line(stream)
        return f"{how}; last line: {printable(words[:LAST_WORDS_CHARS]) or 'nothing'}"


def run_program(command: Sequence[str], folder: Path, time_limit_s: float | None) -> Ran:
    """Run a program with its output in files, so that no child it leaves behind holds a pipe.

    Raises BackendError if it cannot be started.
    """
    printed, errors = folder / "stdout", folder / "stderr"
    began = time.perf_counter()
    try:
        with printed.open("wb") as out, errors.open("wb") as err:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    except OSError as error:
        why = _missing_interpreter(command[0]) or str(error.strerror).lower()
        raise BackendError(f"{Path(command[0]).name} cannot be started: {why}") from None
    try:
        code = process.wait(within_range(time_limit_s))
    except subprocess.TimeoutExpired:
        code = None
    finally:
        _end(process)
    return Ran(printed, errors, code, time.perf_counter() - began)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a program with all that it started, also what left its group, session or parent.

    A worker is the parent of what loses its own, so all of that is below it. A control group would
    end the same, but few users may make one.
    """
    if process.returncode is None:  # else its number may be somebody else's by now
        kill_below(process.pid)
        process.kill()
        process.wait()
    while Channel.own is not None and (killed := kill_below(os.getpid())):
        for each in killed:
            with suppress(ChildProcessError):
                os.waitpid(each, 0)


def _missing_interpreter(path: str) -> str:
    """Return that the interpreter of a script is missing; an empty text if it is not."""
    with suppress(OSError), Path(path).open("rb") as program:
        if program.read(2) == b"#!":
            line = program.readline(TAIL_BYTES).decode(errors="replace")
            name = line.strip(" \t\n").split(" ")[0]
            return "" if Path(name).exists() else f"its interpreter {shown(name)} is missing"
    return ""
