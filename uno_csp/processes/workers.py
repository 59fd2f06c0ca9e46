"""Child processes that do one task after another and can be ended at any moment.

Many solvers hold the interpreter's lock while they search and cannot be interrupted, so a time
limit or Ctrl-C can only be honoured by ending the process they run in. A worker is kept for the
next task when it finished its last one, because starting Python and loading a solver costs more
than solving a small question. Parent and worker exchange objects over a socket pair.
"""

import atexit
import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection, Pipe
from typing import Any

from uno_csp.errors import BackendError
from uno_csp.processes.child import ChildProcess
from uno_csp.processes.lifeline import die_with_parent, keep_standard_descriptors

MAX_IDLE = 4
"""So many workers at most are kept for a next task."""

_START = "import sys; sys.path[:] = {path!r}; from {module} import main; main({channel})"


class OutOfMemory(Exception):
    """The worker is gone because there was no memory left for it."""


class Worker:
    """One worker, and the channel to it.

    Parameters
    ----------
    module
        What it runs: its ``main`` is called with the number of the worker's end of the channel,
        which :func:`connect` opens.
    """

    def __init__(self, module: str) -> None:
        keep_standard_descriptors()
        self.module = module
        self.channel, theirs = Pipe()
        with theirs:
            code = _START.format(path=sys.path, module=module, channel=theirs.fileno())
            command = (sys.executable, "-c", code)
            try:
                self._child = ChildProcess(command, pass_fds=(theirs.fileno(),))
            except BaseException:
                self.channel.close()
                raise

    def send(self, task: Any) -> None:
        """Hand over a task."""
        try:
            self.channel.send(task)
        except (BrokenPipeError, ConnectionResetError):
            raise self._death() from None

    def receive(self) -> Any:
        """The next message: on the way, or at the end of the task."""
        try:
            return self.channel.recv()
        except (EOFError, ConnectionResetError):
            raise self._death() from None

    @property
    def memory_mb(self) -> float:
        """What it holds at the moment, with all its processes."""
        from uno_csp.processes.usage import usage

        return usage(self._child.popen.pid)[1]

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._child.alive

    def kill(self) -> None:
        """End it with every program it has started.

        It is buried in the background: a large process takes a while to be torn down, and a time
        limit has no time for that.
        """
        self._child.kill()
        self.channel.close()
        burial = threading.Thread(target=self._child.bury, daemon=True)
        burial.start()
        with _lock:
            _burials[:] = [each for each in _burials if each.is_alive()]
            _burials.append(burial)

    def end(self) -> None:
        """Kill it and wait for its end; no thread can be begun while the interpreter shuts down."""
        self._child.kill()
        self.channel.close()
        self._child.bury()

    def _death(self) -> Exception:
        """How it ended, with its last words."""
        code = self._child.popen.wait()
        said = self._child.last_words()
        words = f": {said}" if said else ""
        if code == -signal.SIGKILL:
            return OutOfMemory("the solver process was killed, most likely for want of memory")
        if "bad_alloc" in words or "MemoryError" in words:
            return OutOfMemory("memory is used up")
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        return BackendError(f"the solver process {how}{words}")


_idle: list[Worker] = []
_burials: list[threading.Thread] = []
_lock = threading.Lock()


def take(module: str) -> Worker:
    """A worker that waits for a task, or a new one."""
    gone = []
    found: Worker | None = None
    with _lock:
        for worker in [each for each in reversed(_idle) if each.module == module]:
            _idle.remove(worker)
            if worker.alive:
                found = worker
                break
            gone.append(worker)
    for worker in gone:
        worker.end()
    return found or Worker(module)


def keep(worker: Worker) -> None:
    """Let a worker that finished its task wait for another."""
    with _lock:
        kept = len(_idle) < MAX_IDLE
        if kept:
            _idle.append(worker)
    if not kept:
        worker.kill()


LEAVE_S = 2.0
"""The longest wait, at the end, for processes that were killed: the system may take minutes to take
back the memory of a large one."""


@atexit.register
def dismiss() -> None:
    """End the workers that wait for a task, and wait a moment for all that have been ended."""
    with _lock:
        waiting = list(_idle)
        _idle.clear()
    for worker in waiting:
        worker.end()
    with _lock:
        under_way = list(_burials)
    leave_at = time.monotonic() + LEAVE_S
    for burial in under_way:
        burial.join(max(leave_at - time.monotonic(), 0.0))


# A forked copy of this process must not talk to the same workers.
os.register_at_fork(after_in_child=_idle.clear)


def connect(channel: int) -> Connection:
    """The worker's side: tie its process group to the lifeline and open the channel."""
    die_with_parent()
    return Connection(channel)
