"""Hubs of degree one: cards that only one hub ties to the rest."""

from collections import defaultdict
from dataclasses import replace

from uno_csp.cards import MANY_HUBS, Card, Hub, hub_count, hubs, is_universal, is_wild
from uno_csp.questions import Instance, Uno1
from uno_csp.reductions.steps import Reduced, played_beside


def merge_pendant_cards(instance: Instance) -> Reduced | None:
    """Of all cards that only hub v ties to the rest of the hand keep one.

    A hub is *private* to a card when no different card of the hand, nor ``after``, lies on it. A
    card is *pendant* at v when all its hubs but v are private to it, and *lonely* when v is too.

    *Proof.* Let e stay and let f be another card pendant at v (or another copy of e, or of a lonely
    card e). Whatever stands next to f in a sequence lies on v or is a universal wild card, or, for
    a lonely card, is another copy of it or such a wild card. So the neighbours of f match each
    other, and f can be taken out; at an end of the sequence, or right behind ``after``, likewise.
    Conversely, f can be played right behind e: f and e share v, and the card that followed e
    lies on v or is universal, so it matches f as well.

    Cards that are wild in some coordinates and yet not universal have no hubs; with one of them
    around the step stands back.
    """
    if not isinstance(instance, Uno1):
        return None
    plain = [card for card in instance.cards if not is_universal(card, instance.at_least)]
    fixed = instance.after
    if fixed is not None and is_universal(fixed, instance.at_least):
        fixed = None
    everything = plain if fixed is None else [*plain, fixed]
    if hub_count(instance.dimension, instance.at_least) > MANY_HUBS or any(
        map(is_wild, everything)
    ):
        return None
    ties = _ties(everything, instance.at_least)
    kept: list[Card] = []
    keeper: dict[Hub | Card, Card] = {}
    beside: defaultdict[Card, list[Card]] = defaultdict(list)
    for card in instance.cards:
        shared = ties.get(card)
        if shared is None or len(shared) > 1:  # universal, or tied by several hubs
            kept.append(card)
            continue
        place = shared[0] if shared else card
        if place in keeper:
            beside[keeper[place]].append(card)
        else:
            keeper[place] = card
            kept.append(card)
    if not beside:
        return None
    return Reduced(replace(instance, cards=tuple(kept)), played_beside(beside))


def _ties(cards: list[Card], at_least: int) -> dict[Card, list[Hub]]:
    """For each distinct card its hubs that are not private."""
    on_hubs = {card: hubs(card, at_least) for card in cards}
    first_on: dict[Hub, Card] = {}
    shared: set[Hub] = set()
    for card, own in on_hubs.items():
        for hub in own:
            if first_on.setdefault(hub, card) != card:
                shared.add(hub)
    return {card: [hub for hub in own if hub in shared] for card, own in on_hubs.items()}
