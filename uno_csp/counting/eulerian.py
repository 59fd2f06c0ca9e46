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
from functools import cache, lru_cache
from itertools import combinations, pairwise, product
from math import comb, factorial, prod

from uno_csp.counting.arborescences import BITS, MODULI, Circuits, Half, Matrices, Term
from uno_csp.counting.exact import number_of
from uno_csp.graph_tools.fragments import TooMany
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions import Uno1
from uno_csp.questions.cards import Card, apart, piled

MOST_COLOURS = 5  # maximum number of colours
MOST_WAYS = 400_000  # maximum number of different matrices of arcs of a symbol
MOST_WORK = 20_000_000_000  # maximum number of products of a count
MOST_CARDS = 70  # maximum number of cards; the primes are enough for 71! labelled plays


@dataclass(frozen=True, slots=True)
class _Hand:
    """A hand with its values as numbers."""

    colours: int  # number of colours
    symbols: Sequence[tuple[int, ...]]  # for each symbol, the number of its cards of each colour
    wilds: Sequence[Card]  # the wild cards
    # symbol and colour of the card on the pile; None if there is none, or it is wild
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


def count_trails(question: Uno1, deadline: Deadline = NEVER) -> int:
    """Return the number of plays.

    Raises TooMany if there are too many matrices, and TimeUp at the deadline.
    """
    hand = _hand(question)
    labelled = factorial(len(hand.wilds)) * _count_labelled(hand, deadline)
    return labelled // prod(map(factorial, Counter(question.cards).values()))


def _hand(question: Uno1) -> _Hand:
    plain, wilds = apart(question.cards, 1)
    pile = piled(question.after, 1)
    values = [dict.fromkeys(card[at] for card in (*plain, *pile)) for at in (0, 1)]
    at = 0 if len(values[0]) <= len(values[1]) else 1
    colour = {value: number for number, value in enumerate(values[at])}
    symbol = {value: number for number, value in enumerate(values[1 - at])}
    counts = [[0] * len(colour) for _ in symbol]
    for card in plain:
        counts[symbol[card[1 - at]]][colour[card[at]]] += 1
    first = next(((symbol[card[1 - at]], colour[card[at]]) for card in pile), None)
    return _Hand(len(colour), list(map(tuple, counts)), wilds, first)


def _count_labelled(hand: _Hand, deadline: Deadline) -> int:
    """Return the number of plays of labelled cards for one order of the wild cards.

    The wild cards are joints between runs, of which some may be empty.
    """
    if not any(map(any, hand.symbols)):
        return 1
    parts = []
    for symbol, counts in enumerate(hand.symbols):
        first = hand.pile[1] if hand.pile is not None and hand.pile[0] == symbol else None
        parts.append(_splits(counts, first, deadline))
    follows, gaps = hand.pile is not None, len(hand.wilds) + 1
    cards = sum(map(sum, hand.symbols)) + gaps
    few = next(few for few in range(1, len(MODULI) + 1) if prod(MODULI[:few]) > factorial(cards))
    moduli = MODULI[:few]
    one, two = (Half(hand.colours, half, moduli, deadline) for half in _halves(parts))
    circuits = Circuits(one, two, moduli, gaps, deadline)
    terms = {balance: list(_terms(balance, gaps, follows=follows)) for balance in circuits.pairs}
    work = sum(circuits.work(balance, each) for balance, each in terms.items())
    if work > MOST_WORK:
        raise TooMany(f"{work} products of minors of matrices of arcs, more than {MOST_WORK}")
    rests = [0] * len(moduli)
    for balance, each in terms.items():
        for which, rest in enumerate(circuits.count(balance, each)):
            rests[which] += rest
    return number_of(rests, moduli)


def _splits(counts: tuple[int, ...], first: int | None, deadline: Deadline) -> Matrices:
    """Return the matrices of the cards of one symbol; one list begins with ``first``, if given."""
    colours = len(counts)

    @cache
    def ordered(left: tuple[int, ...]) -> dict[int, int]:
        if not any(left):
            return {0: 1}
        found: defaultdict[int, int] = defaultdict(int)
        deadline.check()
        for used in product(*(range(n + 1) for n in left)):
            words = _words(used)
            unused = tuple(n - m for n, m in zip(left, used, strict=True))
            rest = ordered(unused) if words else {}
            for (begin, end), number in words.items():
                arc = _arc(colours, begin, end)
                for matrix, ways in rest.items():
                    found[matrix + arc] += number * ways
        _require_few(found)
        return dict(found)

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
    """Return the number of words with these letters and no equal neighbours, by first and last."""
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
    return 1 << BITS * (begin * colours + end)


def _arcs(matrix: int) -> int:
    return sum(matrix.to_bytes(-(-matrix.bit_length() // BITS), "little"))


def _require_few(matrices: Matrices) -> None:
    if len(matrices) > MOST_WAYS:
        raise TooMany(f"more than {MOST_WAYS} matrices of arcs between the colours")


def _halves(parts: Sequence[Matrices]) -> list[list[Matrices]]:
    """Deal the symbols to two halves with about the same number of sums of matrices."""
    halves: list[list[Matrices]] = [[], []]
    for part in sorted(parts, key=len, reverse=True):
        min(halves, key=lambda half: prod(map(len, half))).append(part)
    return halves


def _terms(balance: tuple[int, ...], gaps: int, *, follows: bool) -> Iterator[Term]:
    """Yield the starts and ends of runs whose difference is a balance.

    Without a card on the pile, the reverse of a play exchanges starts and ends, so a balance stands
    for its negative as well.
    """
    if not follows and balance < tuple(-each for each in balance):
        return
    both = 2 if any(balance) and not follows else 1
    fewest = [max(0, each) for each in balance]
    for runs in range(max(1, sum(fewest) + follows), gaps + 1):
        chosen = _choices(runs, gaps, len(balance), follows=follows)
        rotations = 1 if follows else runs
        free = runs - follows - sum(fewest)
        for more in _compositions(free, len(fewest)) if chosen else ():
            starts = tuple(a + b for a, b in zip(fewest, more, strict=True))
            ends = tuple(a - b for a, b in zip(starts, balance, strict=True))
            parts = prod(map(factorial, (*starts, *ends)))
            yield Term(starts, ends, both * chosen * rotations * factorial(runs - 1), parts)


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
