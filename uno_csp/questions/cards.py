"""Cards, matching and hubs: the basic rules of the game.

A *card* is a tuple of D attribute values. Two cards *match* when they agree in at least ``k``
coordinates; the value ``"*"`` agrees with every value. A *hub* is a choice of k coordinates
together with their values: two cards without wild coordinates match if and only if they lie on a
common hub. For D = 2 and k = 1, the setting of the paper, the hubs are the colours and the
numbers, and a card is an edge between its colour and its number.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WILD = "*"  # the wild value: it agrees with every value of its coordinate
NO_WAY = 1 << 20  # cost of joining two cards where no added cards can; more than any hand costs
MANY_HUBS = 256
"""Maximum number of hubs per card for hub-based methods, if neighbours agree in two attributes or
more; above it, cards are compared in pairs."""

MANY_PAIRS = 10_000  # number of pairs of cards from which they are compared with arrays
Value: TypeAlias = int | str
Card: TypeAlias = tuple[Value, ...]
Hand: TypeAlias = tuple[Card, ...]
GivenCard: TypeAlias = str | Iterable[object]
"""A card as constructors take it: a code, or its values. To mypy, the items of a list of texts
and integers are objects."""
GivenHand: TypeAlias = Iterable[GivenCard]
GivenHands: TypeAlias = Iterable[GivenHand]
Hub: TypeAlias = tuple[tuple[int, ...], Card]  # the coordinates a hub fixes, and their values


def matches(first: Card, second: Card, at_least: int = 1) -> bool:
    """Return True if two cards may be played next to each other.

    >>> matches(("red", 5), ("blue", 5)), matches(("red", 5), ("blue", 6))
    (True, False)
    >>> matches(("red", 5, "x"), ("*", 5, "y"), at_least=2)
    True
    """
    agreeing = sum(a == b or WILD in (a, b) for a, b in zip(first, second, strict=True))
    return agreeing >= at_least


def is_wild(card: Card) -> bool:
    """Return True if any coordinate of the card is wild."""
    return WILD in card


def some_wild(cards: Iterable[Card]) -> bool:
    """Return True if any of the cards has a wild coordinate."""
    return WILD in chain.from_iterable(cards)


def is_universal(card: Card, at_least: int = 1) -> bool:
    """Return True if the card matches every card: at least ``at_least`` coordinates are wild."""
    return WILD in card and card.count(WILD) >= at_least


def apart(cards: Sequence[Card], at_least: int = 1) -> tuple[Sequence[Card], Sequence[Card]]:
    """Split cards into those that are not universal and those that are.

    >>> apart([("red", 5), ("*", "*")])
    ([('red', 5)], [('*', '*')])
    """
    if not some_wild(cards):
        return cards, ()
    plain = [card for card in cards if not is_universal(card, at_least)]
    return plain, [card for card in cards if is_universal(card, at_least)]


def piled(after: Card | None, at_least: int) -> tuple[Card, ...]:
    """Return the card on the pile, alone; nothing without one, or if it matches every card."""
    return () if after is None or is_universal(after, at_least) else (after,)


def hub_count(dimension: int, at_least: int) -> int:
    """Return the number of hubs of a card, C(D, k)."""
    return comb(dimension, at_least)


def has_many_hubs(dimension: int, at_least: int) -> bool:
    """Return True if a card has more than :data:`MANY_HUBS` hubs, and more than attributes."""
    return at_least > 1 and hub_count(dimension, at_least) > MANY_HUBS


def hubs(card: Card, at_least: int = 1) -> tuple[Hub, ...]:
    """Return the C(D, k) hubs of a card without wild coordinates.

    >>> hubs(("red", 5))
    (((0,), ('red',)), ((1,), (5,)))
    """
    return tuple(
        (coordinates, tuple(card[i] for i in coordinates))
        for coordinates in combinations(range(len(card)), at_least)
    )


def hub_name(hub: Hub) -> str:
    """Return a human-readable name of a hub; coordinates are counted from 1.

    >>> hub_name(((0,), ("red",))), hub_name(((0, 2), ("red", 5)))
    ('1=red', '1,3=red,5')
    """
    coordinates, values = hub
    return f"{','.join(str(i + 1) for i in coordinates)}={','.join(map(str, values))}"


def neighbours(cards: Sequence[Card], at_least: int = 1) -> list[list[int]]:
    """Return for each card the indices of the *other* cards it matches, in ascending order.

    Matches of plain cards are found through their hubs, in time linear in the output; cards with
    wild coordinates are compared with all cards.

    >>> neighbours([("red", 5), ("red", 6), ("blue", 6)])
    [[1], [0, 2], [1]]
    """
    if cards and has_many_hubs(len(cards[0]), at_least):
        compared = list(range(len(cards)))
    else:
        compared = [i for i, card in enumerate(cards) if is_wild(card)]
    by_pairs = set(compared)
    members: dict[Hub, list[int]] = {}
    for i, card in enumerate(cards):
        if i not in by_pairs:
            for hub in hubs(card, at_least):
                members.setdefault(hub, []).append(i)
    groups: list[list[Sequence[int]]] = [[] for _ in cards]  # unions of them are made one by one
    for group in members.values():
        for i in group:
            groups[i].append(group)
    for i, others in zip(compared, _matching(cards, compared, at_least), strict=True):
        groups[i] = [others]
        for j in others:
            if j not in by_pairs:
                groups[j].append((i,))
    return [sorted(set().union(*near) - {i}) for i, near in enumerate(groups)]


def _matching(
    cards: Sequence[Card], chosen: Sequence[int], at_least: int
) -> Iterator[Sequence[int]]:
    """Yield the indices of the cards that match each of the chosen ones, itself among them."""
    if len(chosen) * len(cards) < MANY_PAIRS:
        for i in chosen:
            yield [j for j, card in enumerate(cards) if matches(cards[i], card, at_least)]
        return
    agreeing = agreements(cards)
    for i in chosen:
        yield (agreeing(i) >= at_least).nonzero()[0].tolist()


def agreements(cards: Sequence[Card]) -> Callable[[int], "NDArray[np.uint8]"]:
    """Return a function of a card's index: in how many attributes each card agrees with it.

    >>> agreements([("red", 5), ("red", 6), ("*", 6)])(0).tolist()
    [2, 1, 1]
    """
    import numpy as np  # which loads slowly

    numbers: dict[Value, int] = {WILD: 0}
    rows = [[numbers.setdefault(value, len(numbers)) for value in card] for card in cards]
    columns = [(column, column == 0) for column in np.array(rows, dtype=np.int32).T.copy()]

    def agreeing(index: int) -> "NDArray[np.uint8]":
        found = np.zeros(len(cards), dtype=np.uint8)
        for column, wild in columns:
            found += wild | (column == column[index]) if column[index] else True
        return found

    return agreeing


def previous_copies(cards: Iterable[Hashable]) -> list[int | None]:
    """Return for each card the index of the previous copy, None for a first copy.

    Copies are interchangeable, so an encoding may fix their order. Any hashable object may stand
    for a card, such as a pair of card and owner; equal objects are copies.

    >>> previous_copies([("red", 5), ("red", 6), ("red", 5)])
    [None, None, 0]
    """
    last: dict[Hashable, int] = {}
    previous = []
    for index, card in enumerate(cards):
        previous.append(last.get(card))
        last[card] = index
    return previous


def with_copies_left(
    sequence: Sequence[Card], added: Iterable[Card] = ()
) -> Iterator[tuple[Card, int]]:
    """Yield each card with the number of its copies still to come, below 0 for an added one.

    The last copies of a card are those that were added.

    >>> [*with_copies_left([("red", 5), ("red", 5)], [("red", 5)])]
    [(('red', 5), 0), (('red', 5), -1)]
    """
    left = Counter(sequence)
    left.subtract(added)
    for card in sequence:
        left[card] -= 1
        yield card, left[card]


def joining_cost(first: Card, last: Card, at_least: int = 1) -> int:
    """Return the least number of cards to add between two cards; NO_WAY if no cards join them.

    >>> joining_cost(("red", 5), ("blue", 7)), joining_cost((1, 1, 1, 1), (2, 2, 2, 2), 3)
    (1, 3)
    """
    step = len(first) - at_least
    apart = sum(a != b and WILD not in (a, b) for a, b in zip(first, last, strict=True))
    if apart <= step:
        return 0
    return -(-apart // step) - 1 if step else NO_WAY


def joining_cards(first: Card, last: Card, at_least: int = 1) -> tuple[Card, ...] | None:
    """Return a shortest chain of cards between two cards; None if there is none.

    Cards that differ in d of D coordinates need ``ceil(d / (D - k)) - 1`` cards between them:
    each step may change at most D - k coordinates.

    >>> joining_cards(("red", 5), ("blue", 7))
    (('blue', 5),)
    >>> joining_cards((1, 1, 1, 1), (2, 2, 2, 2), at_least=3)
    ((2, 1, 1, 1), (2, 2, 1, 1), (2, 2, 2, 1))
    """
    apart = [
        i for i in range(len(first)) if first[i] != last[i] and WILD not in (first[i], last[i])
    ]
    step = len(first) - at_least
    if len(apart) <= step:
        return ()
    if step == 0:
        return None
    # Where one of the two cards is wild, the joining cards take the value of the other one.
    start = [b if a == WILD else a for a, b in zip(first, last, strict=True)]
    base = [0 if value == WILD else value for value in start]
    found = []
    for changed in range(step, len(apart), step):
        done = set(apart[:changed])
        found.append(tuple(last[i] if i in done else value for i, value in enumerate(base)))
    return tuple(found)
