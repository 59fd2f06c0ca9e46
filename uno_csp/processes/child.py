"""A child process: its lifeline, its own temporary folder, and what it printed last.

The *lifeline* is a pipe that only the parent holds open: when the parent is gone, for any
reason, the kernel ends the child's process group (see :mod:`~uno_csp.processes.lifeline`).
"""

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import IO

from uno_csp.processes.lifeline import LIFELINE, keep_standard_descriptors
from uno_csp.processes.scratch import ScratchFolder


class ChildProcess:
    """A program in a session of its own, without standard input.

    Parameters
    ----------
    command
        The program and its arguments.
    pass_fds
        Descriptors that it inherits besides its standard streams.
    """

    def __init__(self, command: Sequence[str], *, pass_fds: Sequence[int] = ()) -> None:
        keep_standard_descriptors()
        with ExitStack() as unless_started:
            held, self._lifeline = os.pipe()
            unless_started.callback(os.close, self._lifeline)
            with os.fdopen(held, "rb"):
                self._output: IO[bytes] = unless_started.enter_context(tempfile.TemporaryFile())
                self._last_words = ""
                self._scratch = ScratchFolder()
                unless_started.callback(self._scratch.remove)
                self._popen = subprocess.Popen(
                    list(command),
                    start_new_session=True,
                    pass_fds=(*pass_fds, held),
                    stdin=subprocess.DEVNULL,
                    stdout=self._output,
                    stderr=self._output,
                    env={**self._scratch.environment, LIFELINE: str(held)},
                )
            unless_started.pop_all()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._popen.pid

    @property
    def alive(self) -> bool:
        """True while it runs."""
        return self._popen.poll() is None

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
        import psutil

        descendants: list[psutil.Process] = []
        if self.alive:  # else its number may be somebody else's by now
            with suppress(psutil.Error, OSError):  # for example, no descriptor is left
                descendants = psutil.Process(self.pid).children(recursive=True)
            self.kill()
        for each in descendants:
            with suppress(psutil.Error):
                each.kill()

    def last_words(self) -> str:
        """Return the last line that it printed."""
        if not self._output.closed:
            self._output.seek(0)
            lines = self._output.read().decode(errors="replace").strip().splitlines()
            self._last_words = lines[-1] if lines else ""
        return self._last_words

    def reap(self) -> None:
        """Reap the child, remove its scratch folder and close its streams."""
        self.wait()
        self.last_words()  # they are still wanted when the file is gone
        self._scratch.remove()
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        self._output.close()
