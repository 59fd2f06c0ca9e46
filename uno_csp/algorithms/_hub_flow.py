"""Maximum matching of two hands as a maximum flow through hubs, built and read in bulk.

A unit of flow is a pair: a card of the first hand sends it to one of its hubs, and a card of the
second hand takes it from there. If cards have too many hubs, each card of the first hand is itself
a hub, of the cards that match it. Universal cards are paired last, with cards that are left over.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from ortools.graph.python.max_flow import SimpleMaxFlow

from uno_csp.hub_graph.incidence import Incidence, shared_hubs
from uno_csp.questions.cards import Card, has_many_hubs, is_universal, neighbours, some_wild

Ints: TypeAlias = NDArray[np.int64]


def maximum_matching(
    first: Sequence[Card], second: Sequence[Card], at_least: int = 1
) -> list[tuple[int, int]]:
    """Return a maximum set of disjoint pairs of matching cards, as indices into the two hands."""
    (givers, wild), (takers, free) = (_apart(hand, at_least) for hand in (first, second))
    pairs = _match([first[i] for i in givers], [second[j] for j in takers], at_least)
    if not wild and not free:
        return pairs
    pairs = [(givers[i], takers[j]) for i, j in pairs]
    unmatched = sorted({*givers}.difference(i for i, _ in pairs))[: len(free)]
    unanswered = sorted({*takers}.difference(j for _, j in pairs))
    return [*pairs, *zip([*unmatched, *wild], [*free, *unanswered], strict=False)]


def _apart(hand: Sequence[Card], at_least: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return the places of the cards that are not universal, and of those that are."""
    if not some_wild(hand):
        return range(len(hand)), ()
    wild = [i for i, card in enumerate(hand) if is_universal(card, at_least)]
    return sorted({*range(len(hand))}.difference(wild)), wild


def _match(first: Sequence[Card], second: Sequence[Card], at_least: int) -> list[tuple[int, int]]:
    """Return a maximum matching of cards that are not universal."""
    if not first or not second:
        return []
    cards = (*first, *second)
    owners, hubs = _places(cards, len(first), at_least)
    gives = owners < len(first)
    source = len(cards) + int(hubs.max(initial=0)) + 1
    flow, nodes = SimpleMaxFlow(), np.arange(len(cards))
    _add(flow, np.full(len(first), source), nodes[: len(first)])
    _add(flow, nodes[len(first) :], np.full(len(second), source + 1))
    given = _add(flow, owners[gives], len(cards) + hubs[gives])
    taken = _add(flow, len(cards) + hubs[~gives], owners[~gives])
    status = flow.solve(source, source + 1)
    assert status == SimpleMaxFlow.OPTIMAL  # noqa: S101  (the network is never too large)
    ends = []
    for arcs, side in ((given, gives), (taken, ~gives)):
        used = flow.flows(arcs) > 0
        order = np.argsort(hubs[side][used], kind="stable")
        ends.append(owners[side][used][order].tolist())
    return [(i, j - len(first)) for i, j in zip(*ends, strict=True)]


def _places(cards: Sequence[Card], givers: int, at_least: int) -> tuple[Ints, Ints]:
    """Return pairs of a card and a hub that it lies on, as two arrays; the first cards give."""
    if has_many_hubs(len(cards[0]), at_least):
        near = neighbours(cards, at_least)[givers:]
        answered = ([i for i in at if i < givers] for at in near)
        on: Sequence[Sequence[int]] = [*([i] for i in range(givers)), *answered]
    elif some_wild(cards):
        on = shared_hubs(cards, at_least)[1]
    else:
        columns = np.array(Incidence(cards, at_least).columns, dtype=np.int64)
        return np.tile(np.arange(len(cards)), len(columns)), columns.ravel()
    owners = np.repeat(np.arange(len(cards)), list(map(len, on)))
    return owners, np.array([hub for at in on for hub in at], dtype=np.int64)


def _add(flow: SimpleMaxFlow, tails: Ints, heads: Ints) -> Ints:
    """Add arcs for one unit of flow each, and return their numbers."""
    arcs: Ints = flow.add_arcs_with_capacity(tails, heads, np.ones(len(tails), dtype=np.int64))
    return arcs
