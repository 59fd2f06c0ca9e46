"""Permuting an instance without changing its answer: cards, values and coordinates."""

import random
from collections.abc import Callable
from dataclasses import replace

from uno_csp.cards import WILD, Card, Value
from uno_csp.instances import (
    Cooperative,
    FillIn,
    Hand,
    Instance,
    Uncooperative,
)


def shuffled(instance: Instance, seed: int) -> Instance:
    """The same instance with cards, values and coordinates permuted.

    Within each coordinate the values that occur are permuted among themselves, then the
    coordinates change places, then the cards of every hand and of the supply. Players keep their
    hands. Solvers that profit from a tidy order lose that here.

    >>> from uno_csp.instances import Uno1
    >>> shuffled(Uno1(((1, "a"),)), 1).cards
    (('a', 1),)
    """
    draw = random.Random(seed)
    rename = _renaming(_all_cards(instance), draw)

    def deal(cards: Hand) -> Hand:
        """A hand with its cards renamed and in another order."""
        return tuple(draw.sample([rename(card) for card in cards], len(cards)))

    if isinstance(instance, Uncooperative):
        return replace(instance, hands=tuple(map(deal, instance.hands)))
    after = None if instance.after is None else rename(instance.after)
    if isinstance(instance, Cooperative):
        return replace(instance, hands=tuple(map(deal, instance.hands)), after=after)
    cards = deal(instance.cards)
    if isinstance(instance, FillIn) and instance.supply is not None:
        order = draw.sample(range(len(instance.supply)), len(instance.supply))
        supply = tuple(rename(instance.supply[i]) for i in order)
        costs = None if instance.costs is None else tuple(instance.costs[i] for i in order)
        return replace(instance, cards=cards, after=after, supply=supply, costs=costs)
    return replace(instance, cards=cards, after=after)


def _all_cards(instance: Instance) -> list[Card]:
    supply = instance.supply or () if isinstance(instance, FillIn) else ()
    pile = () if isinstance(instance, Uncooperative) or instance.after is None else [instance.after]
    return [*instance.cards, *supply, *pile]


def _renaming(cards: list[Card], draw: random.Random) -> Callable[[Card], Card]:
    dimension = len(cards[0]) if cards else 0
    names: list[dict[Value, Value]] = []
    for place in range(dimension):
        values = list(dict.fromkeys(card[place] for card in cards if card[place] != WILD))
        others = draw.sample(values, len(values))
        names.append({WILD: WILD, **dict(zip(values, others, strict=True))})
    order = draw.sample(range(dimension), dimension)
    return lambda card: tuple(names[place][card[place]] for place in order)
