"""Races: tasks for one question run in child processes under a time limit.

No solver is best on every hand: SAT is far ahead on structured hands, integer programming on large
random sparse hands. A race returns the first answer, and combines the best witness of one task with
the best bound of another.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

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
from uno_csp.pipeline.stages import SentTask, Solved, Task
from uno_csp.processes.channel import READY, WAS_STOPPED, Packed, Pause
from uno_csp.processes.deadline import NEVER, Deadline, clock_s
from uno_csp.processes.pausing import tell_end_of_pause, tell_pause
from uno_csp.processes.pool import EndedAtLimit, Pool, Worker
from uno_csp.processes.supervision import Policy, supervise
from uno_csp.questions import Uno1
from uno_csp.questions.answers import Status, Witness

WORKER = "uno_csp.pipeline.solver_worker"  # module that the workers run
WORKERS = Pool(5)  # pool of idle workers with their solvers loaded, reused by later races
LONGEST_WAIT_S = 3600.0  # longest single wait: the system rejects very long timeouts
SLOW_S = 0.05  # seconds after which a listener counts as slow, and progress reports are skipped
SAMPLE_S = 0.05  # seconds between two memory samples if memory is limited
STOP_S = 0.1  # seconds between two looks whether the race is to be stopped
MAX_UPDATES = 200  # bound updates sent to a worker: an unread pipe holds about 270
NO_CARDS = Uno1(())  # in place of an instance that is sent by itself
NO_UPDATE = BoundUpdate(None, None)


def run_isolated(
    tasks: Sequence[Task],
    deadline: Deadline = NEVER,
    on_progress: ProgressListener | None = None,
    stop: Event | None = None,
    first: Witness | None = None,
    beside: Iterable[object] = (),
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
    optimisation, from before the race. The parts of ``beside`` run in this process, between two
    looks at the workers, before a witness is returned; an exception that they raise ends the race.

    Raises BackendError if the last worker crashes and nothing was found, and what a task raised.
    """
    race = _Race(tasks, deadline, on_progress, stop, beside)
    race.start_from(first)
    try:
        return supervise(race)
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


