"""Merging of pendant cards: cards that only one hub ties to the rest of the hand."""

from collections import defaultdict
from dataclasses import replace

from uno_csp.hub_graph.incidence import incidence
from uno_csp.questions import Instance
from uno_csp.questions.cards import Card, Hub
from uno_csp.reductions.steps import Reduced, plain_hand, play_beside


def merge_pendant_cards(instance: Instance) -> Reduced | None:
    """Keep only one of the cards that a single hub v ties to the rest of the hand.

    A hub is *private* to a card when no different card of the hand, nor ``after``, lies on it. A
    card is *pendant* at v when all its hubs but v are private to it, and *lonely* when v is too.

    *Proof.* Let e stay and let f be another card pendant at v (or another copy of e, or of a lonely
    card e). Whatever stands next to f in a sequence lies on v or is a universal wild card, or, for
    a lonely card, is another copy of it or such a wild card. So the neighbours of f match each
    other, and f can be taken out; at an end of the sequence, or right behind ``after``, likewise.
    Conversely, f can be played right behind e: f and e share v, and the card that followed e
    lies on v or is universal, so it matches f as well.

    Cards that are wild in some coordinates but not universal have no hubs; with such a card the
    step does nothing.
    """
    hand = plain_hand(instance)
    if hand is None:
        return None
    ties = _ties(hand.everything, instance.at_least)
    if not ties:
        return None
    kept: list[Card] = []
    keeper: dict[Hub | Card, Card] = {}
    beside: defaultdict[Card, list[Card]] = defaultdict(list)
    for card in instance.cards:
        if card not in ties:  # universal, or tied by several hubs
            kept.append(card)
            continue
        place = ties[card] or card
        if place in keeper:
            beside[keeper[place]].append(card)
        else:
            keeper[place] = card
            kept.append(card)
    if not beside:
        return None
    return Reduced(replace(hand.question, cards=tuple(kept)), play_beside(beside))


def _ties(cards: tuple[Card, ...], at_least: int) -> dict[Card, Hub | None]:
    """Return the cards with at most one hub that is not private, each with that hub or None."""
    found = incidence(cards, at_least)
    private = {hub for hub, kinds in enumerate(found.kinds) if kinds == 1}
    with_private = {
        index for column in found.columns for index, hub in enumerate(column) if hub in private
    }
    ties = {}
    for index in range(len(cards)) if len(found.columns) == 1 else with_private:
        hubs = [found.hubs[hub] for hub in found.at(index) if hub not in private]
        if len(hubs) < 2:
            ties[cards[index]] = hubs[0] if hubs else None
    return ties
