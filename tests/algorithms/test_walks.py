"""Walks through all hubs, and rotations and insertions in dense hands."""

import random
from itertools import product
from typing import Any

import pytest

from tests.algorithms.test_never_wrong import found
from tests.support.brute_force import minimum_sequences
from uno_csp import FillIn, Longest, Status, Uno1, portfolio
from uno_csp.algorithms.insertion import ALGORITHM as INSERTION
from uno_csp.algorithms.rotations import ALGORITHM as ROTATIONS
from uno_csp.algorithms.rotations import FEW_HUBS, MOST_CARDS
from uno_csp.algorithms.walks import ALGORITHM
from uno_csp.pipeline import Options
from uno_csp.pipeline.planning import make_plan
from uno_csp.portfolio import ROTATED_CARDS
from uno_csp.processes.deadline import Deadline
from uno_csp.questions.cards import WILD, Card, Hand, Value, matches, neighbours


def ring(size: int) -> list[Card]:
    return [(f"a{(i + 1) // 2 % (size // 2)}", f"b{i // 2}") for i in range(size)]


def dense(size: int, values: int) -> list[Card]:
    draw = random.Random(size)
    return [(draw.randrange(values), draw.randrange(values)) for _ in range(size)]


def finds(algorithm: Any, hand: Hand, at_least: int) -> None:
    """Require that it finds an answer of each kind of question that cannot be better."""
    for kind in (Uno1, Longest, FillIn):
        best = Status.SATISFIABLE if kind is Uno1 else Status.OPTIMAL
        assert found(kind(hand, at_least=at_least), algorithm).status is best


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
    finds(ALGORITHM, tuple(cards), 1)


def test_a_hand_without_one_has_a_first_sequence() -> None:
    hand = (("R", 1), ("R", 2), ("B", 3), ("B", 4), ("B", 5))
    assert minimum_sequences(hand) == 2
    assert found(Uno1(hand), ALGORITHM).status is Status.UNKNOWN
    finding = found(Longest(hand), ALGORITHM)
    assert (finding.status, finding.bound) == (Status.UNKNOWN, 5)
    assert finding.witness is not None
    assert finding.witness.objective == 3
    assert finding.reason == "the walk that was found has 2 trails"


def test_an_empty_supply_joins_no_trails() -> None:
    hand = (("R", 1), ("B", 2), ("G", 3), ("*", "*"))
    assert found(FillIn(hand, supply=()), ALGORITHM).status is Status.UNKNOWN
    assert found(FillIn(hand[1:], supply=()), ALGORITHM).status is Status.OPTIMAL
    assert found(FillIn(hand), ALGORITHM).witness is not None


def test_rotations_find_wide_and_dense_hands() -> None:
    cube = tuple(product(range(2), repeat=8))
    finds(ROTATIONS, cube, 4)
    finding = ROTATIONS.run(Longest((*cube, ("x",) * 8), at_least=4))
    assert finding.reason == "the longest path found has 256 cards of 257"


def wide_hand(size: int) -> Hand:
    draw = random.Random(1)
    return tuple(tuple(draw.randrange(3) for _ in range(20)) for _ in range(size))


def test_rotations_give_up_where_the_cards_fall_apart() -> None:
    apart = Uno1(tuple((i // 2, 2 * i) for i in range(200)))
    finding = ROTATIONS.run(apart)
    assert finding.status is Status.UNKNOWN
    assert finding.reason == "the cards fall into groups that do not match"
    longest = ROTATIONS.run(Longest(apart.cards))
    assert longest.witness is not None
    assert longest.witness.objective == 2
    assert (ROTATED_CARDS, portfolio.FEW_HUBS) == (MOST_CARDS, FEW_HUBS)


def test_rotations_play_large_hands_of_few_matching_pairs() -> None:
    draw = random.Random(1)
    hand = tuple(tuple(draw.randrange(12) for _ in range(4)) for _ in range(MOST_CARDS + 1000))
    finds(ROTATIONS, hand, 3)
    for question in (Uno1, Longest, FillIn):
        ways = make_plan(question(hand, at_least=3), Options()).ways
        assert "rotations" in {way.method for way in ways}
    crowded = ROTATIONS.run(Uno1(tuple((card % 2, card) for card in range(MOST_CARDS + 1))))
    assert crowded.reason == "more than 2000000 pairs of cards match"
    refusal = ROTATIONS.refusal(Uno1((*hand, (WILD, 1, 1, 1)), at_least=3))
    assert (
        refusal == "it takes up to 4000 cards, unless these are plain cards on at most 4 hubs each"
    )


def test_insertion_plays_hands_that_are_too_large_for_rotations() -> None:
    hand = wide_hand(MOST_CARDS + 1)
    ways = make_plan(Uno1(hand, at_least=10), Options()).ways
    assert "insertion" in {way.method for way in ways}
    finds(INSERTION, hand, 10)
    apart = (*hand[:400], ("x",) * 20)
    finding = found(Longest(apart, at_least=10), INSERTION)
    assert finding.reason == "the path that was found plays 400 cards of 401 in a row"
    assert found(FillIn(apart, at_least=10), INSERTION).witness is not None


def test_insertion_at_its_deadline_joins_what_is_left() -> None:
    finding = INSERTION.run_until(FillIn(wide_hand(50), at_least=10), Deadline.after(0))
    assert finding.witness is not None
    assert 0 < (finding.witness.objective or 0) < 49


def test_pairs_of_cards_are_compared_with_arrays_as_without() -> None:
    values: tuple[Value, ...] = (0, 1, WILD)
    wide = [*product(values, repeat=6)]
    near = neighbours(wide, 4)
    for i in range(0, len(wide), 97):
        assert near[i] == [j for j, card in enumerate(wide) if j != i and matches(wide[i], card, 4)]


def test_insertion_adds_nothing_from_an_empty_supply() -> None:
    hand = ((0, 0, 0), (0, 1, 1))
    assert INSERTION.declines(FillIn(hand, at_least=2)) is None
    for supply in ((), ((0, 1, 0),)):
        assert INSERTION.declines(FillIn(hand, supply, at_least=2)) is not None
