"""Lowering of a model to clauses, optionally with native at-most constraints.

Small cardinality bounds become a sequential counter, whose size is linear in the number of
literals for a fixed bound (a totalizer over thousands of literals with bound 2 costs seconds). It
is implemented here because PySAT's takes time quadratic in the number of literals: 2.8 s for
30,000 of them. Larger bounds become PySAT's modulo totalizer, general coefficients go through
``pysat.pb``, and parities become chains of short XORs.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import chain, combinations, product, repeat
from operator import itemgetter, mul
from typing import Protocol, TypeAlias

from uno_csp.modeling.clauses import Clause, Clauses
from uno_csp.modeling.model import AtLeastTwo, Cut, Linear, Model, Parity, Relation

XOR_LENGTH = 4
"""Number of literals in one link of a parity chain; a link has 2^(length - 1) clauses."""

LINKS_AT_ONCE = 32  # number of links of a parity chain whose clauses are made at once

SMALL_BOUND = 32
"""Maximum bound for a sequential counter, whose clauses are made for as many literals at once.

Above it the totalizer is smaller.
"""

FEW_LITERALS = 5  # maximum number of literals for the pairwise at-most-one encoding

MANY_LITERALS = 16
"""Maximum number of literals of weight 1 for which an at-least-two cut is written as clauses."""

MAX_REPEATS = 4  # maximum coefficient that is encoded by repeating its literal

AtMosts: TypeAlias = list[tuple[Sequence[int], int]]
"""Native cardinality constraints: literals, and how many of them may be true."""


class ClauseSink(Protocol):
    """A target of clauses: a list, or a stream that writes them."""

    def append(self, clause: Clause, /) -> None:
        """Take a clause."""

    def extend(self, clauses: Iterable[Clause], /) -> None:
        """Take clauses."""


class Formula(Protocol):
    """The target of a lowered model: a :class:`Cnf`, or a file that is being written."""

    num_vars: int

    @property
    def clauses(self) -> ClauseSink:
        """The target of the clauses."""


@dataclass(slots=True)
class Cnf:
    """Clauses over variables 1..num_vars; ``at_mosts`` are native constraints (literals, bound)."""

    num_vars: int
    clauses: list[Clause] = field(default_factory=list)
    at_mosts: AtMosts = field(default_factory=list)

    def shuffle(self, seed: int) -> None:
        """Permute the clauses and the literals in them, for solvers that take no seed."""
        order = random.Random(seed)
        self.clauses = [order.sample(list(clause), len(clause)) for clause in self.clauses]
        order.shuffle(self.clauses)


def to_cnf(model: Model, *, native_at_most: bool = False) -> Cnf:
    """Lower a model without globals to clauses; raise NotAccepted if it has one.

    Its variables keep their numbers, and auxiliary ones follow. With ``native_at_most``,
    cardinality constraints are kept for solvers that support them natively.
    """
    cnf = Cnf(model.num_vars)
    lower(model, cnf, cnf.at_mosts if native_at_most else None)
    return cnf


def lower(model: Model, formula: Formula, at_mosts: AtMosts | None = None) -> None:
    """Lower a model as :func:`to_cnf` does, into a formula that has its variables.

    Cardinality constraints are added to ``at_mosts`` if that is given.
    """
    model.require_no_globals("CNF")
    formula.clauses.extend(model.clauses)
    for parity in model.parities:
        _add_parity(formula, parity)
    for linear in model.linears:
        for coefficients, literals, bound in as_at_mosts(linear):
            _add_at_most(formula, coefficients, literals, bound, at_mosts)


def parity_clauses(model: Model) -> Model:
    """Return the model with its parities as clauses."""
    written = replace(model, clauses=model.clauses.copy(), parities=[])
    for parity in model.parities:
        _add_parity(written, parity)
    return written


def cut_clauses(cut: Cut) -> list[Clause]:
    """Return a cut as clauses.

    A long :class:`AtLeastTwo` gives none: the plain clause that accompanies it has to do.

    >>> cut_clauses(AtLeastTwo([1, 2], [3]))
    [[3, 2], [3, 1]]
    """
    if not isinstance(cut, AtLeastTwo):
        return [cut]
    once, twice = cut.once, cut.twice
    if len(once) > MANY_LITERALS:
        return []
    return [[*twice, *once[:i], *once[i + 1 :]] for i in range(len(once))]


def add_switchable_at_most(
    cnf: Cnf, coefficients: Sequence[int], literals: Sequence[int], bound: int
) -> tuple[int, list[Clause]]:
    """Add sum(coefficients[i] * literals[i]) <= bound, enforced while a new literal is true.

    The literal is returned with the clauses that were added.
    """
    cnf.num_vars += 1
    switch = cnf.num_vars
    alone = Cnf(cnf.num_vars)
    for each in as_at_mosts(Linear(coefficients, literals, Relation.AT_MOST, bound)):
        _add_at_most(alone, *each)
    cnf.num_vars = alone.num_vars
    added: list[Clause] = [[-switch, *clause] for clause in alone.clauses]
    if not added:  # CryptoMiniSat refuses to assume a variable that is in no clause
        added.append([switch, -switch])
    cnf.clauses.extend(added)
    return switch, added


def xor_clauses(literals: Sequence[int], *, odd: bool) -> Clauses:
    """Return the clauses of a parity, one for each forbidden assignment.

    >>> xor_clauses([1, 2], odd=True)
    [[1, 2], [-1, -2]]
    """
    if not literals:
        return Clauses([()] * odd)
    return _clauses_over(literals, _xor_pattern(len(literals), odd))


Pattern: TypeAlias = Callable[[Sequence[int]], tuple[int, ...]]
"""The clauses over variables 1, 2, ... as a function that puts literals in their places."""


def _clauses_over(literals: Sequence[int], pattern: Pattern) -> Clauses:
    # index -v of the table has the negation of what index v has
    table = [0, *literals, *(-literal for literal in reversed(literals))]
    return Clauses.of_literals(pattern(table))


@cache
def _xor_pattern(count: int, odd: bool) -> Pattern:
    return itemgetter(*_xor_literals(range(1, count + 1), odd=odd))


@cache
def _chain_pattern(links: int) -> Pattern:
    """Return the clauses of links, whose last variables follow those of all links."""
    length = XOR_LENGTH - 1
    clauses: list[int] = []
    for link in range(links):
        linked = range(length * link + 1, length * (link + 1) + 1)
        clauses += _xor_literals((*linked, length * links + link + 1), odd=False)
    return itemgetter(*clauses)


def _xor_literals(variables: Sequence[int], *, odd: bool) -> Iterator[int]:
    for signs in product((1, -1), repeat=len(variables)):
        if (signs.count(-1) % 2 == 0) == odd:
            yield from map(mul, signs, variables)
            yield 0


def _add_parity(cnf: Formula, parity: Parity) -> None:
    length = XOR_LENGTH - 1
    links = max(0, -((XOR_LENGTH - len(parity.literals)) // (length - 1)))
    new = range(cnf.num_vars + 1, cnf.num_vars + 1 + links)
    cnf.num_vars += links
    rest = [*parity.literals, *new]
    for start in range(0, links, LINKS_AT_ONCE):
        carried = new[start : start + LINKS_AT_ONCE]
        linked = rest[length * start : length * (start + len(carried))]
        cnf.clauses.extend(_clauses_over([*linked, *carried], _chain_pattern(len(carried))))
    cnf.clauses.extend(xor_clauses(rest[length * links :], odd=parity.odd))


def as_at_mosts(linear: Linear) -> list[tuple[list[int], list[int], int]]:
    """Return the constraint as one or two (coefficients > 0, literals, upper bound)."""
    signs = {Relation.AT_MOST: (1,), Relation.AT_LEAST: (-1,), Relation.EQUAL: (1, -1)}[
        linear.relation
    ]
    found = []
    for sign in signs:
        bound = sign * linear.bound
        coefficients, literals = [], []
        for given, literal in zip(linear.coefficients, linear.literals, strict=True):
            coefficient = sign * given
            if coefficient < 0:  # c * x = c + |c| * (not x)
                bound -= coefficient
                coefficients.append(-coefficient)
                literals.append(-literal)
            elif coefficient > 0:
                coefficients.append(coefficient)
                literals.append(literal)
        found.append((coefficients, literals, bound))
    return found


def _add_at_most(
    cnf: Formula,
    coefficients: list[int],
    literals: list[int],
    bound: int,
    at_mosts: AtMosts | None = None,
) -> None:
    total = sum(coefficients)
    if bound >= total:
        return
    if bound < 0:
        cnf.clauses.append(())
    elif bound == 0:
        cnf.clauses.extend((-literal,) for literal in literals)
    elif bound == total - min(coefficients):
        cnf.clauses.append([-literal for literal in literals])
    elif max(coefficients) <= MAX_REPEATS:
        repeated = list(chain.from_iterable(map(repeat, literals, coefficients)))
        if at_mosts is not None and len(repeated) == len(literals):
            at_mosts.append((repeated, bound))
        else:
            _add_cardinality(cnf, repeated, bound)
    else:
        _add_weighted(cnf, coefficients, literals, bound)


def _add_cardinality(cnf: Formula, literals: list[int], bound: int) -> None:
    if bound == 1 and len(literals) <= FEW_LITERALS:
        cnf.clauses.extend((-a, -b) for a, b in combinations(literals, 2))
    elif bound <= SMALL_BOUND:
        _add_sequential_counter(cnf, literals, bound)
    else:
        from pysat.card import CardEnc, EncType  # a solver package: loaded when it is needed

        found = CardEnc.atmost(
            literals, bound=bound, top_id=cnf.num_vars, encoding=EncType.kmtotalizer
        )
        cnf.num_vars = max(cnf.num_vars, found.nv)
        cnf.clauses.extend(found.clauses)


def _add_sequential_counter(cnf: Formula, literals: list[int], bound: int) -> None:
    """Add an at-most constraint over more than ``bound`` literals, after Sinz (2005).

    Register j of literal i is true if more than j of the literals up to i are true. For n literals
    this takes ``bound * (n - 1) - bound * (bound - 1) / 2`` variables, and at most
    ``2 * bound + 1`` clauses for each literal.
    """
    before = range(0)
    for start in range(0, len(literals) - 1, SMALL_BOUND):
        counted = literals[start : min(start + SMALL_BOUND, len(literals) - 1)]
        registers, pattern = _counter_pattern(len(counted), len(before), bound)
        new = range(cnf.num_vars + 1, cnf.num_vars + 1 + registers)
        cnf.num_vars += registers
        cnf.clauses.extend(_clauses_over([*counted, *before, *new], pattern))
        before = new[-bound:]
    cnf.clauses.append((-literals[-1], -before[-1]))


@lru_cache(maxsize=256)
def _counter_pattern(count: int, carried: int, bound: int) -> tuple[int, Pattern]:
    """Return how many registers ``count`` literals take, and their clauses.

    Variables are the literals, the ``carried`` registers of the literal before them, and the new
    registers.
    """
    before = range(count + 1, count + carried + 1)
    top = count + carried
    clauses: list[int] = []
    for literal in range(1, count + 1):
        registers = range(top + 1, top + 1 + min(len(before) + 1, bound))
        top += len(registers)
        clauses += (-literal, registers[0], 0)
        for old, new in zip(before, registers, strict=False):
            clauses += (-old, new, 0)
        for old, new in zip(before, registers[1:], strict=False):
            clauses += (-literal, -old, new, 0)
        if len(before) == bound:
            clauses += (-literal, -before[-1], 0)
        before = registers
    return top - count - carried, itemgetter(*clauses)


def _add_weighted(cnf: Formula, coefficients: list[int], literals: list[int], bound: int) -> None:
    from pysat.pb import PBEnc  # a solver package: loaded when it is needed

    found = PBEnc.atmost(literals, weights=coefficients, bound=bound, top_id=cnf.num_vars)
    cnf.num_vars = max(cnf.num_vars, found.nv)
    cnf.clauses.extend(found.clauses)
