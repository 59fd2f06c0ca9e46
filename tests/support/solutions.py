"""All solutions of small models, by their lowerings and by their cuts."""

from collections.abc import Sequence
from itertools import product

from pysat.solvers import Solver

from uno_csp.modeling import AtLeastTwo, Cut, Model, Relation, relax, to_cnf, violated_cuts

HOLDS = {Relation.AT_MOST: int.__le__, Relation.AT_LEAST: int.__ge__, Relation.EQUAL: int.__eq__}
"""Functions that decide whether a relation holds."""

Values = tuple[bool, ...]


def satisfiable(clauses: Sequence[Sequence[int]]) -> bool:
    """Return True if some assignment satisfies the clauses."""
    if () in clauses:
        return False
    with Solver("cadical195", bootstrap_with=[list(clause) for clause in clauses]) as solver:
        return bool(solver.solve())


def value(literal: int, values: Values) -> bool:
    return values[abs(literal) - 1] == (literal > 0)


def solutions(model: Model, num_vars: int, *, native: bool = False) -> set[Values]:
    """All assignments to the first variables that the lowered model allows."""
    cnf = to_cnf(model, native_at_most=native)
    found = set()
    with Solver(name="minicard" if native else "glucose4") as solver:
        solver.append_formula([list(clause) for clause in cnf.clauses])
        for literals, bound in cnf.at_mosts:
            solver.add_atmost(list(literals), bound)
        for values in product((False, True), repeat=num_vars):
            fixed = [v + 1 if each else -v - 1 for v, each in enumerate(values)]
            if solver.solve(assumptions=fixed):
                found.add(values)
    return found


def lazy_solutions(model: Model, num_vars: int) -> set[Values]:
    """Assignments that satisfy the relaxation and break no cut; cuts must spare all of these."""
    good, cuts = set(), []
    for values in solutions(relax(model), num_vars):
        assignment = [False, *values]
        broken = [cut for each in model.globals for cut in violated_cuts(each, assignment)]
        if broken:
            assert not all(holds(cut, values) for cut in broken)
        cuts += broken
        if not broken:
            good.add(values)
    for values in good:
        assert all(holds(cut, values) for cut in cuts)
    return good


def holds(cut: Cut, values: Values) -> bool:
    if isinstance(cut, AtLeastTwo):
        once = sum(value(literal, values) for literal in cut.once)
        return once + 2 * sum(value(literal, values) for literal in cut.twice) >= 2
    return any(value(literal, values) for literal in cut)
