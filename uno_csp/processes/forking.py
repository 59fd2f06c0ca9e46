"""Start workers: forks of a fork server, or programs where the system cannot fork safely.

Starting Python and importing the modules of workers takes longer than most tasks. The fork server
does it once for its parent, and never starts a thread, so that its forks may use any library.

The parent sends requests: the name of a module to import beforehand, and the descriptors that the
new worker is to have. Over the *status* connection the worker sends its process id, and the server
the worker's exit code. The server reaps the worker when the parent asks for it or has closed that
connection: until then its process id is nobody else's.

The standard library's ``forkserver``, with the same modules preloaded, needs 1.2 to 1.4 times the
CPU time and up to twice the time for a fresh worker (59 ms of CPU in place of 43 to 50 ms), even
without a session, a lifeline and the output of its own that each worker has here. It also lacks
what callers rely on: it is one for the whole program, so a program that uses it has its preloading
instead of ours; each of its forks imports the main program again, which runs a script without a
guard twice; it reaps a worker at once, when a signal may hit whoever gets the process id next; its
daemons may start no workers; and a worker that starts workers would load everything anew.
"""

import gc
import os
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NoReturn

from uno_csp.processes.channel import (
    Begin,
    Channel,
    Done,
    Handler,
    Prepare,
    Work,
    not_sent,
    pipe,
    program,
)
from uno_csp.processes.child import Child, SpawnedChild
from uno_csp.processes.forks import CLOSE, REAP, Forks, Place, Started, ended_by_lifeline, load
from uno_csp.processes.lifeline import adopt_orphans, die_with_parent, keep_standard_descriptors
from uno_csp.processes.names import FORK_SERVER, name_process, worker_name

MANY_OBJECTS = 100_000  # new objects above which the garbage collector runs between tasks
at_end: list[Callable[[], None]] = []  # called before a forked worker ends
NOBODY = 1 << 27  # larger than any process id, and small enough for the number of its clock


def start_worker(module: str, channel: int) -> Child:
    """Start a worker of a module, given the descriptor of its end of its channel."""
    if forks_work():
        return ForkedChild(module, channel)
    return SpawnedChild(partial(program, __name__, "serve", channel), channel)


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
    """A fork server of this process; ``wait`` waits for its end, see :meth:`ended`."""

    def __init__(self, requests: socket.socket, wait: Callable[[], tuple[int, str]]) -> None:
        self._requests, self._wait = requests, wait
        self._lock = threading.Lock()
        self._ended: tuple[int, str] | None = None

    @staticmethod
    def spawned() -> "ForkServer":
        """Start a server as a program."""
        requests, theirs = _socket_pair()
        number = theirs.fileno()
        command = partial(program, __name__, "serve_forks", number)
        with theirs:
            child = SpawnedChild(command, number)

        def reaped() -> tuple[int, str]:
            child.reap()
            return child.wait(), child.last_words()

        return ForkServer(requests, reaped)

    @staticmethod
    def forked(modules: Sequence[str], others: Sequence[int]) -> "ForkServer":
        """Fork a server from this process; see :func:`adopt_fork_server`."""
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
        """Ask for a worker with its channel, lifeline, output and status; raise OSError."""
        socket.send_fds(self._requests, [module.encode()], descriptors)

    def ended(self) -> tuple[int, str]:
        """Wait for the server's end; return its exit code and the last line that it printed."""
        with self._lock:
            if self._ended is None:
                self._ended = self._wait()
            return self._ended

    def close(self) -> None:
        """End the server, and wait for its end; workers that have not ended go on."""
        with suppress(OSError):  # it has ended
            self._requests.send(CLOSE)
        self._requests.close()
        self.ended()


def _leave_parent(descriptors: Sequence[int]) -> None:
    """Close descriptors of the parent, and have a session, signals and streams of one's own."""
    for each in descriptors:
        os.close(each)
    os.setsid()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
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
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    os.set_blocking(theirs.fileno(), True)  # sockets of green threads do not block
    return ours, theirs


class ForkedChild(Child):
    """A fork of the fork server, which imports a module beforehand; it inherits the channel."""

    def __init__(self, module: str, channel: int) -> None:
        self._module, self._channel = module, channel
        self._receiving, self._waiting = threading.Lock(), threading.Lock()
        self._pid: int | None = None
        self._code: int | None = None
        self._status: Connection
        super().__init__()

    def _begin(self, lifeline: int, output: int) -> None:
        self._status, theirs = pipe()
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
                    self._code = message.exit_code

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

    That is quicker than starting it as a program if this process has loaded the modules. The
    server closes the other descriptors.
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
    global _lock  # noqa: PLW0603 (a thread of the parent may have held it)
    _lock = threading.Lock()
    _inherited.extend(_servers)
    _servers.clear()


os.register_at_fork(after_in_child=_forget)


def serve_forks(requests: int, lifeline: int, *modules: str) -> NoReturn:
    """Load modules of workers, and fork workers until the parent closes the socket.

    The numbers are the descriptors of this end of the socket for requests, and of the lifeline.
    """
    die_with_parent(lifeline)
    name_process(FORK_SERVER)
    adopt_orphans()
    with ended_by_lifeline():
        for each in modules:
            load(each)
    place = Forks(socket.socket(fileno=requests), lifeline).run()
    if place is not None:
        _work(place)
    os._exit(0)


def _work(place: Place) -> NoReturn:
    """Be a worker until the parent closes the channel, and end without a return to the server."""
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
        for end in at_end:
            end()
        sys.stdout.flush()
        os._exit(code)


def serve(number: int, lifeline: int) -> None:
    """Handle tasks with the function ``handle`` of a module until the parent closes the channel.

    A module may define more. ``prepare`` handles a :class:`Prepare`. ``preload`` is called once in
    a fork server, before the first fork. ``STARTS`` has the names of the modules of workers that
    its tasks start; a worker of such a module gets a fork server of its own. The numbers are the
    descriptors of the worker's ends of its channel and of its lifeline.
    """
    die_with_parent(lifeline)
    connection = Connection(number)
    try:
        begin: Begin = connection.recv()
    except EOFError:
        return
    begin.adopt()
    adopt_orphans()  # the fork server takes what it adopts for what an ended worker has left
    name_process(worker_name(begin.module))
    handlers = import_module(begin.module)
    if starts := getattr(handlers, "STARTS", ()):
        adopt_fork_server(starts, (number, lifeline))
    handle: Handler = handlers.handle
    channel = Channel.own = Channel(connection)
    gc.disable()  # models have many objects but no cycles; collecting takes a sixth of the time
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        except (AttributeError, ImportError) as error:  # a type that this process cannot import
            connection.send(Done(not_sent(error)))
            continue
        if isinstance(task, Prepare):
            with suppress(Exception):  # the task that needs it will fail and say so
                handlers.prepare(task.key)
        if not isinstance(task, Work):  # or an update for the previous task
            continue
        try:
            done = Done(handle(task.content, channel))
        except Exception as error:
            done = Done(error)
        connection.send(done)
        del task, done
        if gc.get_count()[0] > MANY_OBJECTS:
            gc.collect()
