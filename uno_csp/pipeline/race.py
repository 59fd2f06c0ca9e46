"""Races: tasks for one question run in child processes under a time limit.

No solver is best on every hand: SAT is far ahead on structured hands, integer programming on large
random sparse hands. A race returns the first answer, and combines the best witness of one task with
the best bound of another.
"""

import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait

from uno_csp.errors import BackendError
from uno_csp.modeling import STOPPED
from uno_csp.pipeline.best import Best
from uno_csp.pipeline.progress import (
    Bound,
    BoundUpdate,
    Built,
    Incumbent,
    Progress,
    ProgressListener,
)
from uno_csp.pipeline.schedule import Schedule
from uno_csp.pipeline.stages import Solved, Task
from uno_csp.processes.channel import READY, WAS_STOPPED, Done, Pause
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.processes.pausing import tell_end_of_pause, tell_pause
from uno_csp.processes.pool import OutOfMemory, Pool, Worker
from uno_csp.processes.stop import Stop
from uno_csp.questions.answers import Status, Witness

WORKER = "uno_csp.pipeline.worker"  # module that the workers run
WORKERS = Pool()  # pool of idle workers with their solvers loaded, reused by later races
LONGEST_WAIT_S = 3600.0  # longest single wait: the system rejects very long timeouts
SLOW_S = 0.05  # seconds after which a listener counts as slow, and progress reports are skipped
SAMPLE_S = 0.05  # seconds between two memory samples if memory is limited
MAX_UPDATES = 200  # bound updates sent to a worker: an unread pipe holds about 270
NO_UPDATE = BoundUpdate(None, None)


def run_isolated(
    tasks: Sequence[Task],
    deadline: Deadline = NEVER,
    on_progress: ProgressListener | None = None,
    stop: Stop | None = None,
    first: Witness | None = None,
) -> tuple[Task, Solved]:
    """Run tasks for the same question in workers, until one of them has the answer.

    Bounds and witnesses are shared: when the best witness of one task meets the best bound of
    another, the witness is optimal. The first task starts at once, each further one some time after
    the previous one (see :mod:`~uno_csp.pipeline.schedule`). Returns the task that decided the
    race, or has the best witness, and the result.

    The deadline is extended by the time that the first worker takes to load its solver. Workers
    that have not answered shortly after it, or when ``stop`` is set, are killed; the status is then
    UNKNOWN, with the best witness and bound and a reason that starts with
    :data:`~uno_csp.modeling.STOPPED`. It is also UNKNOWN if the last worker was killed from outside
    or ran out of memory. ``first`` is the incumbent of an
    optimisation, from before the race.

    Raises BackendError if the last worker crashes and nothing was found, and what a task raised.
    """
    race = _Race(tasks, deadline, on_progress, stop)
    race.start_from(first)
    try:
        return race.run()
    finally:
        race.end()


@dataclass(eq=False, slots=True)
class _Member:
    """One task of a race, with its statistics so far."""

    task: Task
    # model sizes, and the numbers of rounds and cuts
    known: dict[str, int] = field(default_factory=dict)
    connectivity: str | None = None  # connectivity chosen for its model
    # number of bound updates sent to it, and the last one
    updates: int = 0
    last_update: BoundUpdate = NO_UPDATE
    result: Solved | None = None  # its result when it has ended

    def ended(self, reason: str) -> Solved:
        """Return the result of a member without one of its own, with its statistics."""
        return Solved(Status.UNKNOWN, None, None, reason, self.connectivity, self.known)


