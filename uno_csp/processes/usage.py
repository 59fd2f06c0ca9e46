"""CPU time and memory of a process tree; peak memory on systems that report it (Linux)."""

import os
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from uno_csp.processes.cpu_time import MOST_AGE_S, parents
from uno_csp.processes.deadline import clock_s
from uno_csp.processes.names import FORK_SERVER

MB = 1 << 20


class _Descendants:
    """Cached table of descendants by parent, shared by all threads."""

    def __init__(self, most_age_s: float) -> None:
        self._most_age_s = most_age_s
        self._lock = threading.Lock()
        self._owner = 0
        self._read_at = 0.0
        self._children: dict[int, list[psutil.Process]] = {}

    def below(self, pid: int) -> Iterator[psutil.Process]:
        """Yield the descendants of a process."""
        children = self._table()
        parents = [pid]
        while parents:
            for child in children.get(parents.pop(), ()):
                parents.append(child.pid)
                yield child

    def _table(self) -> dict[int, list[psutil.Process]]:
        with self._lock:
            now, here = clock_s(), os.getpid()
            if now - self._read_at > self._most_age_s or self._owner != here:
                self._children, self._owner = _children_by_parent(), here
                self._read_at = clock_s()
            return self._children


def _children_by_parent() -> dict[int, list[psutil.Process]]:
    """Return the children of this process and of all below it, by the ids of their parents."""
    of_parent: dict[int, list[int]] = defaultdict(list)
    for child, parent in parents().items():
        of_parent[parent].append(child)
    found: dict[int, list[psutil.Process]] = defaultdict(list)
    waiting = [os.getpid()]
    while waiting:
        parent = waiting.pop()
        for child in of_parent[parent]:
            with suppress(psutil.NoSuchProcess):
                found[parent].append(psutil.Process(child))
                waiting.append(child)
    return found


DESCENDANTS = _Descendants(MOST_AGE_S)
os.register_at_fork(after_in_child=lambda: DESCENDANTS.__init__(MOST_AGE_S))  # type: ignore[misc]


def usage(pid: int) -> tuple[float, float]:
    """Return CPU seconds and MB of a child process and its descendants, if not too young."""
    cpu_s = memory_mb = 0.0
    with suppress(psutil.NoSuchProcess):
        for each in (psutil.Process(pid), *DESCENDANTS.below(pid)):
            with suppress(psutil.NoSuchProcess), each.oneshot():
                spent = each.cpu_times()
                cpu_s += spent.user + spent.system + spent.children_user + spent.children_system
                if each.name() != FORK_SERVER:  # whose memory is shared by its forks
                    memory_mb += each.memory_info().rss / MB
    return cpu_s, memory_mb


FORGET_PEAK = "5"  # written to a process's `clear_refs`, it resets the peak (proc(5))


def reset_peaks() -> bool:
    """Reset the peaks of all descendants; return False if the system does not allow it."""
    try:
        for each in psutil.Process().children(recursive=True):
            Path(f"/proc/{each.pid}/clear_refs").write_text(FORGET_PEAK)
    except OSError:
        return False
    return True


def largest_peak_mb() -> float | None:
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
