"""Walks: along the row of a proper interval graph, along edges, and along long paths."""

import random
from collections import Counter
from itertools import count
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import drawing
from tests.support.brute_force import fewest_trails
from tests.support.examples import examples
from tests.support.running import Patch
from uno_csp.graph_tools import trails
from uno_csp.graph_tools.long_paths import lengthened, long_path
from uno_csp.graph_tools.straight_orders import lexicographic_sweep, straight_walk
from uno_csp.graph_tools.trails import APEX, JOINT, Edge, split_into_trails


@examples(100)
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


@examples(100)
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


def drawn(rng: random.Random) -> tuple[list[Edge], range]:
    nodes = range(rng.randrange(1, 12))
    count = rng.randrange(20)
    return [(rng.choice(nodes), rng.choice(nodes), label) for label in range(count)], nodes


@pytest.mark.parametrize("many", [0, trails.MANY_EDGES], ids=["in bulk", "one by one"])
def test_trails_walk_every_edge_once(many: int, monkeypatch: Patch) -> None:
    monkeypatch.setattr(trails, "MANY_EDGES", many)
    rng = random.Random(2)
    several = 0
    for _ in range(200):
        edges, nodes = drawn(rng)
        ends = {label: {u, v} for u, v, label in edges}
        found = split_into_trails(edges, nodes)
        walked: Counter[int] = Counter()
        passed = set()
        for trail in found:
            here = APEX
            for label, node in trail:
                if label != JOINT:
                    assert ends[label] == {here, node}
                    walked[label] += 1
                here = node
                passed.add(node)
            assert here == APEX
        assert walked == Counter(ends.keys())
        assert passed == {APEX, *nodes}
        graph: nx.MultiGraph[int] = nx.MultiGraph((u, v) for u, v, _ in edges)
        graph.add_nodes_from(nodes)
        assert len(found) == fewest_trails(graph)
        several += len(found) > 1
    assert several > 50


@examples(60)
@given(drawing.graphs(fewest=1, most=14), st.integers(0, 9), st.integers(0, 300))
def test_long_paths_are_paths_and_in_trees_the_longest(
    graph: "nx.Graph[Any]", seed: int, looks: int
) -> None:
    part = graph.subgraph(max(nx.connected_components(graph), key=len))
    connected = nx.convert_node_labels_to_integers(part)
    tree = nx.random_spanning_tree(connected, seed=seed)
    clock = count()
    for made, expired in ((connected, bool), (tree, bool), (tree, lambda: next(clock) > looks)):
        near = [list(made[vertex]) for vertex in range(len(made))]
        path = long_path(near, seed, expired)
        assert nx.is_path(made, path)
        assert len(set(path)) == len(path) >= 1
        first = path[: 1 + seed % len(path)]
        longer = lengthened(near, first)
        assert len(set(longer)) == len(longer) >= len(first)
        assert nx.is_path(made, longer)
    assert len(long_path(near, seed)) == 1 + nx.diameter(tree)


def test_long_paths_visit_most_of_a_grid_with_holes() -> None:
    grid: nx.Graph[Any] = nx.grid_2d_graph(40, 40)
    grid.remove_nodes_from(random.Random(1).sample(list(grid), 160))
    part = grid.subgraph(max(nx.connected_components(grid), key=len))
    connected = nx.convert_node_labels_to_integers(part)
    near = [list(connected[vertex]) for vertex in connected]
    assert len(long_path(near, seed=0)) > 0.8 * len(near)  # rotations visit a quarter
