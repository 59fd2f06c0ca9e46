"""The one loop that solves a model with lazily treated globals.

Solve without the globals; ask each for the cuts the assignment violates; add them; again. An
infeasible relaxation proves the model infeasible, an assignment without violated cuts solves it,
and each round cuts its own assignment off, so the loop ends.

With an objective the relaxation's optimum is a bound, and an assignment that violates the globals
may still be mended into a witness. A solver that only decides is asked for ever better values
(:func:`minimise_by_bounding`), one that minimises for the best (:func:`minimise`).
"""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import repeat

from uno_csp.answers import Status, Witness
from uno_csp.modeling import (
    Assignment,
    BoundingSession,
    Cut,
    Global,
    Objective,
    RelaxingSession,
    Result,
    Separator,
    Session,
    fractional_cuts,
    no_more_cuts,
    violated_cuts,
)
from uno_csp.pipeline.progress import Ear, Incumbent, Progress, Reporter

ONLY_DECIDES = "the backend only decides: of a better answer it says nothing"
"""The end of an optimisation by a session that can neither minimise nor bound."""

PATIENCE = 20
"""After so many rounds a search begins anew, then after twice as many, and so on."""


FIRST_ROUNDS, FIRST_CONFLICTS = 30, 2000
"""So much effort is spent on asking for the best value there could be."""


ROUNDING = 0.01
"""By so much less than a relaxation's value, computed in floating point, is taken as proved."""


Repair = Callable[[Assignment, int], Assignment | None]
"""Changes an assignment that breaks the globals into one that satisfies them, if it can; the number
is the work of the search so far, in propagations."""


def no_repair(_assignment: Assignment, _work: int) -> None:
    """Leave an assignment as it is."""


def work_of(result: Result, last: Result | None) -> int:
    """Return the propagations of one call of a solver, at least one for each variable.

    Unlike seconds they are the same on every machine: what is tried next may depend on them.

    Parameters
    ----------
    result
        Of the call; its statistics count all calls of its session.
    last
        Of the call before. If it was of another session, fewer propagations are counted now.
    """
    total = int(result.stats.get("propagations", 0))
    before = 0 if last is None else int(last.stats.get("propagations", 0))
    return max(total - before if total >= before else total, len(result.assignment or ()))


@dataclass(slots=True)
class Search:
    """The state of one run.

    Parameters
    ----------
    globals
        The constraints that are enforced here; none if the session holds everything.
    report
        Told of every round and every better witness.
    sign
        -1 where the question asks for the largest value, and the model minimises its negative.
    hear
        Asked for what others know.
    repair
        Tried on assignments that only break the globals.
    separate
        Asked about assignments that satisfy the globals.
    upper, lower
        The best value found and the best one proved, as the model counts.
    elsewhere
        The best value that others found.
    work
        The propagations of all rounds, at least one for each variable in each round.
    """

    globals: Sequence[Global]
    report: Reporter
    hear: Ear
    sign: int = 1
    repair: Repair = no_repair
    separate: Separator = no_more_cuts
    lower: int | None = None
    upper: int | None = None
    elsewhere: int | None = None
    witness: Witness | None = None
    rounds: int = 0
    cuts: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    work: int = 0
    started: float = 0.0
    last: Result | None = None

    def violated(self, assignment: Assignment) -> list[Cut]:
        """The cuts an assignment violates."""
        broken = [cut for each in self.globals for cut in violated_cuts(each, assignment)]
        return broken or list(self.separate(assignment))

    def note(self, result: Result, cuts: int) -> None:
        """Count a round."""
        self.rounds += 1
        self.cuts += cuts
        self.wall_s += result.wall_s
        self.cpu_s += result.cpu_s
        self.work += work_of(result, self.last)
        self.last = result
        self.tell()

    def note_cuts(self, cuts: int) -> None:
        """Count cuts that no solver call of its own led to."""
        self.cuts += cuts
        self.tell()

    def tell(self) -> None:
        """Report how far the run has come."""
        elapsed = time.perf_counter() - self.started
        objective = None if self.upper is None else self.sign * self.upper
        bound = None if self.lower is None else self.sign * self.lower
        self.report(Progress(self.rounds, self.cuts, elapsed, objective, bound))

    def improve(self, witness: Witness | None) -> None:
        """Keep a witness if it is the best so far."""
        if witness is None or witness.objective is None:
            return
        value = self.sign * witness.objective
        if self.upper is None or value < self.upper:
            self.upper, self.witness = value, witness
            self.report(Incumbent(witness))

    def prove(self, value: int | None) -> None:
        """Keep a bound if it is the best so far."""
        if value is not None and (self.lower is None or value > self.lower):
            self.lower = value

    def listen(self) -> None:
        """Take over what others found and proved."""
        news = self.hear()
        if news is not None:
            self.prove(None if news.bound is None else self.sign * news.bound)
            if news.objective is not None:
                self.elsewhere = self.sign * news.objective

    @property
    def least_known(self) -> int | None:
        """The best value found here or elsewhere."""
        return min((v for v in (self.upper, self.elsewhere) if v is not None), default=None)

    @property
    def closed(self) -> bool:
        """Whether the best value found is proved to be the best there is."""
        return self.lower is not None and self.upper is not None and self.upper <= self.lower

    def ended(self, status: Status, reason: str = "") -> Result:
        """The last result, with the solver seconds of all rounds and another status."""
        last = self.last or Result(Status.UNKNOWN, stop_reason="nothing was solved")
        kept = status in (Status.SATISFIABLE, Status.OPTIMAL)
        return replace(
            last,
            status=status,
            assignment=(last.assignment or ()) if kept else None,
            objective=self.upper if kept else None,
            bound=self.lower,
            stop_reason=reason,
            wall_s=self.wall_s,
            cpu_s=self.cpu_s,
        )


