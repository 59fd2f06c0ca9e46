"""The hub graph of a hand: its hubs as nodes, its cards as edges and loops."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from uno_csp.cards import (
    MANY_HUBS,
    Card,
    Hub,
    apart,
    hub_count,
    is_universal,
    is_wild,
    some_wild,
    spare_hubs,
)
from uno_csp.incidence import Incidence, incidence
from uno_csp.questions import HandQuestion

UNNEEDED = -1
"""In place of a hub that plays no part."""

Offer: TypeAlias = tuple[Card, int]
"""A card that may be added, and its cost."""


@dataclass(frozen=True, slots=True)
class HubGraph:
    """The hubs that matter in a question, and the cards on them; hubs are numbered from 0.

    Parameters
    ----------
    instance
        The question.
    cards, wilds
        The plain cards of the hand, and its universal wild ones.
    offers, wild_offers
        The same for the supply, with the costs.
    hubs_of
        For each plain card, and then for each plain offer, the hubs it shares with another card or
        with ``after``, ascending, but for :func:`~uno_csp.cards.spare_hubs`.
    hubs
        These hubs, by number.
    after_hubs
        The hubs ``after`` shares with the others; None without such a card, or if it is universal.
    lonely
        The number of cards of the hand that share no hub.
    """

    instance: HandQuestion
    cards: Sequence[Card]
    wilds: Sequence[Card]
    offers: Sequence[Offer]
    wild_offers: Sequence[Offer]
    hubs_of: Sequence[tuple[int, ...]]
    hubs: Sequence[Hub]
    after_hubs: tuple[int, ...] | None
    lonely: int

    @property
    def all_cards(self) -> list[Card]:
        """The plain cards that ``hubs_of`` speaks of, in its order."""
        return [*self.cards, *(card for card, _ in self.offers)]

    @property
    def has_joints(self) -> bool:
        """Whether several trails can be joined: by wild cards, or by any added card."""
        return bool(self.instance.supply is None or self.wilds or self.wild_offers)

    @property
    def follows_pile(self) -> bool:
        """Whether a sequence begins behind ``after``, which then holds one of its ends."""
        return self.after_hubs is not None and bool(self.cards or self.wilds)

    @property
    def ends(self) -> int:
        """How many ends the trails may have, the pile being one: two for each joined sequence.

        A lonely card that must be played has two of them.
        """
        return 2 * (len(self.wilds) + 1) - (2 * self.lonely if self.instance.whole else 0)

    @property
    def most_ends(self) -> int | None:
        """More ends than this serve nothing; None where any number of sequences can be joined."""
        if self.instance.optimises and self.instance.whole and self.instance.supply is None:
            return None
        return self.ends + 2 * len(self.wild_offers)


def undrawable(instance: HandQuestion) -> str | None:
    """Why hubs do not tell which cards match, or what joins two sequences; None if they do."""
    pile = () if instance.after is None else (instance.after,)
    everything = (*instance.cards, *(instance.supply or ()), *pile)
    for card in everything if some_wild(everything) else ():
        if is_wild(card) and not is_universal(card, instance.at_least):
            return (
                "a card that is wild in fewer coordinates than must agree lies on no fixed "
                "hubs; 'successor' takes it"
            )
    count = hub_count(instance.dimension, instance.at_least)
    if count > MANY_HUBS:
        return f"a card lies on {count} hubs, more than {MANY_HUBS}; 'successor' takes it"
    if instance.supply is None and 2 * instance.at_least > instance.dimension:
        return (
            "to join two cards may take a chain of added ones when more than half of the "
            "coordinates must agree; 'successor' takes it"
        )
    return None


def draw(instance: HandQuestion) -> HubGraph:
    """Number the hubs that two cards share and that are needed; the others play no part."""
    k = instance.at_least
    plain, wilds = apart(instance.cards, k)
    # Of no cards nothing is missing; what costs nothing would be added for nothing.
    offered = instance.offers if instance.cards else ()
    offers = sorted((offer for offer in offered if not is_universal(offer[0], k)), key=_cost)
    wild_offers = sorted((offer for offer in offered if is_universal(offer[0], k)), key=_cost)
    after = instance.after
    fixed = [] if after is None or is_universal(after, k) else [after]
    drawn = (*plain, *(card for card, _ in offers), *fixed)
    on = incidence(drawn, k)
    unneeded = _spare(on, k)
    needed = [degree > 1 and hub not in unneeded for hub, degree in enumerate(on.degrees)]
    order = [hub for hub in on.by_first_card() if needed[hub]]
    number = [UNNEEDED] * len(on.hubs)
    for index, hub in enumerate(order):
        number[hub] = index
    columns = [[number[hub] for hub in column] for column in on.columns]
    shared = [
        tuple(sorted(at if UNNEEDED not in at else (hub for hub in at if hub != UNNEEDED)))
        for at in zip(*columns, strict=True)
    ]
    after_hubs = shared.pop() if fixed else None
    named = [on.hubs[hub] for hub in order]
    lonely = shared[: len(plain)].count(())
    return HubGraph(instance, plain, wilds, offers, wild_offers, shared, named, after_hubs, lonely)


def _spare(on: Incidence, at_least: int) -> set[int]:
    """The hubs that no trail needs, see :func:`~uno_csp.cards.spare_hubs`."""
    if len(on.columns) != 2:
        spare = spare_hubs(on.cards, at_least)
        return {number for number, hub in enumerate(on.hubs) if hub in spare}
    # Two different cards share no two hubs, so only hubs of copies alone are spare.
    found = set[int]()
    for places in on.copies.values():
        own = on.at(places[0])
        private = [hub for hub in own if on.kinds[hub] == 1]
        found.update(private[1:] if len(private) == len(own) else private)
    return found


def _cost(offer: Offer) -> int:
    return offer[1]
