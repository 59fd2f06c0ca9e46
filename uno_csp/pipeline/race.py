"""Run tasks in child processes under a time limit, several for one question where that pays.

No kind of solver is the best on every hand: SAT is far ahead on structured ones, integer
programming on large random sparse ones. A race takes the first answer, and joins the best witness
of one side to the best bound of the other.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait

from uno_csp.answers import Status, Witness
from uno_csp.errors import BackendError
from uno_csp.modeling import STOPPED
from uno_csp.pipeline.progress import (
    Begun,
    Built,
    Incumbent,
    Message,
    News,
    Progress,
    ProgressListener,
)
from uno_csp.pipeline.stages import Solved, Task
from uno_csp.processes.workers import OutOfMemory, Worker, keep, take

WORKER = "uno_csp.pipeline.worker"
"""What the processes run."""

GRACE_S = 0.3
"""A solver that can stop itself at the limit gets this long to say what it found."""

LONGEST_WAIT_S = 3600.0
"""The system refuses to wait for very long at once."""

SLOW_S = 0.05
"""A listener that takes longer is told less often."""

SAMPLE_S = 0.05
"""So often the memory is looked at if there is a limit on it."""

HEAD_START_S = 0.5
"""How much later each further child of a race starts: small questions need no second one."""


LOADING_S = 2.0
"""The time limit does not run while the first child loads its solver, but no longer than this."""

MOST_NEWS = 1000
"""So often a side is told what others know: a side that never listens must not stop the race."""

NO_NEWS = News(None, None)

WAS_STOPPED = "it was stopped"
"""Why a run that was stopped from elsewhere has no answer."""


class Stop:
    """Something to stop a run with, from another thread; whoever waits for a run hears it too."""

    def __init__(self) -> None:
        self._heard, self._told = os.pipe()
        self._lock = threading.Lock()
        self._open = True
        self._set = False

    def fileno(self) -> int:
        """What can be waited for."""
        return self._heard

    def is_set(self) -> bool:
        """Whether the run is to stop."""
        return self._set

    def set(self) -> None:
        """Let the run stop; more than once changes nothing."""
        with self._lock:
            if self._open and not self._set:
                self._set = True
                os.write(self._told, b".")

    def close(self) -> None:
        """Give it up, when nobody waits any more."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._heard)
                os.close(self._told)


def run_isolated(
    tasks: Sequence[Task],
    deadline: float | None = None,
    on_progress: ProgressListener | None = None,
    stop: Stop | None = None,
) -> tuple[Task, Solved]:
    """Run tasks for the same question in child processes, until one of them has the answer.

    Bounds and witnesses of all count together: when the best witness of one meets the best bound of
    another, the optimum is found. The first task starts at once, each further one
    :data:`HEAD_START_S` later.

    Parameters
    ----------
    tasks
        At least one.
    deadline
        A :func:`time.monotonic` time, put off by what the first child takes to load its solver.
        Children that have not answered shortly after it are killed, and the status is UNKNOWN,
        with the best witness and bound so far, the reason beginning with
        :data:`~uno_csp.modeling.STOPPED`.
    on_progress
        Called in this process.
    stop
        When it is set the children are killed; the status is then UNKNOWN as at the deadline.

    A child that was killed from outside, or ran out of memory, leaves the status UNKNOWN.

    Returns
    -------
    tuple
        The task that ended the race, or got as far as any, and what came out.

    Raises
    ------
    BackendError
        If the last child that was left dies without an answer in another way, with its last words.
    Exception
        Whatever the stages raise, as they raised it.
    """
    race = _Race(tasks, deadline, on_progress, stop)
    try:
        return race.run()
    finally:
        race.end()


@dataclass(eq=False, slots=True)
class _Side:
    """One task of a race, and what is known of its run: sizes, rounds and cuts; the treatment.

    ``news`` are the latest it was told, and ``told`` how often it was.
    """

    task: Task
    known: dict[str, int] = field(default_factory=dict)
    treatment: str | None = None
    told: int = 0
    news: News = NO_NEWS


