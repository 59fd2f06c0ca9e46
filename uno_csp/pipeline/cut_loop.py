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
from dataclasses import dataclass, replace

from uno_csp.backends import BoundingSession, Outcome, Result, Session
from uno_csp.instances import Witness
from uno_csp.modeling import Assignment, Cut, Global, Objective, violated_cuts
from uno_csp.pipeline.progress import Incumbent, Progress, Reporter

COAXING_LEVELS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)
COAXING_CONFLICTS = 5000
COAXING_ATTEMPTS = 300
"""How :func:`coax` proceeds: bounds on the objective; and on the effort at each of them."""


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
    upper, lower
        The best value found and the best one proved, as the model counts.
    """

    globals: Sequence[Global]
    report: Reporter
    sign: int = 1
    lower: int | None = None
    upper: int | None = None
    witness: Witness | None = None
    rounds: int = 0
    cuts: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    started: float = 0.0
    last: Result | None = None

    def violated(self, assignment: Assignment) -> list[Cut]:
        """The cuts an assignment violates."""
        return [cut for each in self.globals for cut in violated_cuts(each, assignment)]

    def note(self, result: Result, cuts: int) -> None:
        """Count a round."""
        self.rounds += 1
        self.cuts += cuts
        self.wall_s += result.wall_s
        self.cpu_s += result.cpu_s
        self.last = result
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

    @property
    def closed(self) -> bool:
        """Whether the best value found is proved to be the best there is."""
        return self.lower is not None and self.upper is not None and self.upper <= self.lower

    def ended(self, outcome: Outcome, reason: str = "") -> Result:
        """The last result, with the solver seconds of all rounds and another outcome."""
        last = self.last or Result(Outcome.UNKNOWN, stop_reason="nothing was solved")
        kept = outcome in (Outcome.SATISFIABLE, Outcome.OPTIMAL)
        return replace(
            last,
            outcome=outcome,
            assignment=(last.assignment or ()) if kept else None,
            objective=self.upper if kept else None,
            bound=self.lower,
            stop_reason=reason,
            wall_s=self.wall_s,
            cpu_s=self.cpu_s,
        )


Reader = Callable[[Assignment, bool], Witness | None]
"""Reads an assignment as a witness; the flag says that it satisfies the globals."""


def decide(session: Session, search: Search, time_limit_s: float | None) -> Result:
    """Solve a model without an objective.

    Parameters
    ----------
    session
        Holds everything but the globals of the search.
    time_limit_s
        For all rounds together.
    """
    deadline = _deadline(time_limit_s)
    while True:
        result = session.solve(_left(deadline))
        cuts = [] if result.assignment is None else search.violated(result.assignment)
        search.note(result, len(cuts))
        if not cuts:
            return replace(result, wall_s=search.wall_s, cpu_s=search.cpu_s)
        session.add(cuts)


def minimise(
    session: Session, search: Search, read: Reader, time_limit_s: float | None
) -> Result:  # fmt: skip
    """Minimise with a solver that can: the optimum of each relaxation is a bound."""
    deadline = _deadline(time_limit_s)
    while True:
        result = session.solve(_left(deadline))
        if result.outcome is Outcome.UNSATISFIABLE:
            search.note(result, 0)
            return search.ended(Outcome.UNSATISFIABLE)
        if result.assignment is None:
            search.note(result, 0)
            return search.ended(Outcome.UNKNOWN, result.stop_reason)
        search.prove(result.bound)
        cuts = search.violated(result.assignment)
        search.improve(read(result.assignment, not cuts))
        search.note(result, len(cuts))
        if search.closed:
            return search.ended(Outcome.OPTIMAL)
        if result.outcome is not Outcome.OPTIMAL:
            return search.ended(Outcome.UNKNOWN, result.stop_reason)
        session.add(cuts)


def minimise_by_bounding(
    session: BoundingSession, search: Search, read: Reader, objective: Objective
) -> Result:
    """Minimise with a solver that only decides: halve the gap between found and proved.

    A bound is asked for under an assumption, so that all that was learned stays.
    """
    search.prove(_least_value(objective))
    assumed: list[int] = []
    target: int | None = None
    while True:
        result = session.solve_assuming(assumed)
        if result.outcome is Outcome.UNSATISFIABLE:
            search.prove(None if target is None else target + 1)
            search.note(result, 0)
            if target is None:
                return search.ended(Outcome.UNSATISFIABLE)
            session.add([[-literal] for literal in assumed])
        elif result.assignment is None:
            search.note(result, 0)
            return search.ended(Outcome.UNKNOWN, result.stop_reason)
        else:
            cuts = search.violated(result.assignment)
            search.improve(read(result.assignment, not cuts))
            search.note(result, len(cuts))
            session.add(cuts)
        if search.closed:
            return search.ended(Outcome.OPTIMAL)
        assert search.lower is not None  # noqa: S101
        if search.upper is not None and (
            target is None or not search.lower <= target < search.upper
        ):
            target = (search.lower + search.upper - 1) // 2
            largest = objective.largest_sum(target)
            assumed = [session.at_most(objective.coefficients, objective.literals, largest)]


def coax(
    session: Session, search: Search, read: Reader, objective: Objective, limit_s: float | None
) -> Result:
    """Look for an assignment of a relaxation that can be read as a witness, small values first.

    Infeasible, the relaxation proves a no. What cannot be read is ruled out together with all that
    pays for the same and more, which is a guess; so when nothing is left that way, nothing is
    proved.
    """
    result = decide(session, search, limit_s)
    if result.assignment is None:
        return result
    search.witness = read(result.assignment, True)
    if search.witness is not None or not isinstance(session, BoundingSession):
        return search.ended(Outcome.SATISFIABLE)
    for level in (*COAXING_LEVELS, sum(objective.coefficients)):
        assumed = [session.at_most(objective.coefficients, objective.literals, level)]
        attempts = 0
        while attempts < COAXING_ATTEMPTS:
            result = session.solve_assuming(assumed, COAXING_CONFLICTS)
            if result.assignment is None:
                search.note(result, 0)
                break
            cuts = search.violated(result.assignment)
            search.note(result, len(cuts))
            if not cuts:
                search.witness = read(result.assignment, True)
                if search.witness is not None:
                    return search.ended(Outcome.SATISFIABLE)
                attempts += 1
                paid = [lit for lit in objective.literals if _holds(lit, result.assignment)]
                cuts = [[-literal for literal in paid]]
            session.add(cuts)
    return search.ended(Outcome.UNKNOWN, "nothing that was tried could be put in order")


def _holds(literal: int, assignment: Assignment) -> bool:
    return assignment[literal] if literal > 0 else not assignment[-literal]


def _least_value(objective: Objective) -> int:
    return objective.value_of_sum(sum(min(0, weight) for weight in objective.coefficients))


def _deadline(time_limit_s: float | None) -> float | None:
    return None if time_limit_s is None else time.perf_counter() + time_limit_s


def _left(deadline: float | None) -> float | None:
    return None if deadline is None else max(deadline - time.perf_counter(), 0.001)
