"""The incidence of cards and hubs, computed for all cards of a hand at once.

A hand of a million cards has two million incidences. So hubs are numbered column by column instead
of card by card, and the last results are cached.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations, product
from operator import itemgetter
from typing import Any

from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.questions.cards import WILD, Card, Hub, Value, hubs, is_wild, some_wild

FEW_CARDS, MORE_CARDS = 1000, 10
"""Number of cards of a hand among which a cycle is looked for first, and factor of the next."""

MANY_CARDS = 100_000  # cards from which a cycle is looked for by arrays


class Incidence:
    """The hubs of cards without wild coordinates, numbered from 0.

    ``columns`` has for each choice of coordinates the hub of each card, and ``counts`` the number
    of its hubs.
    """

    def __init__(self, cards: Sequence[Card], at_least: int) -> None:
        self.cards = cards
        self.columns: list[list[int]] = []
        self.hubs: list[Hub] = []
        self.counts: list[int] = []
        for coordinates in combinations(range(len(cards[0]) if cards else 0), at_least):
            number: dict[Any, int] = {}
            first = len(self.hubs)
            keys = map(itemgetter(*coordinates), cards)
            self.columns.append([number.setdefault(key, first + len(number)) for key in keys])
            values = number if at_least > 1 else ((value,) for value in number)
            self.hubs += [(coordinates, key) for key in values]
            self.counts.append(len(number))

    def at(self, index: int) -> tuple[int, ...]:
        """Return the hub numbers of one card."""
        return tuple(column[index] for column in self.columns)

    @cached_property
    def degrees(self) -> list[int]:
        """The number of cards on each hub."""
        degrees = [0] * len(self.hubs)
        for column in self.columns:
            for hub, count in Counter(column).items():
                degrees[hub] = count
        return degrees

    @cached_property
    def copies(self) -> dict[Card, list[int]]:
        """The cards with several copies, each with the indices of its copies."""
        several = {card for card, count in Counter(self.cards).items() if count > 1}
        copies: dict[Card, list[int]] = {}
        if several:
            for index, card in enumerate(self.cards):
                if card in several:
                    copies.setdefault(card, []).append(index)
        return copies

    @cached_property
    def kinds(self) -> list[int]:
        """The number of distinct cards on each hub."""
        kinds = list(self.degrees)
        for places in self.copies.values():
            for hub in self.at(places[0]):
                kinds[hub] -= len(places) - 1
        return kinds

    @cached_property
    def members(self) -> list[list[int]]:
        """The indices of the cards on each hub, ascending."""
        members: list[list[int]] = [[] for _ in self.hubs]
        for column in self.columns:
            for index, hub in enumerate(column):
                members[hub].append(index)
        return members

    @cached_property
    def needed(self) -> list[bool]:
        """For each hub, True if trails need it.

        A hub of one card is not needed. Of several hubs with the same cards one is enough. A hub
        that only copies of one card share is not needed if that card has another.

        *Proof.* A trail edge to a hub of one card would end the trail there, and stopping before is
        as good. Otherwise all cards on the spare hub s are on a hub h that is kept. In any choice
        of edges and loops replace s by h: an edge between the two becomes a loop at h, which is
        allowed, since its card lies on h. Connectivity is kept, the number of odd nodes does not
        grow, and in a directed choice the in-degree of every node stays equal to its out-degree.
        """
        needed = [degree > 1 for degree in self.degrees]
        for places in self.copies.values():
            own = self.at(places[0])
            private = [hub for hub in own if self.kinds[hub] == 1]
            for hub in private[1:] if len(private) == len(own) else private:
                needed[hub] = False
        if len(self.columns) == 2:
            return needed  # two different cards share at most one hub
        seen = set[tuple[int, ...]]()
        for hub, members in enumerate(map(tuple, self.members)):
            needed[hub] &= self.kinds[hub] == 1 or members not in seen
            seen.add(members)
        return needed

    def by_first_card(self) -> list[int]:
        """Return the hubs in order of first occurrence, card by card."""
        return list(dict.fromkeys(chain.from_iterable(zip(*self.columns, strict=True))))


@lru_cache(maxsize=2)
def incidence(cards: tuple[Card, ...], at_least: int) -> Incidence:
    """Return the incidence of the cards; the last two results are cached."""
    return Incidence(cards, at_least)


def shared_hubs(cards: Sequence[Card], at_least: int) -> tuple[list[Hub], list[tuple[int, ...]]]:
    """Return hubs such that cards match exactly if they share one, and the hubs of each card.

    A card that is wild in fewer than ``at_least`` coordinates is on every hub of the other cards
    that it agrees with. Two such cards that match on none of these share a hub of their own. Of
    hubs with the same cards one is kept, and none that no two different cards share, unless copies
    have no other (see :attr:`Incidence.needed`).
    """
    on: dict[Hub, set[int]] = {}
    partly_wild = [index for index, card in enumerate(cards) if is_wild(card)]
    for index, card in enumerate(cards):
        if not is_wild(card):
            for hub in hubs(card, at_least):
                on.setdefault(hub, set()).add(index)
    of_coordinates: dict[tuple[int, ...], list[Hub]] = {}
    for hub in on:
        of_coordinates.setdefault(hub[0], []).append(hub)
    for index, (coordinates, there) in product(partly_wild, of_coordinates.items()):
        own = tuple(cards[index][at] for at in coordinates)
        for hub in there if WILD in own else ((coordinates, own),):
            if hub in on and all(a in (b, WILD) for a, b in zip(own, hub[1], strict=True)):
                on[hub].add(index)
    for one, other in combinations(partly_wild, 2):
        common = _common_hub(cards[one], cards[other], at_least)
        if common is not None:
            on.setdefault(common, set()).update((one, other))
    return _needed(cards, on)


def _common_hub(one: Card, other: Card, at_least: int) -> Hub | None:
    """Return a hub of two partly wild cards; a value that is wild in both stays wild."""
    common = [
        (at, b if a == WILD else a)
        for at, (a, b) in enumerate(zip(one, other, strict=True))
        if a == b or WILD in (a, b)
    ]
    if len(common) < at_least:
        return None
    chosen = common[:at_least]
    return tuple(at for at, _ in chosen), tuple(value for _, value in chosen)


def _needed(
    cards: Sequence[Card], on: Mapping[Hub, set[int]]
) -> tuple[list[Hub], list[tuple[int, ...]]]:
    """Number the hubs that are needed; see :func:`shared_hubs`."""
    kept: list[Hub] = []
    of_card: list[list[int]] = [[] for _ in cards]
    seen = set[frozenset[int]]()
    # Hubs with different cards come first: copies need one of their own only if they have no other.
    for hub, members in sorted(on.items(), key=lambda each: len({cards[i] for i in each[1]}) < 2):
        copies = len({cards[index] for index in members}) < 2
        if len(members) < 2 or frozenset(members) in seen:
            continue
        if copies and of_card[min(members)]:
            continue
        seen.add(frozenset(members))
        for index in members:
            of_card[index].append(len(kept))
        kept.append(hub)
    return kept, [tuple(at) for at in of_card]


def is_forest(cards: Sequence[Card], at_least: int) -> bool:
    """Return True if the cards have two hubs each and, without copies, close no cycle of hubs."""
    if at_least != 1 or not cards or len(cards[0]) != 2 or some_wild(cards):
        return False
    size = FEW_CARDS
    while size < len(cards) and _close_no_cycle(cards[:size]):  # most that do have an early cycle
        size *= MORE_CARDS
    return size >= len(cards) and _close_no_cycle(cards)


def _close_no_cycle(cards: Iterable[Card]) -> bool:
    """Return True if the cards, as edges between two hubs each, are a forest without the copies."""
    kinds = dict.fromkeys(cards)  # in their order, which is faster to read than that of a set
    columns: list[list[int]] = []
    size = 0
    for at in range(2):
        number: dict[Value, int] = {}
        keys = map(itemgetter(at), kinds)
        columns.append([number.setdefault(key, size + len(number)) for key in keys])
        size += len(number)
    if len(kinds) >= size:
        return False
    if len(kinds) < MANY_CARDS:
        sets = DisjointSets(size)
        return all(map(sets.unite, *columns))
    import numpy as np  # which loads slowly

    from uno_csp.graph_tools.array_graphs import components

    return components(size, np.array(columns, dtype=np.int64).T)[0] == size - len(kinds)


def is_graph(cards: Sequence[Card], at_least: int) -> bool:
    """Return True if no value is on three cards and a card has three attributes or more.

    Then the cards are the vertices of a graph, and each value that two cards have is an edge.
    """
    if at_least != 1 or not cards or len(cards[0]) < 3 or some_wild(cards):
        return False
    return _no_value_thrice(tuple(cards))


def graph_of(cards: Sequence[Card]) -> list[list[int]]:
    """Return the places of the neighbours of each card of a hand that is a graph."""
    near: list[list[int]] = [[] for _ in cards]
    for column in zip(*cards, strict=True):
        first: dict[Value, int] = {}
        for place, value in enumerate(column):
            other = first.setdefault(value, place)
            if other != place:
                near[place].append(other)
                near[other].append(place)
    return near


@lru_cache(maxsize=2)
def _no_value_thrice(cards: tuple[Card, ...]) -> bool:
    """Return True if no value is on three cards; the last two results are cached.

    Counting takes a tenth of the time and memory of an incidence, which a graph of large degree may
    never need.
    """
    columns = (map(itemgetter(at), cards) for at in range(len(cards[0])))
    return all(max(Counter(column).values()) <= 2 for column in columns)
