"""Theorem 4.1: Undirected Vertex Geography by maximum matchings, compared with game search.

A token lies on a vertex of a graph. Two players move it in turn along an edge to a vertex where it
has not been; a player who cannot move loses. The player to move wins if and only if every maximum
matching covers the token's vertex: then she always moves along one maximum matching (Fraenkel,
Scheinerman and Ullman 1993). On general graphs this takes Edmonds' blossom algorithm.
"""

import networkx as nx


def winning_move(graph: "nx.Graph[int]", start: int) -> int | None:
    """Return a winning move of the token, or None if every move loses."""
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    partners = {u: v for pair in matching for u, v in (pair, pair[::-1])}
    without = graph.subgraph(set(graph) - {start})
    if len(nx.max_weight_matching(without, maxcardinality=True)) == len(matching):
        return None
    return partners[start]


def plays_out(graph: "nx.Graph[int]", at: int) -> bool:
    """Return True if the mover wins, by exhaustive game search."""
    rest = graph.subgraph(set(graph) - {at})
    return any(not plays_out(rest, other) for other in graph[at])


agreed = total = 0
for graph in nx.graph_atlas_g():
    for vertex in graph if len(graph) <= 6 else ():
        total += 1
        agreed += (winning_move(graph, vertex) is not None) == plays_out(graph, vertex)
print(f"{agreed} of {total} starts on all graphs of up to 6 vertices agree with playing it out")
move = winning_move(nx.path_graph(6), 0)
print(f"on a path of 6 vertices the mover at its end wins by moving to {move}")
