"""The search among the assignments of a relaxation for one that decodes to a witness.

The encoder separates cuts of what its model leaves out. It need not find all of them, so an
assignment without violated cuts may still not decode. Then it is ruled out together with all that
have its literals of the search objective and more, which is a guess. As long as nothing was
guessed, an infeasible model proves that there is no witness.

A solver that only decides is asked for small values of the search objective first, where most
assignments decode, then for larger ones. The effort that a value deserves is not known: it gets
little in the first sweep over all values, and twice as much in each further one, with another seed.
"""

from collections.abc import Sequence

from uno_csp.modeling import Assignment, BoundingSession, Cut, Result
from uno_csp.pipeline.cut_loop import decide
from uno_csp.pipeline.search import Search
from uno_csp.questions.answers import Status

LEVELS = (0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64)
"""Values of the search objective that are tried; the last level is its largest value."""

SWEEPS = 10  # maximum number of sweeps over all levels

FIRST_ROUNDS, FIRST_CONFLICTS = 40, 5000  # effort for each level in the first sweep
NOT_DECODED = "no solution of the relaxation that was tried could be put in order"
"""Reason of a search that was given up."""


def decide_guided(search: Search) -> Result:
    """Decide a relaxation, and look for an assignment that its encoder can decode."""
    result = decide(search, restarts=False)
    if result.assignment is None:
        return result
    search.witness = search.encoder.decode(search.encoded, result.assignment)
    if search.witness is not None:
        return search.ended(Status.SATISFIABLE)
    search.separate = search.encoder.separator(search.encoded)
    decoding = _Decoding(search)
    session = search.session
    if isinstance(session, BoundingSession) and session.supports_conflict_limit:
        return decoding.sweep()
    return decoding.go_on(result.assignment)


class _Decoding:
    """Decodes one assignment after another until one is a witness."""

    def __init__(self, search: Search) -> None:
        objective = search.encoded.model.search_objective
        assert objective is not None  # noqa: S101
        self._objective = objective
        self._search = search
        self._guessed = False

    def go_on(self, assignment: Assignment) -> Result:
        """Decode one assignment after another as the solver finds them."""
        search = self._search
        while True:
            self._rule_out(assignment, search.separate(assignment))
            result = decide(search, restarts=False)
            if result.assignment is None:
                if result.status is Status.UNSATISFIABLE and self._guessed:
                    return search.ended(Status.UNKNOWN, NOT_DECODED)
                return result
            assignment = result.assignment
            if self._decodes(assignment):
                return search.ended(Status.SATISFIABLE)

    def sweep(self) -> Result:
        """Try level after level of the search objective, again and again."""
        most = len(self._objective.literals)
        levels = [*(level for level in LEVELS if level < most), most]
        for number in range(SWEEPS):
            if number:
                self._search.restart()
            result = self._sweep_once(levels, 2**number)
            if result is not None:
                return result
        return self._search.ended(Status.UNKNOWN, NOT_DECODED)

    def _sweep_once(self, levels: list[int], effort: int) -> Result | None:
        """Try each level with some effort; those that are refuted are taken off the list."""
        self._guessed = False
        for level in tuple(levels):
            status = self._try(level, effort)
            if status is Status.SATISFIABLE:
                return self._search.ended(status)
            if status is Status.UNSATISFIABLE:
                del levels[: levels.index(level) + 1]  # smaller values are refuted with it
        return None if levels else self._search.ended(Status.UNSATISFIABLE)

    def _try(self, level: int, effort: int) -> Status:
        """Look for a witness whose search objective is at most a level."""
        objective, search, session = self._objective, self._search, self._search.session
        assert isinstance(session, BoundingSession)  # noqa: S101
        largest = objective.largest_sum(level)
        assumed = [session.at_most(objective.coefficients, objective.literals, largest)]
        for _ in range(FIRST_ROUNDS * effort):
            result = session.solve_assuming(assumed, FIRST_CONFLICTS * effort)
            assignment = result.assignment
            cuts = [] if assignment is None else search.violated(assignment)
            search.note(result, len(cuts))
            if assignment is None:
                return Status.UNKNOWN if self._guessed else result.status
            if not cuts and self._decodes(assignment):
                return Status.SATISFIABLE
            self._rule_out(assignment, cuts)
        return Status.UNKNOWN

    def _decodes(self, assignment: Assignment) -> bool:
        """Decode an assignment; return True if it is a witness."""
        self._search.witness = self._search.encoder.decode(self._search.encoded, assignment)
        return self._search.witness is not None

    def _rule_out(self, assignment: Assignment, cuts: Sequence[Cut]) -> None:
        """Add cuts or, without any, a guess that rules out an assignment and its like."""
        if cuts:
            self._search.add(cuts)
            return
        self._guessed = True
        literals = self._objective.literals
        guess = [-lit for lit in literals if assignment[abs(lit)] == (lit > 0)]
        self._search.session.add([guess])
