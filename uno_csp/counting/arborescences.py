"""Sum Eulerian circuits over pairs of matrices of arcs, by minors.

By the BEST theorem, arcs between vertices of degrees ``d`` have ``det(D - A) * prod((d - 1)!)``
Eulerian circuits, where the determinant counts the arborescences to one more vertex. The degrees
depend only on how many arcs enter each vertex, so matrices with the same sums of rows and columns
are taken together. Of ``A`` only its minors matter: a minor of ``A + B`` is a sum of products of a
minor of ``A`` and the complementary one of ``B`` (Laplace's expansion of a determinant of a sum).
Numbers are residues modulo primes small enough that sums of products are exact in float64.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import factorial, prod
from operator import mul
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from uno_csp.graph_tools.fragments import TooMany
from uno_csp.processes.deadline import Deadline

MOST_MATRICES = 1 << 22  # maximum number of different matrices of arcs in a half of the symbols
MOST_PRODUCTS = 1 << 25  # maximum number of sums of two matrices of arcs that are formed at once
MOST_ENTRIES = 1 << 27  # maximum number of entries of a half's minors, and of weights
_BELOW = (3, 17, 27, 33, 57, 87, 105, 113, 117, 123, 131, 137, 161, 167, 173, 197)
MODULI = tuple((1 << 22) - below for below in _BELOW)
"""The largest primes below 2 to the 22; their product has 352 bits."""

BITS = 8  # bits of an entry of a packed matrix
_CHUNK = 1 << 16  # maximum number of matrices, or of pairs of groups, computed at once
Array: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = tuple[int, ...]

Matrices: TypeAlias = Mapping[int, int]
"""For matrices of arcs, packed, in how many ways labelled cards are split into such lists.

