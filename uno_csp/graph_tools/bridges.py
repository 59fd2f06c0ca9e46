"""The bridges of a graph, and the components that remain without them."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from uno_csp.graph_tools.igraph_alone import load_igraph

Edge: TypeAlias = tuple[int, int]  # two different nodes, numbered from 0
Found: TypeAlias = tuple[list[int], list[int], list[int]]
"""The component and the 2-edge-connected component of each node, and the indices of bridges."""

MANY_EDGES = 50_000
"""Number of edges from which igraph is used, which loads slowly; its components are quicker."""


def find_bridges(size: int, edges: Sequence[Edge]) -> Found:
    """Return components and bridges of a graph with ``size`` nodes, and components without these.

    >>> find_bridges(4, [(0, 1), (1, 2), (2, 0), (2, 3)])[2]
    [3]
    """
    return (by_igraph if len(edges) >= MANY_EDGES else by_rustworkx)(size, edges)


def by_igraph(size: int, edges: Sequence[Edge]) -> Found:
    """Find the bridges with igraph."""
    graph = load_igraph().Graph(size, edges)
    part = graph.connected_components().membership
    bridges = graph.bridges()
    graph.delete_edges(bridges)
    return part, graph.connected_components().membership, bridges


def by_rustworkx(size: int, edges: Sequence[Edge]) -> Found:
    """Find the bridges with rustworkx, which takes parallel edges for bridges."""
    import rustworkx

    def components() -> list[int]:
        found = [0] * size
        for number, members in enumerate(rustworkx.connected_components(graph)):
            for node in members:
                found[node] = number
        return found

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from_no_data(list(edges))
    part = components()
    thin = set(map(frozenset, rustworkx.bridges(graph)))
    ends = [*map(frozenset, edges)]
    times = Counter(ends)
    bridges = [edge for edge, pair in enumerate(ends) if times[pair] == 1 and pair in thin]
    for edge in bridges:
        graph.remove_edge_from_index(edge)
    return part, components(), bridges
