"""Hands with exactly one play, grown by local search.

A hand of coloured cards of the official deck grows card by card. After each new card, cards are
changed until there is one play again.
"""

import math
import random
from collections import Counter
from functools import cache
from typing import Annotated

from uno_csp.errors import NotAccepted
from uno_csp.families.declaration import Origin, Sample, between, family
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions import Uno1
from uno_csp.questions.cards import WILD, Card, matches, previous_copies
from uno_csp.questions.codes import DECK

FEWEST_CARDS, MOST_CARDS = 4, 16  # numbers of cards of a hand
CHANGES = 400  # changes of a hand before another one is grown
COLDNESS = 4.0  # inverse of the mean growth of the log of the number of plays accepted
TRIES = 200  # maximum number of hands that are grown
COLOURED: tuple[Card, ...] = tuple(card for card in DECK if WILD not in card)
"""The cards of the hands, as often as the official deck has them."""

matched = cache(matches)


@family("puzzle", Origin.RANDOM)
def puzzle_hand(
    cards: Annotated[int, between(FEWEST_CARDS, MOST_CARDS, "number of cards in the hand")] = 10,
    *,
    seed: int,
) -> Sample:
    """A hand and a card on the pile with exactly one play; equal cards are indistinguishable.

    Raises
    ------
    NotAccepted
        If no such hand was found.
    """
    rng = random.Random(seed)
    for _ in range(TRIES):
        hand = grown(rng, cards)
        if hand is not None:
            name = f"one play of {cards} cards, seed {seed}"
            named = Uno1(hand.cards, after=hand.after, name=name)
            return Sample(named, most=1, why="grown with exactly one play")
    raise NotAccepted(f"no hand of {cards} cards with one play was found; try another seed")


def grown(rng: random.Random, cards: int, deadline: Deadline = NEVER) -> Uno1 | None:
    """Return a hand with one play, grown card by card; None if the changes did not lead to one."""
    first, second = rng.sample(COLOURED, 2)
    hand = Uno1((second,), after=first)
    while True:
        hand, count = _settle(rng, hand, deadline)
        if count != 1:
            return None
        if len(hand.cards) == cards:
            return Uno1(tuple(rng.sample(hand.cards, cards)), after=hand.after)
        hand = Uno1((*hand.cards, rng.choice(unused(hand))), after=hand.after)


def _settle(rng: random.Random, hand: Uno1, deadline: Deadline) -> tuple[Uno1, int]:
    """Change cards until there is one play; return the hand and its number of plays.

    A hand without a play is changed until it has one. After that, a change to more plays is kept
    now and then, as in simulated annealing, so that the search does not get stuck.
    """
    count = plays_up_to(hand, math.inf)
    for _ in range(CHANGES):
        if count == 1:
            break
        deadline.check()
        changed = _change(rng, hand)
        most = count * math.exp(rng.expovariate(COLDNESS)) if count else math.inf
        total = plays_up_to(changed, most)
        if not count or 0 < total <= most:
            hand, count = changed, total
    return hand, count


def plays_up_to(hand: Uno1, most: float) -> int:
    """Return the number of plays of a hand that follows a card, or some number above ``most``.

    Equal cards are played in order. The plays of every position that is reached are part of the
    total, so counting ends where one of them has more than ``most``.
    """
    cards = [*hand.cards, *filter(None, [hand.after])]
    size = len(hand.cards)
    near = [
        sum(1 << at for at in range(size) if at != i and matched(hand.cards[at], card))
        for i, card in enumerate(cards)
    ]
    before = [0 if at is None else 1 << at for at in previous_copies(hand.cards)]
    steps = [[(at, 1 << at) for at in range(size) if mask >> at & 1] for mask in near]
    known: dict[tuple[int, int], int] = {}

    def onward(last: int, left: int) -> int:
        if not left & left - 1:
            return int(near[last] & left > 0)
        total = 0
        for at, card in steps[last]:  # only these can have lost their last neighbour
            if left & card and not near[at] & left:
                return 0
        for at, card in steps[last]:
            if left & card and not left & before[at]:
                position = at, left ^ card
                if position not in known:
                    known[position] = onward(*position)
                total += known[position]
                if total > most:
                    break
        return total

    return onward(size, (1 << size) - 1)


def unused(hand: Uno1) -> list[Card]:
    """Return the coloured cards of the deck that are neither in the hand nor on the pile."""
    return list(
        (Counter(COLOURED) - Counter([*hand.cards, *filter(None, [hand.after])])).elements()
    )


def _change(rng: random.Random, hand: Uno1) -> Uno1:
    """Return a hand with another card in the place of one; now and then of that on the pile."""
    fresh, at = rng.choice(unused(hand)), rng.randrange(len(hand.cards) + 1)
    if at == len(hand.cards):
        return Uno1(hand.cards, after=fresh)
    return Uno1((*hand.cards[:at], fresh, *hand.cards[at + 1 :]), after=hand.after)
