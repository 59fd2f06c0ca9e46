"""The search among the assignments of a relaxation for one that can be read as a witness.

The encoder tells cuts of what its model leaves out. They need not be all, so that an assignment
without broken cuts may still not be read; then it is ruled out together with all that have its
literals of the guide and more, which is a guess. As long as nothing was guessed, an infeasible
model proves that there is no witness.

A solver that only decides is asked for small values of the guide first, where most assignments can
be read, then for larger ones. How much effort a value deserves is not known: it gets little in
the first sweep over all values, and twice as much in each that follows, with another seed.
"""

import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from uno_csp.answers import Status
from uno_csp.modeling import (
    Assignment,
    BoundingSession,
    Clause,
    Cut,
    Encoded,
    Encoder,
    Objective,
    Result,
    Session,
)
from uno_csp.pipeline.cut_loop import Search, decide

LEVELS = (0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64)
"""The guide's values that are asked for, before any value will do."""

SWEEPS = 10
"""After so many sweeps the search is given up."""

FIRST_ROUNDS, FIRST_CONFLICTS = 1000, 5000
"""The effort for each value in the first sweep."""

NOT_READ = "nothing that was tried could be put in order"
"""The reason of a search that was given up."""


def decide_guided(
    session: Session,
    search: Search,
    encoder: Encoder[Any, Any],
    encoded: Encoded[Any],
    limit_s: float | None,
    another: Callable[[], Session],
) -> Result:
    """Decide a relaxation, and look for an assignment that its encoder can read.

    Parameters
    ----------
    session
        Holds everything but the globals of the search.
    limit_s
        For solvers that can stop themselves.
    another
        Opens a session of the same model with another seed.
    """
    ends_at = None if limit_s is None else time.perf_counter() + limit_s
    result = decide(session, search, limit_s)
    if result.assignment is None:
        return result
    search.witness = encoder.decode(encoded, result.assignment)
    if search.witness is not None:
        return search.ended(Status.SATISFIABLE)
    search.separate = encoder.separator(encoded)
    reading = _Reading(search, encoder, encoded)
    if isinstance(session, BoundingSession) and session.counts_conflicts:
        return reading.sweep(session, another)
    return reading.go_on(session, result.assignment, ends_at)


class _Reading:
    """Reads one assignment after another."""

    def __init__(self, search: Search, encoder: Encoder[Any, Any], encoded: Encoded[Any]) -> None:
        guide = encoded.model.guide
        assert guide is not None  # noqa: S101
        self._guide: Objective = guide
        self._search = search
        self._encoder, self._encoded = encoder, encoded
        self._cuts: list[Cut] = []
        self._guessed = False

    def go_on(self, session: Session, assignment: Assignment, ends_at: float | None) -> Result:
        """Read one assignment after another as the solver finds them."""
        while True:
            session.add(self._search.separate(assignment) or [self._guess(assignment)])
            left_s = None if ends_at is None else max(ends_at - time.perf_counter(), 0.001)
            result = decide(session, self._search, left_s)
            if result.assignment is None:
                if result.status is Status.UNSATISFIABLE and self._guessed:
                    return self._search.ended(Status.UNKNOWN, NOT_READ)
                return result
            assignment = result.assignment
            if self._read(assignment):
                return self._search.ended(Status.SATISFIABLE)

    def sweep(self, session: BoundingSession, another: Callable[[], Session]) -> Result:
        """Ask a solver that only decides for level after level of the guide, again and again."""
        most = len(self._guide.literals)
        levels = [*(level for level in LEVELS if level < most), most]
        result = self._sweep_once(session, levels, 1)
        for sweep in range(1, SWEEPS):
            if result is not None:
                return result
            with closing(another()) as fresh:
                assert isinstance(fresh, BoundingSession)  # noqa: S101
                fresh.add(self._cuts)
                result = self._sweep_once(fresh, levels, 2**sweep)
        return result or self._search.ended(Status.UNKNOWN, NOT_READ)

    def _sweep_once(
        self, session: BoundingSession, levels: list[int], effort: int
    ) -> Result | None:
        """Ask for each level with some effort; those that are refuted are taken off the list."""
        self._guessed = False
        for level in tuple(levels):
            status = self._ask(session, level, effort)
            if status is Status.SATISFIABLE:
                return self._search.ended(status)
            if status is Status.UNSATISFIABLE:
                del levels[: levels.index(level) + 1]  # what has no more is refuted with it
        return None if levels else self._search.ended(Status.UNSATISFIABLE)

    def _ask(self, session: BoundingSession, level: int, effort: int) -> Status:
        """What is known of one level after so much effort."""
        guide, search = self._guide, self._search
        assumed = [session.at_most(guide.coefficients, guide.literals, guide.largest_sum(level))]
        for _ in range(FIRST_ROUNDS * effort):
            result = session.solve_assuming(assumed, FIRST_CONFLICTS * effort)
            assignment = result.assignment
            cuts = [] if assignment is None else search.violated(assignment)
            search.note(result, len(cuts))
            if assignment is None:
                return Status.UNKNOWN if self._guessed else result.status
            if not cuts and self._read(assignment):
                return Status.SATISFIABLE
            self._cuts += cuts
            session.add(cuts or [self._guess(assignment)])
        return Status.UNKNOWN

    def _read(self, assignment: Assignment) -> bool:
        """Whether an assignment can be read as a witness."""
        self._search.witness = self._encoder.decode(self._encoded, assignment)
        return self._search.witness is not None

    def _guess(self, assignment: Assignment) -> Clause:
        """A clause that rules out an assignment that was not read, and its like."""
        self._guessed = True
        literals = self._guide.literals
        return [-lit for lit in literals if assignment[abs(lit)] == (lit > 0)]
