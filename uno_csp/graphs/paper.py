"""The three reductions of the paper: graphs as hands, a Hamiltonian path being a winning play.

They prove that UNO is hard. Vertices and edges are numbered from 0 in the order of the graph. The
programs in ``examples/theorems`` turn paths into plays, and plays into paths.
"""

from collections.abc import Hashable
from typing import Any, TypeAlias

import networkx as nx

from uno_csp.errors import NotAccepted
from uno_csp.questions import Cooperative, Uno1
from uno_csp.questions.cards import Card, Hand

Graph: TypeAlias = "nx.Graph[Any]"


def cubic_hand(graph: Graph, name: str = "") -> Uno1:
    """Theorem 3.3: Hamiltonian path in a cubic graph, reduced to ``uno-1``.

    A card (v, e) for each vertex v and each edge e at v: the three cards of a vertex have its
    colour, the two cards of an edge its number. The minimum number of sequences that the hand
    splits into is the minimum number of paths that cover the graph.

    Raises
    ------
    NotAccepted
        If a vertex has a degree other than 3.
    """
    if any(degree != 3 for _, degree in graph.degree()):
        raise NotAccepted("every vertex must have degree 3")
    number = {vertex: index for index, vertex in enumerate(graph)}
    edges = enumerate(graph.edges())
    return Uno1(tuple((number[end], index) for index, edge in edges for end in edge), name=name)


def incidence_hands(graph: Graph, *, apart: bool = False) -> Cooperative:
    """Theorem 3.1: Hamiltonian path in a connected graph, not a tree, reduced to ``cooperative``.

    Player 1 holds (i, i) for each vertex i, and player 2 (i, j) for each edge i < j. Hamiltonian
    paths correspond to plays without skips.

    The printed proof ignores skips. When player 2 leads back to a vertex that has been played,
    player 1 is skipped, and player 2 may go on with another edge at that vertex: the play then
    jumps from i by way of j to a neighbour of j. So plays with skips exist for some graphs that
    have no Hamiltonian path; the smallest have six vertices. ``apart`` mends this with more
    attributes: each class of a proper edge colouring has its own pair of attributes, so that two
    edges never match, as two vertices never do, and no play continues after a skip.

    Raises
    ------
    NotAccepted
        If the graph is a tree, is not connected, or has fewer than two vertices or a loop.
    """
    if len(graph) < 2 or not nx.is_connected(graph) or nx.is_tree(graph):
        raise NotAccepted("the graph must be connected and not a tree")
    if nx.number_of_selfloops(graph):
        raise NotAccepted("the graph must have no loops")
    number = {vertex: index for index, vertex in enumerate(graph)}
    classes = _edge_classes(graph, apart=apart)
    width = 2 * (max(classes.values()) + 1)
    edges: list[Card] = []
    for index, edge in enumerate(graph.edges()):
        card: list[int | str] = [f"edge {index}"] * width
        place = 2 * classes[frozenset(edge)]
        card[place : place + 2] = sorted(number[end] for end in edge)
        edges.append(tuple(card))
    return Cooperative((tuple((index,) * width for index in number.values()), tuple(edges)))


def _edge_classes(graph: Graph, *, apart: bool) -> dict[Hashable, int]:
    """Return a proper edge colouring, or a single class unless ``apart``."""
    if not apart:
        return dict.fromkeys(map(frozenset, graph.edges()), 0)
    colouring = nx.greedy_color(nx.line_graph(graph), "DSATUR")
    return {frozenset(edge): colour for edge, colour in colouring.items()}


def equal_hands(graph: Graph, start: Hashable) -> Cooperative:
    """Corollary 1: Hamiltonian path from a given vertex, reduced to play with hands of equal size.

    In addition to Theorem 3.1, for m > n edges on n vertices: player 1 gets m - n cards ("x", "x"),
    which player 2 cannot match, and ("x", "y"); player 2 gets (s, "y") for the starting vertex s.
    Player 1 plays the new cards in a row while player 2 is skipped, player 2 plays (s, "y"), and
    the vertex card of s follows; or all of it in reverse.

    Raises
    ------
    NotAccepted
        As for :func:`incidence_hands`; or if the start is not a vertex.
    """
    first, second = incidence_hands(graph).hands
    if start not in graph:
        raise NotAccepted(f"{start!r} is not a vertex of the graph")
    mine: Hand = (("x", "x"),) * (len(second) - len(first))
    if not mine:
        return Cooperative((first, second))
    return Cooperative(((*first, *mine, ("x", "y")), (*second, (list(graph).index(start), "y"))))
