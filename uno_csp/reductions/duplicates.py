"""Removal of surplus copies: more copies of a card than can matter."""

from collections import Counter, defaultdict
from dataclasses import replace

from uno_csp.questions import Instance, Uno1
from uno_csp.questions.cards import Card, has_many_hubs, hub_count, is_wild
from uno_csp.reductions.steps import Reduced, play_beside


def drop_surplus_copies(instance: Instance) -> Reduced | None:
    """Keep at most m copies of a card that has no wild coordinate and lies on m hubs.

    *Proof.* A dropped copy can be played beside one that stays, since equal cards match and have
    the same neighbours; so a yes of the smaller hand is a yes of the larger. Conversely take a
    sequence with more than m copies of X and cut it at them. Between copies lie segments; each
    end of a segment that touches X does so at a hub of X. Draw the m hubs of X as nodes, each
    inner segment as an edge between the hubs of its two ends, the outer segments as half-edges,
    and each copy of X as an edge or loop from the hub it is entered by to the hub it is left by.
    The sequence is an open trail of this graph, and every trail through all its edges that keeps
    the first half-edge first is a sequence: two segments that meet at a hub of X agree with X, and
    so with each other, in its k coordinates. Now exchange the edges that are copies of X: in each
    of their connected components, of s >= 2 nodes with a set T of odd ones, put a spanning tree
    whose odd nodes are T if T is not empty (s - 1 edges), a cycle if T is empty and s >= 3
    (s edges), a doubled edge if s = 2. Loops are dropped, one being kept if no other copy remains.
    Parities and connectivity are as before, so a trail still exists, with at most m copies of X
    (for m = 1 a single one). Further copies up to m are played beside one of them. Three copies of
    a card with three hubs can join all of them in a triangle, which two cannot without changing a
    parity: this is why the bound grows with the number of hubs.
    """
    if not isinstance(instance, Uno1):
        return None
    if has_many_hubs(instance.dimension, instance.at_least):
        return None
    hubs_per_card = hub_count(instance.dimension, instance.at_least)
    if max(Counter(instance.cards).values(), default=0) <= hubs_per_card:
        return None
    seen: Counter[Card] = Counter()
    kept: list[Card] = []
    beside: defaultdict[Card, list[Card]] = defaultdict(list)
    for card in instance.cards:
        seen[card] += 1
        if seen[card] <= hubs_per_card or is_wild(card):
            kept.append(card)
        else:
            beside[card].append(card)
    if not beside:
        return None
    return Reduced(replace(instance, cards=tuple(kept)), play_beside(beside))
