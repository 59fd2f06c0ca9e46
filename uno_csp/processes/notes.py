"""Notes that other programs give on themselves or a folder, such as a version.

A program that is missing, fails, hangs or prints without end gives no note, and never an error.
"""

import os
import select
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from uno_csp.processes.deadline import clock_s

LONGEST_S = 5.0  # maximum seconds that a program has to print a note
MOST_BYTES = 1 << 16  # maximum size of what it prints


def note(command: Sequence[str]) -> str | None:
    """Return what a program prints on standard output, without blanks around it; None if nothing.

    Bytes that are no UTF-8 are replaced.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError):
        return None
    try:
        printed = _read(process)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    return None if printed is None else printed.decode(errors="replace").strip() or None


def _read(process: subprocess.Popen[bytes]) -> bytes | None:
    """Return all that a program prints; None if that takes too long or is too much."""
    assert process.stdout is not None  # noqa: S101
    ready = select.poll()
    ready.register(process.stdout, select.POLLIN)
    deadline = clock_s() + LONGEST_S
    printed = b""
    while len(printed) < MOST_BYTES:
        left_s = deadline - clock_s()
        if left_s <= 0 or not ready.poll(1000 * left_s):
            return None
        part = os.read(process.stdout.fileno(), MOST_BYTES)
        if not part:
            return printed
        printed += part
    return None
