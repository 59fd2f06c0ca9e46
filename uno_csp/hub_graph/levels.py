"""Hubs of all levels: cards at a distance of j added cards share a hub of level j.

A hub of level j is a choice of max(0, D - (j + 1) (D - k)) coordinates with their values. Level 0
has the hubs of a hub graph; the only hub of the last level fixes no coordinate, and all cards are
on it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from uno_csp.hub_graph.incidence import incidence, shared_hubs
from uno_csp.questions.cards import Card, Hub, hub_count, some_wild

MOST_HUBS = 1100  # of a card on all levels; there are 2^D - 1 of them if k = D - 1


@dataclass(frozen=True, slots=True)
class LeveledHubs:
    """The hubs of cards on all levels, numbered from 0; hubs with one card are left out."""

    hubs: Sequence[Hub]
    level: Sequence[int]
    hubs_of: Sequence[tuple[int, ...]]

    def pairs(self) -> Mapping[int, tuple[int, int]]:
        """Return the hubs of two cards, which are edges between them (docs/theory.md, Theorem 21).

        The cards are given by their places in ``hubs_of``. No card has both ends at such a hub: its
        two neighbours would have to be the other card.
        """
        on: dict[int, list[int]] = {}
        for index, at in enumerate(self.hubs_of):
            for hub in at:
                on.setdefault(hub, []).append(index)
        return {hub: (cards[0], cards[1]) for hub, cards in on.items() if len(cards) == 2}


def fixed_coordinates(dimension: int, at_least: int) -> list[int]:
    """Return for each level the number of coordinates that its hubs fix.

    >>> fixed_coordinates(2, 1), fixed_coordinates(5, 4), fixed_coordinates(3, 3)
    ([1, 0], [4, 3, 2, 1, 0], [3])
    """
    step = dimension - at_least
    if step == 0:
        return [at_least]
    return [*range(at_least, 0, -step), 0]


def hubs_on_all_levels(dimension: int, at_least: int) -> int:
    """Return the number of hubs of a card on all levels."""
    return sum(hub_count(dimension, fixed) for fixed in fixed_coordinates(dimension, at_least))


def leveled_hubs(cards: Sequence[Card], at_least: int) -> LeveledHubs:
    """Return the hubs of some cards.

    Of hubs with the same cards, only the first one on the lowest level is needed: there an end
    costs least.
    """
    hubs: list[Hub] = []
    level: list[int] = []
    of_card: list[list[int]] = [[] for _ in cards]
    seen: set[tuple[int, ...]] = set()
    for number, fixed in enumerate(fixed_coordinates(len(cards[0]), at_least)):
        for hub, members in _members(cards, fixed):
            if len(members) > 1 and members not in seen:
                seen.add(members)
                for index in members:
                    of_card[index].append(len(hubs))
                hubs.append(hub)
                level.append(number)
    return LeveledHubs(hubs, level, [tuple(at) for at in of_card])


def _members(cards: Sequence[Card], fixed: int) -> Iterable[tuple[Hub, tuple[int, ...]]]:
    """Yield each hub with ``fixed`` coordinates, and the cards on it, ascending."""
    if fixed == 0:
        yield ((), ()), tuple(range(len(cards)))
        return
    if not some_wild(cards):
        on = incidence(tuple(cards), fixed)
        yield from zip(on.hubs, map(tuple, on.members), strict=True)
        return
    hubs, hubs_of = shared_hubs(cards, fixed)
    members: list[list[int]] = [[] for _ in hubs]
    for index, at in enumerate(hubs_of):
        for hub in at:
            members[hub].append(index)
    yield from zip(hubs, map(tuple, members), strict=True)
