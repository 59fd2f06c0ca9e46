"""The hub graph of a hand: its hubs as nodes, its cards as edges and loops."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from uno_csp.cards import MANY_HUBS, Card, Hub, hub_count, hubs, is_universal, is_wild, spare_hubs
from uno_csp.questions import HandQuestion

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
    """

    instance: HandQuestion
    cards: Sequence[Card]
    wilds: Sequence[Card]
    offers: Sequence[Offer]
    wild_offers: Sequence[Offer]
    hubs_of: Sequence[tuple[int, ...]]
    hubs: Sequence[Hub]
    after_hubs: tuple[int, ...] | None

    @property
    def all_cards(self) -> list[Card]:
        """The plain cards that ``hubs_of`` speaks of, in its order."""
        return [*self.cards, *(card for card, _ in self.offers)]

    @property
    def lonely(self) -> int:
        """The number of cards of the hand that share no hub."""
        return sum(not at for at in self.hubs_of[: len(self.cards)])

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
        if self.instance.sense.optimises and self.instance.whole and self.instance.supply is None:
            return None
        return self.ends + 2 * len(self.wild_offers)


def undrawable(instance: HandQuestion) -> str | None:
    """Why hubs do not tell which cards match, or what joins two sequences; None if they do."""
    pile = () if instance.after is None else (instance.after,)
    for card in (*instance.cards, *(instance.supply or ()), *pile):
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
    plain = [card for card in instance.cards if not is_universal(card, k)]
    wilds = [card for card in instance.cards if is_universal(card, k)]
    # Of no cards nothing is missing; what costs nothing would be added for nothing.
    offered = instance.offers if instance.cards else ()
    offers = sorted((offer for offer in offered if not is_universal(offer[0], k)), key=_cost)
    wild_offers = sorted((offer for offer in offered if is_universal(offer[0], k)), key=_cost)
    after = instance.after
    fixed = [] if after is None or is_universal(after, k) else [after]
    drawn = (*plain, *(card for card, _ in offers), *fixed)
    all_hubs = [hubs(card, k) for card in drawn]
    degree = Counter(hub for own in all_hubs for hub in own)
    # Two different cards share no two hubs when there are but two on a card.
    without = len(set(drawn)) == len(drawn) and hub_count(instance.dimension, k) == 2
    spare = set[Hub]() if without else spare_hubs(drawn, k)
    number: dict[Hub, int] = {}
    shared = [
        tuple(
            sorted(
                number.setdefault(hub, len(number))
                for hub in own
                if degree[hub] > 1 and hub not in spare
            )
        )
        for own in all_hubs
    ]
    after_hubs = shared.pop() if fixed else None
    return HubGraph(instance, plain, wilds, offers, wild_offers, shared, list(number), after_hubs)


def _cost(offer: Offer) -> int:
    return offer[1]
