"""Verification of an assignment against a model, constraint by constraint."""

from uno_csp.modeling.cuts import violated_cuts
from uno_csp.modeling.decompositions import relax
from uno_csp.modeling.model import Assignment, Model, holds


def broken_constraint(model: Model, assignment: Assignment) -> str | None:
    """Describe the first constraint that an assignment violates; None if it satisfies the model.

    >>> model = Model()
    >>> a, b = model.new_vars(2)
    >>> model.add_clause(a, b)
    >>> broken_constraint(model, [False, False, False])
    'clause 1 (1 2)'
    """
    plain = relax(model)  # violated_cuts relies on the degree constraints, so check them first
    for number, clause in enumerate(plain.clauses, start=1):
        if not any(holds(literal, assignment) for literal in clause):
            return f"clause {number} ({' '.join(map(str, clause)) or 'empty'})"
    for number, linear in enumerate(plain.linears, start=1):
        terms = zip(linear.coefficients, linear.literals, strict=True)
        total = sum(weight for weight, literal in terms if holds(literal, assignment))
        if not linear.relation.holds(total, linear.bound):
            return f"linear constraint {number} ({total} {linear.relation} {linear.bound})"
    for number, parity in enumerate(plain.parities, start=1):
        if sum(holds(each, assignment) for each in parity.literals) % 2 != parity.odd:
            return f"parity {number}"
    for constraint in model.globals:
        if violated_cuts(constraint, assignment):
            return f"the constraint {type(constraint).__name__.lower()}"
    return None
