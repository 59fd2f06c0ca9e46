"""Signal handlers for a while, where they can be given back."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]


def can_handle(number: int) -> bool:
    """Return True if a handler can be set for a while.

    Only the main thread may, and a handler that was not set from Python cannot be given back.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(number) is not None


@contextmanager
def handled(number: int, handler: Handler) -> Iterator[bool]:
    """Handle a signal in a block; yield False, and do nothing, where that is not possible."""
    if not can_handle(number):
        yield False
        return
    before = signal.signal(number, handler)
    try:
        yield True
    finally:
        signal.signal(number, before)


@contextmanager
def told_if_lost(kind: type[BaseException], tell: Callable[[Any], None]) -> Iterator[None]:
    """Call a function with an exception of that kind that was raised in a finalizer.

    A signal handler may raise it there, and it then reaches no caller.
    """
    report = sys.unraisablehook

    def hook(unraisable: "sys.UnraisableHookArgs") -> None:
        if isinstance(unraisable.exc_value, kind):
            tell(unraisable.exc_value)
        else:
            report(unraisable)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = report
