"""Beginning and ending with one's parent: descriptors at the start, and a pipe for the end."""

import os
import signal
from contextlib import suppress

LIFELINE = "UNO_CSP_LIFELINE"
"""The environment variable that has the number of the child's end of the pipe."""


def die_with_parent() -> None:
    """End this process group when the other side of the lifeline is gone: the kernel sends SIGIO.

    The default action of that signal ends a process even in the midst of a search that holds the
    interpreter's lock. Nothing is ever written to the lifeline.
    """
    import fcntl

    lifeline = int(os.environ[LIFELINE])
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    with suppress(OSError):  # not every system signals the end of a pipe
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


def keep_standard_descriptors() -> None:
    """Open what is closed of the descriptors 0 to 2, or a channel to a child gets their numbers.

    The child would then find its channel overwritten by its own standard streams.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
