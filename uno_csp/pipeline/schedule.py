"""When the tasks of a race start, and when those without an answer are killed.

All times are of :func:`time.monotonic`.
"""

from collections.abc import Sequence
from typing import Generic, TypeVar

from uno_csp.pipeline.stages import LOADING_S
from uno_csp.processes.deadline import NEVER, Deadline

GRACE_S = 0.3
"""Grace period in seconds after the deadline, for solvers that enforce the deadline themselves."""

HEAD_START_S = 0.25
"""Seconds from when the first task of a race has loaded its solver to the start of the second:
small questions need none. It doubles for each further task, which has to share a core with those
before it."""

LEADER_START_S = 0.05
"""Head start, in seconds, of a first task that leads: on most instances of the shape it has the
answer by then, and where it fails it takes many times as long as the second."""

BESIDE_LEADER_S = 3.0
"""Seconds from the start of the second task beside a leader to that of the third, which has to
share a core with them. It doubles for each further task."""

Member = TypeVar("Member")


class Schedule(Generic[Member]):
    """The order and the times of the members of a race, and its deadline.

    The deadline is extended once by the time that the first member takes to load its solver, at
    most :data:`~uno_csp.pipeline.stages.LOADING_S`, and by every pause of a member.

    Parameters
    ----------
    members
        In the order of their starts.
    deadline
        Deadline of all members.
    began_s
        The beginning of the race.
    leads
        The first member leads (see :data:`LEADER_START_S`).

    Attributes
    ----------
    waiting
        Members not taken so far.
    deadline
        Deadline of all members, extended if the first has loaded its solver.
    """

    def __init__(
        self, members: Sequence[Member], deadline: Deadline, began_s: float, *, leads: bool
    ) -> None:
        self.waiting = list(members)
        self.deadline = deadline
        self._loading = None if deadline == NEVER else members[0]
        self._paused: tuple[Member, float] | None = None
        self._began_s = self._next_start_s = began_s
        self._leads = leads
        self._head_start_s = 0.0  # until a member has loaded its solver

    def take(self, now_s: float, *, others_run: bool) -> Member | None:
        """Return the next member if its time has come, or at once if no other member runs."""
        if not self.waiting or (others_run and now_s < self._next_start_s):
            return None
        return self.waiting.pop(0)

    def started(self, now_s: float) -> None:
        """Note the start of a member: the one after the next has to wait twice as long."""
        self._next_start_s = now_s + (self._head_start_s or LOADING_S)
        self._head_start_s *= 2

    def loads(self, member: Member) -> bool:
        """Return True if the loading time of this member extends the deadline."""
        return member is self._loading

    def loaded(self, member: Member, now_s: float) -> None:
        """Note that a member has loaded its solver; the first to do so gets its head start."""
        self._extend(member, now_s - self._began_s)
        if not self._head_start_s:
            self._next_start_s = now_s + (LEADER_START_S if self._leads else HEAD_START_S)
            self._head_start_s = BESIDE_LEADER_S if self._leads else 2 * HEAD_START_S

    def pause(self, member: Member, now_s: float) -> None:
        """Note that what a member does from now on is not counted."""
        self._paused = member, now_s

    def resume(self, member: Member, now_s: float) -> bool:
        """Extend the deadline by the pause of a member; return False if it makes none."""
        if self._paused is None or self._paused[0] is not member:
            return False
        self.deadline = self.deadline.shifted(now_s - self._paused[1])
        self._paused = None
        return True

    def ended(self, member: Member, now_s: float) -> None:
        """Note the end of a member; the next one takes its place at once.

        A member that has not loaded its solver extends nothing.
        """
        self._next_start_s = min(self._next_start_s, now_s)
        self._extend(member, 0.0)
        self.resume(member, now_s)

    def _extend(self, member: Member, waited_s: float) -> None:
        if member is self._loading:
            self.deadline = self.deadline.shifted(min(waited_s, LOADING_S))
            self._loading = None

    @property
    def kill(self) -> Deadline:
        """The moment at which members without an answer are killed."""
        if self._paused is not None:
            return NEVER
        return self.deadline.shifted(GRACE_S + (LOADING_S if self._loading is not None else 0.0))

    @property
    def wakes_at_s(self) -> float:
        """The moment of the next start, or else of the end."""
        return min(self._next_start_s, self.kill.at_s) if self.waiting else self.kill.at_s
