"""Plays as Eulerian trails on few colours, counted by the BEST theorem.

Take the attribute with fewer values as *colours* and the other as *symbols*. A play falls apart
into *lists* wherever two neighbours have the same colour: the cards of a list have one symbol, and
no two neighbours of it have the same colour. A list is an arc from its first to its last colour,
and the lists follow each other as the arcs of a trail do (docs/theory.md, Proposition 24).

So the plays are added up over all ways to split the cards of each symbol into lists; ways with the
same numbers of arcs between colours are taken together. The number of trails with given arcs is
that of the BEST theorem (van Aardenne-Ehrenfest and de Bruijn 1951; Tutte 1948 for the
arborescences). Wild cards cut a play into runs: they are passages through one more vertex.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from uno_csp.questions import Uno1
from uno_csp.questions.cards import Card, apart

MOST_COLOURS = 5
"""Maximum number of colours."""

MOST_WAYS = 400_000
"""Maximum number of different matrices of arcs, for a symbol and for each half of the symbols."""

MOST_PAIRS = 100_000_000
"""Maximum number of pairs of matrices of the halves, times the starts of runs."""

MOST_CARDS = 70
"""Maximum number of cards; the primes are enough for 70! labelled plays."""

_PRIMES = (
    2147483647,
    2147483629,
    2147483587,
    2147483579,
    2147483563,
    2147483549,
    2147483543,
    2147483497,
    2147483489,
    2147483477,
    2147483423,
    2147483399,
)
_PRIME_BITS = 30

_BITS = 8
"""Bits of an entry of a packed matrix."""

_CHUNK = 1 << 20
"""Maximum number of pairs that are computed at once."""

Array = NDArray[np.int64]

Matrices = Mapping[int, int]
"""For matrices of arcs, packed, in how many ways labelled cards are split into such lists.