class _Race:
    """The state of a race: its workers, and the best witness and bound so far."""

    def __init__(
        self,
        tasks: Sequence[Task],
        deadline: Deadline,
        on_progress: ProgressListener | None,
        stop: Stop | None,
    ) -> None:
        members = [_Member(task, connectivity=task.options.connectivity) for task in tasks]
        self._size = len(members)
        self._began = time.monotonic()
        after_s = [task.after_s for task in tasks]
        self._schedule = Schedule(members, after_s, deadline, self._began)
        self._used_by_ended_s = 0.0
        sign, known_bound = tasks[0].instance.sense.sign, tasks[0].known_bound
        self._best = Best(members[0], sign, known_bound)
        self._memory_mb = tasks[0].options.memory_limit_mb
        self._on_progress = on_progress
        self._stop = stop
        self._running: dict[Connection, tuple[Worker, _Member]] = {}
        self._unreported: deque[Progress] = deque()

    def start_from(self, witness: Witness | None) -> None:
        """Keep a witness from before the race, as that of a member of its own."""
        self._best.update(_Member(self._best.leader.task), witness, None)

    def run(self) -> tuple[Task, Solved]:
        """Start workers and read their messages until the race is decided or no worker is left."""
        last_reason = ""
        while self._running or self._schedule.waiting:
            self._start_due()
            for connection in self._ready():
                member = self._running[connection][1]
                result = self._receive_all(connection)
                self._report()
                if result is not None:
                    if result.status is not Status.UNKNOWN:
                        return member.task, result
                    self._best.update(member, result.witness, result.bound)
                    member.result, last_reason = result, result.reason
                if self._best.is_combined_optimum:  # else its own result follows
                    return self._best.leader.task, self._conclude("")
                self._broadcast_best()
            reason = self._reason_to_end()
            if reason:
                return self._best.leader.task, self._conclude(reason)
        return self._best.leader.task, self._conclude(self._with_deadline(last_reason))

    def _ready(self) -> list[Connection]:
        """Wait for messages, and return the connections that are readable."""
        stop = [] if self._stop is None else [self._stop.fileno()]
        ready = wait([*self._running, *stop], self._longest_wait_s())
        return [connection for connection in self._running if connection in ready]

    def _broadcast_best(self) -> None:
        """Send every worker the best value and bound of the race."""
        update = self._best.as_update()
        for worker, member in self._running.values():
            if update not in (member.last_update, NO_UPDATE) and member.updates < MAX_UPDATES:
                member.last_update = update
                member.updates += 1
                with suppress(BackendError, OutOfMemory):  # handled when its messages are read
                    worker.update(update)

    def end(self) -> None:
        """Kill the workers that still run, and replace them unless this is the first race."""
        for worker, _ in self._running.values():
            worker.kill()
        if WORKERS.started > self._size:
            for _, member in self._running.values():
                with suppress(OSError):  # the answer is known, and whoever needs it starts another
                    WORKERS.prepare(WORKER, member.task.options.backend)

    def _start_due(self) -> None:
        while member := self._schedule.take(
            time.monotonic(), self._used_s(), running=len(self._running)
        ):
            sent_at = time.monotonic() if self._schedule.loads(member) else None
            task = replace(member.task, deadline=self._schedule.deadline, sent_at=sent_at)
            try:
                worker = WORKERS.start(WORKER, task, task.options.backend)
            except OSError as error:
                if not self._running:
                    raise
                member.result = member.ended(f"it could not be started: {error}")
                continue
            self._running[worker.connection] = (worker, member)

    def _longest_wait_s(self) -> float:
        now = time.monotonic()
        wakes_at_s = self._schedule.wakes_at_s(now, self._used_s(), running=len(self._running))
        times = [now + LONGEST_WAIT_S, wakes_at_s]
        if self._memory_mb is not None:
            times.append(now + SAMPLE_S)
        return max(min(times) - now, 0.0)

    def _reason_to_end(self) -> str:
        """Return the reason to kill all workers; empty if they may continue."""
        if self._stop is not None and self._stop.is_set():
            return WAS_STOPPED
        if self._schedule.kill.expired:
            return STOPPED
        if self._memory_mb is not None:
            held_mb = sum(worker.memory_mb for worker, _ in self._running.values())
            if held_mb > self._memory_mb:
                return f"memory limit of {self._memory_mb:g} MB reached"
        return ""

    def _with_deadline(self, reason: str) -> str:
        """Put the deadline first in the reason if it has passed."""
        if not self._schedule.deadline.expired or reason.startswith(STOPPED):
            return reason
        return f"{STOPPED}; {reason}" if reason else STOPPED

    def _receive_all(self, connection: Connection) -> Solved | None:
        """Read all pending messages up to a result; return the result, or None."""
        while True:
            result = self._receive(connection)
            if result is not None or connection not in self._running or not connection.poll():
                return result

    def _receive(self, connection: Connection) -> Solved | None:
        """Read one message; return it if it is a result, and give the worker back to the pool."""
        worker, member = self._running[connection]
        try:
            message = worker.receive()
        except OutOfMemory as error:
            self._discard(connection)
            return member.ended(str(error))
        except BackendError as error:
            self._discard(connection)
            return self._fail(member, error)
        if not isinstance(message, Done):
            self._handle_message(member, message)
            return None
        self._remove(connection)
        WORKERS.give_back(worker)
        result: Solved | Exception = message.result
        if isinstance(result, BackendError):
            return self._fail(member, result)
        if isinstance(result, Exception):
            raise result
        return result

    def _fail(self, member: _Member, error: BackendError) -> Solved | None:
        """Return None if others are left, else the result; raise if nothing is known."""
        if self._running or self._schedule.waiting:
            return None
        if not self._best.says_more:
            raise error
        return member.ended(str(error))

    def _handle_message(self, member: _Member, message: object) -> None:
        if message is READY:
            now_s = time.monotonic()
            if self._schedule.resume(member, now_s):
                tell_end_of_pause()
            self._schedule.loaded(member, now_s, self._used_s())
        elif isinstance(message, Pause):
            self._schedule.pause(member, time.monotonic())
            tell_pause(message.text)
        elif isinstance(message, Built):
            member.known, member.connectivity = dict(message.sizes), message.connectivity
        elif isinstance(message, Progress):
            member.known |= {"rounds": message.rounds, "cuts": message.cuts}
            self._best.update(member, None, message.bound)
            # Workers start at different times; report the time since the race began.
            elapsed_s = time.monotonic() - self._began
            self._unreported.append(replace(message, elapsed_s=elapsed_s))
        elif isinstance(message, Incumbent):
            self._best.update(member, message.witness, None)
        elif isinstance(message, Bound):
            self._best.update(member, None, message.value)

    def _discard(self, connection: Connection) -> None:
        self._remove(connection).kill()

    def _remove(self, connection: Connection) -> Worker:
        """Take a worker that has ended out of the race, and return it."""
        worker, member = self._running.pop(connection)
        if self._schedule.waiting:
            self._used_by_ended_s += worker.cpu_s
        self._schedule.ended(member, time.monotonic(), running=len(self._running))
        return worker

    def _used_s(self) -> float:
        """Return the CPU seconds of all members so far; 0 if no member waits for them."""
        if not self._schedule.waiting:
            return 0.0
        return self._used_by_ended_s + sum(worker.cpu_s for worker, _ in self._running.values())

    def _report(self) -> None:
        """Report progress: only the latest to a slow listener, and nothing once the time is up."""
        while self._unreported and not self._schedule.kill.expired:
            message = self._unreported.popleft()
            began = time.monotonic()
            if self._on_progress is not None:
                best = self._best.objective
                objective = message.objective if best is None else best
                self._on_progress(replace(message, objective=objective, bound=self._best.bound))
            if time.monotonic() - began > SLOW_S:
                self._unreported = deque(list(self._unreported)[-1:])

    def _conclude(self, reason: str) -> Solved:
        """Return the best witness and bound, as the optimum if they meet, and their statistics."""
        best = self._best
        own = best.leader.result or best.leader.ended(reason)
        known = replace(own, witness=best.witness, bound=best.bound, reason=reason)
        return replace(known, status=Status.OPTIMAL, reason="") if best.is_optimal else known
