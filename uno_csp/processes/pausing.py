"""Pauses: work that is not counted against the limits of a task, such as compiling a solver.

A worker tells its parent, whose clocks stand still until the worker is READY again; the parent
tells its own. A process that nobody started for a task says on standard error what it does.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from uno_csp.processes.channel import READY, Channel, Pause
from uno_csp.processes.deadline import clock_s


@dataclass(slots=True)
class _Total:
    """Seconds of all pauses of this process."""

    seconds: float = 0.0


_total = _Total()


def paused_s() -> float:
    """Return the seconds of all pauses of this process: deadlines made before move by them."""
    return _total.seconds


@contextmanager
def pause(text: str) -> Iterator[None]:
    """Make a pause of a block of work; the text says what is done."""
    tell_pause(text)
    began = clock_s()
    try:
        yield
    finally:
        _total.seconds += clock_s() - began
        tell_end_of_pause()


def tell_pause(text: str) -> None:
    """Tell the parent of a pause, or say on standard error what is done."""
    if Channel.own is not None:
        Channel.own.report(Pause(text))
        return
    with suppress(OSError, AttributeError, ValueError):  # standard error may be closed
        sys.stderr.write(f"uno-csp: {text}\n")


def tell_end_of_pause() -> None:
    """Tell the parent, if there is one, that the pause is over."""
    if Channel.own is not None:
        Channel.own.report(READY)
