"""The hub-trail theorem itself, against brute force, and families with a known answer."""

from itertools import combinations_with_replacement, product
from math import comb
from typing import Any

import networkx as nx
from hypothesis import given

from tests.support.brute_force import Card, card_hubs, minimum_sequences
from tests.support.drawing import hands
from tests.support.examples import examples
from tests.support.hands import nontraceable
from uno_csp import Status, Uno1, solve
from uno_csp.graphs.paper import cubic_hand

MANY_CHOICES = 2000
"""Choices of pairs of hubs from which trying all takes long."""


def fewest_trails(cards: tuple[Card, ...], k: int) -> int:
    """Over all choices of a pair of hubs for each card: the sum of max(1, odd / 2)."""
    choices = [list(combinations_with_replacement(card_hubs(card, k), 2)) for card in cards]
    best = len(cards)
    for choice in product(*choices):
        graph: Any = nx.MultiGraph(choice)
        trails = 0
        for component in nx.connected_components(graph):
            odd = sum(graph.degree(node) % 2 for node in component)
            trails += max(1, odd // 2)
        best = min(best, trails)
    return best


@examples(40)
@given(hands(max_cards=4, after=False))
def test_hub_trail_theorem(instance: Uno1) -> None:
    on = comb(instance.dimension, instance.at_least) if instance.cards else 0
    if 0 < comb(on + 1, 2) ** len(instance.cards) < MANY_CHOICES:
        fewest = fewest_trails(instance.cards, instance.at_least)
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
