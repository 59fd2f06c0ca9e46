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
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection, Pipe
from typing import IO

from uno_csp.errors import BackendError
from uno_csp.pipeline.lifeline import die_with_parent, keep_standard_descriptors
from uno_csp.pipeline.progress import Message
from uno_csp.pipeline.scratch import ScratchFolder
from uno_csp.pipeline.stages import Solved, Task

MAX_IDLE = 4
"""So many children at most are kept for a next task."""

_START = "import sys; sys.path[:] = {path!r}; from uno_csp.pipeline.child import main; main({fds})"


class OutOfMemory(Exception):
    """The child is gone because there was no memory left for it."""


class Child:
    """One child process, the two channels to it, and its folder for temporary files."""

    def __init__(self) -> None:
        keep_standard_descriptors()
        with ExitStack() as unless_started:
            self.channel, theirs = Pipe()
            unless_started.enter_context(self.channel)
            held, self._lifeline = os.pipe()
            unless_started.callback(os.close, self._lifeline)
            with theirs, os.fdopen(held, "rb"):
                self._words: IO[bytes] = unless_started.enter_context(tempfile.TemporaryFile())
                self._scratch = ScratchFolder()
                unless_started.callback(self._scratch.remove)
                fds = (theirs.fileno(), held)
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _START.format(path=sys.path, fds=fds)],
                    stdin=subprocess.DEVNULL, stdout=self._words, stderr=self._words,
                    pass_fds=fds, start_new_session=True, env=self._scratch.environment,
                )  # fmt: skip
            unless_started.pop_all()

    def send(self, task: Task) -> None:
        """Hand the child a task."""
        try:
            self.channel.send(task)
        except (BrokenPipeError, ConnectionResetError):
            raise self._death() from None

    def receive(self) -> Message | Solved | BaseException:
        """The next message of the child: progress, or the end of the task."""
        try:
            message: Message | Solved | BaseException = self.channel.recv()
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
        self._close()
        if wait:
            self._bury()
        else:
            threading.Thread(target=self._bury).start()

    def forget(self) -> None:
        """Let go of a child that has ended by itself."""
        self._close()
        self._bury()

    def _close(self) -> None:
        self.channel.close()
        os.close(self._lifeline)
        self._words.close()

    def _bury(self) -> None:
        self._process.wait()
        self._scratch.remove()

    def _death(self) -> Exception:
        """How the child ended, with its last words."""
        code = self._process.wait()
        self._words.seek(0)
        said = self._words.read().decode(errors="replace").strip().splitlines()
        words = f": {said[-1]}" if said else ""
        if code == -signal.SIGKILL:
            return OutOfMemory("the solver process was killed, most likely for want of memory")
        if "bad_alloc" in words or "MemoryError" in words:
            return OutOfMemory("memory is used up")
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        return BackendError(f"the solver process {how}{words}")


_idle: list[Child] = []
_lock = threading.Lock()


def take_idle() -> Child | None:
    """A child that waits for a task, if there is one."""
    with _lock:
        while _idle:
            child = _idle.pop()
            if child.alive():
                return child
            child.forget()
    return None


def keep_idle(child: Child) -> None:
    """Let a child that finished its task wait for another."""
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
    channel, lifeline = fds
    die_with_parent(lifeline)
    return Connection(channel)
