"""The bridges of a graph, and its blocks: the components that remain without the bridges."""

from collections.abc import Sequence
from typing import TypeAlias

from uno_csp.graph_tools.igraph_alone import load_igraph

Edge: TypeAlias = tuple[int, int]
"""Two different nodes, numbered from 0."""

Blocks: TypeAlias = tuple[list[int], list[int], list[int]]
"""The component of each node, the block of each node, and the indices of the bridges."""

MANY_EDGES = 50_000
"""Number of edges from which igraph is used; for fewer, loading it takes longer than the search."""


def blocks(size: int, edges: Sequence[Edge]) -> Blocks:
    """Return the components, blocks and bridges of a graph with ``size`` nodes.

    >>> blocks(4, [(0, 1), (1, 2), (2, 0), (2, 3)])[2]
    [3]
    """
    return (by_library if len(edges) >= MANY_EDGES else by_search)(size, edges)


def by_library(size: int, edges: Sequence[Edge]) -> Blocks:
    """Find the blocks with igraph."""
    graph = load_igraph().Graph(size, edges)
    part = graph.connected_components().membership
    bridges = graph.bridges()
    graph.delete_edges(bridges)
    return part, graph.connected_components().membership, bridges


def by_search(size: int, edges: Sequence[Edge]) -> Blocks:
    """Find the blocks by depth-first search with low points (Tarjan 1974), without recursion."""
    around: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for edge, (one, other) in enumerate(edges):
        around[one].append((other, edge))
        around[other].append((one, edge))
    part, block = [-1] * size, [-1] * size
    order, low = [-1] * size, [0] * size
    bridges: list[int] = []
    for root in range(size):
        if order[root] < 0:
            _search_from(root, around, (part, block, bridges), order, low)
    return part, block, bridges


def _search_from(
    root: int,
    around: Sequence[Sequence[tuple[int, int]]],
    found: Blocks,
    order: list[int],
    low: list[int],
) -> None:
    """Search the component of a node."""
    part, block, bridges = found
    path = [(root, -1, iter(around[root]))]
    waiting = [root]  # nodes whose block is not complete yet
    order[root] = low[root] = clock = 0
    part[root] = root
    while path:
        node, entry, edges = path[-1]
        fresh = None
        for other, edge in edges:
            if order[other] < 0:
                fresh = (other, edge)
                break
            if edge != entry:
                low[node] = min(low[node], order[other])
        if fresh is not None:
            other = fresh[0]
            order[other] = low[other] = clock = clock + 1
            part[other] = root
            waiting.append(other)
            path.append((*fresh, iter(around[other])))
            continue
        path.pop()
        if path:
            low[path[-1][0]] = min(low[path[-1][0]], low[node])
        if low[node] == order[node]:  # no edge from its subtree leads above it
            bridges += [entry] if entry >= 0 else []
            _close_block(waiting, node, block)


def _close_block(waiting: list[int], node: int, block: list[int]) -> None:
    """Assign a node and the waiting nodes reached after it to one block."""
    member = -1
    while member != node:
        member = waiting.pop()
        block[member] = node
