"""Refutation by groups of cards that share no hub."""

from collections import Counter

from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.hub_graph.incidence import incidence
from uno_csp.questions import Instance
from uno_csp.questions.cards import Card
from uno_csp.questions.wording import describe, disagree, the_cards
from uno_csp.reductions.dead_ends import find_dead_ends
from uno_csp.reductions.steps import Decided, plain_hand, wild_joints


def refute_by_groups(instance: Instance) -> Decided | None:
    """Answer no when there are more groups than the universal wild cards can join.

    *Proof.* Put two cards into one group when a chain of common hubs leads from one to the other.
    Cards of different groups do not match, so wherever a sequence passes from one group to
    another, a universal wild card stands between. A sequence through g groups therefore holds at
    least g - 1 of them. The card ``after`` is played already and belongs to a group like any other.

    A card that is wild in some coordinates but not universal may match across groups; with such a
    card in the hand the step does nothing.
    """
    hand = plain_hand(instance)
    if hand is None or not hand.everything:
        return None
    plain, wild_count = hand.everything, len(hand.wilds)
    pieces = find_dead_ends(plain, instance.at_least)
    if pieces is not None and pieces.sequences <= wild_count + 1:  # at least as many as groups
        return None
    roots = groups(plain, instance.at_least)
    sizes = Counter(roots)
    if len(sizes) <= wild_count + 1:
        return None
    first, second = list(sizes)[:2]
    examples = [describe(plain[roots.index(root)]) for root in (first, second)]
    joints = wild_joints(wild_count) or "and no wild card joins them"
    reason = (
        f"{the_cards(wild_count, piled=bool(hand.piled))} fall into {len(sizes)} groups; "
        f"cards of different groups {disagree(instance.at_least)}, {joints}; "
        f"{examples[0]} and {examples[1]} are in different ones"
    )
    return Decided(None, reason)


def groups(cards: tuple[Card, ...], at_least: int) -> list[int]:
    """Return for each card a hub that represents its group."""
    found = incidence(cards, at_least)
    sets = DisjointSets(len(found.hubs))
    first, *others = found.columns
    for column in others:
        sets.unite_all(zip(first, column, strict=True))
    roots = list(map(sets.find, range(len(found.hubs))))
    return [roots[hub] for hub in first]
