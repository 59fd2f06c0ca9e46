"""CPU time of a process and of those below it, read without psutil, whose import takes longer."""

import sys
import time
from pathlib import Path

_OF_PROCESS = 2  # in the kernel's number of a clock: the CPU time of all threads of a process


def cpu_time_s(pid: int) -> float:
    """Return the CPU seconds used by a process and its descendants; 0 if it has ended."""
    if sys.platform != "linux":
        from uno_csp.processes.usage import usage

        return usage(pid)[0]
    try:
        used_s = time.clock_gettime(~pid << 3 | _OF_PROCESS)
        children = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return 0.0
    return used_s + sum(cpu_time_s(int(child)) for each in children for child in each.split())
