"""Programs under limits of wall-clock time, CPU time and memory, with all they start.

A program reads tasks, one JSON object a line, on standard input. Of each it says ``ready`` in a
line when it has loaded what it needs; only then the clocks start. After that it prints JSON
objects, one a line: those with the key ``progress`` while it works, and one without it at the end.
A program may do one task and end, or wait for another.

CPU time and memory are sampled over the whole tree of processes. At a limit, or when it is to be
stopped, the whole tree is killed. When this process is gone, however it went, a signal ends the
program too (see :mod:`~uno_csp.processes.lifeline`).
"""

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from typing import Any

import psutil

from uno_csp.processes.child import ChildProcess
from uno_csp.processes.lifeline import die_with_parent
from uno_csp.processes.usage import MB, usage

Listener = Callable[[Mapping[str, Any]], None]

ASKING = signal.SIGUSR1
"""Asks a program to come to an end with what it has; see :func:`heed`."""

READY = "ready"
"""What the program prints when the clocks shall start."""

PROGRESS = "progress"
"""The key of what is printed on the way."""

STARTUP_S = 120.0
"""So long a program may take to be ready."""

GRACE_S = 3.0
"""Beyond the wall-clock limit a program that stops itself has so long to say what it found."""

ASKED_S = 2.0
"""A program that was asked for what it has may take so long to say it; then it is ended."""

