"""A child process: its lifeline, its own temporary folder, and what it printed last.

The *lifeline* is a pipe that only the parent holds open: when the parent is gone, for any
reason, the kernel ends the child's process group (see :mod:`~uno_csp.processes.lifeline`).
"""

import os
import signal
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import IO

from uno_csp.processes.cpu_time import kill_below
from uno_csp.processes.lifeline import keep_standard_descriptors
from uno_csp.processes.printed import last_line
from uno_csp.processes.scratch import scratch_folder


class Child(ABC):
    """A process in a session of its own, without standard input."""

    def __init__(self) -> None:
        keep_standard_descriptors()
        self._last_words = ""
        with ExitStack() as held:
            theirs, ours = os.pipe()
            held.callback(os.close, ours)
            with os.fdopen(theirs, "rb"):
                self._output: IO[bytes] = held.enter_context(tempfile.TemporaryFile())
                self._scratch = held.enter_context(scratch_folder())
                self._begin(theirs, self._output.fileno())
            self._held = held.pop_all()  # until it is reaped

    @abstractmethod
    def _begin(self, lifeline: int, output: int) -> None:
        """Start the process, which inherits both descriptors and prints to the second."""

    @property
    @abstractmethod
    def pid(self) -> int:
        """Process id."""

    @property
    @abstractmethod
    def exit_code(self) -> int | None:
        """Exit code, negative for a signal; None while it runs."""

    @abstractmethod
    def wait(self) -> int:
        """Wait for its end, kill what it leaves behind in its session, and return its exit code."""

    @property
    def environment(self) -> dict[str, str]:
        """Environment of the parent, with the temporary folder of the child."""
        return {**os.environ, "TMPDIR": str(self._scratch)}

    @property
    def alive(self) -> bool:
        """True while it runs."""
        return self.exit_code is None

    def signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it and every process of its session; it still has to be reaped."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def kill_tree(self) -> None:
        """Kill it and every process below it, in any session; it still has to be reaped."""
        if self.alive:  # else its number may be somebody else's by now
            self.signal(signal.SIGSTOP)
            kill_below(self.pid)
            self.kill()

    def last_words(self) -> str:
        """Return the last line that it printed."""
        if not self._output.closed:
            self._last_words = last_line(self._output)
        return self._last_words

    def reap(self) -> None:
        """Reap the child, remove its scratch folder and close its streams."""
        self.wait()
        self.last_words()  # they are still wanted when the file is gone
        self._held.close()


class SpawnedChild(Child):
    """A program that inherits descriptors; its command is made of the number of its lifeline."""

    def __init__(self, command: Callable[[int], tuple[str, ...]], *inherited: int) -> None:
        self._command, self._inherited = command, inherited
        super().__init__()

    def _begin(self, lifeline: int, output: int) -> None:
        self._popen = subprocess.Popen(
            self._command(lifeline),
            start_new_session=True,
            pass_fds=(*self._inherited, lifeline),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=self.environment,
        )

    @property
    def pid(self) -> int:
        """Process id."""
        return self._popen.pid

    @property
    def exit_code(self) -> int | None:
        """Exit code, negative for a signal; None while it runs."""
        return self._popen.poll()

    def wait(self) -> int:
        """Wait for its end, kill what it leaves behind in its session, and return its exit code."""
        with suppress(ChildProcessError):  # it has been waited for
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
            self.kill()  # until it is reaped, its number is nobody else's
        return self._popen.wait()
