"""A yes without search: cards sorted into cliques, joined by universal wild cards."""

from collections import defaultdict
from itertools import combinations

from uno_csp.hub_graph.choices import join_pieces
from uno_csp.hub_graph.incidence import incidence
from uno_csp.questions import Instance
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card
from uno_csp.reductions.steps import Decided, plain_hand


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
    hand = plain_hand(instance)
    if hand is None:
        return None
    there = hand.everything
    counts = incidence(there, instance.at_least).counts if there else ()
    choices = combinations(range(instance.dimension), instance.at_least)
    for count, coordinates in zip(counts, choices, strict=bool(there)):
        if count > len(hand.wilds) + 1:
            continue
        classes: defaultdict[Card, list[Card]] = defaultdict(list)
        for card in hand.piled:
            classes[tuple(card[i] for i in coordinates)] = []
        for card in hand.plain:
            classes[tuple(card[i] for i in coordinates)].append(card)
        sequence = join_pieces(list(classes.values()), hand.wilds)
        return Decided(Witness(sequence))
    return None if instance.cards else Decided(Witness(()))
