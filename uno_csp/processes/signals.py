"""Signal handlers for a while, where they can be given back."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]


@contextmanager
def handled(number: int, handler: Handler) -> Iterator[bool]:
    """Handle a signal in a block; yield False, and do nothing, where that is not possible.

    Only the main thread may, and a handler that was not set from Python cannot be given back.
    """
    before = signal.getsignal(number)
    if before is None or threading.current_thread() is not threading.main_thread():
        yield False
        return
    signal.signal(number, handler)
    try:
        yield True
    finally:
        signal.signal(number, before)
