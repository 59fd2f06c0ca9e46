"""Hands with exactly one play, grown backwards from its last card.

What is left of an only play when its first card was played is an only play of the other cards. So
every such hand grows from a single card: the card on the pile joins the hand, and another one that
begins no further play comes on the pile.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated

from uno_csp.errors import NotAccepted
from uno_csp.families.declaration import Origin, Sample, between, family
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions import Uno1
from uno_csp.questions.cards import WILD, Card, Hand, matches, previous_copies
from uno_csp.questions.codes import DECK

FEWEST_CARDS, MOST_CARDS = 4, 14  # numbers of cards of a hand
WIDTHS = (64, 64, 256, 256, 256, 1024, 1024)
"""Numbers of hands of each size that grow together; the next one if none reaches the end."""
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
    hand = next(grown(random.Random(seed), cards), None)
    if hand is None:
        raise NotAccepted(f"no hand of {cards} cards with one play was found; try another seed")
    named = Uno1(hand.cards, after=hand.after, name=f"one play of {cards} cards, seed {seed}")
    return Sample(named, most=1, why="grown with exactly one play")


def grown(
    rng: random.Random,
    cards: int,
    fits: Callable[[Uno1], bool] = lambda _: True,
    deadline: Deadline = NEVER,
) -> Iterator[Uno1]:
    """Yield hands with one play, all of whose rests fit, in the order of the play."""
    for width in WIDTHS:
        plays: list[Hand] = [(card,) for card in rng.sample(COLOURED, 16)]
        for _ in range(cards):
            longer = {
                (card, frozenset(Counter(play).items())): (card, *play)
                for play in plays
                for card in _before(play)
            }
            plays = []
            for play in rng.sample([*longer.values()], len(longer)):
                deadline.check()
                if fits(Uno1(play[1:], after=play[0])):
                    plays.append(play)
                if len(plays) == width:
                    break
        yield from (Uno1(play[1:], after=play[0]) for play in plays)


def _before(play: Hand) -> list[Card]:
    """Return the cards after which an only play, without its card on the pile, is the only one."""
    others = [card for card in beginnings(play) if card != play[0]]
    return [
        card
        for card in Counter(COLOURED) - Counter(play)
        if matched(card, play[0]) and not any(matched(card, other) for other in others)
    ]


def beginnings(cards: Hand) -> list[Card]:
    """Return the cards, each once, with which a play of the whole hand begins."""
    size = len(cards)
    near = [
        sum(1 << j for j in range(size) if j != i and matched(cards[i], cards[j]))
        for i in range(size)
    ]
    before = [0 if at is None else 1 << at for at in previous_copies(cards)]
    steps = [[(at, 1 << at) for at in range(size) if mask >> at & 1] for mask in near]
    known: dict[tuple[int, int], bool] = {}

    def goes_on(last: int, left: int) -> bool:
        if not left:
            return True
        if (last, left) not in known:
            there = [(at, card) for at, card in steps[last] if left & card]
            # Only these can have lost their last neighbour.
            alone = any(not near[at] & left for at, _ in there) and left & left - 1
            known[last, left] = not alone and any(
                not left & before[at] and goes_on(at, left ^ card) for at, card in there
            )
        return known[last, left]

    everything = (1 << size) - 1
    return [
        card
        for at, card in enumerate(cards)
        if not before[at] and goes_on(at, everything ^ 1 << at)
    ]
