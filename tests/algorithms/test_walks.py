"""Walks through all hubs: never wrong, and found where a trail uses every card."""

import random
from typing import Any

import pytest
from hypothesis import given

from tests.support.brute_force import minimum_sequences, playable
from tests.support.drawing import hands
from tests.support.examples import examples
from uno_csp import Answer, FillIn, Longest, Status, Uno1, check
from uno_csp.algorithms.walks import ALGORITHM
from uno_csp.modeling import Algorithm
from uno_csp.questions import HandQuestion
from uno_csp.questions.cards import Card


def status(instance: HandQuestion, algorithm: Algorithm[Any] = ALGORITHM) -> Status:
    """The status, after the checker has accepted the witness."""
    found = algorithm.run(instance)
    if found.witness is not None:
        answer = Answer(instance.question, found.status, found.witness, found.bound)
        assert not check(instance, answer)
    return found.status


@examples(100)
@given(hands(wild="universal", max_cards=8))
def test_against_brute_force(instance: Uno1) -> None:
    cards, k, after = instance.cards, instance.at_least, instance.after
    yes = playable(cards, k, after)
    assert (status(instance) is Status.SATISFIABLE) <= yes
    assert (status(Longest(cards, at_least=k, after=after)) is Status.OPTIMAL) <= yes
    if 2 * k <= instance.dimension:
        fill_in = FillIn(cards, at_least=k, after=after)
        assert (status(fill_in) is Status.OPTIMAL) <= yes


def ring(size: int) -> list[Card]:
    return [(f"a{(i + 1) // 2 % (size // 2)}", f"b{i // 2}") for i in range(size)]


def dense(size: int, values: int) -> list[Card]:
    draw = random.Random(size)
    return [(draw.randrange(values), draw.randrange(values)) for _ in range(size)]


@pytest.mark.parametrize(
    "cards",
    [
        ring(20),
        ring(20)[1:],
        [*ring(20), *((f"leaf{i}", f"b{i}") for i in range(10))],
        [card for card in ring(20)[3:15] for _ in range(2)],
        dense(1000, 100),
        dense(1000, 160),
    ],
)
def test_hands_with_a_walk(cards: list[Card]) -> None:
    hand = tuple(cards)
    assert status(Uno1(hand)) is Status.SATISFIABLE
    assert status(Longest(hand)) is status(FillIn(hand)) is Status.OPTIMAL


def test_a_hand_without_one_has_a_first_sequence() -> None:
    hand = (("R", 1), ("R", 2), ("B", 3), ("B", 4), ("B", 5))
    assert minimum_sequences(hand) == 2
    assert status(Uno1(hand)) is Status.UNKNOWN
    found = ALGORITHM.run(Longest(hand))
    assert (found.status, found.bound) == (Status.UNKNOWN, 5)
    assert found.witness is not None
    assert found.witness.objective == 3
    assert found.reason == "the walk that was found has 2 trails"
