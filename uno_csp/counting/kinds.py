"""The kinds of cards of a hand, and classes of kinds that match the same cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial, prod

from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions import Uno1
from uno_csp.questions.cards import WILD, Card, Value, matches


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of cards of a hand: equal cards are of one kind."""

    # a card of each kind, in the order in which they first appear in the hand
    cards: tuple[Card, ...]
    copies: tuple[int, ...]  # number of cards of each kind
    # for each kind, the kinds that match it, in order; a kind matches itself
    near: tuple[tuple[int, ...], ...]
    first: tuple[int, ...]  # the kinds that may be played first


def kinds_of(question: Uno1, deadline: Deadline = NEVER) -> Kinds:
    """Return the kinds of a hand; raise TimeUp at the deadline.

    >>> kinds_of(Uno1((("red", 5), ("red", 7), ("red", 5)))).copies
    (2, 1)
    """
    counts = Counter(question.cards)
    cards, k, after = tuple(counts), question.at_least, question.after
    near = tuple(_matching(cards, k, deadline))
    first = tuple(i for i, card in enumerate(cards) if after is None or matches(after, card, k))
    return Kinds(cards, tuple(counts.values()), near, first)


def _matching(cards: Sequence[Card], k: int, deadline: Deadline) -> Iterator[tuple[int, ...]]:
    """Yield for each card those that match it: only cards with a value in common can."""
    holders: dict[tuple[int, Value], list[int]] = {}
    for number, card in enumerate(cards):
        for place in enumerate(card):
            holders.setdefault(place, []).append(number)
    everybody = range(len(cards))
    known: dict[tuple[int, ...], tuple[int, ...]] = {}  # equal tuples are kept once
    for card in cards:
        deadline.check()
        common: set[int] = set()
        for at, value in enumerate(card):
            common.update(everybody if value == WILD else holders[at, value])
            common.update(holders.get((at, WILD), ()))
        others = common if k == 1 else (i for i in common if matches(card, cards[i], k))
        near = tuple(sorted(others))
        yield known.setdefault(near, near)


@dataclass(frozen=True, slots=True)
class Classes:
    """Classes of kinds that match the same kinds and may both be first, or not.

    Kinds of a class can be exchanged in any play, so a play is a play of classes together with an
    order of the kinds within each class.
    """

    members: tuple[tuple[int, ...], ...]  # the kinds of each class
    sizes: tuple[int, ...]  # number of cards of each class
    # for each class, the classes that match it, in order; a class matches itself
    near: tuple[tuple[int, ...], ...]
    first: tuple[int, ...]  # the classes that may be played first
    orders: int  # number of ways to order the kinds within all classes


def classes_of(kinds: Kinds) -> Classes:
    """Return the classes of the kinds of a hand.

    >>> hand = Uno1((("red", 5), ("red", 7), ("red", 5), ("blue", 5)))
    >>> classes_of(kinds_of(hand)).members
    ((0,), (1,), (2,))
    >>> classes_of(kinds_of(Uno1((("red", 5), ("red", 7), ("red", 8))))).members
    ((0, 1, 2),)
    """
    may_begin = {*kinds.first}
    by_look: dict[tuple[tuple[int, ...], bool], list[int]] = {}
    for kind, near in enumerate(kinds.near):
        by_look.setdefault((near, kind in may_begin), []).append(kind)
    members = tuple(map(tuple, by_look.values()))
    number = {kind: n for n, group in enumerate(members) for kind in group}
    sizes = tuple(sum(kinds.copies[kind] for kind in group) for group in members)
    near_classes = tuple(
        tuple(sorted({number[other] for other in kinds.near[group[0]]})) for group in members
    )
    first = tuple(sorted({number[kind] for kind in kinds.first}))
    orders = prod(map(factorial, sizes)) // prod(map(factorial, kinds.copies))
    return Classes(members, sizes, near_classes, first, orders)
