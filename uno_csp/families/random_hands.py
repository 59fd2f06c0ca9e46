"""Hands drawn at random: uniform, planted, near a threshold, few colours, a real deck."""

import math
import random
from collections import defaultdict
from typing import Annotated, TypeAlias

from uno_csp.errors import NotAccepted
from uno_csp.families.declaration import MANY, Origin, Sample, between, family
from uno_csp.questions import Uno1
from uno_csp.questions.cards import Card
from uno_csp.questions.codes import DECK, rest_of_deck

Colours: TypeAlias = Annotated[int, between(1, MANY, "number of colours")]
Numbers: TypeAlias = Annotated[int, between(1, MANY, "number of different numbers")]
Cards: TypeAlias = Annotated[int, between(0, MANY, "number of cards in the hand")]
Distinct: TypeAlias = Annotated[bool, "no card is in the hand twice"]


@family("random", Origin.RANDOM)
def random_hand(
    colours: Colours = 10,
    numbers: Numbers = 10,
    cards: Cards = 30,
    distinct: Distinct = False,
    *,
    seed: int,
) -> Sample:
    """Colour and number drawn uniformly, with or without repetition.

    Small hands split into groups or have too many dead ends, and the answer is no; for large ones
    it is nearly always yes. For the size at which it changes see the family ``threshold``.
    """
    rng = random.Random(seed)
    name = f"random {cards} of {colours}x{numbers}, seed {seed}"
    return Sample(Uno1(_draw_cards(rng, colours, numbers, cards, distinct=distinct), name=name))


@family("threshold", Origin.RANDOM)
def threshold_hand(
    values: Annotated[int, between(2, MANY, "number of colours, and of numbers")] = 100,
    ratio: Annotated[float, between(0.01, 100, "cards, as a multiple of the threshold")] = 1.0,
    *,
    seed: int,
) -> Sample:
    """Uniform hands whose size is a multiple of the threshold between no and yes.

    The answer for a large random hand is no because of dead ends: a number with one card, whose
    colour has just one other card, ends a sequence, and so does a card without neighbours. In a
    random graph on h hubs of mean degree d there are about h d^2 e^(-2d) of them. The threshold is
    the number of cards h d / 2 for which this is 2, the number of ends of one sequence.
    """
    cards = round(ratio * threshold(2 * values))
    name = f"{ratio:g} x threshold of {values}x{values}, seed {seed}"
    rng = random.Random(seed)
    return Sample(Uno1(_draw_cards(rng, values, values, cards, distinct=False), name=name))


def threshold(hubs: int) -> float:
    """Return the number of cards at which a random hand has two dead ends on average."""
    degree = 1.0
    for _ in range(50):  # d = (ln(h / 2) + 2 ln d) / 2 by iteration; it converges for d > 1
        degree = max(1.0, (math.log(hubs / 2) + 2 * math.log(degree)) / 2)
    return hubs * degree / 2


@family("planted", Origin.RANDOM)
def planted_hand(
    colours: Colours = 10,
    numbers: Numbers = 10,
    cards: Cards = 30,
    distinct: Distinct = True,
    *,
    seed: int,
) -> Sample:
    """A hand built along a feasible sequence and then shuffled, so that the answer is yes.

    The sequence is a random walk of a rook on the board of colours and numbers, which continues
    from its other end when it is stuck. Sparse hands made this way have a sequence and little else.

    Raises
    ------
    NotAccepted
        If no such walk of that length was found in a hundred tries.
    """
    rng = random.Random(seed)
    if distinct and cards > colours * numbers:
        raise NotAccepted(f"there are only {colours * numbers} different cards, not {cards}")
    for _ in range(100):
        walk = _rook_walk(rng, colours, numbers, cards, distinct=distinct)
        if len(walk) == cards:
            rng.shuffle(walk)
            name = f"planted {cards} of {colours}x{numbers}, seed {seed}"
            return Sample(Uno1(tuple(walk), name=name), most=1, why="built along a sequence")
    raise NotAccepted("no sequence of that many different cards was found; take more values")