_SHORT_S, _LONG_S, _LONG_AFTER_S = 0.02, 0.1, 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a task may use; None is no limit.

    ``cpu_s`` and ``memory_mb`` are of all processes together.
    """

    wall_s: float | None = None
    cpu_s: float | None = None
    memory_mb: float | None = None


@dataclass(frozen=True, slots=True)
class Supervised:
    """How a task ended.

    Parameters
    ----------
    message
        The JSON object printed at the end; None if there was none.
    reached
        The limit at which the program was ended, in words; empty if it ended the task itself.
    exit_code
        Of a program that ended, negative for a signal; None if it waits for another task.
    wall_s, cpu_s, peak_memory_mb
        Since it was ready; memory is the largest sum over its processes at one time. The CPU time
        of a program that is kept, with no limit on it, is that of all its tasks so far.
    last_words
        The last line on standard error, if it ended.
    """

    message: Mapping[str, Any] | None
    reached: str
    exit_code: int | None
    wall_s: float
    cpu_s: float
    peak_memory_mb: float
    last_words: str


class Program:
    """A program that does one task after another; ``tasks`` counts them."""

    def __init__(self, command: Sequence[str]) -> None:
        self._child = ChildProcess(command, piped=True)
        self._process = self._child.popen
        self._buffer = b""
        self._last_words = ""
        self.tasks = 0

    @property
    def alive(self) -> bool:
        """Whether it can take another task."""
        return self._child.alive

    @property
    def memory_mb(self) -> float:
        """What it holds at the moment, with all its processes."""
        return usage(self._process.pid)[1]

    def run(
        self,
        task: Mapping[str, Any],
        limits: Limits,
        stop: Event | None = None,
        listener: Listener | None = None,
        *,
        ask: Event | None = None,
        measured: bool = False,
        grace_s: float = GRACE_S,
    ) -> Supervised:
        """Hand over a task and wait for its end.

        Parameters
        ----------
        task
            What it reads, as JSON.
        limits
            In force once it is ready.
        stop
            When it is set the program is ended at once.
        listener
            Told of every object on the way.
        ask
            When it is set the program is asked by :data:`ASKING` to end the task with what it has,
            and ended :data:`ASKED_S` later.
        measured
            Whether its CPU time is to be that of the task alone, and taken at its very end.
        grace_s
            Beyond the wall-clock limit; one that does not stop itself there needs none.
        """
        assert self._process.stdin is not None  # noqa: S101
        self.tasks += 1
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(task).encode() + b"\n")
            self._process.stdin.flush()
        stop = stop or Event()
        watch = _Watch(self._process.pid, limits, stop, counts=measured, grace_s=grace_s)
        watch.ask = ask
        message: Mapping[str, Any] | None = None
        reached = ""
        while message is None and not reached:
            ended = not self._wait(watch.interval_s)
            for line in self._lines():
                if line == READY:
                    watch.start()
                elif (found := _object(line)) is not None:
                    if PROGRESS not in found:
                        message = found
                    elif listener is not None:
                        listener(found[PROGRESS])
            watch.sample(at_once=ended or (message is not None and measured))
            if ended:
                break
            reached = "" if message is not None else watch.reached()
        if reached:
            self.end()
        elif message is None:
            self._process.wait()
        return self._ended(watch, message, reached)

    def end(self) -> None:
        """Kill it with every process it has started, in whichever session."""
        tree: list[psutil.Process] = []
        if self.alive:  # else its number may be somebody else's by now
            with suppress(psutil.NoSuchProcess):
                tree = psutil.Process(self._process.pid).children(recursive=True)
            self._child.kill()
        for each in tree:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        self._process.wait()
        self._last_words = self._last_words or self._child.last_words()
        self._child.bury()

    def _wait(self, interval_s: float) -> bool:
        """Take what is printed within an interval; False when nothing will come any more."""
        assert self._process.stdout is not None  # noqa: S101
        descriptor = self._process.stdout.fileno()
        waiting = select.poll()  # select.select knows no descriptors beyond 1023
        waiting.register(descriptor, select.POLLIN)
        if not waiting.poll(1000 * interval_s):
            return True
        said = os.read(descriptor, MB)
        self._buffer += said
        return bool(said)

    def _lines(self) -> Iterator[str]:
        whole, found, rest = self._buffer.rpartition(b"\n")
        if found:
            self._buffer = rest
            yield from whole.decode(errors="replace").splitlines()

    def _ended(
        self, watch: "_Watch", message: Mapping[str, Any] | None, reached: str
    ) -> Supervised:
        if not self.alive:
            self._last_words = self._last_words or self._child.last_words()
        return Supervised(
            message,
            reached,
            self._process.returncode,
            round(watch.wall_s, 6),
            round(watch.cpu_s, 3),
            round(watch.peak_memory_mb, 1),
            self._last_words,
        )


class _Watch:
    """Samples a tree of processes."""

    def __init__(
        self, pid: int, limits: Limits, stop: Event, *, counts: bool, grace_s: float
    ) -> None:
        self._pid = pid
        self._grace_s = grace_s
        self._limits = limits
        self._stop = stop
        self._counts = counts or limits.cpu_s is not None
        self.ask: Event | None = None
        self._asked_at: float | None = None
        self._began = self._sampled = time.monotonic()
        self._spent_before_s: float | None = None
        self.wall_s = self.cpu_s = self.peak_memory_mb = 0.0

    @property
    def interval_s(self) -> float:
        """How long to wait for the next sample: most tasks are short."""
        return _LONG_S if self.wall_s > _LONG_AFTER_S else _SHORT_S

    def start(self) -> None:
        """Let the clocks start."""
        self._began = time.monotonic()
        self._spent_before_s = usage(self._pid)[0] if self._counts else 0.0

    def sample(self, *, at_once: bool) -> None:
        """Take the time and, if the last sample is not too fresh, what is used.

        Looking through all processes takes longer than many a task.
        """
        now = time.monotonic()
        self.wall_s = now - self._began
        if now - self._sampled < _SHORT_S and not at_once:
            return
        self._sampled = now
        cpu_s, memory_mb = usage(self._pid)
        self.peak_memory_mb = max(self.peak_memory_mb, memory_mb)
        if self._spent_before_s is not None:
            self.cpu_s = max(self.cpu_s, cpu_s - self._spent_before_s)

    def reached(self) -> str:
        """The limit that is reached, in words; empty if none is."""
        limits = self._limits
        if self._stop.is_set() or self._was_asked_in_vain():
            return "it was stopped"
        if limits.memory_mb is not None and self.peak_memory_mb > limits.memory_mb:
            return f"memory limit of {limits.memory_mb:g} MB reached"
        if self._spent_before_s is None:
            return "it was not ready in time" if self.wall_s > STARTUP_S else ""
        if limits.wall_s is not None and self.wall_s > limits.wall_s + self._grace_s:
            return f"time limit of {limits.wall_s:g} s reached"
        if limits.cpu_s is not None and self.cpu_s > limits.cpu_s:
            return f"CPU limit of {limits.cpu_s:g} s reached"
        return ""

    def _was_asked_in_vain(self) -> bool:
        """Ask for what there is, once; whether that is long ago."""
        if self.ask is None or not self.ask.is_set():
            return False
        if self._asked_at is None:
            self._asked_at = time.monotonic()
            with suppress(ProcessLookupError):
                os.kill(self._pid, ASKING)
        return time.monotonic() - self._asked_at > ASKED_S


def _object(line: str) -> Mapping[str, Any] | None:
    if line.startswith("{"):
        with suppress(ValueError):
            found: Mapping[str, Any] = json.loads(line)
            return found
    return None


def read_tasks() -> Iterator[dict[str, Any]]:
    """In the program: the tasks, from a parent without whom it ends."""
    die_with_parent()
    for line in sys.stdin:
        yield json.loads(line)


def heed(asked: Callable[[], None]) -> None:
    """In the program: what to do when it is asked to end its task with what it has."""
    signal.signal(ASKING, lambda _signal, _frame: asked())


def say_ready() -> None:
    """In the program: let the clocks start."""
    sys.stdout.write(READY + "\n")
    sys.stdout.flush()


def say(message: Mapping[str, Any]) -> None:
    """In the program: print an object, on the way or at the end."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()
