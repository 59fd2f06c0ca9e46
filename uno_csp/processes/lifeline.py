"""The lifeline, a pipe that ends a child with its parent, and safe standard descriptors."""

import os
import signal
import sys
from contextlib import suppress
from functools import cache
from typing import Any

_SET_CHILD_SUBREAPER = 36  # option of prctl


def die_with_parent(lifeline: int) -> None:
    """Have the kernel send SIGIO to this process group when the parent's end of the pipe closes.

    Its default action kills a process even during a search that holds the interpreter's lock.
    Nothing is ever written to the lifeline, whose descriptor is given.
    """
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    with suppress(OSError):  # not every system signals the closing of a pipe
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


def adopt_orphans() -> None:
    """Have this process become the parent of processes below it whose own parents end (Linux).

    A fork of this process does not inherit that.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a C library without it
            _c_library().prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@cache
def _c_library() -> Any:
    import ctypes  # which loads slowly

    return ctypes.CDLL(None)


def keep_standard_descriptors() -> None:
    """Open those of 0 to 2 that are closed, lest a channel get such a number."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
