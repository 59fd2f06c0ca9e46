"""Permuting an instance without changing its answer: cards, values and coordinates."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from uno_csp.questions import Instance
from uno_csp.questions.cards import WILD, Card, Value
from uno_csp.questions.fields import card_lists


def shuffled(instance: Instance, seed: int) -> Instance:
    """Return the instance with cards, values and coordinates permuted.

    Within each coordinate the values that occur are permuted among themselves, then the
    coordinates change places, then the cards of every hand and of the supply. Players keep their
    hands. Solvers can then not profit from the order of the input. If the rules refer to cards by
    name (``open-game``), only the cards of each hand are permuted.

    >>> from uno_csp.questions import Uno1
    >>> shuffled(Uno1(((1, "a"),)), 1).cards
    (('a', 1),)
    """
    rng = random.Random(seed)
    if not instance.by_attributes:
        hands = tuple(tuple(rng.sample(hand, len(hand))) for hand in instance.hands)
        reordered: Instance = replace(cast("Any", instance), hands=hands)
        return reordered
    lists = sorted(card_lists(instance), key=lambda each: each[0] == "after")
    cards = [card for _, cards in lists for card in cards]
    rename = _renaming(cards, rng)
    return instance.rearranged(rename, lambda count: rng.sample(range(count), count))


def _renaming(cards: list[Card], rng: random.Random) -> Callable[[Card], Card]:
    dimension = len(cards[0]) if cards else 0
    names: list[dict[Value, Value]] = []
    for place in range(dimension):
        values = list(dict.fromkeys(card[place] for card in cards if card[place] != WILD))
        others = rng.sample(values, len(values))
        names.append({WILD: WILD, **dict(zip(values, others, strict=True))})
    order = rng.sample(range(dimension), dimension)
    return lambda card: tuple(names[place][card[place]] for place in order)
