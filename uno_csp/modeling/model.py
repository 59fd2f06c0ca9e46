"""The one model every encoding writes and every backend reads.

Variables are Boolean, numbered from 1; a literal is a signed variable number, as in DIMACS. A
model is a set of clauses, linear constraints, parities (XOR), the two global constraints
:class:`Circuit` and :class:`Connected`, and at most one linear objective, which is minimised.
Constraints over many literals are one object each, and clauses are bare sequences, so that a hand
of 10^5 cards does not spend its time in constructors.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from uno_csp.errors import NotAccepted

Clause: TypeAlias = Sequence[int]
"""A disjunction of literals."""

Assignment: TypeAlias = Sequence[bool]
"""The value of variable v at index v; index 0 is unused."""


class Relation(StrEnum):
    """How the two sides of a linear constraint compare."""

    AT_MOST = "<="
    AT_LEAST = ">="
    EQUAL = "="


@dataclass(frozen=True, slots=True)
class Linear:
    """sum(coefficients[i] * literals[i]) <relation> bound, a true literal counting 1."""

    coefficients: Sequence[int]
    literals: Sequence[int]
    relation: Relation
    bound: int


@dataclass(frozen=True, slots=True)
class Parity:
    """The number of true literals is odd (``odd``) or even."""

    literals: Sequence[int]
    odd: bool


@dataclass(frozen=True, slots=True)
class Objective:
    """Minimise max(floor, offset + sum(coefficients[i] * literals[i]) / unit).

    Of every assignment that satisfies the model the sum is a multiple of ``unit``. A value below
    ``floor`` is worth no more than the floor, so there is no need to look for one.
    """

    coefficients: Sequence[int]
    literals: Sequence[int]
    offset: int = 0
    unit: int = 1
    floor: int | None = None

    def value(self, assignment: Assignment) -> int:
        """What an assignment is worth."""
        total = sum(
            coefficient
            for coefficient, literal in zip(self.coefficients, self.literals, strict=True)
            if (assignment[literal] if literal > 0 else not assignment[-literal])
        )
        return self.value_of_sum(total)

    def sum_of(self, values: Sequence[float]) -> float:
        """The sum at a fractional point; the value of variable v is at index v."""
        terms = zip(self.coefficients, self.literals, strict=True)
        return sum(
            coefficient * (values[literal] if literal > 0 else 1 - values[-literal])
            for coefficient, literal in terms
        )

    def value_of_sum(self, total: int) -> int:
        """The value that goes with a sum."""
        value = self.offset - (-total // self.unit)
        return value if self.floor is None else max(self.floor, value)

    def bound_of_sum(self, total: float) -> int:
        """The bound on the value that goes with a solver's bound on the sum.

        Solvers compute in floating point, so a bound just above an integer is not rounded up.
        """
        return self.value_of_sum(math.ceil(total - 1e-6 * max(1.0, abs(total) / 1e6)))

    def largest_sum(self, value: int) -> int:
        """The largest sum that is worth at most ``value``, which is not below the floor."""
        return (value - self.offset) * self.unit


@dataclass(frozen=True, slots=True)
class Circuit:
    """The chosen arcs form one directed circuit through node 0 and every node that is not skipped.

    Arc i runs from ``tails[i]`` to ``heads[i]`` and is chosen when ``literals[i]`` is true. A
    chosen arc from a node to itself skips the node; node 0 cannot be skipped.
    """

    num_nodes: int
    tails: Sequence[int]
    heads: Sequence[int]
    literals: Sequence[int]


@dataclass(frozen=True, slots=True)
class Hints:
    """What the model around a :class:`Connected` implies, as claimed by who wrote the model.

    Nobody checks these claims while solving: a false one cuts solutions off, and a yes becomes a
    no without a word. So they are tested by solving the model with their opposite.

    Parameters
    ----------
    covers
        Claim: of each of these sets of nodes at least one is present. For cuts that need a node on
        either side of a border, and for the choice of a root.
    weights
        Claim, if given: they make the graph *even*. At every node the chosen edges, counted by
        their weights (1 or 2), and the true literals of ``loose`` add up to an even number. Where
        something must cross a border, the weight that crosses it is then 2 at least, unless
        a loose end is on one side.
    loose
        The loose ends, pairs of a node and a literal.
    """

    covers: Sequence[Sequence[int]] = ()
    weights: Sequence[int] | None = None
    loose: Sequence[tuple[int, int]] = ()


NO_HINTS = Hints()


@dataclass(frozen=True, slots=True)
class Connected:
    """The present nodes and the chosen edges form one connected graph, or there are no nodes.

    Node v is present when ``presence[v]`` is true; edge i joins ``tails[i]`` and ``heads[i]`` and
    is chosen when ``literals[i]`` is true. The model around it makes sure that a chosen edge has
    both its ends present. What is known besides makes cuts stronger, see :class:`Hints`.
    """

    presence: Sequence[int]
    tails: Sequence[int]
    heads: Sequence[int]
    literals: Sequence[int]
    hints: Hints = NO_HINTS


@dataclass(frozen=True, slots=True)
class AtLeastTwo:
    """The true literals count two at least, those of ``once`` one each, of ``twice`` two each."""

    once: Sequence[int]
    twice: Sequence[int]

    @property
    def linear(self) -> Linear:
        """The same as a linear constraint."""
        weights = [1] * len(self.once) + [2] * len(self.twice)
        return Linear(weights, [*self.once, *self.twice], Relation.AT_LEAST, 2)


Cut: TypeAlias = Clause | AtLeastTwo
"""What a lazily treated global adds to the model."""

Global: TypeAlias = Circuit | Connected


@dataclass(slots=True)
class Model:
    """Boolean variables and constraints; see the module for the meaning of each kind.

    ``guide`` is no part of what is asked: assignments of which it is small are worth being looked
    at first. ``continuous`` lists variables whose integrality is implied by the others, or not
    needed: a linear solver may relax them to [0, 1].

    Examples
    --------
    >>> model = Model()
    >>> a, b = model.new_vars(2)
    >>> model.add_clause(a, b)
    >>> model.at_most([a, b], 1)
    >>> model.num_vars, model.clauses, model.linears[0].bound
    (2, [(1, 2)], 1)
    """

    num_vars: int = 0
    clauses: list[Clause] = field(default_factory=list)
    linears: list[Linear] = field(default_factory=list)
    parities: list[Parity] = field(default_factory=list)
    globals: list[Global] = field(default_factory=list)
    objective: Objective | None = None
    guide: Objective | None = None
    continuous: list[int] = field(default_factory=list)

    def new_var(self) -> int:
        """A fresh variable."""
        self.num_vars += 1
        return self.num_vars

    def new_vars(self, count: int) -> range:
        """``count`` fresh variables, numbered in a row."""
        first = self.num_vars + 1
        self.num_vars += count
        return range(first, first + count)

    def add_clause(self, *literals: int) -> None:
        """At least one of the literals is true."""
        self.clauses.append(literals)

    def add_clauses(self, clauses: Iterable[Clause]) -> None:
        """Many clauses at once."""
        self.clauses.extend(clauses)

    def add_linear(
        self, coefficients: Sequence[int], literals: Sequence[int], relation: Relation, bound: int
    ) -> None:
        """A linear constraint; see :class:`Linear`."""
        self.linears.append(Linear(coefficients, literals, relation, bound))

    def at_most(self, literals: Sequence[int], bound: int) -> None:
        """At most ``bound`` of the literals are true."""
        self.add_linear([1] * len(literals), literals, Relation.AT_MOST, bound)

    def exactly(self, literals: Sequence[int], bound: int) -> None:
        """Exactly ``bound`` of the literals are true."""
        self.add_linear([1] * len(literals), literals, Relation.EQUAL, bound)

    def add_parity(self, literals: Sequence[int], *, odd: bool) -> None:
        """The number of true literals is odd, or even."""
        self.parities.append(Parity(literals, odd))

    def add_global(self, constraint: Global) -> None:
        """One of the two global constraints."""
        self.globals.append(constraint)

    def require_no_globals(self, target: str) -> None:
        """Nothing, if every constraint can be lowered to ``target``.

        Raises
        ------
        NotAccepted
            If a global constraint is left.
        """
        if self.globals:
            raise NotAccepted(
                f"a global constraint must be decomposed or treated lazily before {target}"
            )

    def copy(self) -> "Model":
        """A model that can be extended without changing this one."""
        return Model(
            self.num_vars,
            list(self.clauses),
            list(self.linears),
            list(self.parities),
            list(self.globals),
            self.objective,
            self.guide,
            list(self.continuous),
        )
