"""The fork server: a process that has the modules of workers loaded and forks workers.

Starting Python and importing those modules takes longer than most tasks. The server does it once
for its parent, and never starts a thread, so that its forks may use any library.

The parent sends requests: the name of a module to import beforehand, and the descriptors that the
new worker is to have. Over the *status* connection the worker sends its process id, and the server
the worker's exit code. The server reaps the worker when the parent asks for it or has closed that
connection: until then its process id is nobody else's.
"""

import errno
import gc
import os
import selectors
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from typing import NoReturn

from uno_csp.processes.channel import serve
from uno_csp.processes.lifeline import die_with_parent
from uno_csp.processes.names import FORK_SERVER, name_process
from uno_csp.processes.pool import end_processes

DESCRIPTORS = 4
"""Number of descriptors in a request: channel, lifeline, output and status."""

LONGEST_NAME = 1 << 10
"""Maximum number of bytes of a module's name."""


@dataclass(frozen=True, slots=True)
class Started:
    """The status message of a worker that has its own session.

    Parameters
    ----------
    pid
        Its process id.
    """

    pid: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The status message of the server about a worker that has ended.

    Parameters
    ----------
    code
        Its exit code, negative for a signal.
    """

    code: int


@dataclass(frozen=True, slots=True)
class Place:
    """The descriptors of a new worker: its ends of its channel and of its lifeline."""

    channel: int
    lifeline: int


@dataclass(frozen=True, slots=True)
class _Fork:
    """A worker that has not been reaped, with the descriptor that tells of its end."""

    pid: int
    end: int
    status: Connection


class _Forks:
    """The forks of a server, and what it waits for."""

    def __init__(self, requests: socket.socket, lifeline: int) -> None:
        self._requests, self._lifeline = requests, lifeline
        self._forks: dict[int, _Fork] = {}
        self._selector = selectors.DefaultSelector()
        self._wait_for(requests, self._answer)

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
            self._selector.unregister(self._requests)
            self._requests.close()
            return None
        if len(descriptors) < DESCRIPTORS:
            raise OSError(errno.EMFILE, "the fork server can hold no more workers")
        _load(name.decode())
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
        with suppress(KeyError):  # its end was reported
            self._selector.unregister(fork.end)
        self._selector.unregister(fork.status)
        os.close(fork.end)
        fork.status.close()


_loaded: set[str] = set()


def _load(module: str) -> None:
    """Load what workers of a module need, and what the workers that they start need."""
    if module in _loaded:
        return
    _loaded.add(module)
    with suppress(Exception):  # the worker will fail in the same way, and say so
        handlers = import_module(module)
        if hasattr(handlers, "preload"):
            handlers.preload()
        for each in getattr(handlers, "STARTS", ()):
            _load(each)
    gc.collect()
    gc.freeze()  # the collector of a fork leaves these objects alone, so their memory is shared


def serve_forks(requests: int, lifeline: int, *modules: str) -> NoReturn:
    """Fork workers until the parent closes the socket; each fork handles tasks.

    Parameters
    ----------
    requests
        Descriptor of this end of the socket for requests.
    lifeline
        Descriptor of this end of the server's lifeline.
    modules
        Modules of workers, loaded before the first request.
    """
    die_with_parent(lifeline)
    name_process(FORK_SERVER)
    for each in modules:
        _load(each)
    place = _Forks(socket.socket(fileno=requests), lifeline).run()
    if place is not None:
        _work(place)
    os._exit(0)


def _work(place: Place) -> NoReturn:
    """Be a worker until the parent closes the channel.

    The process ends without a return to what this server was forked from.
    """
    code = 1
    try:
        serve(place.channel, place.lifeline)
        code = 0
    except SystemExit as left:  # as the interpreter ends a program
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
        if isinstance(left.code, str):
            sys.stderr.write(f"{left.code}\n")
    except BaseException:
        traceback.print_exc()  # its last line is reported
    finally:
        end_processes()
        sys.stdout.flush()
        os._exit(code)
