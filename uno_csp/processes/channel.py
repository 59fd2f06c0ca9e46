"""Messages between a worker and its parent: Python objects over a socket pair.

The parent sends a task as :class:`Work`, and updates while the worker handles it. The worker may
send :data:`READY`, when its solver is loaded, then reports and requests, and finally one
:class:`Done`. The parent answers an :class:`Ask` with a :class:`Reply`. A :class:`Pause` lasts
until the worker is READY again.
"""

import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from multiprocessing import spawn
from multiprocessing.connection import Connection, Pipe
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from uno_csp.errors import BackendError, NotAccepted

ContentT = TypeVar("ContentT")

_PYTHON = re.compile(r"(python|pypy)[0-9.]*[a-z]?")
INTERRUPT = signal.SIGUSR1  # asks a worker to finish with the best result so far
WAS_STOPPED = "it was stopped"  # reason reported for a task that its caller stopped


class Signal(Enum):
    """A message without content."""

    READY = auto()


READY = Signal.READY  # the worker has what it needs: limits start now, or go on after a pause


@dataclass(frozen=True, slots=True)
class Begin:
    """The first message to a worker: its module, and the surroundings of its parent."""

    module: str  # name of the module whose `handle` handles the tasks
    environment: Mapping[str, str]  # environment variables
    folder: str | None  # working folder; None if it has been removed
    path: tuple[str, ...]  # module search path

    @staticmethod
    def here(module: str, environment: Mapping[str, str]) -> "Begin":
        """Return the message of this process, with an environment for the worker."""
        folder = None
        with suppress(OSError):
            folder = str(Path.cwd())
        return Begin(module, environment, folder, tuple(sys.path))

    def adopt(self) -> None:
        """Take over the surroundings."""
        os.environ.clear()
        os.environ.update(self.environment)
        tempfile.tempdir = None  # it is in the environment
        sys.path[:] = self.path
        if self.folder is not None:
            with suppress(OSError):  # it has been removed since then
                os.chdir(self.folder)


class Work(NamedTuple):
    """A task for the worker."""

    content: Any


class Prepare(NamedTuple):
    """A request to load what later tasks of a kind need; it is not answered."""

    key: Hashable


class Ask(NamedTuple):
    """A request of the worker, which waits for the reply."""

    content: Any


class Reply(NamedTuple):
    """The reply of the parent to an :class:`Ask`."""

    content: Any


class Pause(NamedTuple):
    """Request to stop the clocks of all limits until the worker is READY again."""

    text: str


class TimeLimit(NamedTuple):
    """A time limit that the worker has found in its task; the parent ends the task at it."""

    limit_s: float  # seconds since the worker was ready
    grace_s: float = 0.0  # grace period after the limit, for work that keeps to it itself


class Done(NamedTuple):
    """The last message of a task: its result, or the exception that it raised."""

    result: Any


class Channel:
    """The worker's end of the channel, passed to the handler of each task."""

    own: ClassVar["Channel | None"] = None  # that of this process, if it is a worker

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._interrupted: Callable[[], None] | None = None
        signal.signal(INTERRUPT, self._on_interrupt)

    def report(self, message: Any) -> None:
        """Send a message to the parent before the task is done."""
        self._connection.send(message)

    def ask(self, content: Any) -> Any:
        """Ask the parent, and wait for its reply; the task must take no updates."""
        self._connection.send(Ask(content))
        while True:
            message = self._connection.recv()
            if isinstance(message, Reply):
                return message.content

    def latest_update(self) -> Any:
        """Return the newest update received since the previous call, or None."""
        update = None
        with suppress(EOFError):
            while self._connection.poll():
                update = self._connection.recv()
        return update

    def on_interrupt(self, callback: Callable[[], None] | None) -> None:
        """Set the callback for when the parent asks for the best result so far; None removes it."""
        self._interrupted = callback

    def _on_interrupt(self, _number: int, _frame: object) -> None:
        if self._interrupted is not None:
            self._interrupted()


def not_sent(error: Exception) -> NotAccepted:
    """Return the error about a task that cannot be pickled, or not be read by a worker."""
    return NotAccepted(
        f"the question cannot be sent to a worker process: {' '.join(str(error).split())}; types "
        "of your own must be in a module that can be imported"
    )


def pickled(content: object) -> bytes:
    """Return a message as bytes; raise NotAccepted if it holds what cannot be sent, as a lock."""
    try:
        return bytes(ForkingPickler.dumps(content))
    except MemoryError:
        raise
    except Exception as error:  # any, by a method of a caller's type
        if _can_be_pickled(content):  # a signal handler of the caller has raised it
            raise
        raise not_sent(error) from None


def _can_be_pickled(content: object) -> bool:
    try:
        ForkingPickler.dumps(content)
    except Exception:
        return False
    return True


class Packed(Generic[ContentT]):
    """An object that is pickled once for several workers, each of which reads it when it needs it.

    Pickling a hand of a million cards takes 0.2 s, and reading it as long.
    """

    def __init__(self, content: ContentT) -> None:
        self._pickled = pickled(content)

    def read(self) -> ContentT:
        """Return a copy; raise NotAccepted if it has a type that this process cannot import."""
        try:
            content: ContentT = ForkingPickler.loads(self._pickled)
        except (AttributeError, ImportError) as error:
            raise not_sent(error) from None
        return content


Handler = Callable[[Any, Channel], Any]  # handles the content of a task and returns its result


def program(module: str, function: str, *numbers: int) -> tuple[str, ...]:
    """Return a command that calls a function with numbers, with the search path of this process."""
    return python_command(f"from {module} import {function}; {function}{numbers!r}")


def python_command(code: str) -> tuple[str, ...]:
    """Return a command that runs code with the search path of this process; arguments may follow.

    Each entry is an argument of its own, whose size the system limits. Python ignores those that
    are no text.
    """
    path = [entry for entry in sys.path if isinstance(entry, str)]
    taken = f"sys.argv[1:{len(path) + 1}]"
    return interpreter(), "-c", f"import sys; sys.path[:] = {taken}; del {taken}; {code}", *path


def interpreter() -> str:
    """Return the path of a Python of this version.

    ``sys.executable`` may be empty, or a program with a Python inside, which must not be started
    as if it were one. ``multiprocessing.set_executable`` names another. Raises BackendError if
    none is known.
    """
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    beside = (f"{folder}/bin/{version}" for folder in (sys.prefix, sys.base_prefix))
    for path in map(os.fsdecode, filter(None, (sys.executable, spawn.get_executable(), *beside))):
        if _PYTHON.fullmatch(Path(path).name) and os.access(path, os.X_OK):
            return path
    raise BackendError(
        "no worker can be started: sys.executable is no Python; name one by "
        "multiprocessing.set_executable"
    )


def pipe() -> tuple[Connection, Connection]:
    """Return the ends of a pipe for both directions.

    They block, even where a library of green threads has replaced the sockets of this process.
    """
    ends = Pipe()
    for end in ends:
        os.set_blocking(end.fileno(), True)
    return ends
