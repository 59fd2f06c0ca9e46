"""A yes without search: cards sorted into cliques, joined by universal wild cards."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from uno_csp.hub_graph.incidence import incidence
from uno_csp.questions import Instance, Uno1
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import (
    Card,
    apart,
    has_many_hubs,
    is_universal,
    is_wild,
    some_wild,
)
from uno_csp.reductions.steps import Decided, with_pile


def settle_with_wild_cards(instance: Instance) -> Decided | None:
    """Answer yes when w wild cards can join the w + 1 cliques of one choice of coordinates.

    *Proof.* Fix k coordinates. Cards that are equal there match each other, so the cards of one
    such class can be played in any order. A universal wild card matches everything and joins two
    classes. Hence c classes and at least c - 1 universal wild cards make a yes; surplus wild cards
    are played last. The card ``after`` (if not universal) counts as already played: its class
    comes first, and if the hand has no other card of that class, the sequence begins with a wild
    card.

    With the official deck: four colours, so three wild cards always suffice.
    """
    if not isinstance(instance, Uno1):
        return None
    plain, wild = apart(instance.cards, instance.at_least)
    after = instance.after
    if after is not None and is_universal(after, instance.at_least):
        after = None
    if some_wild(plain) or (after is not None and is_wild(after)):
        return None
    if has_many_hubs(instance.dimension, instance.at_least):
        return None
    there = with_pile(plain, after, instance.at_least)
    counts = incidence(there, instance.at_least).counts if there else ()
    choices = combinations(range(instance.dimension), instance.at_least)
    for count, coordinates in zip(counts, choices, strict=bool(there)):
        if count > len(wild) + 1:
            continue
        classes: defaultdict[Card, list[Card]] = defaultdict(list)
        if after is not None:
            classes[tuple(after[i] for i in coordinates)] = []
        for card in plain:
            classes[tuple(card[i] for i in coordinates)].append(card)
        sequence = _joined(list(classes.values()), wild)
        return Decided(settle_with_wild_cards.__name__, Witness(sequence))
    return None if instance.cards else Decided(settle_with_wild_cards.__name__, Witness(()))


def _joined(classes: list[list[Card]], wild: Sequence[Card]) -> tuple[Card, ...]:
    sequence: list[Card] = []
    joints = iter(wild)
    for number, members in enumerate(classes):
        if number > 0:
            sequence.append(next(joints))
        sequence.extend(members)
    return (*sequence, *joints)
