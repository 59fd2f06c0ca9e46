"""Maximum matching of two hands as a maximum flow through hubs, built and read in bulk.

A unit of flow is a pair: a card of the first hand sends it to one of its hubs, and a card of the
second hand takes it from there. Cards need few nodes of their own. Let the *home* of a card be its
first hub. The cards of the first hand with one home form a source node of as many units, and those
of the second hand a sink node; the two are joined, and a card is an arc: for the first hand from
its home to its other hub, for the second hand from there to its home. So cards on two hubs, as
most hands have, make a network with one arc for each card, and several times fewer nodes than
cards.

A card on three hubs or more has a node between its home and its other hubs. A card with wild
attributes has a node that is joined to every hub that it agrees with, and to every such node of the
other hand whose card it matches; universal cards share one node for each hand. If cards have too
many hubs, every card has such a node, and pairs are compared.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from ortools.graph.python.max_flow import SimpleMaxFlow

from uno_csp.hub_graph.incidence import Incidence
from uno_csp.questions.cards import (
    MANY_HUBS,
    WILD,
    Card,
    hub_count,
    is_universal,
    is_wild,
    matches,
)

Ints: TypeAlias = NDArray[np.int64]

_SOURCE, _SINK, _FROM_ANY, _TO_ANY, _FIRST_NODE = range(5)
"""Nodes of the network; universal cards of the first and of the second hand share one each."""


def maximum_matching(
    first: Sequence[Card], second: Sequence[Card], at_least: int = 1
) -> list[tuple[int, int]]:
    """Return a maximum set of disjoint pairs of matching cards, one from each hand.

    Returns
    -------
    list of pairs
        Indices into the two hands.
    """
    if not first or not second:
        return []
    return _Network((first, second), at_least).pairs()


class _Network:
    """The network; arrays of arcs are added one after another, and keep their place."""

    def __init__(self, hands: tuple[Sequence[Card], Sequence[Card]], at_least: int) -> None:
        self._hands, self._k = hands, at_least
        pairwise = hub_count(len(hands[0][0]), at_least) > MANY_HUBS
        self._apart = [
            [i for i, card in enumerate(hand) if pairwise or is_wild(card)] for hand in hands
        ]
        self._flow = SimpleMaxFlow()
        self._arcs: list[tuple[Ints, Ints, Ints]] = []
        self._number_hubs(hands)
        self._add_plain_cards()
        self._add_cards_apart()
        self._solve()

    def _number_hubs(self, hands: tuple[Sequence[Card], Sequence[Card]]) -> None:
        """Number the hubs of the cards that are not kept apart."""
        left = [set(apart) for apart in self._apart]
        self._plain = [
            np.array([i for i in range(len(hand)) if i not in apart], dtype=np.int64)
            for hand, apart in zip(hands, left, strict=True)
        ]
        cards: list[Card] = []
        for hand, own in zip(hands, self._plain, strict=True):
            cards += map(hand.__getitem__, own.tolist())
        self._on = Incidence(cards, self._k)
        homes = self._on.counts[0] if cards else 0
        self._homes = homes
        # A home has two nodes, where pairs meet at the second; another hub has one.
        self._shift = _FIRST_NODE + homes
        self._next = self._shift + len(self._on.hubs)
        columns = np.array(self._on.columns, dtype=np.int64).reshape(
            len(self._on.columns), len(cards)
        )
        split = len(self._plain[0])
        self._hubs_of = (columns[:, :split], columns[:, split:])

    def _add_plain_cards(self) -> None:
        homes = np.arange(self._homes)
        sizes = [
            np.bincount(at[0], minlength=self._homes) if len(at) else homes for at in self._hubs_of
        ]
        self._add(_SOURCE, _FIRST_NODE + homes, sizes[0])
        self._add(_FIRST_NODE + homes, self._shift + homes, np.minimum(*sizes))
        self._add(self._shift + homes, _SINK, sizes[1])
        self._ways = [self._add_ways(hand, at) for hand, at in enumerate(self._hubs_of)]

    def _add_ways(self, hand: int, at: Ints) -> tuple[int, Ints, Ints]:
        """Add arcs between homes and other hubs; return their number, cards and hub nodes."""
        others, count = len(at) - 1, at.shape[1]
        if others < 1:
            return self._add([], [], []), np.zeros(0, np.int64), np.zeros(0, np.int64)
        home = at[0] + (self._shift if hand else _FIRST_NODE)
        if others > 1:  # a node for each card
            own = self._next + np.arange(count)
            self._next += count
            tails, heads = (own, home) if hand else (home, own)
            self._add(tails, heads, np.ones(count, np.int64))
            home = own
        cards, nodes = np.tile(self._plain[hand], others), self._shift + at[1:].ravel()
        ends = np.tile(home, others)
        tails, heads = (nodes, ends) if hand else (ends, nodes)
        arcs = self._add(tails, heads, np.ones(len(cards), np.int64))
        return arcs, cards, nodes

    def _add_cards_apart(self) -> None:
        """Add nodes for cards with wild attributes, or for all if pairs are compared."""
        self._universal = [
            [i for i in own if is_universal(hand[i], self._k)]
            for hand, own in zip(self._hands, self._apart, strict=True)
        ]
        self._node: list[dict[int, int]] = []
        for hand, own in enumerate(self._apart):
            alone = [i for i in own if not is_universal(self._hands[hand][i], self._k)]
            self._node.append({i: self._next + place for place, i in enumerate(alone)})
            self._next += len(alone)
        givers, takers = self._node
        ones = [*givers.values()]
        self._add(_SOURCE, ones, [1] * len(ones))
        self._add([*takers.values()], _SINK, [1] * len(takers))
        self._add(_SOURCE, _FROM_ANY, len(self._universal[0]))
        self._add(_TO_ANY, _SINK, len(self._universal[1]))
        meeting = self._shift + np.arange(self._homes)
        self._apart_from = len(self._arcs)
        if self._universal[0]:
            self._add(_FROM_ANY, meeting, len(self._universal[0]))
            self._add(_FROM_ANY, [*takers.values()], 1)
        if self._universal[1]:
            self._add(_FIRST_NODE + np.arange(self._homes), _TO_ANY, len(self._universal[1]))
            self._add(ones, _TO_ANY, 1)
        self._add(_FROM_ANY, _TO_ANY, min(map(len, self._universal)))
        self._add_agreeing()

    def _add_agreeing(self) -> None:
        """Add arcs between partly wild cards and the hubs they agree with, and among them."""
        (givers, takers), (first, second) = self._node, self._hands
        arcs: list[tuple[int, int]] = []
        for hub, (coordinates, key) in enumerate(self._on.hubs) if givers or takers else ():
            values = (key,) if self._k == 1 else key
            for hand, nodes in enumerate(self._node):
                for card, node in nodes.items():
                    own = self._hands[hand][card]
                    if all(own[at] in (WILD, b) for at, b in zip(coordinates, values, strict=True)):
                        from_hub = _FIRST_NODE if hand and hub < self._homes else self._shift
                        arcs.append((from_hub + hub, node) if hand else (node, self._shift + hub))
        arcs += [
            (tail, head)
            for i, tail in givers.items()
            for j, head in takers.items()
            if matches(first[i], second[j], self._k)
        ]
        self._add([tail for tail, _ in arcs], [head for _, head in arcs], 1)

    def _add(self, tails: ArrayLike, heads: ArrayLike, capacities: ArrayLike) -> int:
        """Add arcs and return the number of this array of arcs."""
        arrays = np.broadcast_arrays(tails, heads, capacities)
        one, other, most = (np.atleast_1d(each).astype(np.int64) for each in arrays)
        self._arcs.append((one, other, self._flow.add_arcs_with_capacity(one, other, most)))
        return len(self._arcs) - 1

    def _solve(self) -> None:
        status = self._flow.solve(_SOURCE, _SINK)
        assert status == SimpleMaxFlow.OPTIMAL  # noqa: S101  (the network is never too large)
        self._used = [self._flow.flows(arcs) for _, _, arcs in self._arcs]

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs: cards of both hands that meet at the same node."""
        given = self._chosen(0)
        taken = self._chosen(1)
        came, where = self._given_apart(*given)
        went, there = self._taken_apart(*taken, where)
        order, other = np.argsort(where, kind="stable"), np.argsort(there, kind="stable")
        return list(zip(came[order].tolist(), went[other].tolist(), strict=True))

    def _chosen(self, hand: int) -> tuple[Ints, Ints]:
        """Return the plain cards that are used at another hub than their home, and that hub."""
        arcs, cards, nodes = self._ways[hand]
        used = self._used[arcs] > 0
        return cards[used], nodes[used]

    def _given_apart(self, cards: Ints, nodes: Ints) -> tuple[Ints, Ints]:
        """Add the cards that are given from homes and from nodes of their own, with the places."""
        tails, heads, units = self._flow_of([1, *range(self._apart_from, len(self._arcs))])
        tails, heads = np.repeat(tails, units), np.repeat(heads, units)
        homes = (tails >= _FIRST_NODE) & (tails < self._shift)
        owners, places = self._at_home(0, cards, tails[homes] - _FIRST_NODE, heads[homes])
        number = {node: card for card, node in self._node[0].items()}
        spare = iter(self._universal[0])
        more = [
            (next(spare) if tail == _FROM_ANY else number[tail], head)
            for tail, head in zip(tails.tolist(), heads.tolist(), strict=True)
            if tail == _FROM_ANY or tail in number
        ]
        apart = np.array(more, dtype=np.int64).reshape(-1, 2)
        return (
            np.concatenate([cards, owners, apart[:, 0]]),
            np.concatenate([nodes, places, apart[:, 1]]),
        )

    def _taken_apart(self, cards: Ints, nodes: Ints, meeting: Ints) -> tuple[Ints, Ints]:
        """Add the cards that are taken at their homes, and at nodes of their own."""
        tails, heads, units = self._flow_of(range(self._apart_from, len(self._arcs)))
        number = {node: card for card, node in self._node[1].items()}
        shared = (tails >= self._shift) & (units > 0)
        more = [
            (number[head], tail)
            for tail, head in zip(tails[shared].tolist(), heads[shared].tolist(), strict=True)
            if head in number and tail < self._shift + len(self._on.hubs)
        ]
        more += [(number[at], at) for at in meeting.tolist() if at in number] if number else []
        more += [(card, _TO_ANY) for card in self._universal[1][: int((meeting == _TO_ANY).sum())]]
        apart = np.array(more, dtype=np.int64).reshape(-1, 2)
        homes = meeting[(meeting >= self._shift) & (meeting < self._shift + self._homes)]
        owners, places = self._at_home(1, cards, homes - self._shift, homes)
        return (
            np.concatenate([cards, owners, apart[:, 0]]),
            np.concatenate([nodes, places, apart[:, 1]]),
        )

    def _flow_of(self, numbers: Sequence[int] | range) -> tuple[Ints, Ints, Ints]:
        """Return tails, heads and units of some arrays of arcs."""
        return (
            np.concatenate([self._arcs[each][0] for each in numbers]),
            np.concatenate([self._arcs[each][1] for each in numbers]),
            np.concatenate([self._used[each] for each in numbers]),
        )

    def _at_home(self, hand: int, used: Ints, homes: Ints, places: Ints) -> tuple[Ints, Ints]:
        """Return for units at homes the cards, none of them used already, and the places."""
        at = self._hubs_of[hand]
        if not len(homes):
            return homes, homes
        free = ~np.isin(self._plain[hand], used)
        cards, own = self._plain[hand][free], at[0][free]
        order = np.argsort(own, kind="stable")
        cards, own = cards[order], own[order]
        wanted = np.bincount(homes, minlength=self._homes)
        rank = np.arange(len(own)) - np.searchsorted(own, own)
        return cards[rank < wanted[own]], places[np.argsort(homes, kind="stable")]
