"""Lowering of a model to the rows of an integer program.

A literal not-x is 1 - x. A clause is a row whose literals sum to at least 1. A parity of few
literals is written as its clauses, whose rows are facets of the convex hull of its solutions; a
longer one gets an integer slack: the sum is 2 * slack, or 2 * slack + 1 when it is odd.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from uno_csp.modeling.clauses import Clause
from uno_csp.modeling.cnf import xor_clauses
from uno_csp.modeling.model import AtLeastTwo, Cut, Linear, Model, Objective, Relation

SHORT_PARITY = 5
"""Maximum number n of literals of a parity that is written as its 2^(n - 1) clauses."""


@dataclass(frozen=True, slots=True)
class Row:
    """sum(coefficients[i] * column[columns[i]]) <relation> bound; columns are counted from 0."""

    coefficients: Sequence[int]
    columns: Sequence[int]
    relation: Relation
    bound: int

    @property
    def holds_empty(self) -> bool:
        """True if the row holds when all its coefficients are 0."""
        return bool(self.relation.holds(0, self.bound))


@dataclass(slots=True)
class Rows:
    """An integer program; column v - 1 is variable v, and the integer slacks follow.

    ``upper`` has the upper bound of each column (all lower bounds are 0), ``continuous`` the
    columns that need not be integral, ``costs`` and ``offset`` the terms and the constant of the
    objective's sum.
    """

    upper: list[int]
    rows: list[Row] = field(default_factory=list)
    continuous: set[int] = field(default_factory=set)
    costs: dict[int, int] = field(default_factory=dict)
    offset: int = 0


def to_rows(model: Model) -> Rows:
    """Lower a model without globals to linear rows.

    Raises NotAccepted if the model still has a global constraint.
    """
    model.require_no_globals("rows")
    program = Rows([1] * model.num_vars, continuous={variable - 1 for variable in model.continuous})
    program.rows.extend(clause_row(clause) for clause in model.clauses)
    for parity in model.parities:
        if len(parity.literals) <= SHORT_PARITY:
            clauses = xor_clauses(parity.literals, odd=parity.odd)
            program.rows.extend(clause_row(clause) for clause in clauses)
            continue
        slack = len(program.upper)
        program.upper.append(len(parity.literals) // 2)
        row = _row([1] * len(parity.literals), parity.literals, Relation.EQUAL, int(parity.odd))
        program.rows.append(
            Row([*row.coefficients, -2], [*row.columns, slack], Relation.EQUAL, row.bound)
        )
    program.rows.extend(map(linear_row, model.linears))
    if model.objective is not None:
        row = objective_row(model.objective)
        program.costs = dict(zip(row.columns, row.coefficients, strict=True))
        program.offset = -row.bound
    return program


def clause_row(clause: Clause) -> Row:
    """Return a clause as a row."""
    return _row([1] * len(clause), clause, Relation.AT_LEAST, 1)


def cut_row(cut: Cut) -> Row:
    """Return a cut as a row."""
    if isinstance(cut, AtLeastTwo):
        return linear_row(cut.linear)
    return clause_row(cut)


def linear_row(linear: Linear) -> Row:
    """Return a linear constraint as a row."""
    return _row(linear.coefficients, linear.literals, linear.relation, linear.bound)


def objective_row(objective: Objective) -> Row:
    """Return the sum of an objective as the left side of a row, with its negated constant."""
    return _row(objective.coefficients, objective.literals, Relation.AT_MOST, 0)


def _row(
    coefficients: Sequence[int], literals: Sequence[int], relation: Relation, bound: int
) -> Row:
    """Return a linear constraint as a row; terms with the same column are added up."""
    terms: dict[int, int] = {}
    for coefficient, literal in zip(coefficients, literals, strict=True):
        column = abs(literal) - 1
        if literal < 0:
            bound -= coefficient
            coefficient = -coefficient  # noqa: PLW2901
        terms[column] = terms.get(column, 0) + coefficient
    if 0 in terms.values():
        terms = {column: coefficient for column, coefficient in terms.items() if coefficient}
    return Row(list(terms.values()), list(terms), relation, bound)