Row a and column b have the number of arcs from colour a to colour b. A last row has the arc of the
list that the card on the pile begins.
"""


class TooMany(Exception):
    """The matrices of arcs are too many; the message says how many are allowed."""


@dataclass(frozen=True, slots=True)
class _Hand:
    """A hand with its values as numbers.

    Parameters
    ----------
    colours
        Number of colours.
    symbols
        For each symbol, the number of its cards of each colour.
    wilds
        The wild cards.
    pile
        Symbol and colour of the card on the pile; None if there is none, or it is wild.
    """

    colours: int
    symbols: Sequence[tuple[int, ...]]
    wilds: Sequence[Card]
    pile: tuple[int, int] | None


def declines(question: Uno1) -> str | None:
    """Return a reason if the method does not apply to a question."""
    if question.at_least != 1 or question.dimension != 2:
        return "it counts cards of two attributes of which one has to agree"
    if len(question.cards) > MOST_CARDS:
        return f"it counts hands of up to {MOST_CARDS} cards"
    if _hand(question).colours > MOST_COLOURS:
        return f"both attributes have more than {MOST_COLOURS} values"
    return None


def count_trails(question: Uno1) -> int:
    """Return the number of plays.

    Raises
    ------
    TooMany
        If there are more matrices or pairs of them than the limits of this module allow.
    """
    hand = _hand(question)
    labelled = factorial(len(hand.wilds)) * _labelled(hand)
    return labelled // prod(map(factorial, Counter(question.cards).values()))


def _hand(question: Uno1) -> _Hand:
    plain, wilds = apart(question.cards, 1)
    pile = [] if question.after is None else apart((question.after,), 1)[0]
    values = [dict.fromkeys(card[at] for card in (*plain, *pile)) for at in (0, 1)]
    at = 0 if len(values[0]) <= len(values[1]) else 1
    colour = {value: number for number, value in enumerate(values[at])}
    symbol = {value: number for number, value in enumerate(values[1 - at])}
    counts = [[0] * len(colour) for _ in symbol]
    for card in plain:
        counts[symbol[card[1 - at]]][colour[card[at]]] += 1
    first = next(((symbol[card[1 - at]], colour[card[at]]) for card in pile), None)
    return _Hand(len(colour), list(map(tuple, counts)), wilds, first)


def _labelled(hand: _Hand) -> int:
    """Return the number of plays of labelled cards for one order of the wild cards.

    The wild cards are joints between runs, of which some may be empty.
    """
    if not any(map(any, hand.symbols)):
        return 1
    parts = []
    for symbol, counts in enumerate(hand.symbols):
        first = hand.pile[1] if hand.pile is not None and hand.pile[0] == symbol else None
        parts.append(_splits(counts, first))
    one, two = (_Half(hand.colours, half) for half in _halves(parts))
    terms = list(_terms(one, two, len(hand.wilds) + 1, follows=hand.pile is not None))
    pairs = sum(len(one.rows[term.one]) * len(two.rows[term.two]) for term in terms)
    if pairs > MOST_PAIRS:
        raise TooMany(f"{pairs} pairs of matrices of arcs, more than {MOST_PAIRS}")
    cards = sum(map(sum, hand.symbols)) + len(hand.wilds) + 1
    needed = -(-factorial(cards).bit_length() // _PRIME_BITS)
    moduli = _PRIMES[:needed]
    rests = [0] * needed
    for term in terms:
        for which, rest in enumerate(_summed(one, two, term, moduli)):
            rests[which] = (rests[which] + rest) % moduli[which]
    whole = prod(moduli)
    return (
        sum(
            rest * (whole // modulus) * pow(whole // modulus, -1, modulus)
            for rest, modulus in zip(rests, moduli, strict=True)
        )
        % whole
    )


def _splits(counts: tuple[int, ...], first: int | None) -> Matrices:
    """Return the matrices of the cards of one symbol.

    Parameters
    ----------
    counts
        Number of cards of each colour.
    first
        Colour of the card on the pile if it has this symbol: one list begins with it.
    """
    colours = len(counts)
    known: dict[tuple[int, ...], dict[int, int]] = {(0,) * colours: {0: 1}}

    def ordered(left: tuple[int, ...]) -> dict[int, int]:
        """Return the matrices of sequences of lists, equal cards indistinguishable."""
        if left not in known:
            found: defaultdict[int, int] = defaultdict(int)
            for used in product(*(range(n + 1) for n in left)):
                words = _words(used)
                unused = tuple(n - m for n, m in zip(left, used, strict=True))
                rest = ordered(unused) if words else {}
                for (begin, end), number in words.items():
                    arc = _arc(colours, begin, end)
                    for matrix, ways in rest.items():
                        found[matrix + arc] += number * ways
            _require_few(found)
            known[left] = dict(found)
        return known[left]

    labels = prod(map(factorial, counts))
    if first is None:
        return {
            matrix: ways * labels // factorial(_arcs(matrix))
            for matrix, ways in ordered(counts).items()
        }
    result: defaultdict[int, int] = defaultdict(int)
    for used in product(*(range(n + 1) for n in counts)):
        own = tuple(n + (colour == first) for colour, n in enumerate(used))
        rest = ordered(tuple(n - m for n, m in zip(counts, used, strict=True)))
        for (begin, end), number in _words(own).items():
            for matrix, ways in rest.items() if begin == first else ():
                lists = factorial(_arcs(matrix))
                result[matrix + _arc(colours, colours, end)] += number * ways * labels // lists
    return result


@lru_cache(maxsize=100_000)
def _words(counts: tuple[int, ...]) -> Mapping[tuple[int, int], int]:
    """Return how many words have these numbers of letters, by their first and last letter.

    No two neighbours are equal.
    """
    if sum(counts) <= 1:
        return {(letter, letter): 1 for letter, n in enumerate(counts) if n}
    found: defaultdict[tuple[int, int], int] = defaultdict(int)
    for letter, n in enumerate(counts):
        if n:
            fewer = (*counts[:letter], n - 1, *counts[letter + 1 :])
            for (begin, end), number in _words(fewer).items():
                if end != letter:
                    found[begin, letter] += number
    return dict(found)


def _arc(colours: int, begin: int, end: int) -> int:
    return 1 << _BITS * (begin * colours + end)


def _arcs(matrix: int) -> int:
    return sum(matrix.to_bytes(-(-matrix.bit_length() // _BITS), "little"))


def _require_few(matrices: Matrices) -> None:
    if len(matrices) > MOST_WAYS:
        raise TooMany(f"more than {MOST_WAYS} matrices of arcs between the colours")


def _halves(parts: Sequence[Matrices]) -> list[Matrices]:
    """Multiply the matrices of the symbols, in two halves of about the same number."""
    halves: list[Matrices] = [{0: 1}, {0: 1}]
    for part in sorted(parts, key=len, reverse=True):
        halves.sort(key=len)
        product_of: defaultdict[int, int] = defaultdict(int)
        for matrix, ways in halves[0].items():
            for other, number in part.items():
                product_of[matrix + other] += ways * number
        _require_few(product_of)
        halves[0] = product_of
    return halves


class _Half:
    """Matrices of half of the symbols, grouped by balance.

    The balance of a colour is the number of arcs that leave it, less those that enter it.

    Parameters
    ----------
    colours
        Number of colours.
    matrices
        The matrices with their numbers of ways.
    """

    def __init__(self, colours: int, matrices: Matrices) -> None:
        size = colours * (colours + 1)
        packed = b"".join(matrix.to_bytes(size, "little") for matrix in matrices)
        table = np.frombuffer(packed, dtype=np.uint8).astype(np.int64)
        arcs = table.reshape(-1, colours + 1, colours)
        self.arcs = arcs[:, :colours]
        self.entering = arcs.sum(axis=1)
        self.ways = list(matrices.values())
        self.rows: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
        for row, balance in enumerate((self.arcs.sum(axis=2) - self.entering).tolist()):
            self.rows[tuple(balance)].append(row)


@dataclass(frozen=True, slots=True)
class _Term:
    """Matrices of balances ``one`` and ``two``, with the starts and ends of runs at each colour.

    ``times`` and ``parts`` are the numerator and the denominator of a common factor.
    """

    one: tuple[int, ...]
    two: tuple[int, ...]
    starts: tuple[int, ...]
    times: int
    parts: int


def _terms(one: _Half, two: _Half, gaps: int, *, follows: bool) -> Iterator[_Term]:
    """Yield the terms of the sum over balances, and over starts and ends of the runs.

    The balance of a colour is the number of runs that start there, less those that end there.
    """
    for first, second in product(one.rows, two.rows):
        balance = [a + b for a, b in zip(first, second, strict=True)]
        fewest = [max(0, each) for each in balance]
        for runs in range(max(1, sum(fewest) + follows), gaps + 1):
            chosen = _choices(runs, gaps, len(balance), follows=follows)
            rotations = 1 if follows else runs
            free = runs - follows - sum(fewest)
            for more in _compositions(free, len(fewest)) if chosen else ():
                starts = tuple(a + b for a, b in zip(fewest, more, strict=True))
                ends = (a - b for a, b in zip(starts, balance, strict=True))
                parts = prod(map(factorial, (*starts, *ends)))
                yield _Term(first, second, starts, chosen * rotations * factorial(runs - 1), parts)


def _choices(runs: int, gaps: int, colours: int, *, follows: bool) -> int:
    """Return how often trails with that many runs count: the ways to choose gaps for them.

    Trails may have runs without a list, at any colour. Inclusion and exclusion takes them away.
    """
    total = 0
    for empty in range(gaps - runs + 1):
        more = runs + empty - follows
        total += (-colours) ** empty * comb(more, empty) * comb(gaps - follows, more)
    return total


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the tuples of that many numbers that add up to a total."""
    if total < 0:
        return
    for bars in combinations(range(total + parts - 1), parts - 1):
        edges = (-1, *bars, total + parts - 1)
        yield tuple(b - a - 1 for a, b in pairwise(edges))