Row a and column b have the number of arcs from colour a to colour b. A last row has the arc of the
list that the card on the pile begins.
"""


class Half:
    """The matrices of arcs of half of the symbols, grouped by balance and arcs that enter.

    The balance of a colour is the number of arcs that leave it, less those that enter it. ``rows``
    has for each balance the range of its groups, ``entering`` for each group the arcs that enter
    each colour (two-dimensional), ``minors`` for each prime and group the sums of all minors times
    ways: those of the rows and columns in ``column`` (three-dimensional).
    """

    def __init__(
        self, colours: int, parts: Sequence[Matrices], moduli: Sequence[int], deadline: Deadline
    ) -> None:
        arcs, ways = _product(colours, parts, moduli, deadline)
        entering = arcs.sum(axis=1, dtype=np.int64)
        balance = arcs[:, :colours].sum(axis=2, dtype=np.int64) - entering
        labels = np.concatenate([balance, entering], axis=1)
        order = np.lexsort(labels.T[::-1])
        labels = labels[order]
        begins = _changes(labels)
        balances = labels[begins][:, :colours]
        self.entering = labels[begins][:, colours:]
        firsts = np.flatnonzero(_changes(balances)).tolist()
        self.rows: dict[Places, slice] = {
            tuple(balances[first].tolist()): slice(first, end)
            for first, end in zip(firsts, [*firsts[1:], len(balances)], strict=True)
        }
        self.column = {name: number for number, name in enumerate(_square(range(colours)))}
        if len(moduli) * len(balances) * len(self.column) > MOST_ENTRIES:
            raise TooMany(f"more than {MOST_ENTRIES} minors of matrices of arcs")
        shape = len(moduli), len(balances), len(self.column)
        self.minors = np.zeros(shape, dtype=np.int32)
        group = np.cumsum(begins) - 1
        for begin in range(0, len(order), _CHUNK):
            deadline.check()
            chosen = order[begin : begin + _CHUNK]
            groups = group[begin : begin + _CHUNK]
            starts = np.flatnonzero(_changes(groups[:, None]))
            at = groups[starts]
            minors = _minors(arcs[chosen, :colours].astype(np.int64), list(self.column))
            for which, modulus in enumerate(moduli):
                weighted = _reduce(minors * ways[which, chosen, None], np.float64(modulus))
                summed = self.minors[which, at] + np.add.reduceat(weighted, starts, axis=0)
                self.minors[which, at] = summed % modulus


def _product(
    colours: int, parts: Sequence[Matrices], moduli: Sequence[int], deadline: Deadline
) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
    """Return the sums of one matrix of each part, and the ways of each modulo the primes."""
    size = colours * (colours + 1)
    tables = [_table(part, size) for part in sorted(parts, key=len)]
    radix = np.sum([table.max(axis=0) for table in tables] or [[0] * size], axis=0) + 1
    if prod(radix.tolist()) >= 1 << 63:
        raise TooMany("the arcs between the colours are too many for a 64-bit number")
    units = np.cumprod([1, *radix[:-1]])
    sums = np.zeros(1, dtype=np.int64)
    ways = np.ones((len(moduli), 1), dtype=np.int32)
    for table, part in zip(tables, sorted(parts, key=len), strict=True):
        deadline.check()
        if len(sums) * len(table) > MOST_PRODUCTS:
            raise TooMany(f"more than {MOST_PRODUCTS} sums of matrices of arcs")
        both = (sums[:, None] + table @ units).ravel()
        order = np.argsort(both, kind="stable")
        both = both[order]
        starts = np.flatnonzero(_changes(both[:, None]))
        if len(starts) > MOST_MATRICES:
            raise TooMany(f"more than {MOST_MATRICES} matrices of arcs between the colours")
        more = np.empty((len(moduli), len(starts)), dtype=np.int32)
        for which, modulus in enumerate(moduli):
            deadline.check()
            factors = np.array([number % modulus for number in part.values()], dtype=np.int64)
            times = (ways[which, :, None] * factors % modulus).ravel()[order]
            more[which] = np.add.reduceat(times, starts) % modulus
        sums, ways = both[starts], more
    arcs = np.empty((len(sums), size), dtype=np.int16)
    for column in range(size):
        arcs[:, column] = sums // units[column] % radix[column]
    return arcs.reshape(-1, colours + 1, colours), ways


def _table(part: Matrices, size: int) -> Array:
    packed = b"".join(matrix.to_bytes(size, "little") for matrix in part)
    return np.frombuffer(packed, dtype=np.uint8).astype(np.int64).reshape(-1, size)


def _changes(rows: Array) -> NDArray[np.bool_]:
    """Return where sorted rows differ from the row before; True at the first."""
    return np.concatenate([[True], (rows[1:] != rows[:-1]).any(axis=1)])


def _square(places: Sequence[int]) -> Iterator[tuple[Places, Places]]:
    """Yield the pairs of subsets of the same size, smaller ones first."""
    for size in range(len(places) + 1):
        for rows in combinations(places, size):
            for columns in combinations(places, size):
                yield rows, columns


def _minors(arcs: Array, names: Sequence[tuple[Places, Places]]) -> Floats:
    """Return the minors of each matrix, expanded along the first of their rows."""
    found: dict[tuple[Places, Places], Array] = {}
    for rows, columns in names:
        if not rows:
            found[rows, columns] = np.ones(len(arcs), dtype=np.int64)
            continue
        total = np.zeros(len(arcs), dtype=np.int64)
        for place, column in enumerate(columns):
            smaller = found[rows[1:], columns[:place] + columns[place + 1 :]]
            total += (-1) ** place * arcs[:, rows[0], column] * smaller
        found[rows, columns] = total
    return np.stack([found[name] for name in names], axis=1).astype(np.float64)


def _reduce(values: Floats, modulus: Floats | np.float64) -> Floats:
    """Reduce integers modulo a prime in place; those from 2 to the 51 on are not exact."""
    quotients = values / modulus
    np.floor(quotients, out=quotients)
    quotients *= modulus
    values -= quotients
    return values


@dataclass(frozen=True, slots=True)
class Term:
    """Starts and ends of runs at each colour; the factor of their trails is times / parts."""

    starts: Places
    ends: Places
    times: int
    parts: int


@dataclass(frozen=True, slots=True)
class _Expansion:
    """The part of ``det(D - A - B)`` with the degrees of all but some vertices."""

    inside: Places  # those vertices: their rows and columns are in the minors
    # the columns of the minors of `A` and of `B` that are multiplied, and the signs
    one: Array
    two: Array
    signs: Array


class Circuits:
    """Eulerian circuits of the sums of a matrix of each half, modulo primes.

    At most ``runs`` runs start at a colour. ``pairs`` has for each sum of balances the pairs of
    ranges of groups that have it.
    """

    def __init__(
        self, one: Half, two: Half, moduli: Sequence[int], runs: int, deadline: Deadline
    ) -> None:
        self._one, self._two, self._moduli = one, two, moduli
        self._deadline = deadline
        self._colours = one.entering.shape[1]
        fewest = [half.entering.min(axis=0) for half in (one, two)]
        most = one.entering.max(axis=0) + two.entering.max(axis=0) + runs
        self._least = sum(fewest).tolist()
        self._degrees = (most - sum(fewest) + 1).tolist()
        if prod(self._degrees) * len(moduli) << self._colours > MOST_ENTRIES:
            raise TooMany(f"more than {MOST_ENTRIES} combinations of degrees")
        self._units = np.cumprod([1, *self._degrees[:-1]])
        self._places = [
            (half.entering - least) @ self._units
            for half, least in zip((one, two), fewest, strict=True)
        ]
        self._weighed: dict[tuple[int, frozenset[int]], NDArray[np.int32]] = {}
        self.pairs: defaultdict[Places, list[tuple[slice, slice]]] = defaultdict(list)
        for first, second in product(one.rows, two.rows):
            balance = tuple(a + b for a, b in zip(first, second, strict=True))
            self.pairs[balance].append((one.rows[first], two.rows[second]))

    def work(self, balance: Places, terms: Sequence[Term]) -> int:
        """Return the number of entries of the products of minors that are needed."""
        pairs: int = sum(
            (one.stop - one.start) * (two.stop - two.start) for one, two in self.pairs[balance]
        )
        expansions = sum(1 << len(vertices) for vertices in self._cases(terms))
        return len(self._moduli) * pairs * expansions

    def count(self, balance: Places, terms: Sequence[Term]) -> list[int]:
        """Return the sum of circuits times ways over all pairs of matrices, modulo each prime."""
        found = [0] * len(self._moduli)
        for vertices, chosen in self._cases(terms).items():
            expansions = self._expand(vertices)
            places, table = self._products(balance, expansions)
            smaller = len(vertices) < self._colours
            for which, modulus in enumerate(self._moduli):
                factors = [
                    term.times * (max(term.ends) if smaller else 1) * pow(term.parts, -1, modulus)
                    for term in chosen
                ]
                summed = self._sum(
                    which,
                    places,
                    [term.starts for term in chosen],
                    (
                        (frozenset(vertices) - {*expansion.inside}, table[which, number])
                        for number, expansion in enumerate(expansions)
                    ),
                )
                found[which] += sum(map(mul, factors, summed))
        return [each % modulus for each, modulus in zip(found, self._moduli, strict=True)]

    def _sum(
        self,
        which: int,
        places: Array,
        starts: Sequence[Places],
        minors: Iterable[tuple[frozenset[int], Array]],
    ) -> list[int]:
        """Return for each start of runs the sum of minors times weights, for one prime."""
        modulus = self._moduli[which]
        shifts = np.array(starts, dtype=np.int64) @ self._units
        total = np.zeros(len(shifts), dtype=np.int64)
        height = max(1, _CHUNK // max(1, len(places)))
        for diagonal, residues in minors:
            weights = self._weights(which, diagonal)
            for begin in range(0, len(shifts), height):
                self._deadline.check()
                at = shifts[begin : begin + height, None] + places
                total[begin : begin + height] += (weights[at] * residues % modulus).sum(axis=1)
        return [int(each) for each in total % modulus]

    def _cases(self, terms: Sequence[Term]) -> dict[Places, list[Term]]:
        """Group terms by the vertices of the determinant.

        Where all terms have their ends at one vertex, these are the others: the determinant is a
        smaller one times the number of ends, since the sums of its rows are the numbers of ends.
        """
        everything = tuple(range(self._colours))
        if any(sum(map(bool, term.ends)) > 1 for term in terms):
            return {everything: list(terms)}
        cases: defaultdict[Places, list[Term]] = defaultdict(list)
        for term in terms:
            cases[tuple(each for each in everything if not term.ends[each])].append(term)
        return cases

    def _expand(self, vertices: Places) -> list[_Expansion]:
        column = self._one.column
        found = []
        for size in range(len(vertices) + 1):
            for inside in combinations(vertices, size):
                one, two, signs = [], [], []
                for rows, columns in _square(range(size)):
                    chosen = [tuple(inside[at] for at in each) for each in (rows, columns)]
                    others = [
                        tuple(inside[at] for at in range(size) if at not in each)
                        for each in (rows, columns)
                    ]
                    one.append(column[chosen[0], chosen[1]])
                    two.append(column[others[0], others[1]])
                    signs.append((-1) ** (sum(rows) + sum(columns) + size))
                found.append(_Expansion(inside, np.array(one), np.array(two), np.array(signs)))
        return found

    def _products(self, balance: Places, expansions: Sequence[_Expansion]) -> tuple[Array, Array]:
        """Return the places of degrees that occur, and the minors of the sums there."""
        found = self._occurring(balance)
        number_of = np.zeros(prod(self._degrees), dtype=np.int64)
        number_of[found] = np.arange(len(found))
        shape = len(self._moduli), len(expansions), len(found)
        summed: Floats = np.zeros(shape)
        room = max(_CHUNK, *(two.stop - two.start for _, two in self.pairs[balance]))
        buffer: Floats = np.empty((*shape[:2], room))
        places = np.empty(room, dtype=np.int64)
        used = 0

        def flush() -> None:
            for which, number in product(*map(range, shape[:2])):
                values = buffer[which, number, :used]
                summed[which, number] += np.bincount(places[:used], values, shape[2])

        primes: Floats = np.array(self._moduli, dtype=np.float64)[:, None, None]
        for one, two in self.pairs[balance]:
            columns = self._two.minors[:, two].astype(np.float64)
            right = self._places[1][two]
            height = max(1, room // len(right))
            for begin in range(one.start, one.stop, height):
                self._deadline.check()
                rows = self._one.minors[:, begin : min(begin + height, one.stop)].astype(np.float64)
                size = rows.shape[1] * len(right)
                if used + size > room:
                    flush()
                    used = 0
                left = self._places[0][begin : begin + rows.shape[1]]
                places[used : used + size] = number_of[(left[:, None] + right).ravel()]
                for number, each in enumerate(expansions):
                    signed = columns[:, :, each.two] * each.signs
                    values = _reduce(rows[:, :, each.one] @ signed.transpose(0, 2, 1), primes)
                    buffer[:, number, used : used + size] = values.reshape(len(primes), size)
                used += size
        flush()
        return found, summed.astype(np.int64) % np.array(self._moduli)[:, None, None]

    def _occurring(self, balance: Places) -> Array:
        """Return the places of the degrees that some pair of groups with this balance has."""
        occurs = np.zeros(prod(self._degrees), dtype=np.bool_)
        for one, two in self.pairs[balance]:
            right = np.unique(self._places[1][two])
            for left in np.unique(self._places[0][one]).tolist():
                occurs[left + right] = True
        return np.flatnonzero(occurs)

    def _weights(self, which: int, diagonal: frozenset[int]) -> NDArray[np.int32]:
        """Return the product of (d - 1)! of all degrees, and of the degrees on the diagonal.

        A colour of degree 0 is no vertex: a 1 on the diagonal takes it out of the determinant.
        """
        if (which, diagonal) not in self._weighed:
            modulus = self._moduli[which]
            table = np.ones(1, dtype=np.int64)
            for colour, (least, degrees) in enumerate(zip(self._least, self._degrees, strict=True)):
                factors = _factors(modulus, least + degrees, diagonal=colour in diagonal)[least:]
                table = (factors[:, None] * table % modulus).ravel()
            self._weighed[which, diagonal] = table.astype(np.int32)
        return self._weighed[which, diagonal]


@cache
def _factors(modulus: int, degrees: int, *, diagonal: bool) -> Array:
    """Return (d - 1)!, or d! with the diagonal, for each degree d; 1 for degree 0."""
    factors = [1, *(factorial(d if diagonal else d - 1) % modulus for d in range(1, degrees))]
    return np.array(factors, dtype=np.int64)