@family("few-colours", Origin.RANDOM)
def few_colours_hand(
    colours: Annotated[int, between(1, 8, "number of colours")] = 3,
    numbers: Numbers = 200,
    density: Annotated[float, between(0.0, 1.0, "probability that a card is in the hand")] = 0.4,
    *,
    seed: int,
) -> Sample:
    """Few colours and many numbers: each possible card is in the hand with the same probability.

    With c colours there are only 2^c kinds of numbers for any number of cards (Theorem 3.4).
    """
    rng = random.Random(seed)
    cards = [
        (colour, number)
        for number in range(numbers)
        for colour in range(colours)
        if rng.random() < density
    ]
    name = f"{colours} colours, {numbers} numbers, density {density:g}, seed {seed}"
    return Sample(Uno1(tuple(cards), name=name))


@family("dimensions", Origin.RANDOM)
def dimensions_hand(
    dimension: Annotated[int, between(1, 64, "number of attributes of a card")] = 3,
    at_least: Annotated[int, between(1, 64, "attributes in which neighbours must agree")] = 1,
    values: Annotated[int, between(1, MANY, "number of values of each attribute")] = 6,
    cards: Cards = 20,
    *,
    seed: int,
) -> Sample:
    """Cards with any number of attributes, drawn uniformly."""
    rng = random.Random(seed)
    hand = tuple(tuple(rng.randrange(values) for _ in range(dimension)) for _ in range(cards))
    name = f"{cards} cards, {dimension} attributes of {values}, {at_least} agree, seed {seed}"
    return Sample(Uno1(hand, at_least=at_least, name=name))


@family("deck", Origin.RANDOM)
def deck_hand(
    cards: Annotated[int, between(0, 107, "number of cards dealt")] = 7,
    wild: Annotated[bool, "wild cards are in the deck"] = True,
    pile: Annotated[bool, "a card lies on the discard pile"] = True,
    *,
    seed: int,
) -> Sample:
    """A hand dealt from the official deck of 108 cards, with the top card of the discard pile.

    Asked as ``fill-in``, the cards that may be added are those left in the deck.
    """
    rng = random.Random(seed)
    deck = [card for card in DECK if wild or "*" not in card]
    if cards + pile > len(deck):
        raise NotAccepted(f"the deck has {len(deck)} cards, not {cards + pile}")
    dealt = rng.sample(deck, cards + pile)
    after = dealt.pop() if pile else None
    left = rest_of_deck(dealt if after is None else [*dealt, after])
    supply = tuple(card for card in left if wild or "*" not in card)
    hand = Uno1(tuple(dealt), after=after, name=f"{cards} cards of the deck, seed {seed}")
    return Sample(hand, supply=supply)


def _draw_cards(
    rng: random.Random, colours: int, numbers: int, cards: int, *, distinct: bool
) -> tuple[Card, ...]:
    if not distinct:
        return tuple((rng.randrange(colours), rng.randrange(numbers)) for _ in range(cards))
    if cards > colours * numbers:
        raise NotAccepted(f"there are only {colours * numbers} different cards, not {cards}")
    return tuple(divmod(i, numbers) for i in rng.sample(range(colours * numbers), cards))


def _rook_walk(
    rng: random.Random, colours: int, numbers: int, cards: int, *, distinct: bool
) -> list[tuple[int, int]]:
    """Return a walk that changes one coordinate at a time; with ``distinct`` it may end early."""
    walk: list[tuple[int, int]] = []
    used: tuple[defaultdict[int, set[int]], ...] = (defaultdict(set), defaultdict(set))
    sizes = (colours, numbers)
    here = (rng.randrange(colours), rng.randrange(numbers))
    turned = False
    while len(walk) < cards:
        walk.append(here)
        used[0][here[1]].add(here[0])
        used[1][here[0]].add(here[1])
        moves = [0, 1]
        rng.shuffle(moves)
        for place in moves:
            fixed = here[1 - place]
            taken = used[place][fixed] if distinct else set()
            if len(taken) < sizes[place]:
                value = _free_value(rng, sizes[place], taken)
                here = (value, fixed) if place == 0 else (fixed, value)
                turned = False
                break
        else:
            if turned:
                return walk
            turned = True
            walk.reverse()
            here = walk.pop()  # the loop appends it again
    return walk


def _free_value(rng: random.Random, size: int, taken: set[int]) -> int:
    if 2 * len(taken) > size:
        return rng.choice([value for value in range(size) if value not in taken])
    while True:
        value = rng.randrange(size)
        if value not in taken:
            return value
