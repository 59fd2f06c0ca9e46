"""Supervise workers: read their messages, and end them when a policy says so.

A :class:`Policy` starts tasks on workers, handles what they send, and decides when the whole is
over. :class:`LimitedTask` is the policy of one task with limits on wall-clock time, CPU time and
memory: its clocks start when the worker is ready, and stand still while it makes a pause; CPU time
and memory are sampled over its whole process tree. A race of several tasks is another policy.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from threading import Event
from typing import Any, Generic, TypeVar, cast

from uno_csp.errors import BackendError
from uno_csp.processes.channel import READY, WAS_STOPPED, Ask, Done, Pause, Reply, TimeLimit
from uno_csp.processes.deadline import GRACE_S, INTERRUPT_S, STARTUP_S, clock_s
from uno_csp.processes.pool import EndedAtLimit, Worker

Listener = Callable[[Any], None]
Replier = Callable[[Any], Any]
TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")

LITTLE = 0.5  # share of the processor below which a machine is too busy for a task
MOST_AT_ONCE = 100  # maximum number of messages of a worker between two decisions
_SHORT_S, _LONG_S, _LONG_AFTER_S = 0.02, 0.1, 1.0


class Policy(ABC, Generic[TaskT, ResultT]):
    """The treatment of workers at work.

    ``running`` has each of them by its connection, with what the policy knows of its task.
    """

    def __init__(self) -> None:
        self.running: dict[Connection, tuple[Worker, TaskT]] = {}

    def start_due(self) -> None:
        """Start the tasks whose time has come, and add them to ``running``."""

    @property
    @abstractmethod
    def wait_s(self) -> float:
        """Longest wait for messages before the next decision, in seconds."""

    @abstractmethod
    def handle(self, worker: Worker, task: TaskT, message: object) -> None:
        """Handle a message that is not the last one of a task."""

    @abstractmethod
    def finish(self, worker: Worker, task: TaskT, result: Any) -> None:
        """Take the result of a task, or the exception that it raised; its worker is free."""

    @abstractmethod
    def fail(self, worker: Worker, task: TaskT, error: Exception) -> None:
        """Note that a worker has died at its task."""

    @abstractmethod
    def decide(self) -> ResultT | None:
        """Return the result of the whole, or None if it goes on."""


def supervise(policy: Policy[Any, ResultT]) -> ResultT:
    """Run the tasks of a policy until it decides; what then runs is for the policy to end."""
    while True:
        policy.start_due()
        for connection in wait([*policy.running], policy.wait_s):
            _read(policy, cast("Connection", connection))
        decided = policy.decide()
        if decided is not None:
            return decided


def _read(policy: Policy[Any, Any], connection: Connection) -> None:
    """Read the pending messages of a worker, up to the last one of its task."""
    worker, task = policy.running[connection]
    for _ in range(MOST_AT_ONCE):
        try:
            message = worker.receive()
            if not isinstance(message, Done):
                policy.handle(worker, task, message)
        except (EndedAtLimit, BackendError) as error:
            del policy.running[connection]
            policy.fail(worker, task, error)
            break
        if isinstance(message, Done):
            del policy.running[connection]
            policy.finish(worker, task, message.result)
        if isinstance(message, Done) or not connection.poll():
            break


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
    # Unless `measured`, `cpu_s` counts from the first sample on: sampling takes as long as a small
    # task.
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_memory_mb: float = 0.0
    last_words: str = ""  # last line of output of a worker that has ended
    # True if its time ended although it had the processor for less than `LITTLE` of that time
    starved: bool = False


class LimitedTask(Policy[None, Outcome]):
    """One task on a worker, which is ended with all below it at a limit or when it is stopped.

    The limits count once the worker is ready; the usage is of the task alone if it is ``measured``.
    """

    def __init__(
        self,
        worker: Worker,
        task: Any,
        limits: Limits,
        control: Control | None = None,
        *,
        measured: bool = False,
    ) -> None:
        super().__init__()
        self._worker, self._limits, self._measured = worker, limits, measured
        self._control = control or Control()
        self._grace_s = self._control.grace_s
        self._interrupted_at: float | None = None
        self._interrupted = False
        self._began = self._sampled = clock_s()
        self._cpu_before_s: float | None = None
        self._paused, self._counted_s = False, 0.0
        self._wall_s = self._cpu_s = self._peak_memory_mb = 0.0
        self._result: Any = None
        try:
            worker.start(task)
        except (EndedAtLimit, BackendError) as error:
            self.fail(worker, None, error)
        else:
            self.running[worker.connection] = worker, None

    @property
    def wait_s(self) -> float:
        """Seconds until the next sample; short at first, because most tasks are short."""
        return _LONG_S if self._wall_s > _LONG_AFTER_S else _SHORT_S

    def handle(self, worker: Worker, task: None, message: object) -> None:
        """Start and stop the clocks, reply to what is asked, and hand reports on."""
        del task
        control = self._control
        if message is READY:
            self.start_clocks()
        elif isinstance(message, Pause):
            self.stop_clocks()
        elif isinstance(message, TimeLimit):
            self._limits = replace(self._limits, wall_s=message.limit_s)
            self._grace_s = message.grace_s
        elif isinstance(message, Ask):
            reply = None if control.replier is None else control.replier(message.content)
            worker.update(Reply(reply))
        elif control.listener is not None:
            control.listener(message)

    def finish(self, worker: Worker, task: None, result: Any) -> None:
        """Keep the result."""
        del worker, task
        self._read_clock()
        if self._measured:
            self._sample(at_once=True)
        self._result = result

    def fail(self, worker: Worker, task: None, error: Exception) -> None:
        """End what is left of the worker."""
        del task, error
        self._sample(at_once=True)
        worker.end()

    def decide(self) -> Outcome | None:
        """Return the outcome, if the task has ended or has to."""
        limit_hit = ""
        if self.running:
            self._sample()
            limit_hit = self._limit_reached()
            if not limit_hit:
                return None
            self._worker.end()
        if isinstance(self._result, Exception):
            raise self._result
        child = self._worker.child
        code = child.exit_code
        return Outcome(
            self._result,
            limit_hit,
            code,
            round(self._wall_s, 6),
            round(self._cpu_s, 3),
            round(self._peak_memory_mb, 1),
            "" if code is None else child.last_words(),
            bool(limit_hit) and self._is_starved(),
        )

    def start_clocks(self) -> None:
        """Start the clocks, or let them go on after a pause."""
        self._paused = False
        self._began = clock_s() - self._counted_s
        measured = self._measured
        self._cpu_before_s = _usage(self._worker.pid)[0] - self._cpu_s if measured else math.inf

    def stop_clocks(self) -> None:
        """Stop the clocks until they are started again."""
        self._sample(at_once=self._measured)
        self._counted_s, self._paused = self._wall_s, True

    def _read_clock(self) -> float:
        now = clock_s()
        self._wall_s = self._counted_s if self._paused else now - self._began
        return now

    def _sample(self, *, at_once: bool = False) -> None:
        """Read the clock and, if it is time, CPU time and memory, which takes longer."""
        now = self._read_clock()
        if now - self._sampled < _SHORT_S and not at_once:
            return
        self._sampled = now
        cpu_s, memory_mb = _usage(self._worker.pid)
        self._peak_memory_mb = max(self._peak_memory_mb, memory_mb)
        if self._cpu_before_s is not None and not self._paused:
            if math.isinf(self._cpu_before_s):
                self._cpu_before_s = cpu_s - self._cpu_s
            self._cpu_s = max(self._cpu_s, cpu_s - self._cpu_before_s)

    def _limit_reached(self) -> str:
        limits = self._limits
        if self._control.stop.is_set() or self._interrupt_timed_out():
            return WAS_STOPPED
        if limits.memory_mb is not None and self._peak_memory_mb > limits.memory_mb:
            return f"memory limit of {limits.memory_mb:g} MB reached"
        if self._cpu_before_s is None:
            return "the program was not ready in time" if self._wall_s > STARTUP_S else ""
        if limits.wall_s is not None and self._wall_s > limits.wall_s + self._grace_s:
            return f"time limit of {limits.wall_s:g} s reached"
        if limits.cpu_s is not None and self._cpu_s > limits.cpu_s:
            return f"CPU limit of {limits.cpu_s:g} s reached"
        return ""

    def _is_starved(self) -> bool:
        """Return True at the wall-clock limit if the task has had little of the processor.

        Of a limit below a second, too few samples are taken to tell.
        """
        wall_s, memory_mb = self._limits.wall_s, self._limits.memory_mb
        is_late = wall_s is not None and wall_s >= 1 and self._wall_s > wall_s + self._grace_s
        is_small = memory_mb is None or self._peak_memory_mb <= memory_mb
        return is_late and is_small and self._cpu_s < LITTLE * self._wall_s

    def _interrupt_timed_out(self) -> bool:
        """Forward an interrupt once; return True if the worker still runs INTERRUPT_S later."""
        if not self._control.interrupt.is_set():
            return False
        now = clock_s()
        if self._interrupted_at is None:
            self._interrupted_at = now
        # A worker that is not ready has no handler for the signal, which would kill it.
        if self._cpu_before_s is not None and not self._interrupted:
            self._interrupted = True
            self._worker.interrupt()
        return now - self._interrupted_at > INTERRUPT_S


def _usage(pid: int) -> tuple[float, float]:
    """Return CPU seconds and MB of a child process and its descendants."""
    from uno_csp.processes.usage import usage  # psutil loads slowly

    return usage(pid)
