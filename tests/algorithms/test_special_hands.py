"""The exact methods: where they are chosen, how far they reach, and what they decline.

That their answers are right is in ``test_never_wrong``.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import networkx as nx
import pytest

from tests.algorithms.test_never_wrong import found
from tests.support.running import Patch
from uno_csp import (
    FillIn,
    Longest,
    NotAccepted,
    Options,
    Status,
    Uno1,
    explain,
    hamiltonian_cycle,
    solve,
)
from uno_csp.algorithms.one_trees import ALGORITHM as ONE_TREES
from uno_csp.algorithms.subsets import ALGORITHM as SUBSETS
from uno_csp.algorithms.subsets import MOST_SETS
from uno_csp.algorithms.width import ALGORITHM as WIDTH
from uno_csp.families.cubic_graphs import flower_snark
from uno_csp.hub_graph import incidence
from uno_csp.hub_graph.incidence import is_forest
from uno_csp.pipeline.planning import make_plan
from uno_csp.questions.cards import Card


def test_the_frontier_of_a_snark_of_a_hundred_vertices_is_narrow() -> None:
    answer = hamiltonian_cycle(flower_snark(25), method="frontier")
    assert (answer.status, answer.method) == (Status.UNSATISFIABLE, "frontier")


def test_cards_that_match_the_same_cards_count_as_copies() -> None:
    answer = solve(Uno1(tuple(("red", number) for number in range(12))))
    assert (answer.method, answer.stats["sets"]) == ("subsets", 13)
    hand = Longest(((1, 1), (1, 2), (2, 2), (3, 3), (3, 4), (5, 5), (5, 6), (5, 7)))
    (line,) = explain(hand, solve(hand))
    assert line.endswith("proved optimal by a table of 96 sets of cards")


@pytest.mark.parametrize("kind", [Uno1, Longest, FillIn])
def test_sets_and_width_agree_on_more_cards_than_brute_force_takes(
    kind: type[Uno1 | Longest | FillIn],
) -> None:
    rng = random.Random(kind.question)
    for size in (12, 14, 16):
        hand = kind(tuple((rng.randrange(6), rng.randrange(9)) for _ in range(size)))
        one, other = found(hand, SUBSETS), found(hand, WIDTH)
        assert one.status is other.status is not Status.UNKNOWN
        values = [each.witness and each.witness.objective for each in (one, other)]
        assert values[0] == values[1]


def test_too_many_sets_are_declined() -> None:
    supplied = FillIn(((1, 1),), supply=((2, 2),) * 10)
    assert SUBSETS.declines(supplied) is None
    many = tuple((number, number) for number in range(16))
    assert SUBSETS.declines(replace(supplied, supply=many)) is not None
    with pytest.raises(NotAccepted, match=f"more than {MOST_SETS} different sets"):
        solve(Uno1((*many, (16, 16))), method="subsets")
    assert SUBSETS.declines(Uno1(((1, 1),) * 10**5)) is not None
    assert SUBSETS.declines(Uno1(((1, 1),) * 1000)) is None


def tree(cards: int, recent: int) -> tuple[Card, ...]:
    """A tree of hubs; each new one hangs on one of the recent ones."""
    rng = random.Random(1)
    hubs = [(0, 0)]
    drawn = []
    for number in range(1, cards + 1):
        side, name = hubs[rng.randrange(max(0, number - recent), number)]
        hubs.append((1 - side, number))
        drawn.append((name, number) if side == 0 else (number, name))
    return tuple(drawn)


@pytest.mark.parametrize("recent", [3, 50, 2000])
def test_forests_are_answered_by_width_whatever_their_size(recent: int) -> None:
    hand = Longest(tree(2000, recent))
    assert [way.method for way in make_plan(hand, Options()).ways] == ["walks", "width"]
    answer = solve(hand)
    assert (answer.status, answer.method, answer.stats["width"]) == (Status.OPTIMAL, "width", 1)


SQUARE = ((1, 1), (1, 2), (2, 2), (2, 1))


@pytest.mark.parametrize(
    ("cards", "at_least", "forest"),
    [
        (tree(30, 30), 1, True),
        (((1, 1), (1, 1), (1, 2)), 1, True),
        (SQUARE, 1, False),
        ((*SQUARE, *[(n, n) for n in range(9, 20)]), 1, False),
        (((1, 1), ("*", 2)), 1, False),
        (((1, 1, 1), (2, 2, 2)), 1, False),
        (((1, 1), (2, 2)), 2, False),
        ((), 1, False),
    ],
)
def test_what_is_a_forest(cards: tuple[Card, ...], at_least: int, forest: bool) -> None:
    assert is_forest(cards, at_least) is forest


def test_a_forest_is_found_step_by_step_and_by_arrays(monkeypatch: Patch) -> None:
    rng, seen = random.Random(1), set[bool]()
    for arrays in (True, False):
        monkeypatch.setattr(incidence, "MANY_CARDS", 0 if arrays else 1000)
        monkeypatch.setattr(incidence, "FEW_CARDS", 4)
        for _ in range(300):
            values, size = rng.randrange(2, 30), rng.randrange(1, 60)
            cards: list[Card] = [
                (rng.randrange(values), rng.randrange(values)) for _ in range(size)
            ]
            cards += tree(12, values) if rng.random() < 0.5 else []
            cards = rng.choice([cards, cards[: rng.randrange(1, 6)]])
            hubs = nx.Graph(((0, colour), (1, number)) for colour, number in cards)
            assert is_forest(tuple(cards), 1) is nx.is_forest(hubs)
            seen.add(nx.is_forest(hubs))
    assert seen == {True, False}


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
def test_one_trees_join_what_lies_far_apart(cards: Sequence[Card], k: int, least: int) -> None:
    finding = found(FillIn(shuffled(cards), at_least=k), ONE_TREES)
    assert (finding.status, finding.bound) == (Status.OPTIMAL, least)


def test_prices_raise_the_bound_of_a_one_tree() -> None:
    """A star with three rays of two cards each: as a tree it costs 3, as a path 4."""
    hand = [(0, 0, 0), (1, 1, 0), (1, 1, 1), (2, 0, 2), (2, 3, 2), (0, 4, 4), (5, 4, 4)]
    finding = found(FillIn(shuffled(hand), at_least=2), ONE_TREES)
    assert (finding.status, finding.bound) == (Status.OPTIMAL, 4)


def test_what_one_trees_decline() -> None:
    assert "supply" in str(ONE_TREES.refusal(FillIn(((1, 1),), supply=())))
    assert "no card can be added" in str(ONE_TREES.refusal(FillIn(((1, 1), (2, 2)), at_least=2)))
    wild = tuple((i, i, "*") for i in range(2001))
    assert "2000 cards" in str(ONE_TREES.refusal(FillIn(wild, at_least=2)))
