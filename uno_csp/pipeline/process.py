"""Child processes that solve one task after another and can be ended at any moment.

Many solvers hold the interpreter's lock while they search and cannot be interrupted, so a time
limit or Ctrl-C can only be honoured by ending the process they run in. A child is kept for the
next task when it finished its last one, because starting Python and loading a solver costs more
than solving a small question.

Parent and child talk over a socket pair. A second pipe, the *lifeline*, is only ever held open by
the parent: when the parent is gone, however it went, the kernel sends SIGIO to the child's process
group, whose default action ends it, even in the midst of a search, together with the programs it
may have started.
"""

import atexit
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import IO

from uno_csp.backends import Outcome
from uno_csp.errors import BackendError
from uno_csp.pipeline.cut_loop import Progress, ProgressListener
from uno_csp.pipeline.stages import Solved, Task

GRACE_S = 0.3
"""A solver that can stop itself at the limit gets this long to say what it found."""

LONGEST_WAIT_S = 3600.0
"""The system refuses to wait for very long at once."""

MAX_IDLE = 4
"""So many children at most are kept for a next task."""

_START = "import sys; sys.path[:] = {path!r}; from uno_csp.pipeline.child import main; main({fds})"


def run_isolated(
    task: Task, deadline: float | None = None, on_progress: ProgressListener | None = None
) -> Solved:
    """Run a task in a child process.

    Parameters
    ----------
    deadline
        A :func:`time.monotonic` time; a child that has not answered shortly after it is killed,
        and the outcome is UNKNOWN.
    on_progress
        Called in this process.

    A child that was killed from outside, or ran out of memory, leaves the outcome UNKNOWN.

    Raises
    ------
    BackendError
        If the child dies without an answer in another way, with its last words.
    Exception
        Whatever the stages raise, as they raised it.
    """
    child = _take_idle() or _Child()
    try:
        child.send(task)
        while True:
            if deadline is not None:
                left = deadline + GRACE_S - time.monotonic()
                if left <= 0:
                    child.kill()
                    return Solved(Outcome.UNKNOWN, None, "", task.connectivity, {})
                if not child.channel.poll(min(left, LONGEST_WAIT_S)):
                    continue
            message = child.receive()
            if isinstance(message, Progress):
                if on_progress is not None:
                    on_progress(message)
                continue
            break
    except _OutOfMemory as error:
        child.kill()
        return Solved(Outcome.UNKNOWN, None, str(error), task.connectivity, {})
    except BaseException:
        child.kill()
        raise
    _keep_idle(child)
    if isinstance(message, BaseException):
        raise message
    return message


class _OutOfMemory(Exception):
    """The child is gone because there was no memory left for it."""


class _Child:
    """One child process and the two channels to it."""

    def __init__(self) -> None:
        self.channel, theirs = Pipe()
        held, self._lifeline = os.pipe()
        self._words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        fds = (theirs.fileno(), held)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START.format(path=sys.path, fds=fds)],
            stdin=subprocess.DEVNULL, stdout=self._words, stderr=self._words,
            pass_fds=fds, start_new_session=True,
        )  # fmt: skip
        theirs.close()
        os.close(held)

    def send(self, task: Task) -> None:
        """Hand the child a task."""
        try:
            self.channel.send(task)
        except (BrokenPipeError, ConnectionResetError):
            raise self._death() from None

    def receive(self) -> Progress | Solved | BaseException:
        """The next message of the child: progress, or the end of the task."""
        try:
            message: Progress | Solved | BaseException = self.channel.recv()
        except (EOFError, ConnectionResetError):
            raise self._death() from None
        return message

    def alive(self) -> bool:
        """Whether the child still runs."""
        return self._process.poll() is None

    def kill(self, *, wait: bool = False) -> None:
        """End the child and every program it has started.

        Without ``wait`` it is reaped in the background: a large process takes a while to be torn
        down, and a time limit has no time for that.
        """
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if wait:
            self._process.wait()
        else:
            threading.Thread(target=self._process.wait, daemon=True).start()
        self.forget()

    def forget(self) -> None:
        """Close this side of the channels; an idle child ends by itself then."""
        self.channel.close()
        os.close(self._lifeline)
        self._words.close()

    def _death(self) -> Exception:
        """How the child ended, with its last words."""
        code = self._process.wait()
        self._words.seek(0)
        said = self._words.read().decode(errors="replace").strip().splitlines()
        words = f": {said[-1]}" if said else ""
        if code == -signal.SIGKILL:
            return _OutOfMemory("the solver process was killed, most likely for want of memory")
        if "bad_alloc" in words or "MemoryError" in words:
            return _OutOfMemory("memory is used up")
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        return BackendError(f"the solver process {how}{words}")


_idle: list[_Child] = []
_lock = threading.Lock()


def _take_idle() -> _Child | None:
    with _lock:
        while _idle:
            child = _idle.pop()
            if child.alive():
                return child
            child.forget()
    return None


def _keep_idle(child: _Child) -> None:
    with _lock:
        if len(_idle) < MAX_IDLE:
            _idle.append(child)
            return
    child.kill()


@atexit.register
def dismiss_idle() -> None:
    """End the children that wait for a next task."""
    with _lock:
        while _idle:
            _idle.pop().kill(wait=True)


# A forked copy of this process must not talk to the same children.
os.register_at_fork(after_in_child=_idle.clear)


def connect(fds: tuple[int, int]) -> Connection:
    """The child's side: tie its process group to the lifeline and open the channel."""
    import fcntl

    channel, lifeline = fds
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    with suppress(OSError):  # not every system signals the end of a pipe
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    return Connection(channel)
