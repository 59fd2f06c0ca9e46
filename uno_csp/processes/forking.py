"""Start workers: forks of a fork server, or programs where the system cannot fork safely."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path

from uno_csp.processes.channel import program
from uno_csp.processes.child import Child, SpawnedChild
from uno_csp.processes.lifeline import keep_standard_descriptors

NOBODY = 1 << 30
"""A process id that no process has."""

REAP = "reap"
"""Message to the fork server: the parent has finished with the worker."""


def start_worker(module: str, channel: int) -> Child:
    """Start a worker, which waits for its first message.

    Parameters
    ----------
    module
        Name of the worker's module; a fork server imports it beforehand.
    channel
        Descriptor of the worker's end of its channel.
    """
    if forks_work():
        return ForkedChild(module, channel)
    return SpawnedChild(partial(program, "uno_csp.processes.channel", "serve", channel), channel)


@cache
def forks_work() -> bool:
    """Return True if this system can fork safely, and has descriptors of processes."""
    if not sys.platform.startswith("linux"):  # libraries of macOS do not survive a fork
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True


class ForkServer:
    """A fork server of this process.

    Parameters
    ----------
    requests
        This end of the socket for requests.
    wait
        Waits for the server's end; returns its exit code and the last line that it printed.
    """

    def __init__(self, requests: socket.socket, wait: Callable[[], tuple[int, str]]) -> None:
        self._requests, self._wait = requests, wait
        self._lock = threading.Lock()
        self._ended: tuple[int, str] | None = None

    @staticmethod
    def spawned() -> "ForkServer":
        """Start a server as a program."""
        requests, theirs = _socket_pair()
        number = theirs.fileno()
        command = partial(program, "uno_csp.processes.fork_server", "serve_forks", number)
        with theirs:
            child = SpawnedChild(command, number)

        def reaped() -> tuple[int, str]:
            """Wait for the program."""
            child.reap()
            return child.wait(), child.last_words()

        return ForkServer(requests, reaped)

    @staticmethod
    def forked(modules: Sequence[str], others: Sequence[int]) -> "ForkServer":
        """Fork a server from this process; see :func:`adopt_fork_server`."""
        from uno_csp.processes.fork_server import serve_forks

        requests, theirs = _socket_pair()
        held, lifeline = os.pipe()
        pid = os.fork()
        if not pid:
            try:
                requests.close()
                _leave_parent((lifeline, *others))
                serve_forks(theirs.detach(), held, *modules)
            finally:
                os._exit(1)  # whatever happens, nothing of the parent is done twice
        theirs.close()
        os.close(held)
        return ForkServer(requests, lambda: (_exit_code(pid), ""))

    def fork(self, module: str, descriptors: list[int]) -> None:
        """Ask for a worker with these descriptors: channel, lifeline, output and status.

        Raises
        ------
        OSError
            If the server has ended.
        """
        socket.send_fds(self._requests, [module.encode()], descriptors)

    def ended(self) -> tuple[int, str]:
        """Wait for the server's end; return its exit code and the last line that it printed."""
        with self._lock:
            if self._ended is None:
                self._ended = self._wait()
            return self._ended

    def close(self) -> None:
        """End the server, and wait for its end; workers that have not ended go on."""
        self._requests.close()
        self.ended()


def _leave_parent(descriptors: Sequence[int]) -> None:
    """Close descriptors of the parent, and have a session, signals and streams of one's own."""
    for each in descriptors:
        os.close(each)
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # who reads the parent's output waits for all that hold it
        os.dup2(nothing, stream)


def _exit_code(pid: int) -> int:
    """Wait for a forked process, and return its exit code."""
    try:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:  # somebody else has waited for it
        return 0


def _socket_pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


class ForkedChild(Child):
    """A fork of the fork server.

    Parameters
    ----------
    module
        Name of a module that the server imports beforehand.
    channel
        A descriptor that the fork inherits.
    """

    def __init__(self, module: str, channel: int) -> None:
        self._module, self._channel = module, channel
        self._receiving, self._waiting = threading.Lock(), threading.Lock()
        self._pid: int | None = None
        self._code: int | None = None
        self._status: Connection
        super().__init__()

    def _begin(self, lifeline: int, output: int) -> None:
        self._status, theirs = Pipe()
        with theirs:
            descriptors = [self._channel, lifeline, output, theirs.fileno()]
            self._server = _fork_server()
            try:
                self._server.fork(self._module, descriptors)
            except OSError:  # it was killed
                self._server = _fork_server(instead_of=self._server)
                with suppress(OSError):  # the status will tell
                    self._server.fork(self._module, descriptors)

    def _receive(self) -> None:
        """Receive the status messages that have come."""
        from uno_csp.processes.fork_server import Started

        with self._receiving:
            while self._code is None and self._status.poll():
                try:
                    message = self._status.recv()
                except (EOFError, OSError):  # nobody waits for the forks of a server that has ended
                    self._code, words = self._server.ended()
                    self._output.write(words.encode())
                    return
                if isinstance(message, Started):
                    self._pid = message.pid
                else:
                    self._code = message.code

    @property
    def pid(self) -> int:
        """Process id; waits for the server if that is just starting."""
        self._receive()
        while self._pid is None and self._code is None:
            wait([self._status])
            self._receive()
        return NOBODY if self._pid is None else self._pid

    @property
    def exit_code(self) -> int | None:
        """Exit code, negative for a signal; None while it runs."""
        self._receive()
        return self._code

    def wait(self) -> int:
        """Wait for its end, kill what it leaves behind in its session, and return its exit code."""
        with self._waiting:
            while (code := self.exit_code) is None:
                wait([self._status])
            if not self._status.closed:
                with suppress(OSError):
                    self._status.send(REAP)
                    wait([self._status])  # closed when it is reaped
                self._status.close()
                self._pid = NOBODY
            return code


_lock = threading.Lock()
_servers: list[ForkServer] = []
_inherited: list[ForkServer] = []


def _fork_server(*, instead_of: ForkServer | None = None) -> ForkServer:
    """Return the fork server of this process; start one if there is none but one that has ended."""
    with _lock:
        if instead_of in _servers:
            _servers.remove(instead_of)
            instead_of.close()
        if not _servers:
            _servers.append(ForkServer.spawned())
        return _servers[-1]


def adopt_fork_server(modules: Sequence[str], others: Sequence[int] = ()) -> None:
    """Fork the fork server of this process, unless it has threads: a fork might not survive that.

    That is quicker than starting it as a program if this process has loaded the modules.

    Parameters
    ----------
    modules
        Names of modules of workers.
    others
        Descriptors of this process that the server closes.
    """
    if forks_work() and not _servers and len([*Path("/proc/self/task").iterdir()]) == 1:
        keep_standard_descriptors()
        _servers.append(ForkServer.forked(modules, others))


def end_fork_server() -> None:
    """End the fork server of this process, if it has one."""
    with _lock:
        while _servers:
            _servers.pop().close()


def _forget() -> None:
    """Keep a server of the parent of this forked copy from use, and from being ended with it."""
    _inherited.extend(_servers)
    _servers.clear()


os.register_at_fork(after_in_child=_forget)