Reader = Callable[[Assignment, bool], Witness | None]
"""Reads an assignment as a witness; the flag says that it satisfies the globals."""


def decide(
    session: Session,
    search: Search,
    time_limit_s: float | None,
    another: Callable[[], Session] | None = None,
) -> Result:
    """Solve a model without an objective.

    Parameters
    ----------
    session
        Holds everything but the globals of the search.
    time_limit_s
        For all rounds together.
    another
        Opens a session of the same model with another seed. Luck comes early or not at all: after
        some rounds the search begins anew, with the cuts it has, and then takes longer.
    """
    deadline = _deadline(time_limit_s)
    kept: list[Cut] = []
    patience = None if another is None else PATIENCE
    result = _decide_within(session, search, deadline, patience, kept)
    while result is None:
        assert another is not None  # noqa: S101
        assert patience is not None  # noqa: S101
        patience *= 2
        with closing(another()) as fresh:
            fresh.add(kept)
            result = _decide_within(fresh, search, deadline, patience, kept)
    return result


def _decide_within(
    session: Session,
    search: Search,
    deadline: float | None,
    most_rounds: int | None,
    kept: list[Cut],
) -> Result | None:
    """The result, or None after so many rounds; their cuts are kept."""
    for _ in repeat(None) if most_rounds is None else range(most_rounds):
        result = session.solve(_left(deadline))
        cuts = [] if result.assignment is None else search.violated(result.assignment)
        search.note(result, len(cuts))
        if not cuts or result.assignment is None:
            return replace(result, wall_s=search.wall_s, cpu_s=search.cpu_s)
        repaired = search.repair(result.assignment, search.work)
        if repaired is not None:
            return replace(result, assignment=repaired, wall_s=search.wall_s, cpu_s=search.cpu_s)
        kept += cuts
        session.add(cuts)
    return None