class _Race(Policy[_Member, tuple[Task, Solved]]):
    """The policy of a race: the schedule of its members, and the best witness and bound so far."""

    def __init__(
        self,
        tasks: Sequence[Task],
        deadline: Deadline,
        on_progress: ProgressListener | None,
        stop: Event | None,
        beside: Iterable[object] = (),
    ) -> None:
        super().__init__()
        members = [_Member(task, connectivity=task.options.connectivity) for task in tasks]
        self._size = len(members)
        self._instance = Packed(tasks[0].instance)  # before the clock of the loading time begins
        self._began = clock_s()
        after_s = [task.after_s for task in tasks]
        self._schedule = Schedule(members, after_s, deadline, self._began)
        self._used_by_ended_s = 0.0
        sign, known_bound = tasks[0].instance.sense.sign, tasks[0].known_bound
        self._best = Best(members[0], sign, known_bound)
        self._memory_mb = tasks[0].options.memory_limit_mb
        self._on_progress = on_progress
        self._stop = stop
        self._beside = iter(beside)
        self._works_beside = bool(beside)  # a generator always has parts
        self._decision: tuple[Task, Solved] | None = None
        self._last_reason = ""
        self._unreported: deque[Progress] = deque()

    def start_from(self, witness: Witness | None) -> None:
        """Keep a witness from before the race, as that of a member of its own."""
        self._best.update(_Member(self._best.leader.task), witness, None)

    def decide(self) -> tuple[Task, Solved] | None:
        """Return the answer of a member, or what is known when no more is to come."""
        self._report()
        if self._continue_beside():
            return None
        if self._decision is not None:
            return self._decision
        if self._best.is_combined_optimum:  # else its own result follows
            return self._best.leader.task, self._conclude("")
        self._broadcast_best()
        reason = self._reason_to_end()
        if not reason and (self.running or self._schedule.waiting):
            return None
        reason = reason or self._with_deadline(self._last_reason)
        return self._best.leader.task, self._conclude(reason)

    def _continue_beside(self) -> bool:
        """Run the next part of what is beside the race; return False without one, or after a no."""
        refuted = self._decision is not None and self._decision[1].witness is None
        self._works_beside = not refuted and next(self._beside, None) is not None
        return self._works_beside

    def _broadcast_best(self) -> None:
        """Send every worker the best value and bound of the race."""
        update = self._best.as_update()
        for worker, member in self.running.values():
            if update not in (member.last_update, NO_UPDATE) and member.updates < MAX_UPDATES:
                member.last_update = update
                member.updates += 1
                with suppress(BackendError, EndedAtLimit):  # handled when its messages are read
                    worker.update(update)

    def end(self) -> None:
        """End the workers that still run, and have others ready unless this is the first race.

        Algorithms that look at their deadline stop by themselves, and their workers are kept.
        """
        is_first = WORKERS.started <= self._size
        is_decided = self._decision is not None or self._best.is_combined_optimum
        killed = []
        for worker, member in self.running.values():
            algorithm = member.task.algorithm
            if is_decided and not is_first and algorithm and algorithm.keeps_to_deadline:
                WORKERS.stop(worker)
            else:
                worker.kill()
                killed.append(member)
        for member in () if is_first else killed:
            with suppress(OSError):  # the answer is known, and whoever needs it starts another
                WORKERS.prepare(WORKER, member.task.loads)

    def start_due(self) -> None:
        """Start the members that the schedule has for now; one only while this process works."""
        if self._works_beside and (self.running or self._decision is not None):
            return
        while not self._schedule.kill.expired:  # starting one with a large hand takes a while
            member = self._schedule.take(clock_s(), self._used_s(), running=len(self.running))
            if member is None:
                return
            sent_at = clock_s() if self._schedule.loads(member) else None
            rest = replace(member.task, instance=NO_CARDS, deadline=self._schedule.deadline)
            try:
                sent = SentTask(self._instance, rest, sent_at)
                worker = WORKERS.start(WORKER, sent, member.task.loads)
            except OSError as error:
                if not self.running:
                    raise
                member.result = member.ended(f"it could not be started: {error}")
                continue
            self.running[worker.connection] = worker, member

    @property
    def wait_s(self) -> float:
        """Seconds until the next start, look at memory or at a stop, or the end."""
        if self._works_beside:
            return 0.0
        now = clock_s()
        wakes_at_s = self._schedule.wakes_at_s(now, self._used_s(), running=len(self.running))
        waits = [LONGEST_WAIT_S, wakes_at_s - now]
        if self._memory_mb is not None:
            waits.append(SAMPLE_S)
        if self._stop is not None:
            waits.append(STOP_S)
        return max(min(waits), 0.0)

    def _reason_to_end(self) -> str:
        """Return the reason to kill all workers; empty if they may continue."""
        if self._stop is not None and self._stop.is_set():
            return WAS_STOPPED
        if self._schedule.kill.expired:
            return STOPPED
        if self._memory_mb is not None:
            held_mb = sum(worker.memory_mb for worker, _ in self.running.values())
            if held_mb > self._memory_mb:
                return f"memory limit of {self._memory_mb:g} MB reached"
        return ""

    def _with_deadline(self, reason: str) -> str:
        """Put the deadline first in the reason if it has passed."""
        if not self._schedule.deadline.expired or reason.startswith(STOPPED):
            return reason
        return f"{STOPPED}; {reason}" if reason else STOPPED

    def finish(self, worker: Worker, member: _Member, result: Any) -> None:
        """Keep the result of a member, and give its worker back to the pool."""
        self._note_end(worker, member)
        WORKERS.give_back(worker)
        if isinstance(result, BackendError):
            self._keep_failure(member, result)
        elif not isinstance(result, Exception):
            self._keep(member, result)
        elif self._decision is None:
            raise result

    def fail(self, worker: Worker, member: _Member, error: Exception) -> None:
        """Note that the worker of a member has died, maybe at a limit of the system."""
        self._note_end(worker, member)
        worker.kill()
        if isinstance(error, EndedAtLimit):
            self._keep(member, member.ended(str(error)))
        else:
            self._keep_failure(member, error)

    def _keep(self, member: _Member, result: Solved) -> None:
        if result.status is not Status.UNKNOWN:
            self._decision = self._decision or (member.task, result)
            return
        self._best.update(member, result.witness, result.bound)
        member.result, self._last_reason = result, result.reason

    def _keep_failure(self, member: _Member, error: Exception) -> None:
        """Keep an error as a result unless others are left; raise it if nothing is known."""
        if self._decision is not None or self.running or self._schedule.waiting:
            return
        if not self._best.says_more:
            raise error
        self._keep(member, member.ended(str(error)))

    def handle(self, worker: Worker, member: _Member, message: object) -> None:
        """Take a message of a member: of its clock, its model, its progress or what it found."""
        del worker
        if message is READY:
            now_s = clock_s()
            if self._schedule.resume(member, now_s):
                tell_end_of_pause()
            self._schedule.loaded(member, now_s, self._used_s())
        elif isinstance(message, Pause):
            self._schedule.pause(member, clock_s())
            tell_pause(message.text)
        elif isinstance(message, Built):
            member.known, member.connectivity = dict(message.sizes), message.connectivity
        elif isinstance(message, Progress):
            member.known |= {"rounds": message.rounds, "cuts": message.cuts}
            self._best.update(member, None, message.bound)
            # Workers start at different times; report the time since the race began.
            elapsed_s = clock_s() - self._began
            self._unreported.append(replace(message, elapsed_s=elapsed_s))
        elif isinstance(message, Incumbent):
            self._best.update(member, message.witness, None)
        elif isinstance(message, Bound):
            self._best.update(member, None, message.value)

    def _note_end(self, worker: Worker, member: _Member) -> None:
        """Note that a worker has ended its task."""
        if self._schedule.waiting:
            self._used_by_ended_s += worker.cpu_s
        self._schedule.ended(member, clock_s(), running=len(self.running))

    def _used_s(self) -> float:
        """Return the CPU seconds of all members so far; 0 if no member waits for them."""
        if not self._schedule.waiting:
            return 0.0
        return self._used_by_ended_s + sum(worker.cpu_s for worker, _ in self.running.values())

    def _report(self) -> None:
        """Report progress: only the latest to a slow listener, and nothing once the time is up."""
        while self._unreported and not self._schedule.kill.expired:
            message = self._unreported.popleft()
            began = clock_s()
            if self._on_progress is not None:
                best = self._best.objective
                objective = message.objective if best is None else best
                self._on_progress(replace(message, objective=objective, bound=self._best.bound))
            if clock_s() - began > SLOW_S:
                self._unreported = deque(list(self._unreported)[-1:])

    def _conclude(self, reason: str) -> Solved:
        """Return the best witness and bound, as the optimum if they meet, and their statistics."""
        best = self._best
        own = best.leader.result or best.leader.ended(reason)
        known = replace(own, witness=best.witness, bound=best.bound, reason=reason)
        return replace(known, status=Status.OPTIMAL, reason="") if best.is_optimal else known
