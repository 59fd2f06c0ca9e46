"""Hubs of two cards, which are edges between these cards.

If just two cards share a hub, a playing sequence uses it at most once, between the two. So the hub
needs no node: it is an edge that is chosen or not, and its cards are nodes with at most two chosen
edges and ends (docs/theory.md, Theorem 21). Where all hubs are pairs this is the graph of matching
cards, and the trail is a path in it.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping

from uno_csp.hub_graph.kernel import Core

MANY_HUBS_OF_A_CARD = 3
"""Fewest hubs of one of the two cards for which an edge is the smaller model: a card on two hubs
needs one variable as an edge between hubs, and more as a node."""


def pairs_of_cards(core: Core) -> Mapping[int, tuple[int, int]]:
    """Return, for each hub that is an edge, the places of its two cards in ``core.cards``.

    Both are cards of the hand on different sets of hubs, so neither is a copy of another card.
    """
    held = len(core.graph.cards)
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, (_, at) in enumerate(core.cards):
        for hub in at:
            places[hub].append(place)
    shared = Counter(core.loops)
    shared.update(hub for scope, _ in core.parts for hub in scope)
    shared.update(core.after_hubs or ())
    pairs = {}
    for hub, on in places.items():
        if len(on) != 2 or hub in shared:
            continue
        (one, first), (other, second) = core.cards[on[0]], core.cards[on[1]]
        widest = max(len(first), len(second))
        if max(one, other) < held and first != second and widest >= MANY_HUBS_OF_A_CARD:
            pairs[hub] = (on[0], on[1])
    return pairs
