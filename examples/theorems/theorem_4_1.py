"""Theorem 4.1: Undirected Vertex Geography by maximum matchings, compared with game search."""

import networkx as nx

from uno_csp.algorithms.geography import mover_wins, winning_move


def plays_out(graph: "nx.Graph[int]", at: int) -> bool:
    """Return True if the mover wins, by exhaustive game search."""
    rest = graph.subgraph(set(graph) - {at})
    return any(not plays_out(rest, other) for other in graph[at])


agreed = total = 0
for graph in nx.graph_atlas_g():
    for vertex in graph if len(graph) <= 6 else ():
        total += 1
        agreed += mover_wins(graph, vertex) == plays_out(graph, vertex)
print(f"{agreed} of {total} starts on all graphs of up to 6 vertices agree with playing it out")
move = winning_move(nx.path_graph(6), 0)
print(f"on a path of 6 vertices the mover at its end wins by moving to {move}")
