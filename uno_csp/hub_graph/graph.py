"""The hub graph of a hand: its hubs as nodes, its cards as edges and loops."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from uno_csp.hub_graph.incidence import incidence, shared_hubs
from uno_csp.questions import HandQuestion, Instance
from uno_csp.questions.cards import (
    MANY_HUBS,
    Card,
    Hub,
    apart,
    has_many_hubs,
    hub_count,
    is_universal,
    is_wild,
    piled,
    some_wild,
)

MOST_PARTLY_WILD = 500  # maximum number of cards that are wild in fewer coordinates than must agree
UNNEEDED = -1  # the number of a hub that is not needed
Hubs: TypeAlias = list[tuple[int, ...]]  # for each card, the numbers of its hubs
Offer: TypeAlias = tuple[Card, int]  # a card that may be added, and its cost


@dataclass(frozen=True, slots=True)
class HubGraph:
    """The hubs needed for a question, and the cards on them; hubs are numbered from 0."""

    instance: HandQuestion  # the question
    # the plain cards of the hand, and its universal wild ones
    cards: Sequence[Card]
    wilds: Sequence[Card]
    # the same for the supply, with the costs
    offers: Sequence[Offer]
    wild_offers: Sequence[Offer]
    # for each plain card, and then for each plain offer, the hubs it shares with another card or
    # with `after`, ascending, if it is needed (`Incidence.needed`)
    hubs_of: Sequence[tuple[int, ...]]
    hubs: Sequence[Hub]  # these hubs, by number
    # the hubs `after` shares with the others; None without such a card, or if it is universal
    after_hubs: tuple[int, ...] | None
    lonely: int  # the number of cards of the hand that share no hub

    @property
    def all_cards(self) -> list[Card]:
        """The plain cards of the hand and then of the supply, in the order of ``hubs_of``."""
        return [*self.cards, *(card for card, _ in self.offers)]

    @property
    def has_joints(self) -> bool:
        """True if several trails can be joined, by wild cards or by any added card."""
        return bool(self.instance.supply is None or self.wilds or self.wild_offers)

    @property
    def follows_pile(self) -> bool:
        """True if a sequence follows ``after``, which is then one of its ends."""
        return self.after_hubs is not None and bool(self.cards or self.wilds)

    @property
    def ends(self) -> int:
        """Maximum number of ends of trails: two for each joined sequence; the pile counts as one.

        A lonely card that must be played uses two of them.
        """
        return 2 * (len(self.wilds) + 1) - (2 * self.lonely if self.instance.whole else 0)

    @property
    def most_ends(self) -> int | None:
        """Maximum number of useful ends; None if any number of sequences can be joined."""
        if self.instance.optimises and self.instance.whole and self.instance.supply is None:
            return None
        return self.ends + 2 * len(self.wild_offers)


def hub_graph_refusal(instance: Instance, instead: str = "successor") -> str | None:
    """Return why hubs do not determine which cards match or how to join them; None if they do.

    ``instead`` is the name of an encoding that takes the instance all the same.
    """
    pile = () if instance.after is None else (instance.after,)
    everything = (*instance.cards, *(instance.supply or ()), *pile)
    if some_wild(everything):
        k = instance.at_least
        partly = sum(is_wild(card) and not is_universal(card, k) for card in everything)
        if partly > MOST_PARTLY_WILD:
            return (
                f"{partly} cards are wild in fewer coordinates than must agree, more than "
                f"{MOST_PARTLY_WILD}; '{instead}' takes it"
            )
    if has_many_hubs(instance.dimension, instance.at_least):
        count = hub_count(instance.dimension, instance.at_least)
        return f"a card lies on {count} hubs, more than {MANY_HUBS}; '{instead}' takes it"
    return None


def trail_refusal(instance: HandQuestion) -> str | None:
    """Return why trails on the hubs do not answer a question exactly; None if they do."""
    adds_any_card = instance.whole and instance.optimises and instance.supply is None
    if adds_any_card and 2 * instance.at_least > instance.dimension:
        return (
            "joining two cards may take a chain of added ones when more than half of the "
            "coordinates must agree; 'priced-trail' takes it"
        )
    return hub_graph_refusal(instance)


def build_hub_graph(instance: HandQuestion) -> HubGraph:
    """Return the hub graph of an instance: all hubs that two cards share and that are needed."""
    k = instance.at_least
    plain, wilds = apart(instance.cards, k)
    # An empty hand needs no added cards; free ones would be added without need.
    offered = instance.offers if instance.cards else ()
    offers = sorted((offer for offer in offered if not is_universal(offer[0], k)), key=_cost)
    wild_offers = sorted((offer for offer in offered if is_universal(offer[0], k)), key=_cost)
    fixed = piled(instance.after, k)
    drawn = (*plain, *(card for card, _ in offers), *fixed)
    if some_wild(drawn):
        named, shared = shared_hubs(drawn, k)
    else:
        named, shared = _hubs_in_bulk(drawn, k)
    after_hubs = shared.pop() if fixed else None
    lonely = shared[: len(plain)].count(())
    return HubGraph(
        instance=instance,
        cards=plain,
        wilds=wilds,
        offers=offers,
        wild_offers=wild_offers,
        hubs_of=shared,
        hubs=named,
        after_hubs=after_hubs,
        lonely=lonely,
    )


def _hubs_in_bulk(cards: tuple[Card, ...], at_least: int) -> tuple[list[Hub], Hubs]:
    """Return the hubs that are needed, and those of each card; no card is wild."""
    on = incidence(cards, at_least)
    order = [hub for hub in on.by_first_card() if on.needed[hub]]
    number = [UNNEEDED] * len(on.hubs)
    for index, hub in enumerate(order):
        number[hub] = index
    columns = [[number[hub] for hub in column] for column in on.columns]
    shared = [
        tuple(sorted(at if UNNEEDED not in at else (hub for hub in at if hub != UNNEEDED)))
        for at in zip(*columns, strict=True)
    ]
    return [on.hubs[hub] for hub in order], shared


def _cost(offer: Offer) -> int:
    return offer[1]
