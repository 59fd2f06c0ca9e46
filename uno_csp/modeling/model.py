"""The model that every encoding writes and every backend reads.

Variables are Boolean, numbered from 1; a literal is a signed variable number, as in DIMACS. A
model is a set of clauses, linear constraints, parities (XOR), the two global constraints
:class:`Circuit` and :class:`Connected`, and at most one linear objective, which is minimised.
Constraints over many literals are one object each, and clauses are kept in flat arrays, so that a
hand of 10^5 cards does not spend its time in constructors.
"""

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from operator import eq, ge, le
from typing import Any, TypeAlias

from uno_csp.errors import NotAccepted
from uno_csp.modeling.clauses import Block, Clause, Clauses

Assignment: TypeAlias = Sequence[bool]  # the value of variable v at index v; index 0 is unused


def holds(literal: int, assignment: Assignment) -> bool:
    """Return True if a literal is true."""
    return assignment[literal] if literal > 0 else not assignment[-literal]


def value_of(literal: int, values: Sequence[float]) -> float:
    """Return the value of a literal at a fractional point, that of variable v at index v."""
    return values[literal] if literal > 0 else 1 - values[-literal]


class Relation(StrEnum):
    """The relation of a linear constraint."""

    AT_MOST = "<="
    AT_LEAST = ">="
    EQUAL = "="

    def holds(self, total: Any, bound: int) -> Any:
        """Return whether a sum has this relation; of a solver's expression, the constraint."""
        return _COMPARE[self](total, bound)


_COMPARE: dict[Relation, Callable[[Any, int], Any]] = {
    Relation.AT_MOST: le,
    Relation.AT_LEAST: ge,
    Relation.EQUAL: eq,
}


@dataclass(frozen=True, slots=True)
class Linear:
    """sum(coefficients[i] * literals[i]) <relation> bound, where a true literal counts 1."""

    coefficients: Sequence[int]
    literals: Sequence[int]
    relation: Relation
    bound: int


@dataclass(frozen=True, slots=True)
class Parity:
    """An XOR constraint: the number of true literals is odd (``odd``) or even."""

    literals: Sequence[int]
    odd: bool


