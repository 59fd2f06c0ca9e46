"""Minimum cuts between one node of a graph and every other node, all at once."""

from collections.abc import Mapping

from uno_csp.graph_tools.igraph_alone import load_igraph


def cheap_sides(
    size: int, between: Mapping[tuple[int, int], float], root: int, *, thorough: bool = False
) -> list[set[int]]:
    """Return node sets without the root, with a minimum cut for every other node among them.

    If the graph is not connected, these are the components without the root, and the cuts follow
    only if the search is ``thorough``.
    """
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
