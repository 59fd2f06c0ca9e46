"""The one loop that solves a model with lazily enforced globals.

Solve without the globals; separate the cuts that the assignment violates; add them; repeat. An
infeasible relaxation proves the model infeasible, an assignment without violated cuts solves it,
and each round cuts its own assignment off, so the loop ends.

With an objective the relaxation's optimum is a bound, and a primal heuristic may turn an assignment
that violates the globals into a witness. A solver that only decides is asked for ever better values
(:func:`minimise_by_bounding`), one that minimises for the best (:func:`minimise`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count, cycle, repeat

from uno_csp.modeling import (
    Assignment,
    BoundingSession,
    Circuit,
    Cut,
    Model,
    Objective,
    RelaxingSession,
    Result,
    add_residues,
)
from uno_csp.pipeline.search import Search
from uno_csp.questions.answers import Status

MANY_CUTS = 300
"""Number of cuts of a linear relaxation above which those with slack are dropped: they slow down
every node, and a solution that violates one of them is cut off again."""

SLACKS = (7, 3, 1, 0)  # losses, in units of the objective, accepted to connect an optimum
ONLY_A_BOUND = "the best value of the model is only a bound"
ONLY_DECIDES = "the backend cannot minimise: the incumbent may not be optimal"
"""Reason of a session that can neither minimise nor bound."""

RESTART_AFTER = 30  # rounds before the first restart
MODULI = (2, 3, 1)  # moduli for :func:`add_residues` after each restart, in turn; 1 adds nothing

FIRST_ROUNDS, FIRST_CONFLICTS = 30, 2000  # limits of the first calls, for the lower bound
ROUNDING = 0.01  # safety margin subtracted from a floating-point bound before it is rounded up


def decide(search: Search, *, restarts: bool = True) -> Result:
    """Solve a model without an objective.

    It restarts with another seed, and all cuts so far, after :data:`RESTART_AFTER` rounds times the
    terms of the sequence 1, 1, 2, 1, 1, 2, 4, ... (Luby, Sinclair and Zuckerman 1993): the number
    of rounds to an answer is heavy-tailed, and most assignments of a long series differ from the
    one before in two components only. Then places on circuits are counted modulo each of
    :data:`MODULI` in turn, which excludes all cycles of other lengths; a cut excludes one.
    """
    runs, moduli = map(_luby, count(1)), cycle(MODULI)
    result = None
    while result is None:
        rounds = repeat(None, RESTART_AFTER * next(runs)) if restarts else repeat(None)
        result = _decide_within(search, rounds)
        if result is None:
            search.restart(_label(search, next(moduli)))
    return result


def _label(search: Search, modulus: int) -> Model:
    """Return the model of a search with residues on its circuits, unless a linear solver has it."""
    if modulus == 1 or isinstance(search.session, RelaxingSession):
        return search.model
    model = search.model.copy()
    for constraint in search.lazy:
        if isinstance(constraint, Circuit):
            add_residues(model, constraint, modulus)
    return model


def _luby(index: int) -> int:
    """Return a term of Luby's sequence; the first is at 1."""
    power = 1 << (index.bit_length() - 1)
    if index == 2 * power - 1:
        return power
    return _luby(index - power + 1)


def _decide_within(search: Search, rounds: Iterable[None]) -> Result | None:
    """Return the result, or None if it takes more rounds."""
    for _ in rounds:
        result = search.solve()
        cuts = [] if result.assignment is None else search.violated(result.assignment)
        search.note(result, len(cuts))
        if not cuts or result.assignment is None:
            return replace(result, wall_s=search.wall_s, cpu_s=search.cpu_s)
        repaired = search.repair(result.assignment, search.work)
        if repaired is not None:
            return replace(result, assignment=repaired, wall_s=search.wall_s, cpu_s=search.cpu_s)
        search.add(cuts)
    return None


def minimise(search: Search, objective: Objective) -> Result:
    """Minimise with a solver that can: the optimum of each relaxation is a bound.

    A session of linear relaxations first gets the cuts that their solutions violate, which cost
    little.
    """
    if isinstance(search.session, RelaxingSession):
        _cut_fractions(search, search.session, objective)
    while True:
        result = search.solve()
        if result.status is Status.UNSATISFIABLE:
            search.note(result, 0)
            return search.ended(Status.UNSATISFIABLE)
        if result.assignment is None:
            search.note(result, 0)
            return search.ended(Status.UNKNOWN, result.stop_reason)
        search.prove(result.bound)
        cuts = search.violated(result.assignment)
        search.read(result.assignment, not cuts)
        if cuts and isinstance(search.session, RelaxingSession):
            cuts += _relaxed_cuts(search, list(map(float, result.assignment)))
        search.note(result, len(cuts))
        if cuts and not search.closed and result.status is Status.OPTIMAL:
            _improve(search, objective, result.assignment)
        if search.closed:
            return search.ended(Status.OPTIMAL)
        if result.status is not Status.OPTIMAL:
            return search.ended(Status.UNKNOWN, result.stop_reason or ONLY_DECIDES)
        if not cuts:
            return search.ended(Status.UNKNOWN, ONLY_A_BOUND)
        search.add(cuts)


