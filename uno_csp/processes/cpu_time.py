"""The processes below a process and their CPU time, without psutil, whose import takes longer."""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

_OF_PROCESS = 2  # in the kernel's number of a clock: the CPU time of all threads of a process


def cpu_time_s(pid: int) -> float:
    """Return the CPU seconds used by a process and its descendants; 0 if it has ended."""
    if sys.platform != "linux":
        from uno_csp.processes.usage import usage

        return usage(pid)[0]
    try:
        return time.clock_gettime(~pid << 3 | _OF_PROCESS) + sum(map(cpu_time_s, children(pid)))
    except OSError:
        return 0.0


def children(pid: int) -> list[int]:
    """Return the ids of the children of a process; none if it has ended."""
    if sys.platform != "linux":
        import psutil

        with suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children()]
        return []
    try:
        lines = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    return [int(child) for line in lines for child in line.split()]


def kill_below(pid: int) -> set[int]:
    """Kill all processes below one, in any group and session; return its children among them.

    What loses its parent meanwhile comes to be a child of the nearest process above that adopts
    orphans, so this goes on until no other is found.
    """
    found, killed = set[int](), set[int]()
    while fresh := {*children(pid)} - found:
        found |= fresh
        killed |= {child for child in fresh if _kill_tree(child)}
    return killed


def _kill_tree(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGSTOP)  # so that it starts no others meanwhile
        kill_below(pid)
        os.kill(pid, signal.SIGKILL)
    except OSError:  # it has ended, or is another user's
        return False
    return True