def minimise(
    session: Session,
    search: Search,
    read: Reader,
    objective: Objective,
    time_limit_s: float | None,
) -> Result:
    """Minimise with a solver that can: the optimum of each relaxation is a bound.

    One that can leave integrality aside is asked for that first, and gets the cuts that fractions
    break: they cost little and make every bound better.
    """
    deadline = _deadline(time_limit_s)
    if isinstance(session, RelaxingSession):
        _cut_fractions(session, search, objective, deadline)
    while True:
        result = session.solve(_left(deadline))
        if result.status is Status.UNSATISFIABLE:
            search.note(result, 0)
            return search.ended(Status.UNSATISFIABLE)
        if result.assignment is None:
            search.note(result, 0)
            return search.ended(Status.UNKNOWN, result.stop_reason)
        search.prove(result.bound)
        cuts = search.violated(result.assignment)
        search.improve(read(result.assignment, not cuts))
        search.note(result, len(cuts))
        if search.closed:
            return search.ended(Status.OPTIMAL)
        if result.status is not Status.OPTIMAL:
            return search.ended(Status.UNKNOWN, result.stop_reason or ONLY_DECIDES)
        session.add(cuts)


def _cut_fractions(
    session: RelaxingSession, search: Search, objective: Objective, deadline: float | None
) -> None:
    """Add cuts that the relaxation breaks while it breaks any."""
    while True:
        values = session.solve_relaxed(_left(deadline))
        if values is None:
            return
        cuts = [cut for each in search.globals for cut in fractional_cuts(each, values)]
        search.prove(objective.bound_of_sum(objective.sum_of(values) - ROUNDING))
        search.note_cuts(len(cuts))
        if not cuts:
            return
        session.add(cuts)


def minimise_by_bounding(
    session: BoundingSession, search: Search, read: Reader, objective: Objective
) -> Result:
    """Minimise with a solver that only decides: halve the gap between found and proved.

    A bound is asked for under an assumption, so that all that was learned stays. Where nothing is
    proved yet, the best value there could be is asked for first.
    """
    least_value = _least_value(objective)
    search.prove(least_value)
    if search.lower == least_value and session.counts_conflicts:
        _look_for_the_best(session, search, read, objective)
        if search.closed:
            return search.ended(Status.OPTIMAL)
    assumed: list[int] = []
    target: int | None = None
    while True:
        result = session.solve_assuming(assumed)
        if result.status is Status.UNSATISFIABLE:
            search.prove(None if target is None else target + 1)
            search.note(result, 0)
            if target is None:
                return search.ended(Status.UNSATISFIABLE)
            session.add([[-literal] for literal in assumed])
        elif result.assignment is None:
            search.note(result, 0)
            return search.ended(Status.UNKNOWN, result.stop_reason)
        else:
            cuts = search.violated(result.assignment)
            search.improve(read(result.assignment, not cuts))
            search.note(result, len(cuts))
            session.add(cuts)
        search.listen()
        if search.closed:
            return search.ended(Status.OPTIMAL)
        assert search.lower is not None  # noqa: S101
        least = search.least_known
        # Where others found what is proved to be the best there is, it is still looked for here.
        highest = None if least is None else max(search.lower, least - 1)
        if highest is not None and (target is None or not search.lower <= target <= highest):
            target = (search.lower + highest) // 2
            largest = objective.largest_sum(target)
            assumed = [session.at_most(objective.coefficients, objective.literals, largest)]


def _look_for_the_best(
    session: BoundingSession, search: Search, read: Reader, objective: Objective
) -> None:
    """Ask for a value that meets the bound, with little effort: many hands need nothing."""
    assert search.lower is not None  # noqa: S101
    largest = objective.largest_sum(search.lower)
    assumed = [session.at_most(objective.coefficients, objective.literals, largest)]
    for _ in range(FIRST_ROUNDS):
        result = session.solve_assuming(assumed, FIRST_CONFLICTS)
        if result.assignment is None:
            search.note(result, 0)
            if result.status is Status.UNSATISFIABLE:
                search.prove(search.lower + 1)
                session.add([[-literal] for literal in assumed])
            return
        cuts = search.violated(result.assignment)
        search.improve(read(result.assignment, not cuts))
        search.note(result, len(cuts))
        if search.closed:
            return
        session.add(cuts)


def _least_value(objective: Objective) -> int:
    return objective.value_of_sum(sum(min(0, weight) for weight in objective.coefficients))


def _deadline(time_limit_s: float | None) -> float | None:
    return None if time_limit_s is None else time.perf_counter() + time_limit_s


def _left(deadline: float | None) -> float | None:
    return None if deadline is None else max(deadline - time.perf_counter(), 0.001)
