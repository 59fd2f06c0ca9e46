"""The processes below a process and their CPU time, without psutil, whose import takes longer."""

import os
import signal
import sys
import time
from collections.abc import Container
from functools import cache
from pathlib import Path

MOST_AGE_S = 0.1  # longest use of the table of all processes: reading it takes milliseconds
_OF_PROCESS = 2  # in the kernel's number of a clock: the CPU time of all threads of a process


def cpu_time_s(pid: int, *, alone: bool = False) -> float:
    """Return the CPU seconds of a process, with those of its descendants unless ``alone``.

    0 if it has ended. Where the kernel lists no children, descendants younger than ``MOST_AGE_S``
    may be missing.
    """
    if sys.platform != "linux":
        from uno_csp.processes.usage import usage

        return usage(pid)[0]
    try:
        own_s = time.clock_gettime(~pid << 3 | _OF_PROCESS)
    except OSError:
        return 0.0
    return own_s if alone else own_s + _below_s(pid)


def _below_s(pid: int) -> float:
    """Return the CPU seconds of the descendants of a process."""
    if _kernel_lists_children():
        return sum(map(cpu_time_s, children(pid)))
    from uno_csp.processes.usage import DESCENDANTS

    return sum(cpu_time_s(each.pid, alone=True) for each in DESCENDANTS.below(pid))


def children(pid: int) -> list[int]:
    """Return the ids of the children of a process; none if it has ended."""
    if _kernel_lists_children():
        try:
            tasks = [*Path(f"/proc/{pid}/task").iterdir()]  # which leaves nothing open, as glob may
            lines = [(each / "children").read_text() for each in tasks]
        except OSError:
            return []
        return [int(child) for line in lines for child in line.split()]
    return [child for child, parent in parents().items() if parent == pid]


def parents() -> dict[int, int]:
    """Return the parent of every process of this system."""
    if sys.platform != "linux":
        import psutil

        return {each.pid: each.info["ppid"] for each in psutil.process_iter(["ppid"])}
    with os.scandir("/proc") as entries:
        pids = [entry.name for entry in entries if entry.name.isdigit()]
    found = {int(pid): _parent_of(pid) for pid in pids}
    return {child: parent for child, parent in found.items() if parent is not None}


def _parent_of(pid: str) -> int | None:
    """Return the parent of a process; None if it has ended."""
    try:
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
        try:
            stat = os.read(descriptor, 1 << 10)
        finally:
            os.close(descriptor)
    except OSError:
        return None
    return int(stat[stat.rindex(b")") :].split(maxsplit=3)[2])  # the name may have any characters


@cache
def _kernel_lists_children() -> bool:
    """Return True on Linux whose kernel was built with CONFIG_PROC_CHILDREN."""
    return Path(f"/proc/self/task/{os.getpid()}/children").exists()


def kill_below(pid: int, but: Container[int] = ()) -> set[int]:
    """Kill all processes below one, in any group and session; return its children among them.

    Children in ``but`` are left alone, with all below them. What loses its parent meanwhile comes
    to be a child of the nearest process above that adopts orphans, so this goes on until no other
    is found.
    """
    found, killed = set[int](), set[int]()
    while fresh := {*children(pid)} - found:
        found |= fresh
        killed |= {child for child in fresh if child not in but and _kill_tree(child)}
    return killed


def _kill_tree(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGSTOP)  # so that it starts no others meanwhile
        kill_below(pid)
        os.kill(pid, signal.SIGKILL)
    except OSError:  # it has ended, or is another user's
        return False
    return True