def _improve(search: Search, objective: Objective, assignment: Assignment) -> None:
    """Look near the optimum of a relaxation for a connected assignment, better than the best known.

    First it may be somewhat worse than that optimum, then less, as long as that succeeds.
    """
    least = objective.value(assignment)
    for slack in SLACKS:
        if search.best_known is not None and least + slack >= search.best_known:
            continue
        improved = search.improve(assignment, least + slack)
        if improved is None:
            return
        search.read(improved, feasible=True)
        if isinstance(search.session, RelaxingSession):
            search.session.start_from(improved)


def _relaxed_cuts(search: Search, values: Sequence[float]) -> list[Cut]:
    """Return the cuts that a solution of the linear relaxation violates."""
    from uno_csp.modeling.fractional_cuts import fractional_cuts, parity_cuts  # numpy loads slowly

    cuts: list[Cut] = [cut for each in search.lazy for cut in fractional_cuts(each, values)]
    return cuts + parity_cuts(search.model.parities, values)


def _cut_fractions(search: Search, session: RelaxingSession, objective: Objective) -> None:
    """Add cuts until the optimum of the linear relaxation violates none; keep the tight ones."""
    from uno_csp.modeling.fractional_cuts import is_tight  # numpy loads slowly

    cuts: list[Cut] = []
    while True:
        values = session.solve_relaxed(search.deadline.limit_s)
        if values is None:
            return
        before, cuts = cuts, _relaxed_cuts(search, values)
        search.prove(objective.bound_of_sum(objective.sum_of(values) - ROUNDING))
        search.note_cuts(len(cuts))
        if not cuts or cuts == before:  # within the solver's tolerance they hold
            break
        search.add(cuts)
    if search.cuts > MANY_CUTS:
        search.keep(lambda cut: is_tight(cut, values))


def minimise_by_bounding(search: Search, session: BoundingSession, objective: Objective) -> Result:
    """Minimise with a solver that only decides, in one session: halve the gap to the bound."""
    least_value = _least_value(objective)
    search.prove(least_value)
    if search.lower == least_value and session.supports_conflict_limit:
        _test_bound(search, session, objective)
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
            _read_and_cut(search, objective, result)
        search.poll_bounds()
        if search.closed:
            return search.ended(Status.OPTIMAL)
        if search.exhausted:
            return search.ended(Status.UNKNOWN, ONLY_A_BOUND)
        assert search.lower is not None  # noqa: S101
        best = search.best_known
        # A value found elsewhere that meets the bound still needs a witness from here.
        highest = None if best is None else max(search.lower, best - 1)
        if highest is not None and (target is None or not search.lower <= target <= highest):
            target = (search.lower + highest) // 2
            assumed = [_at_most(session, objective, target)]


def _test_bound(search: Search, session: BoundingSession, objective: Objective) -> None:
    """Look, with little effort, for a value that meets the bound: many hands need no card added."""
    assert search.lower is not None  # noqa: S101
    assumed = [_at_most(session, objective, search.lower)]
    for _ in range(FIRST_ROUNDS):
        result = session.solve_assuming(assumed, FIRST_CONFLICTS)
        if result.assignment is None:
            search.note(result, 0)
            if result.status is Status.UNSATISFIABLE:
                search.prove(search.lower + 1)
                session.add([[-literal] for literal in assumed])
            return
        _read_and_cut(search, objective, result)
        if search.closed:
            return


def _at_most(session: BoundingSession, objective: Objective, value: int) -> int:
    """Return a literal that, assumed, bounds the objective value from above."""
    largest = objective.largest_sum(value)
    return session.at_most(objective.coefficients, objective.literals, largest)


def _read_and_cut(search: Search, objective: Objective, result: Result) -> None:
    """Read a round's assignment, and add the cuts it violates."""
    assert result.assignment is not None  # noqa: S101
    cuts = search.violated(result.assignment)
    search.read(result.assignment, not cuts)
    if not cuts:
        search.reach(objective.value(result.assignment))
    search.note(result, len(cuts))
    search.add(cuts)


def _least_value(objective: Objective) -> int:
    return objective.value_of_sum(sum(min(0, weight) for weight in objective.coefficients))
