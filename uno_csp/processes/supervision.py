"""Run tasks under limits on wall-clock time, CPU time and memory.

The clocks start when the worker is ready, and stand still while it makes a pause. CPU time and
memory are sampled over its whole process tree. At a limit, or when the task is stopped, the whole
tree is killed.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

from uno_csp.errors import BackendError
from uno_csp.processes.channel import READY, WAS_STOPPED, Ask, Done, Pause, Reply, TimeLimit
from uno_csp.processes.pool import OutOfMemory, Worker
from uno_csp.processes.usage import usage

Listener = Callable[[Any], None]
Replier = Callable[[Any], Any]

STARTUP_S = 120.0  # maximum seconds until a worker is ready
GRACE_S = 3.0  # seconds after the wall-clock limit, for workers that enforce it themselves
INTERRUPT_S = 2.0  # seconds that a worker has to finish its task after an interrupt

_SHORT_S, _LONG_S, _LONG_AFTER_S = 0.02, 0.1, 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a task, in CPU time and memory of all its processes; None is no limit."""

    wall_s: float | None = None
    cpu_s: float | None = None
    memory_mb: float | None = None


@dataclass(frozen=True, slots=True)
class Control:
    """Events and a listener by which the caller stops or follows a running task."""

    stop: Event = field(default_factory=Event)  # when set, the worker is killed at once
    # when set, the worker is asked to finish the task with its best result so far, and killed if it
    # has not done so after `INTERRUPT_S`
    interrupt: Event = field(default_factory=Event)
    listener: Listener | None = None  # called with every report of the worker
    # grace period after the wall-clock limit, for workers that enforce it themselves
    grace_s: float = GRACE_S
    replier: Replier | None = None  # called with what the worker asks; returns the reply


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a task: its result, or the reason that there is none."""

    result: Any  # return value of the task; None if the worker did not finish it
    # message naming the limit that ended the task, or that it was stopped; empty if neither
    limit_hit: str
    # exit code of a worker that has ended, negative for a signal; None if the worker is alive
    exit_code: int | None = None
    # usage since the worker was ready; memory is the largest sampled total of its process tree.
    # Without a CPU limit or `measured`, `cpu_s` includes the earlier tasks of the worker.
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_memory_mb: float = 0.0
    last_words: str = ""  # last line of output of a worker that has ended


def supervise(
    worker: Worker,
    task: Any,
    limits: Limits,
    control: Control | None = None,
    *,
    measured: bool = False,
) -> Outcome:
    """Run a task on a worker; limits count once it is ready, ``measured`` the task alone."""
    control = control or Control()
    sampler = _Sampler(worker, limits, control, measured)
    try:
        result = _result(worker, task, sampler, control)
    except (OutOfMemory, BackendError):
        sampler.sample(at_once=True)
        worker.end()
        result = None
    if sampler.limit_hit:
        worker.end()
    if isinstance(result, Exception):
        raise result
    return Outcome(
        result,
        sampler.limit_hit,
        worker.exit_code,
        round(sampler.wall_s, 6),
        round(sampler.cpu_s, 3),
        round(sampler.peak_memory_mb, 1),
        "" if worker.alive else worker.last_words(),
    )


def _result(worker: Worker, task: Any, sampler: "_Sampler", control: Control) -> Any:
    """Return the result or the exception of the task; None if a limit was reached first."""
    worker.start(task)
    while True:
        if worker.connection.poll(sampler.interval_s):
            message = worker.receive()
            if isinstance(message, Done):
                sampler.sample(at_once=sampler.measured)
                return message.result
            if message is READY:
                sampler.start()
            elif isinstance(message, Pause):
                sampler.pause()
            elif isinstance(message, TimeLimit):
                sampler.limit_time(message)
            elif isinstance(message, Ask):
                replier = control.replier
                worker.update(Reply(None if replier is None else replier(message.content)))
            elif control.listener is not None:
                control.listener(message)
        sampler.sample()
        if sampler.has_to_end():
            return None


class _Sampler:
    """Samples the resource usage of a task's processes, and compares it with the limits."""

    def __init__(self, worker: Worker, limits: Limits, control: Control, measured: bool) -> None:
        self._worker, self._limits, self._control = worker, limits, control
        self.measured = measured
        self._grace_s = control.grace_s
        self._interrupted_at: float | None = None
        self._interrupted = False
        self._began = self._sampled = time.monotonic()
        self._cpu_before_s: float | None = None
        self._paused, self._counted_s = False, 0.0
        self.wall_s = self.cpu_s = self.peak_memory_mb = 0.0
        self.limit_hit = ""

    @property
    def interval_s(self) -> float:
        """Seconds until the next sample; short at first, because most tasks are short."""
        return _LONG_S if self.wall_s > _LONG_AFTER_S else _SHORT_S

    def start(self) -> None:
        """Start the clocks, or let them go on after a pause."""
        self._paused = False
        self._began = time.monotonic() - self._counted_s
        counts_cpu = self.measured or self._limits.cpu_s is not None
        self._cpu_before_s = usage(self._worker.pid)[0] - self.cpu_s if counts_cpu else 0.0

    def pause(self) -> None:
        """Stop the clocks until they are started again."""
        self.sample(at_once=True)
        self._counted_s, self._paused = self.wall_s, True

    def limit_time(self, found: TimeLimit) -> None:
        """Take a limit that the worker has found in its task."""
        self._limits = replace(self._limits, wall_s=found.limit_s)
        self._grace_s = found.grace_s

    def sample(self, *, at_once: bool = False) -> None:
        """Read the clock and, if it is time, CPU time and memory, which takes longer."""
        now = time.monotonic()
        self.wall_s = self._counted_s if self._paused else now - self._began
        if now - self._sampled < _SHORT_S and not at_once:
            return
        self._sampled = now
        cpu_s, memory_mb = usage(self._worker.pid)
        self.peak_memory_mb = max(self.peak_memory_mb, memory_mb)
        if self._cpu_before_s is not None and not self._paused:
            self.cpu_s = max(self.cpu_s, cpu_s - self._cpu_before_s)

    def has_to_end(self) -> bool:
        """Return True when a limit is reached or the task is stopped."""
        self.limit_hit = self._limit_reached()
        return bool(self.limit_hit)

    def _limit_reached(self) -> str:
        limits = self._limits
        if self._control.stop.is_set() or self._interrupt_timed_out():
            return WAS_STOPPED
        if limits.memory_mb is not None and self.peak_memory_mb > limits.memory_mb:
            return f"memory limit of {limits.memory_mb:g} MB reached"
        if self._cpu_before_s is None:
            return "the program was not ready in time" if self.wall_s > STARTUP_S else ""
        if limits.wall_s is not None and self.wall_s > limits.wall_s + self._grace_s:
            return f"time limit of {limits.wall_s:g} s reached"
        if limits.cpu_s is not None and self.cpu_s > limits.cpu_s:
            return f"CPU limit of {limits.cpu_s:g} s reached"
        return ""

    def _interrupt_timed_out(self) -> bool:
        """Forward an interrupt once; return True if the worker still runs INTERRUPT_S later."""
        if not self._control.interrupt.is_set():
            return False
        now = time.monotonic()
        if self._interrupted_at is None:
            self._interrupted_at = now
        # A worker that is not ready has no handler for the signal, which would kill it.
        if self._cpu_before_s is not None and not self._interrupted:
            self._interrupted = True
            self._worker.interrupt()
        return now - self._interrupted_at > INTERRUPT_S
