"""The bridges of a graph, and its blocks: the components that remain without the bridges."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

Edge: TypeAlias = tuple[int, int]
"""Two different nodes, numbered from 0."""


def split_at_bridges(size: int, edges: Sequence[Edge]) -> tuple[list[int], list[int], list[int]]:
    """Return the component and the block of each node, as numbers, and the indices of the bridges.

    >>> split_at_bridges(4, [(0, 1), (1, 2), (2, 0), (2, 3)])
    ([0, 0, 0, 0], [0, 0, 0, 1], [3])
    """
    import rustworkx

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from_no_data(list(edges))
    part = _numbers(size, rustworkx.connected_components(graph))
    found: Any = rustworkx.bridges(graph)
    cutting = {*found, *((other, one) for one, other in found)}
    there = [(n, edge) for n, edge in enumerate(edges) if edge in cutting]
    times = Counter(frozenset(edge) for _, edge in there)  # parallel edges are no bridges
    single = [(n, edge) for n, edge in there if times[frozenset(edge)] == 1]
    graph.remove_edges_from([edge for _, edge in single])
    blocks = _numbers(size, rustworkx.connected_components(graph))
    return part, blocks, [n for n, _ in single]


def _numbers(size: int, parts: Iterable[Iterable[int]]) -> list[int]:
    """Return for each node the number of its part."""
    number = [0] * size
    for place, nodes in enumerate(parts):
        for node in nodes:
            number[node] = place
    return number