@dataclass(frozen=True, slots=True)
class Objective:
    """Minimise max(floor, offset + sum(coefficients[i] * literals[i]) / unit).

    In every assignment that satisfies the model the sum is a multiple of ``unit``. Values below
    ``floor`` count as ``floor``, so a search can stop there.
    """

    coefficients: Sequence[int]
    literals: Sequence[int]
    offset: int = 0
    unit: int = 1
    floor: int | None = None

    def value(self, assignment: Assignment) -> int:
        """Return the objective value of an assignment."""
        terms = zip(self.coefficients, self.literals, strict=True)
        return self.value_of_sum(sum(weight for weight, each in terms if holds(each, assignment)))

    def sum_of(self, values: Sequence[float]) -> float:
        """Return the sum at a fractional point; the value of variable v is at index v."""
        terms = zip(self.coefficients, self.literals, strict=True)
        return sum(weight * value_of(literal, values) for weight, literal in terms)

    def value_of_sum(self, total: int) -> int:
        """Return the objective value for a sum."""
        value = self.offset - (-total // self.unit)
        return value if self.floor is None else max(self.floor, value)

    def bound_of_sum(self, total: float) -> int:
        """Return the bound on the objective value for a solver's bound on the sum.

        Solvers compute in floating point, so a bound just above an integer is not rounded up.
        """
        return self.value_of_sum(math.ceil(total - 1e-6 * max(1.0, abs(total) / 1e6)))

    def largest_sum(self, value: int) -> int:
        """Return the largest sum whose value is at most ``value``, which is not below the floor."""
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

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """Return the tail, the head and the literal of each arc."""
        return zip(self.tails, self.heads, self.literals, strict=True)


@dataclass(frozen=True, slots=True)
class ImpliedFacts:
    """Claims of an encoding about what its model implies for a :class:`Connected`.

    They are not checked while solving: a false claim cuts off solutions and silently turns a yes
    into a no. So tests solve the model with the negation of each claim.
    """

    # claim: each of these sets of nodes has a present node. Used for cuts, which need a present
    # node on either side, and for the choice of a root.
    covers: Sequence[Sequence[int]] = ()
    # claim: each of these sets of nodes has a present node unless the literal beside it is true.
    # Used for cuts of fractional solutions.
    covers_unless: Sequence[tuple[Sequence[int], int]] = ()
    # claim, if given: these edge weights (1 or 2) make the graph *even*. At every node the weights
    # of the chosen edges and the number of true literals of `loose` add up to an even number. Then
    # a border that must be crossed is crossed by a weight of at least 2, where the loose ends on
    # one side count 1 each.
    weights: Sequence[int] | None = None
    loose: Sequence[tuple[int, int]] = ()  # loose ends: pairs of a node and a literal
    # claim: in every optimal solution the masses of the present nodes add up to `least_mass` or
    # more. So a set of nodes with less has a present node outside. Used for cuts of fractional
    # solutions; these may cut off solutions that are not optimal.
    mass: Sequence[int] = ()
    least_mass: int = 0


NO_FACTS = ImpliedFacts()


@dataclass(frozen=True, slots=True)
class Connected:
    """The present nodes and the chosen edges form one connected graph, or there are no nodes.

    Node v is present when ``presence[v]`` is true; edge i joins ``tails[i]`` and ``heads[i]`` and
    is chosen when ``literals[i]`` is true. The rest of the model ensures that both ends of a chosen
    edge are present. ``implied`` facts make the cuts stronger, see :class:`ImpliedFacts`.
    """

    presence: Sequence[int]
    tails: Sequence[int]
    heads: Sequence[int]
    literals: Sequence[int]
    implied: ImpliedFacts = NO_FACTS

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """Return the two nodes and the literal of each edge."""
        return zip(self.tails, self.heads, self.literals, strict=True)


@dataclass(frozen=True, slots=True)
class AtLeastTwo:
    """The sum of the true literals is at least 2; those of ``once`` count 1, of ``twice`` 2."""

    once: Sequence[int]
    twice: Sequence[int]

    @property
    def linear(self) -> Linear:
        """The same constraint as a :class:`Linear`."""
        weights = [1] * len(self.once) + [2] * len(self.twice)
        return Linear(weights, [*self.once, *self.twice], Relation.AT_LEAST, 2)


Cut: TypeAlias = Clause | AtLeastTwo
"""A constraint that the lazy enforcement of a global adds to the model."""

Global: TypeAlias = Circuit | Connected


@cache
def _ones(count: int) -> tuple[int, ...]:
    """Return the coefficients of a cardinality constraint, which many share."""
    return (1,) * count


@dataclass(slots=True)
class Model:
    """Boolean variables and constraints; see the module for the meaning of each kind.

    ``search_objective`` is no part of the question: assignments for which it is small are worth
    looking at first. ``continuous`` lists variables whose integrality is implied by the others, or
    not needed: a linear solver may relax them to [0, 1].
    """

    num_vars: int = 0
    clauses: Clauses = field(default_factory=Clauses)
    linears: list[Linear] = field(default_factory=list)
    parities: list[Parity] = field(default_factory=list)
    globals: list[Global] = field(default_factory=list)
    objective: Objective | None = None
    search_objective: Objective | None = None
    continuous: MutableSequence[int] = field(default_factory=lambda: array("i"))

    def new_var(self) -> int:
        """Add a variable and return it."""
        self.num_vars += 1
        return self.num_vars

    def new_vars(self, count: int) -> range:
        """Add ``count`` variables with consecutive numbers and return them."""
        first = self.num_vars + 1
        self.num_vars += count
        return range(first, first + count)

    def add_clause(self, *literals: int) -> None:
        """Add a clause: at least one of the literals is true.

        Raises ValueError for a literal of a variable that the model does not have.
        """
        for literal in literals:
            if not 0 < abs(literal) <= self.num_vars:
                known = f"no variable from 1 to {self.num_vars}"
                raise ValueError(f"a literal of {literals} has {known}")
        self.clauses.extend((literals,))

    def add_clauses(self, clauses: Iterable[Clause]) -> None:
        """Add many clauses at once."""
        self.clauses.extend(clauses)

    def add_block(self, block: Block) -> None:
        """Add clauses that are computed when they are read."""
        self.clauses.add_block(block)

    def add_linear(
        self, coefficients: Sequence[int], literals: Sequence[int], relation: Relation, bound: int
    ) -> None:
        """Add a linear constraint; see :class:`Linear`."""
        self.linears.append(Linear(coefficients, literals, relation, bound))

    def at_most(self, literals: Sequence[int], bound: int) -> None:
        """Require that at most ``bound`` of the literals are true."""
        self.add_linear(_ones(len(literals)), literals, Relation.AT_MOST, bound)

    def exactly(self, literals: Sequence[int], bound: int) -> None:
        """Require that exactly ``bound`` of the literals are true."""
        self.add_linear(_ones(len(literals)), literals, Relation.EQUAL, bound)

    def add_parity(self, literals: Sequence[int], *, odd: bool) -> None:
        """Require that the number of true literals is odd, or even."""
        self.parities.append(Parity(literals, odd))

    def add_global(self, constraint: Global) -> None:
        """Add one of the two global constraints."""
        self.globals.append(constraint)

    def require_no_globals(self, target: str) -> None:
        """Raise NotAccepted if a global is left, which cannot be lowered to ``target``."""
        if self.globals:
            raise NotAccepted(
                f"a global constraint must be decomposed or treated lazily before {target}"
            )

    def copy(self) -> "Model":
        """Return a copy that can be extended without changing this model."""
        return replace(
            self,
            clauses=self.clauses.copy(),
            linears=[*self.linears],
            parities=[*self.parities],
            globals=[*self.globals],
            continuous=self.continuous[:],
        )
