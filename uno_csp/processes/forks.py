"""The forks of a fork server: how it makes, watches and reaps them, and what they leave behind."""

import errno
import gc
import os
import selectors
import signal
import socket
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import NamedTuple, NoReturn

from uno_csp.processes.cpu_time import kill_below

REAP = "reap"  # message to the fork server: the parent has finished with the worker
CLOSE = b"-"  # request: end; without it, the end of the requests means that of the parent
DESCRIPTORS = 4  # number of descriptors in a request: channel, lifeline, output and status
LONGEST_NAME = 1 << 10  # maximum number of bytes of a module's name


class Started(NamedTuple):
    """The status message of a worker that has its own session."""

    pid: int


class Ended(NamedTuple):
    """The status message of the server about a worker that has ended."""

    exit_code: int


class Place(NamedTuple):
    """The descriptors of a new worker: its ends of its channel and of its lifeline."""

    channel: int
    lifeline: int


class _Fork(NamedTuple):
    """A worker that has not been reaped, with the descriptor that tells of its end."""

    pid: int
    end: int
    status: Connection


class Forks:
    """The forks of a server, and what it waits for.

    The server adopts what its forks leave behind, in any group and session. It kills that when it
    reaps them, and all below it when its parent is gone.
    """

    def __init__(self, requests: socket.socket, lifeline: int) -> None:
        self._requests, self._lifeline = requests, lifeline
        self._forks: dict[int, _Fork] = {}
        self._selector = selectors.DefaultSelector()
        self._wait_for(requests, self._answer)
        self._wait_for(lifeline, self._end)

    def _wait_for(self, end: object, handle: Callable[[], Place | None]) -> None:
        self._selector.register(end, selectors.EVENT_READ, handle)  # type: ignore[arg-type]

    def run(self) -> Place | None:
        """Handle requests until the parent closes the socket; return the place in every fork."""
        while self._requests.fileno() >= 0:
            for key, _ in self._selector.select():
                place: Place | None = key.data()
                if place is not None:
                    return place
        return None

    def _answer(self) -> Place | None:
        """Fork for a request; in the fork, return its place."""
        name, descriptors, _, _ = socket.recv_fds(self._requests, LONGEST_NAME, DESCRIPTORS)
        if not name:
            self._end()
        if name == CLOSE:
            self._selector.unregister(self._requests)
            self._requests.close()
            return None
        if len(descriptors) < DESCRIPTORS:
            raise OSError(errno.EMFILE, "the fork server can hold no more workers")
        with ended_by_lifeline():  # an import may take long
            load(name.decode())
        channel, lifeline, output, status = descriptors
        connection = Connection(status)
        try:
            pid = os.fork()
        except OSError as error:  # for example, too many processes
            os.write(output, f"it could not be forked: {error}\n".encode())
            connection.send(Ended(1))
            pid = -1
        if not pid:
            self._leave(output)
            connection.send(Started(os.getpid()))
            connection.close()
            return Place(channel, lifeline)
        for each in (channel, lifeline, output):
            os.close(each)
        if pid > 0:
            fork = self._forks[pid] = _Fork(pid, os.pidfd_open(pid), connection)
            self._wait_for(fork.end, lambda: self._report(fork))
            self._wait_for(connection, lambda: self._reap(fork))
        return None

    def _end(self) -> NoReturn:
        """Kill all processes below this one, whose parent is gone, and end."""
        _end_children(but=())
        os._exit(1)

    def _leave(self, output: int) -> None:
        """Take a fork out of the server: close what is the server's, begin a session, and print."""
        self._selector.close()
        self._requests.close()
        os.close(self._lifeline)
        for fork in self._forks.values():
            os.close(fork.end)
            fork.status.close()
        os.setsid()
        for stream in (1, 2):
            os.dup2(output, stream)
        os.close(output)

    def _report(self, fork: _Fork) -> None:
        """Send the exit code of a worker that has ended."""
        if fork.pid not in self._forks:  # it was reaped just now
            return
        ended = os.waitid(os.P_PID, fork.pid, os.WEXITED | os.WNOWAIT)
        if ended is not None:
            code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
            self._selector.unregister(fork.end)
            with suppress(OSError):  # the parent has finished with it
                fork.status.send(Ended(code))

    def _reap(self, fork: _Fork) -> None:
        """Reap a worker that the parent has finished with, and kill what is left of its session."""
        for kill in (os.kill, os.killpg):  # a fork that has just begun has no session
            with suppress(ProcessLookupError):
                kill(fork.pid, signal.SIGKILL)
        os.waitpid(fork.pid, 0)
        del self._forks[fork.pid]
        _end_children(but=self._forks)  # what the worker left behind
        with suppress(KeyError):  # its end was reported
            self._selector.unregister(fork.end)
        self._selector.unregister(fork.status)
        os.close(fork.end)
        fork.status.close()


def _end_children(but: Container[int]) -> None:
    """Kill and reap all children of this process but some, with all below them."""
    while killed := kill_below(os.getpid(), but):
        for each in killed:
            with suppress(ChildProcessError):
                os.waitpid(each, 0)


@contextmanager
def ended_by_lifeline() -> Iterator[None]:
    """Let the kernel end this process with its parent, which otherwise sees that by itself."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGIO, signal.SIG_IGN)


_loaded: set[str] = set()


def load(module: str) -> None:
    """Load what workers of a module need, and what the workers that they start need."""
    if module in _loaded:
        return
    _loaded.add(module)
    with suppress(Exception):  # the worker will fail in the same way, and say so
        handlers = import_module(module)
        if hasattr(handlers, "preload"):
            handlers.preload()
        for each in getattr(handlers, "STARTS", ()):
            load(each)
    gc.collect()
    gc.freeze()  # the collector of a fork leaves these objects alone, so their memory is shared
