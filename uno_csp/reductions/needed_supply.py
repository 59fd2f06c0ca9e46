"""Cards of the supply without which a hand falls apart: they are added before any search."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from uno_csp.graph_tools.pieces import Near, biconnected
from uno_csp.hub_graph.graph import HubGraph, build_hub_graph, hub_graph_refusal
from uno_csp.questions import FillIn, Instance
from uno_csp.questions.answers import Witness
from uno_csp.reductions.steps import Reduced

MOST_CARDS = 50_000
"""Maximum number of cards, with those of the supply: about a second in the caller's process."""


def add_needed_supply(instance: Instance) -> Reduced | None:
    """Put the cards of the supply that every answer has into the hand, and add up their costs.

    *Proof.* Take the graph of hubs and cards, those of the supply with the same hubs as one node.
    Cards that follow each other share a hub, so the cards of a sequence are in one component of
    this graph, without the nodes that it does not use. If a node of the supply separates two cards
    that are played, or one from the card on the pile, one of its cards is added in every answer;
    the cheapest can take the place of any other. Universal wild cards would join components.
    """
    if not isinstance(instance, FillIn) or not instance.offers:
        return None
    if not instance.cards or instance.size > MOST_CARDS:
        return None
    if hub_graph_refusal(instance) is not None:
        return None
    graph = build_hub_graph(instance)
    if graph.wilds or graph.wild_offers or graph.lonely:
        return None
    needed = [graph.offers[place] for place in _separating(graph)]
    if not needed:
        return None
    left = [*(Counter(instance.offers) - Counter(needed)).elements()]
    added, cost = tuple(card for card, _ in needed), sum(cost for _, cost in needed)

    def lift(witness: Witness) -> Witness:
        """Return the witness in which these cards are added ones."""
        objective = None if witness.objective is None else witness.objective + cost
        return replace(witness, added=(*(witness.added or ()), *added), objective=objective)

    rest = replace(
        instance,
        cards=(*instance.cards, *added),
        supply=tuple(card for card, _ in left),
        costs=tuple(cost for _, cost in left),
    )
    return Reduced(rest, lift, cost)


def _separating(graph: HubGraph) -> list[int]:
    """Return the cheapest offer of each node of the supply that separates cards to be played."""
    held = len(graph.cards)
    kinds: dict[tuple[int, ...], int] = {}
    for place, at in enumerate(graph.hubs_of[held:]):
        kinds.setdefault(at, place)  # the cheapest come first
    pile = [graph.after_hubs] if graph.after_hubs else []
    played = dict.fromkeys([*graph.hubs_of[:held], *pile])
    near: list[list[int]] = [[] for _ in graph.hubs]
    for node, at in enumerate([*played, *kinds], start=len(near)):
        near.append(list(at))
        for hub in at:
            near[hub].append(node)
    first = len(graph.hubs)
    parting = _parting(near, first, first + len(played))
    return [
        place for node, place in enumerate(kinds.values(), first + len(played)) if parting[node]
    ]


def _parting(near: Near, first: int, end: int) -> Sequence[bool]:
    """Return for each node whether it separates the first node of a range from another one.

    In the tree of the nodes and the blocks around them, such a node has a block below it with some
    of the range, but not all.
    """
    size, parts = len(near), biconnected(near)
    inside: list[list[int]] = [[] for _ in range(size)]
    for block, members in enumerate(parts, start=size):
        for node in members:
            inside[node].append(block)
    around: list[Iterable[int]] = [*inside, *parts]
    above = {first: first}
    order = [first]
    for node in order:
        for other in around[node]:
            if other not in above:
                above[other] = node
                order.append(other)
    weight = [int(first <= node < end) for node in range(size + len(parts))]
    for node in reversed(order[1:]):
        weight[above[node]] += weight[node]
    parting = [False] * size
    for block in order:
        if block >= size and 0 < weight[block] < weight[first]:
            parting[above[block]] = True
    return parting
