"""A command that a signal ends, at whichever instruction it falls, ends by it without a word."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

from tests.support import ROOT
from uno_csp.processes import signals

cli: Any = import_module("uno_csp.cli")
WATCHED = {cli.__file__, contextlib.__file__, signals.__file__}
"""The modules with the instructions: those of ``main``, and of the blocks that it is in."""


def run_traced(at: int) -> NoReturn:
    """Run the command line with a signal at an instruction; exit with their number."""
    seen = 0

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal seen
        if frame.f_code.co_filename not in WATCHED:
            return None
        frame.f_trace_opcodes = True
        seen += event == "opcode"
        if seen == at and event == "opcode":
            os.kill(os.getpid(), signal.SIGTERM)
        return trace

    cli._run = lambda _arguments: 0
    sys.settrace(trace)
    try:
        cli.main([])
    except SystemExit:
        sys.settrace(None)
    sys.exit(str(seen))


def ended(at: int) -> tuple[int, str]:
    """Return the exit code of a copy of this process that runs the command, and what it says."""
    with tempfile.TemporaryFile("w+") as said:
        pid = os.fork()
        if not pid:
            os.dup2(said.fileno(), 2)
            run_traced(at)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        said.seek(0)
        return code, said.read()


def try_all() -> None:
    """Write how many instructions there are, and those where the command ends another way."""
    _, said = ended(0)
    number = int(said)
    wrong = [at for at in range(1, number + 1) if ended(at) != (-signal.SIGTERM, "")]
    sys.stdout.write(f"{number} {wrong}")


def test_a_signal_at_any_instruction_of_main_ends_the_command() -> None:
    code = f"from {__name__} import try_all; try_all()"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    number, wrong = run.stdout.split(" ", 1)
    assert wrong == "[]"
    assert int(number) > 100
