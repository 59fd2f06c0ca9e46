"""When the tasks of a race start, and when those without an answer are killed.

A task starts when those before it have used some CPU time, see :mod:`uno_csp.portfolio`. All other
times are of :func:`~uno_csp.processes.deadline.clock_s`.
"""

from collections.abc import Sequence
from typing import Generic, TypeVar

from uno_csp.processes.deadline import LOADING_S, NEVER, SOLVER_GRACE_S, Deadline

LOOK_S = 0.01  # least seconds between two looks at the CPU time of the members
PLACES = 2  # members that run at the same time, as far as head starts allow
Member = TypeVar("Member")


class Schedule(Generic[Member]):
    """The order and the times of the members of a race, and its deadline.

    The deadline is extended once by the time that the first member takes to load its solver, at
    most ``LOADING_S``, and by every pause of a member. ``after_s`` has for each the CPU seconds
    that the race has used when it starts, less those before a first member had loaded its solver;
    ``waiting`` has those that were not taken so far.
    """

    def __init__(
        self,
        members: Sequence[Member],
        after_s: Sequence[float],
        deadline: Deadline,
        began_s: float,
    ) -> None:
        self.waiting, self._after_s = list(members), list(after_s)
        self.deadline = deadline
        self._loading = None if deadline == NEVER else members[0]
        self._paused: tuple[Member, float] | None = None
        self._began_s = began_s
        self._used_loading_s: float | None = None

    def take(self, now_s: float, used_s: float, *, running: int) -> Member | None:
        """Return the next member if it is time by the CPU seconds used, or none runs."""
        if not self.waiting or (running and self._wait_s(now_s, used_s, running) > 0):
            return None
        del self._after_s[0]
        return self.waiting.pop(0)

    def _wait_s(self, now_s: float, used_s: float, running: int) -> float:
        if self._used_loading_s is None:
            return self._began_s + LOADING_S - now_s
        left_s = self._after_s[0] - (used_s - self._used_loading_s)
        return max(left_s / running, LOOK_S) if left_s > 0 else 0.0

    def loads(self, member: Member) -> bool:
        """Return True if the loading time of this member extends the deadline."""
        return member is self._loading

    def loaded(self, member: Member, now_s: float, used_s: float) -> None:
        """Note that a member has loaded its solver, when all have used some CPU time."""
        self._extend(member, now_s - self._began_s)
        if self._used_loading_s is None:
            self._used_loading_s = used_s

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

    def ended(self, member: Member, now_s: float, *, running: int) -> None:
        """Note the end of a member; the next one takes its place at once if few others run.

        A member that has not loaded its solver extends nothing.
        """
        if self._after_s and running < PLACES:
            self._after_s[0] = 0.0
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
        loading_s = 0.0 if self._loading is None else LOADING_S
        return self.deadline.shifted(SOLVER_GRACE_S + loading_s)

    def wakes_at_s(self, now_s: float, used_s: float, *, running: int) -> float:
        """Return the earliest moment of the next start, or else of the end."""
        if not self.waiting or not running:
            return self.kill.at_s
        return min(now_s + self._wait_s(now_s, used_s, running), self.kill.at_s)
