"""The path that bounds how many cards an optimum plays."""

import random

from tests.support.brute_force_games import longest
from uno_csp import Longest
from uno_csp.hub_graph.graph import build_hub_graph
from uno_csp.hub_graph.long_paths import cards_along_a_path


def test_a_path_plays_no_more_than_the_optimum() -> None:
    rng = random.Random(4)
    equal = 0
    for _ in range(200):
        dimension = rng.randint(2, 4)
        k = rng.randint(1, dimension)
        cards = tuple(tuple(rng.randint(1, 4) for _ in range(dimension)) for _ in range(6))
        found = cards_along_a_path(build_hub_graph(Longest(cards, at_least=k)))
        best = longest(cards, k, None)
        assert found <= best, cards
        assert found or best <= 1
        equal += found == best
    assert equal > 50


def test_a_long_chain_is_found_as_a_whole() -> None:
    chain = tuple((i // 2, (i + 1) // 2) for i in range(20_000))
    assert cards_along_a_path(build_hub_graph(Longest(chain))) == len(chain)
