"""Spanning trees and short paths: equal where lines and cubes lie far apart."""

import random
from collections.abc import Sequence
from itertools import product

import pytest

from tests.algorithms.test_never_wrong import found
from uno_csp import FillIn, Status
from uno_csp.algorithms.one_trees import ALGORITHM
from uno_csp.algorithms.subsets import ALGORITHM as SUBSETS
from uno_csp.questions.cards import Card


def shuffled(hand: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(random.Random(1).sample(hand, len(hand)))


CUBES = [tuple(3 * c + v for v in at) for c in range(4) for at in product(range(3), repeat=4)]


@pytest.mark.parametrize(
    ("cards", "k", "least"),
    [
        ([(j, j, j, i) for j in range(20) for i in range(10)], 3, 38),
        ([(j, j, i) for j in range(10) for i in range(30)], 2, 9),
        ([(i, i, i) for i in range(200)], 2, 398),
        pytest.param([(i, i, i) for i in range(3000)], 2, 5998, marks=pytest.mark.slow),
        ([(i, i, i, i) for i in range(20) for _ in range(10)], 3, 57),
        (CUBES, 3, 9),
        ([(*card, "*", 0) for card in CUBES], 5, 9),
    ],
)
def test_far_apart(cards: Sequence[Card], k: int, least: int) -> None:
    finding = found(FillIn(shuffled(cards), at_least=k), ALGORITHM)
    assert (finding.status, finding.bound) == (Status.OPTIMAL, least)


def test_prices_raise_the_bound_of_a_tree() -> None:
    # A star with three rays of two cards each: as a tree it costs 3, as a path 4.
    hand = [(0, 0, 0), (1, 1, 0), (1, 1, 1), (2, 0, 2), (2, 3, 2), (0, 4, 4), (5, 4, 4)]
    finding = found(FillIn(shuffled(hand), at_least=2), ALGORITHM)
    exact = SUBSETS.run(FillIn(shuffled(hand), at_least=2)).witness
    assert exact is not None
    assert (finding.status, finding.bound) == (Status.OPTIMAL, exact.objective)


def test_what_it_declines() -> None:
    assert "supply" in str(ALGORITHM.refusal(FillIn(((1, 1),), supply=())))
    assert "no card can be added" in str(ALGORITHM.refusal(FillIn(((1, 1), (2, 2)), at_least=2)))
    wild = tuple((i, i, "*") for i in range(2001))
    assert "2000 cards" in str(ALGORITHM.refusal(FillIn(wild, at_least=2)))
