"""The blocks of a graph: what is left in one piece without the edges that hold it together."""

from collections.abc import Sequence
from typing import TypeAlias

Edge: TypeAlias = tuple[int, int]
"""Two different nodes, which are numbered from 0."""

Blocks: TypeAlias = tuple[list[int], list[int], list[int]]
"""The component of each node, its component without bridges, and the bridges, by index."""

MANY_EDGES = 50_000
"""With so many edges the blocks are found by igraph, which takes longer to load than a small graph
to search."""


def blocks(size: int, edges: Sequence[Edge]) -> Blocks:
    """The components, blocks and bridges of a graph with so many nodes.

    >>> blocks(4, [(0, 1), (1, 2), (2, 0), (2, 3)])[2]
    [3]
    """
    return (by_library if len(edges) >= MANY_EDGES else by_search)(size, edges)


def by_library(size: int, edges: Sequence[Edge]) -> Blocks:
    """Blocks by igraph."""
    import igraph

    graph = igraph.Graph(size, edges)
    part = graph.connected_components().membership
    bridges = graph.bridges()
    graph.delete_edges(bridges)
    return part, graph.connected_components().membership, bridges


def by_search(size: int, edges: Sequence[Edge]) -> Blocks:
    """Blocks by depth-first search with low points (Tarjan 1974), without recursion."""
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
    """Search all that a node is connected with."""
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
        if low[node] == order[node]:  # nothing below reaches above
            bridges += [entry] if entry >= 0 else []
            _close_block(waiting, node, block)


def _close_block(waiting: list[int], node: int, block: list[int]) -> None:
    """All that was come to since a node, and waits, is one block with it."""
    member = -1
    while member != node:
        member = waiting.pop()
        block[member] = node