class _Race:
    """Several children at work on one question."""

    def __init__(
        self,
        tasks: Sequence[Task],
        deadline: float | None,
        on_progress: ProgressListener | None,
        stop: Stop | None,
    ) -> None:
        sides = [_Side(task, treatment=task.options.connectivity) for task in tasks]
        self._waiting = list(sides)
        self._deadline = deadline
        self._loading: _Side | None = None if deadline is None else sides[0]
        self._memory_mb = tasks[0].options.memory_limit_mb
        self._on_progress = on_progress
        self._stop = stop
        self._running: dict[Connection, tuple[Worker, _Side]] = {}
        self._sign = tasks[0].instance.sense.sign
        self._best: Witness | None = None
        self._bound: int | None = None
        self._leader = self._prover = sides[0]
        self._news: deque[Progress] = deque()
        self._began = self._next_start = time.monotonic()

    def run(self) -> tuple[Task, Solved]:
        """Start children and listen to them until the question is answered or given up."""
        given_up: Solved | None = None
        while self._running or self._waiting:
            self._start_due()
            for channel in self._ready():
                side = self._running[channel][1]
                message = self._hear_all(channel)
                self._tell_news()
                if isinstance(message, Solved):
                    if message.status is not Status.UNKNOWN:
                        return side.task, message
                    self._learn(side, message.witness, message.bound)
                    given_up = message
                if self._closed():
                    return self._leader.task, self._optimal()
                self._share()
            if self._stop is not None and self._stop.is_set():
                return self._leader.task, self._unfinished(WAS_STOPPED)
            if self._late():
                return self._leader.task, self._unfinished(STOPPED)
            if self._too_much():
                reason = f"memory limit of {self._memory_mb:g} MB reached"
                return self._leader.task, self._unfinished(reason)
        assert given_up is not None  # noqa: S101
        given_up = self._blamed(given_up)
        if self._best is None and self._bound is None:
            return self._leader.task, given_up
        return self._leader.task, self._unfinished(given_up.reason, given_up)

    def _ready(self) -> list[Connection]:
        """The channels on which there is something to hear, waited for; none when it is to stop."""
        stop = [] if self._stop is None else [self._stop.fileno()]
        ready = wait([*self._running, *stop], self._patience())
        return [channel for channel in self._running if channel in ready]

    def _share(self) -> None:
        """Tell every side what others found and proved."""
        news = News(None if self._best is None else self._best.objective, self._bound)
        for child, side in self._running.values():
            if news not in (side.news, NO_NEWS) and side.told < MOST_NEWS:
                side.news = news
                side.told += 1
                with suppress(BackendError, OutOfMemory):  # its end is noticed when it is heard
                    child.send(news)

    def end(self) -> None:
        """Kill whoever still runs."""
        for child, _ in self._running.values():
            child.kill()

    def _start_due(self) -> None:
        while self._waiting and (not self._running or time.monotonic() >= self._next_start):
            child = take(WORKER)
            side = self._waiting.pop(0)
            self._running[child.channel] = (child, side)
            sent_at = time.time() if side is self._loading else None
            child.send(replace(side.task, ends_at=self._ends_at(), sent_at=sent_at))
            self._next_start = time.monotonic() + HEAD_START_S

    def _ends_at(self) -> float | None:
        """The limit as the time of day: a worker may take a while until it reads its task."""
        if self._deadline is None:
            return None
        return time.time() + self._deadline - time.monotonic()

    def _patience(self) -> float:
        now = time.monotonic()
        times = [now + LONGEST_WAIT_S]
        if self._waiting:
            times.append(self._next_start)
        if self._deadline is not None:
            times.append(self._last_moment(self._deadline))
        if self._memory_mb is not None:
            times.append(now + SAMPLE_S)
        return max(min(times) - now, 0.0)

    def _too_much(self) -> bool:
        """Whether the children hold more memory than they may."""
        if self._memory_mb is None:
            return False
        return sum(child.memory_mb for child, _ in self._running.values()) > self._memory_mb

    def _late(self) -> bool:
        deadline = self._deadline
        return deadline is not None and time.monotonic() >= self._last_moment(deadline)

    def _last_moment(self, deadline: float) -> float:
        """When children are killed that have not answered."""
        return deadline + GRACE_S + (LOADING_S if self._loading is not None else 0.0)

    def _blamed(self, solved: Solved) -> Solved:
        """What a child said last; after the limit that is to blame, whatever it says."""
        over = self._deadline is not None and time.monotonic() >= self._deadline
        if not over or solved.reason.startswith(STOPPED):
            return solved
        reason = f"{STOPPED}; {solved.reason}" if solved.reason else STOPPED
        return replace(solved, reason=reason)

    def _hear_all(self, channel: Connection) -> Solved | None:
        """Take all that has come meanwhile, up to a final message."""
        while True:
            message = self._hear(channel)
            if message is not None or channel not in self._running or not channel.poll():
                return message

    def _hear(self, channel: Connection) -> Solved | None:
        """Take one message; a final one is returned, and the child kept for other tasks."""
        child, side = self._running[channel]
        try:
            message: Message | Solved | BaseException = child.receive()
        except OutOfMemory as error:
            self._bury(channel)
            return Solved(Status.UNKNOWN, reason=str(error))
        except BackendError:
            self._bury(channel)
            if self._running or self._waiting:
                return None
            raise
        if isinstance(message, Begun):
            self._has_begun(side, message.waited_s)
            return None
        if isinstance(message, Built):
            side.known, side.treatment = dict(message.sizes), message.connectivity
            return None
        if isinstance(message, Progress):
            side.known |= {"rounds": message.rounds, "cuts": message.cuts}
            self._learn(side, None, message.bound)
            # The children of a race began at different times; the run has begun once.
            self._news.append(replace(message, elapsed_s=time.monotonic() - self._began))
            return None
        if isinstance(message, Incumbent):
            self._learn(side, message.witness, None)
            return None
        del self._running[channel]
        self._has_begun(side, 0.0)  # it ended before it could say so
        keep(child)
        if isinstance(message, BaseException):
            if isinstance(message, BackendError) and (self._running or self._waiting):
                return None
            raise message
        return message

    def _bury(self, channel: Connection) -> None:
        """Give up a child that died."""
        child, side = self._running.pop(channel)
        self._has_begun(side, 0.0)
        child.kill()

    def _has_begun(self, side: _Side, waited_s: float) -> None:
        """Put the end off by what the first child took to load its solver."""
        if side is self._loading and self._deadline is not None:
            self._deadline += min(waited_s, LOADING_S)
            self._loading = None

    def _learn(self, side: _Side, witness: Witness | None, bound: int | None) -> None:
        if witness is not None and witness.objective is not None:
            known = None if self._best is None else self._best.objective
            if known is None or self._sign * witness.objective < self._sign * known:
                self._best, self._leader = witness, side
        if bound is not None and (
            self._bound is None or self._sign * bound > self._sign * self._bound
        ):
            self._bound, self._prover = bound, side

    def _tell_news(self) -> None:
        """Pass on the progress; to a slow listener only the latest, and to none after the limit."""
        while self._news and not self._late():
            message = self._news.popleft()
            began = time.monotonic()
            if self._on_progress is not None:
                best = message.objective if self._best is None else self._best.objective
                self._on_progress(replace(message, objective=best, bound=self._bound))
            if time.monotonic() - began > SLOW_S:
                self._news = deque(list(self._news)[-1:])

    def _closed(self) -> bool:
        """Whether one side's witness meets the other's bound; a side that has both says so."""
        if self._best is None or self._best.objective is None or self._bound is None:
            return False
        if self._leader is self._prover:
            return False
        return self._sign * self._best.objective <= self._sign * self._bound

    def _optimal(self) -> Solved:
        return replace(self._unfinished(""), status=Status.OPTIMAL)

    def _unfinished(self, reason: str, last: Solved | None = None) -> Solved:
        stats, treatment = self._leader.known, self._leader.treatment
        return Solved(
            Status.UNKNOWN,
            self._best,
            self._bound,
            reason,
            treatment if last is None else last.connectivity,
            stats if last is None else last.stats,
        )