def _summed(one: _Half, two: _Half, term: _Term, moduli: Sequence[int]) -> list[int]:
    """Return a term modulo each prime: Eulerian circuits times ways, over all pairs of matrices."""
    rests = [0] * len(moduli)
    columns = two.rows[term.two]
    height = max(1, _CHUNK // len(columns))
    for begin in range(0, len(one.rows[term.one]), height):
        rows = one.rows[term.one][begin : begin + height]
        degrees = one.entering[rows][:, None] + two.entering[columns][None] + term.starts
        arcs = one.arcs[rows][:, None] + two.arcs[columns][None]
        trees = _arborescences(degrees, arcs)
        for which, modulus in enumerate(moduli):
            orders = _factorials(modulus)[degrees]
            found = trees % modulus
            for colour in range(degrees.shape[2]):
                found = found * orders[:, :, colour] % modulus
            ways = [
                np.array([h.ways[r] % modulus for r in at], dtype=np.int64)
                for h, at in ((one, rows), (two, columns))
            ]
            summed = (found * ways[1] % modulus).sum(axis=1) % modulus
            rests[which] += int((summed * ways[0] % modulus).sum() % modulus)
    return [
        rest * term.times * pow(term.parts, -1, modulus) % modulus
        for rest, modulus in zip(rests, moduli, strict=True)
    ]


@lru_cache(maxsize=len(_PRIMES))
def _factorials(modulus: int) -> Array:
    """Return (d - 1)! modulo a prime for each degree d, and 1 for degree 0."""
    values = [1, *(factorial(degree - 1) % modulus for degree in range(1, 2 * MOST_CARDS))]
    return np.array(values, dtype=np.int64)


def _arborescences(degrees: Array, arcs: Array) -> Array:
    """Return the number of arborescences to the vertex of the joints, by the matrix-tree theorem.

    A colour of degree 0 is no vertex, which a 1 on the diagonal takes out of the determinant.
    """
    colours = degrees.shape[2]
    laplacian: list[list[Array]] = [
        [-arcs[:, :, row, column] for column in range(colours)] for row in range(colours)
    ]
    for colour in range(colours):
        laplacian[colour][colour] = np.maximum(degrees[:, :, colour], 1) + laplacian[colour][colour]
    return _determinant(laplacian, tuple(range(colours)))


def _determinant(matrix: Sequence[Sequence[Array]], columns: tuple[int, ...]) -> Array:
    """Expand the determinant of the last rows and the given columns along the first of the rows."""
    row = len(matrix) - len(columns)
    if len(columns) == 1:
        return matrix[row][columns[0]]
    total: Array = np.zeros_like(matrix[0][0])
    for place, column in enumerate(columns):
        minor = _determinant(matrix, columns[:place] + columns[place + 1 :])
        total = total + (-1) ** place * matrix[row][column] * minor
    return total
