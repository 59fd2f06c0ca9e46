"""Minimum cuts between one node of a graph and every other node, all at once."""

from collections import defaultdict
from collections.abc import Iterable
from math import inf

from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.graph_tools.igraph_alone import load_igraph

THIN = 1e-7  # width (capacity) of an edge that counts as 0: widths are computed in floating point


def cheap_sides(
    size: int,
    edges: Iterable[tuple[int, int, float]],
    root: int,
    *,
    wide: float = inf,
    thorough: bool = False,
) -> list[set[int]]:
    """Return node sets without the root, with a minimum cut for every other node among them.

    If the graph is not connected, these are the components without the root, and the cuts follow
    only if the search is ``thorough``. Wanted are the sides of cuts of less than ``wide``, so both
    ends of an edge of that width are on the same side.

    >>> cheap_sides(3, [(0, 1, 1.0), (1, 2, 2.0)], 0, wide=2)
    [{1, 2}]
    """
    thick = [edge for edge in edges if edge[2] > THIN]
    sets = DisjointSets(size)
    sets.unite_all((tail, head) for tail, head, width in thick if width >= wide - THIN)
    groups = sets.groups(range(size))
    number = {node: place for place, group in enumerate(groups) for node in group}
    between: defaultdict[tuple[int, int], float] = defaultdict(float)
    for tail, head, width in thick:
        one, other = number[tail], number[head]
        if one != other:
            between[min(one, other), max(one, other)] += width
    sides = _sides(len(groups), between, number[root], thorough)
    return [set().union(*(groups[each] for each in side)) for side in sides]


def _sides(
    size: int, between: dict[tuple[int, int], float], root: int, thorough: bool
) -> list[set[int]]:
    graph = load_igraph().Graph(n=size, edges=list(between))
    components = [set(each) for each in graph.connected_components()]
    apart = [each for each in components if root not in each]
    if size < 2 or (apart and not thorough):
        return apart
    tree = graph.gomory_hu_tree(capacity=list(between.values()))
    order, _, parents = tree.bfs(root)
    below: list[set[int]] = [{node} for node in range(size)]
    for node in reversed(order):
        if node != root:
            below[parents[node]] |= below[node]
    # A minimum cut between a node and the root is the cheapest tree edge on the path between them.
    return [*apart, *(below[node] for node in order if node != root)]
