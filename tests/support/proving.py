"""Substitutes for the search for a proof in a worker that makes a certificate."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from uno_csp.certificates import Effort


def hang(*_: Any, folder: Path, on_effort: Any, **__: Any) -> None:
    """Write half a certificate, start a program, signal the caller if it asks, and never end."""
    Path(folder).mkdir()
    (Path(folder) / "claim.json").write_text("{")
    program = subprocess.Popen(["sleep", "600"])
    file = Path(os.environ["UNO_CSP_TEST_PID_FILE"])
    written = file.with_suffix(".new")  # whoever is ended here has not begun the file
    written.write_text(str(program.pid))
    written.replace(file)
    on_effort(Effort(1, 0))
    if "UNO_CSP_TEST_SIGNAL" in os.environ:
        number, pid = map(int, os.environ["UNO_CSP_TEST_SIGNAL"].split())
        os.kill(pid, signal.Signals(number))
    program.wait()


def die(*_: Any, **__: Any) -> None:
    sys.stderr.write("the end\n")
    sys.stderr.flush()
    os._exit(3)
