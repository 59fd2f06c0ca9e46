"""What a tree of processes uses."""

from contextlib import suppress

import psutil

MB = 1 << 20


def usage(pid: int) -> tuple[float, float]:
    """CPU seconds so far, and the megabytes held now, of a process and all below it."""
    cpu_s = memory_mb = 0.0
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for each in (process, *process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                spent = each.cpu_times()
                cpu_s += spent.user + spent.system + spent.children_user + spent.children_system
                memory_mb += each.memory_info().rss / MB
    return cpu_s, memory_mb
