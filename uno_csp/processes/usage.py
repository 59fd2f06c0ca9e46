"""CPU time and memory of a tree of processes."""

import os
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

import psutil

MB = 1 << 20

MOST_AGE_S = 0.1
"""Age from which the table of processes is read again; reading it takes longer than most tasks."""


class _Descendants:
    """Table of the processes below this one, by parent; shared by all threads that sample usage.

    Parameters
    ----------
    most_age_s
        Age in seconds from which the table is read again.
    """

    def __init__(self, most_age_s: float) -> None:
        self._most_age_s = most_age_s
        self._lock = threading.Lock()
        self._owner = 0
        self._read_at = 0.0
        self._children: dict[int, list[psutil.Process]] = {}

    def below(self, pid: int) -> Iterator[psutil.Process]:
        """Yield the processes below that one."""
        children = self._table()
        parents = [pid]
        while parents:
            for child in children.get(parents.pop(), ()):
                parents.append(child.pid)
                yield child

    def _table(self) -> dict[int, list[psutil.Process]]:
        with self._lock:
            now, here = time.monotonic(), os.getpid()
            if now - self._read_at > self._most_age_s or self._owner != here:
                self._children, self._owner = _children_by_parent(), here
                self._read_at = time.monotonic()
            return self._children


def _children_by_parent() -> dict[int, list[psutil.Process]]:
    found: dict[int, list[psutil.Process]] = defaultdict(list)
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            found[process.ppid()].append(process)
    return found


_descendants = _Descendants(MOST_AGE_S)


def usage(pid: int) -> tuple[float, float]:
    """Return the CPU seconds so far and the megabytes held now by a child process and its tree.

    A process that is younger than :data:`MOST_AGE_S` may be missing.
    """
    cpu_s = memory_mb = 0.0
    with suppress(psutil.NoSuchProcess):
        for each in (psutil.Process(pid), *_descendants.below(pid)):
            with suppress(psutil.NoSuchProcess):
                spent = each.cpu_times()
                cpu_s += spent.user + spent.system + spent.children_user + spent.children_system
                memory_mb += each.memory_info().rss / MB
    return cpu_s, memory_mb
