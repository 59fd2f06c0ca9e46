"""The one clock: a moment at which work has to end."""

import math
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from types import FrameType
from typing import TypeVar

from uno_csp.errors import NotAccepted
from uno_csp.processes.signals import can_handle, handled, told_if_lost

ItemT = TypeVar("ItemT")

LONGEST_S = 1e8  # longest time for which an alarm is set, three years
AGAIN_S = 0.05  # seconds between two alarms
SHORTEST_S = 0.001  # smallest time limit that is handed to a solver; some take 0 for no limit

# Seconds beyond a limit, each within the next: what is inside ends first, and tells what it has.
SOLVER_GRACE_S = 0.3  # for solvers that enforce the limit themselves, before a race kills them
INTERRUPT_S = 2.0  # for a worker to finish its task after an interrupt
GRACE_S = 3.0  # for a task that enforces the limit itself, such as a race
# Seconds that are not counted at all, because a worker loads what it needs.
LOADING_S = 2.0  # most by which the deadline of a race moves while its first worker loads
STARTUP_S = 120.0  # most until a worker is ready, else its task has failed

WATCHED = 4096  # number of items of a loop between two looks at the clock


def clock_s() -> float:
    """Return the seconds of the system's monotonic clock, which all processes of a host share.

    Programs that let ``time`` stand still, as tests do, do not stop this one.
    """
    return time.clock_gettime(time.CLOCK_MONOTONIC)


class TimeUp(NotAccepted):
    """The time limit was reached before the work had ended; ``stage`` says which, if known."""

    def __init__(self, words: str = "the time limit was reached", stage: str = "") -> None:
        super().__init__(words)
        self.stage = stage


def _goes_on() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on the monotonic clock, at which work has to end.

    All processes of a host share this clock, so a deadline may be sent to another process and
    keeps running while it waits there; setting the time of day does not move it. ``is_stopped``
    is for this process alone: a deadline that was sent has none.
    """

    at_s: float = math.inf  # a time of `clock_s`; infinite for no deadline
    # returns True once the work is to end before that time
    is_stopped: Callable[[], bool] = field(default=_goes_on, compare=False, repr=False)

    def __reduce__(self) -> tuple[type["Deadline"], tuple[float]]:
        return Deadline, (self.at_s,)

    @staticmethod
    def after(limit_s: float | None) -> "Deadline":
        """Return the deadline that many seconds from now; None stands for no limit."""
        return NEVER if limit_s is None else Deadline(clock_s() + limit_s)

    @property
    def left_s(self) -> float:
        """Seconds left: 0 when it has passed, infinite if there is no deadline."""
        return 0.0 if self.is_stopped() else max(self.at_s - clock_s(), 0.0)

    @property
    def limit_s(self) -> float | None:
        """Time limit for a solver that is called now, at least 1 ms; None if there is no limit."""
        left_s = self.left_s
        return None if left_s == math.inf else max(left_s, SHORTEST_S)

    @property
    def expired(self) -> bool:
        """True once the moment has passed."""
        return clock_s() >= self.at_s or self.is_stopped()

    def check(self) -> None:
        """Raise TimeUp once the moment has passed."""
        if self.expired:
            raise TimeUp

    def watch(self, items: Iterable[ItemT]) -> Iterator[ItemT]:
        """Yield the items of a loop; raise TimeUp once the moment has passed."""
        waiting = iter(items)
        while several := list(islice(waiting, WATCHED)):
            self.check()
            yield from several

    @contextmanager
    def interrupting(self) -> Iterator[None]:
        """Raise TimeUp in the midst of a block of the main thread, or at its end, if time is up.

        Only for programs that own their process: the handler of SIGALRM is replaced meanwhile,
        so a timer of the caller that would ring in the block rings at its end.
        """
        if self == NEVER or not can_handle(signal.SIGALRM):
            yield
            self.check()
            return

        is_armed = False  # an alarm raises an error only where that is sure to stop the timer

        def interrupt(_signal: int, _frame: FrameType | None) -> None:
            nonlocal is_armed
            if is_armed:
                is_armed = False
                raise TimeUp

        def arm(*, again: bool = True) -> None:
            nonlocal is_armed
            is_armed = again

        with (
            _timer_paused(),
            handled(signal.SIGALRM, interrupt),
            told_if_lost(TimeUp, lambda _: arm()),
            self._alarm(arm),
        ):
            yield
        self.check()

    @contextmanager
    def _alarm(self, arm: Callable[..., None]) -> Iterator[None]:
        """Send SIGALRM at the deadline.

        It is sent again and again, because one just before a wait begins does not end that.
        """
        left_s = min(max(self.left_s, SHORTEST_S), LONGEST_S)
        try:
            signal.setitimer(signal.ITIMER_REAL, left_s, AGAIN_S)
            try:
                arm()
                yield
            finally:
                arm(again=False)
        finally:  # no alarm raises an error here any more
            signal.setitimer(signal.ITIMER_REAL, 0)

    def shifted(self, seconds: float) -> "Deadline":
        """Return a deadline that is later by some seconds, or earlier if they are negative."""
        return replace(self, at_s=self.at_s + seconds)


@contextmanager
def _timer_paused() -> Iterator[None]:
    """Stop the timer of SIGALRM for a block; it goes on behind that, when its handler is back."""
    began = clock_s()
    rings_s, again_s = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        if rings_s:
            left_s = max(rings_s - (clock_s() - began), SHORTEST_S)
            signal.setitimer(signal.ITIMER_REAL, left_s, again_s)


NEVER = Deadline()
