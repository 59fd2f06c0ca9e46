"""The most memory that the processes below this one have held, where the system tells."""

from pathlib import Path

import psutil

FORGET_PEAK = "5"
"""Written to a process's ``clear_refs``, this sets its peak to what it holds now (proc(5))."""


def reset() -> bool:
    """Begin anew, so that what was held before does not count; whether the system lets us."""
    try:
        for each in psutil.Process().children(recursive=True):
            Path(f"/proc/{each.pid}/clear_refs").write_text(FORGET_PEAK)
    except OSError:
        return False
    return True


def largest_mb() -> float | None:
    """The most megabytes that one of them has held; None where there may have been others.

    Those are programs that a process below has started and that have ended.
    """
    largest = 0.0
    try:
        for each in psutil.Process().children(recursive=True):
            if _faults_of_children(Path(f"/proc/{each.pid}/stat").read_text()):
                return None
            status = Path(f"/proc/{each.pid}/status").read_text()
            largest = max(largest, _peak_kb(status) / 1024)
    except (OSError, psutil.Error, ValueError, IndexError):
        return None
    return largest


def _faults_of_children(stat: str) -> int:
    """The page faults of children that have ended, cminflt of proc(5): there is no child without.

    Their CPU time would tell as well, but that of a fast one is rounded to nothing.
    """
    _, _, fields = stat.rpartition(")")
    return int(fields.split()[8])


def _peak_kb(status: str) -> int:
    """The peak that a status file of proc(5) tells."""
    line = next((line for line in status.splitlines() if line.startswith("VmHWM:")), "")
    return int(line.split()[1]) if line else 0
