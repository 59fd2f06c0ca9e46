"""The theory of hubs against brute force.

The hub-trail theorem, hubs of two cards as edges, and the path that bounds an optimum.
"""

import random
from itertools import combinations_with_replacement, product
from math import comb

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import (
    Card,
    card_hubs,
    fewest_trails,
    minimum_sequences,
    playable,
)
from tests.support.brute_force_games import longest
from tests.support.drawing import cards, drawn, hands
from tests.support.examples import examples
from tests.support.hands import nontraceable
from uno_csp import FillIn, Longest, Status, Uno1, solve
from uno_csp.graphs.paper import cubic_hand
from uno_csp.hub_graph.graph import build_hub_graph
from uno_csp.hub_graph.incidence import is_graph
from uno_csp.hub_graph.kernel import identity_kernel
from uno_csp.hub_graph.long_paths import cards_along_a_path
from uno_csp.hub_graph.pairs import pairs_of_cards
from uno_csp.questions import HandQuestion

MANY_CHOICES = 2000
"""Choices of pairs of hubs from which trying all takes long."""


@examples(40)
@given(hands(max_cards=4, after=False))
def test_hub_trail_theorem(instance: Uno1) -> None:
    on = comb(instance.dimension, instance.at_least) if instance.cards else 0
    if 0 < comb(on + 1, 2) ** len(instance.cards) < MANY_CHOICES:
        hubs = (card_hubs(card, instance.at_least) for card in instance.cards)
        choices = product(*(combinations_with_replacement(own, 2) for own in hubs))
        fewest = min(fewest_trails(nx.MultiGraph(choice)) for choice in choices)
        assert fewest == minimum_sequences(instance.cards, instance.at_least)


def test_reduced_hands_follow_the_graph() -> None:
    """Theorem 3.3: connected cubic graphs with up to 14 vertices all have a Hamiltonian path."""
    for n in (4, 6, 8, 10, 12, 14):
        for seed in range(10):
            graph = nx.random_regular_graph(3, n, seed=seed)
            answer = solve(cubic_hand(graph))
            assert (answer.status is Status.SATISFIABLE) == nx.is_connected(graph)
    two = nx.disjoint_union(nx.complete_graph(4), nx.complete_graph(4))
    assert solve(cubic_hand(two)).status is Status.UNSATISFIABLE
    assert {solve(hand).status for hand in nontraceable()} == {Status.UNSATISFIABLE}


@st.composite
def spread(draw: st.DrawFn) -> tuple[tuple[Card, ...], int]:
    """Cards of three to six attributes on many values: some hubs are pairs, some are larger."""
    dimension, at_least = draw(st.sampled_from([(3, 1), (4, 1), (6, 1), (3, 2), (4, 2)]))
    count = draw(st.integers(4, 8))
    values = draw(st.sampled_from([count, 2 * count])) if at_least == 1 else 3
    card = cards(dimension, values, "none")
    return tuple(draw(st.lists(card, min_size=count, max_size=count))), at_least


def best(question: HandQuestion, backend: str, *, presolve: bool) -> bool | int | None:
    """The answer of ``hub-trail``: yes or no, or the optimum."""
    answer = solve(question, method="hub-trail", backend=backend, presolve=presolve)
    if isinstance(question, Uno1):
        return answer.status is Status.SATISFIABLE
    return answer.objective


@pytest.mark.parametrize("backend", ["cadical195", "highs"])
def test_edges_between_cards_against_brute_force(backend: str) -> None:
    with_edges = 0
    for number, (held, k) in enumerate(drawn(spread(), 14)):
        pairs = pairs_of_cards(identity_kernel(build_hub_graph(Uno1(held, at_least=k))).core)
        with_edges += bool(pairs)
        fewest = minimum_sequences(held, k)
        wild = ("*",) * len(held[0])
        after = tuple(held[place % len(held)][place] for place in range(len(held[0])))
        expected: list[tuple[HandQuestion, bool | int]] = [
            (Uno1(held, at_least=k), fewest == 1),
            (Uno1((*held, wild), at_least=k), fewest <= 2),
            (Uno1(held, at_least=k, after=after), playable(held, k, after)),
            (Longest(held, at_least=k), longest(held, k, None)),
            (Longest(held, at_least=k, after=after), longest(held, k, after)),
        ]
        if 2 * k <= len(held[0]):
            expected.append((FillIn(held, at_least=k), fewest - 1))
        for question, truth in expected:
            assert best(question, backend, presolve=bool(number % 2)) == truth, question
    assert with_edges > 4


def test_cards_on_two_hubs_stay_edges_between_hubs() -> None:
    square = (("red", 1), ("red", 2), ("blue", 2), ("blue", 1))
    assert pairs_of_cards(identity_kernel(build_hub_graph(Uno1(square))).core) == {}


def test_a_hand_is_a_graph_if_no_value_is_on_three_cards() -> None:
    assert is_graph(((1, 1, 1), (1, 2, 2), (3, 2, 3)), 1)
    assert not is_graph(((1, 1, 1), (1, 2, 2), (1, 3, 3)), 1)


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
