"""Walks along the row of a proper interval graph."""

import random

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from uno_csp.graph_tools.straight_orders import lexicographic_sweep, straight_walk


@given(st.lists(st.integers(0, 60), min_size=3, max_size=40), st.randoms())
def test_a_proper_interval_graph_has_the_walks_that_its_blocks_allow(
    places: list[int], chance: random.Random
) -> None:
    chance.shuffle(places)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(places)))
    graph.add_edges_from(
        (one, other)
        for one in range(len(places))
        for other in range(one)
        if abs(places[one] - places[other]) <= 10
    )
    near = [chance.sample(list(graph[vertex]), len(graph[vertex])) for vertex in graph]
    for closed, there in ((False, nx.is_connected(graph)), (True, nx.is_biconnected(graph))):
        walk = straight_walk(near, closed=closed)
        assert (walk is not None) == there
        if walk is not None:
            steps = zip(walk, walk[1:] + walk[:closed], strict=False)
            assert sorted(walk) == list(graph)
            assert all(map(graph.has_edge, *zip(*steps, strict=True)))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30), st.randoms())
def test_of_two_vertices_the_first_is_next_to_the_first_visited_that_tells_them_apart(
    edges: list[tuple[int, int]], chance: random.Random
) -> None:
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(10))
    near = [list(graph[vertex]) for vertex in range(10)]
    ties = chance.sample(range(10), 10)
    order = lexicographic_sweep(near, ties)
    assert sorted(order) == list(range(10))
    for place, vertex in enumerate(order):
        label = [v in graph[vertex] for v in order[:place]]
        for later in order[place:]:
            other = [v in graph[later] for v in order[:place]]
            assert (label, -ties.index(vertex)) >= (other, -ties.index(later))
