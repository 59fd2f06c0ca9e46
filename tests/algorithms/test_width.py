"""Hands whose hub graph is a forest, which ``width`` answers alone."""

import random

import pytest

from tests.support.brute_force import Card
from uno_csp import FillIn, Longest, Options, Status, solve
from uno_csp.hub_graph.incidence import is_forest
from uno_csp.pipeline.planning import make_plan


def tree(cards: int, seed: int, *, recent: int | None = None) -> tuple[Card, ...]:
    """A tree of hubs; each new one hangs on one of the recent ones, or on any."""
    rng = random.Random(seed)
    hubs = [(0, 0)]
    found = []
    for number in range(1, cards + 1):
        side, name = hubs[rng.randrange(max(0, number - (recent or number)), number)]
        hubs.append((1 - side, number))
        found.append((name, number) if side == 0 else (number, name))
    return tuple(found)


@pytest.mark.parametrize("kind", [Longest, FillIn])
def test_a_forest_is_answered_by_width_alone(kind: type[Longest | FillIn]) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        cards = (*tree(14 + seed, seed), *[(f"x{a}", f"y{b}") for a, b in tree(5, seed)])
        pile = rng.choice([None, cards[3], ("x0", 0)])
        hand = kind((*cards, cards[2]), after=pile)
        found, other = solve(hand), solve(hand, method="hub-trail")
        assert (found.status, found.objective) == (other.status, other.objective), hand
        assert found.method == "width"


@pytest.mark.parametrize("recent", [3, 50, None])
def test_width_does_not_give_up_on_large_trees(recent: int | None) -> None:
    hand = Longest(tree(2000, 1, recent=recent))
    assert [way.method for way in make_plan(hand, Options()).ways] == ["walks", "width"]
    answer = solve(hand)
    assert (answer.status, answer.method, answer.stats["width"]) == (Status.OPTIMAL, "width", 1)


def test_what_is_a_forest() -> None:
    assert is_forest(tree(30, 1), 1)
    assert is_forest(((1, 1), (1, 1), (1, 2)), 1)
    assert not is_forest(((1, 1), (1, 2), (2, 2), (2, 1)), 1)
    assert not is_forest(((1, 1), (1, 2), (2, 2), (2, 1), *[(n, n) for n in range(9, 20)]), 1)
    assert not is_forest(((1, 1), ("*", 2)), 1)
    assert not is_forest(((1, 1, 1), (2, 2, 2)), 1)
    assert not is_forest(((1, 1), (2, 2)), 2)
    assert not is_forest((), 1)
