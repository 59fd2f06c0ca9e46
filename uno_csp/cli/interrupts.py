"""Ctrl-C ends a run, which hands over the best that it has found; a second one ends the command."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType
from typing import Any, TypeVar

import click

from uno_csp.cli.live_line import live_line
from uno_csp.cli.output import INTERRUPTED, tell
from uno_csp.pipeline.timed import Timed
from uno_csp.processes.deadline import clock_s
from uno_csp.processes.signals import handled
from uno_csp.questions.answers import Status

AnswerT = TypeVar("AnswerT", bound=Any)  # any answer with a status, an objective and a bound


class Interrupt:
    """The state of a block that Ctrl-C may interrupt: pressed or not, and after what time."""

    after_s: float | None = None

    def __bool__(self) -> bool:
        return self.after_s is not None

    def tell(self, answer: Any) -> None:
        """Print when a run was interrupted; end the command if it has found nothing."""
        if self.after_s is None:
            return
        if sys.stderr is not None and sys.stderr.isatty():
            tell("")  # ends the line with the ^C that the terminal echoed
        if answer.status is Status.UNKNOWN:
            tell(f"interrupted after {self.after_s:.0f} s")
            if answer.objective is None and answer.bound is None:
                raise click.exceptions.Exit(INTERRUPTED)


@contextmanager
def on_interrupt(stop: Callable[[], None]) -> Iterator[Interrupt]:
    """Call a function at the first Ctrl-C, which breaks off nothing; the second raises as usual.

    A command in the background of a script ignores Ctrl-C, and goes on to do so.
    """
    interrupt, began = Interrupt(), clock_s()
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield interrupt
        return

    def handle(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        interrupt.after_s = clock_s() - began
        stop()

    with handled(signal.SIGINT, handle):
        yield interrupt


def answered(run: Callable[..., AnswerT], timed: Timed) -> tuple[AnswerT, bool]:
    """Run a solver with a live line; return its answer, and whether Ctrl-C ended it.

    It is called with the options that are left, ``on_progress`` and ``stop``. After Ctrl-C the
    answer is the best that was found.
    """
    left, stop = timed.left(), Event()
    with on_interrupt(stop.set) as interrupt, live_line() as on_progress:
        answer = run(left, on_progress=on_progress, stop=stop)
    interrupt.tell(answer)
    return timed.name_limit(answer, left), bool(interrupt)
