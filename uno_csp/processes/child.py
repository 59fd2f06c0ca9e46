"""What every child process has: a lifeline, a folder of its own, and last words.

The *lifeline* is a pipe only ever held open by the parent: when the parent is gone, however it
went, the kernel ends the child's process group (see :mod:`~uno_csp.processes.lifeline`). What the
child prints on standard error is kept, to be told if it ends badly.
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
    """A program in a session of its own.

    Parameters
    ----------
    command
        The program and its arguments.
    pass_fds
        Descriptors it inherits besides its standard streams.
    piped
        Whether its standard input and output are pipes, ``popen.stdin`` and ``popen.stdout``;
        else it reads nothing, and what it prints is kept with its last words.
    """

    def __init__(
        self, command: Sequence[str], *, pass_fds: Sequence[int] = (), piped: bool = False
    ) -> None:
        keep_standard_descriptors()
        with ExitStack() as unless_started:
            held, self._lifeline = os.pipe()
            unless_started.callback(os.close, self._lifeline)
            with os.fdopen(held, "rb"):
                self._words: IO[bytes] = unless_started.enter_context(tempfile.TemporaryFile())
                self._scratch = ScratchFolder()
                unless_started.callback(self._scratch.remove)
                self.popen = subprocess.Popen(
                    list(command),
                    start_new_session=True,
                    pass_fds=(*pass_fds, held),
                    stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
                    stdout=subprocess.PIPE if piped else self._words,
                    stderr=self._words,
                    env={**self._scratch.environment, LIFELINE: str(held)},
                )
            unless_started.pop_all()

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self.popen.poll() is None

    def kill(self) -> None:
        """End it and every program it has started in its session; it is still to be buried."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)

    def last_words(self) -> str:
        """The last line it has printed on standard error."""
        if self._words.closed:
            return ""
        self._words.seek(0)
        lines = self._words.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def bury(self) -> None:
        """Wait for its end, and remove what it leaves."""
        self.popen.wait()
        self._scratch.remove()
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        for stream in (self.popen.stdin, self.popen.stdout, self._words):
            with suppress(BrokenPipeError):
                if stream is not None:
                    stream.close()
