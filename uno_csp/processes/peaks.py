"""Peak memory of the descendants of this process, on systems that report it (Linux)."""

from pathlib import Path

import psutil

FORGET_PEAK = "5"
"""Value that, written to a process's ``clear_refs``, resets its peak memory (proc(5))."""


def reset() -> bool:
    """Reset the peaks of all descendants; return False if the system does not allow it."""
    try:
        for each in psutil.Process().children(recursive=True):
            Path(f"/proc/{each.pid}/clear_refs").write_text(FORGET_PEAK)
    except OSError:
        return False
    return True


def largest_mb() -> float | None:
    """Return the largest peak of a descendant in MB; None if one has had ended children."""
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
    """Return the page faults of reaped children (cminflt of proc(5)); all have some."""
    _, _, fields = stat.rpartition(")")
    return int(fields.split()[8])


def _peak_kb(status: str) -> int:
    """Return the peak memory in kB from a status file of proc(5)."""
    line = next((line for line in status.splitlines() if line.startswith("VmHWM:")), "")
    return int(line.split()[1]) if line else 0
