"""A long path in a hub graph, and with it a number of cards that can be played."""

from itertools import chain

from uno_csp.hub_graph.graph import HubGraph


def cards_along_a_path(graph: HubGraph) -> int:
    """Return how many cards of the hand a path of hubs and cards plays; 0 if no cards share a hub.

    The path leads to the deepest node of a depth-first search among hubs and cards. The
    cards that it passes are trail edges, and it plays all others on its hubs.
    """
    import rustworkx

    hubs, hubs_of = len(graph.hubs), graph.hubs_of[: len(graph.cards)]
    nodes = rustworkx.PyGraph()
    nodes.add_nodes_from(range(hubs + len(hubs_of)))
    nodes.add_edges_from_no_data(
        [(hub, hubs + card) for card, at in enumerate(hubs_of) for hub in at]
    )
    before: dict[int, int] = {}
    depth = [0] * len(nodes)
    deepest: dict[int, int] = {}
    root = list(range(len(nodes)))
    for tail, node in rustworkx.dfs_edges(nodes):
        before[node], depth[node], root[node] = tail, depth[tail] + 1, root[tail]
        deepest[root[node]] = max(deepest.get(root[node], node), node, key=depth.__getitem__)
    best = 0
    for node in deepest.values():
        path = [node]
        while path[-1] in before:
            path.append(before[path[-1]])
        on = (nodes.neighbors(each) for each in path if each < hubs)
        best = max(best, len(set(chain.from_iterable(on))))
    return best
