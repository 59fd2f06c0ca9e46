"""Rotations of a sequence of cards: what they find is right, and they say no to nothing."""

import random

import pytest

from uno_csp import Status, solve
from uno_csp.algorithms.rotations import ALGORITHM
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import Uno1


@pytest.mark.parametrize("seed", range(12))
def test_hands_are_played_or_left_open(seed: int) -> None:
    rng = random.Random(seed)
    values = rng.choice([2, 4])
    cards = tuple((rng.randrange(values), rng.randrange(5)) for _ in range(rng.randint(1, 9)))
    hand = Uno1(cards)
    found, right = solve(hand, method="rotations", presolve=False), solve(hand)
    assert found.status in (Status.UNKNOWN, right.status)
    assert found.status is not Status.UNSATISFIABLE
    assert found.checked is (found.status is Status.SATISFIABLE)


def test_a_large_dense_hand_is_played() -> None:
    rng = random.Random(1)
    hand = Uno1(tuple((rng.randrange(12), rng.randrange(12)) for _ in range(300)))
    found = ALGORITHM.run(hand)
    assert found.status is Status.SATISFIABLE
    assert found.witness == ALGORITHM.run(hand).witness


def test_it_stops_at_the_deadline_and_declines_what_it_cannot_take() -> None:
    hand = Uno1(((1, 1), (2, 2), (3, 3)))
    assert ALGORITHM.run_until(hand, Deadline.after(0.0)).status is Status.UNKNOWN
    assert ALGORITHM.run(Uno1(())).status is Status.SATISFIABLE
    assert "pile" in (ALGORITHM.refusal(Uno1(((1, 1),), after=(1, 2))) or "")
    assert "10,000 cards" in (ALGORITHM.refusal(Uno1(((1, 1),) * 10_001)) or "")
