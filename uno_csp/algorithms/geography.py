"""Undirected Vertex Geography: the game behind uncooperative play (the paper's Theorem 4.1).

A token lies on a vertex of a graph. Two players move it in turn along an edge to a vertex where it
has not been; a player who cannot move loses. The player to move wins if and only if every maximum
matching covers the token's vertex: then she always moves along one maximum matching (Fraenkel,
Scheinerman and Ullman 1993). On general graphs this takes Edmonds' blossom algorithm, which
networkx provides.
"""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    import networkx as nx

VertexT = TypeVar("VertexT", bound=Hashable)
Graph: TypeAlias = "nx.Graph[Any]"


def mover_wins(graph: Graph, start: Hashable) -> bool:
    """Return True if the player who moves the token away from ``start`` wins.

    Raises
    ------
    ValueError
        If ``start`` is no vertex of the graph.

    Examples
    --------
    >>> import networkx as nx
    >>> mover_wins(nx.path_graph(4), 0), mover_wins(nx.path_graph(3), 0)
    (True, False)
    """
    return winning_move(graph, start) is not None


def winning_move(graph: "nx.Graph[VertexT]", start: VertexT) -> VertexT | None:
    """Return a winning move from ``start``, or None if every move loses.

    Raises
    ------
    ValueError
        If ``start`` is no vertex of the graph.
    """
    import networkx as nx  # loading it takes as long as all the rest together

    if start not in graph:
        raise ValueError(f"{start!r} is not a vertex of the graph")
    simple: Graph = nx.Graph()
    simple.add_nodes_from(graph)
    simple.add_edges_from((u, v) for u, v in graph.edges() if u != v)
    matching = nx.max_weight_matching(simple, maxcardinality=True)
    partners = {u: v for pair in matching for u, v in (pair, pair[::-1])}
    if start not in partners:
        return None
    without = simple.subgraph(set(simple) - {start})
    if len(nx.max_weight_matching(without, maxcardinality=True)) == len(matching):
        return None
    found: VertexT = partners[start]
    return found
