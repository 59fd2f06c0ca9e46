"""Theorem 3.3: a Hamiltonian path of a cubic graph as solitaire UNO."""

from collections.abc import Hashable, Sequence
from itertools import pairwise

import networkx as nx

from uno_csp import FillIn, solve
from uno_csp.families.structured_hands import diamond_hand
from uno_csp.graphs.paper import Graph, cubic_hand
from uno_csp.questions.cards import Card, Hand


def sequence_of(graph: Graph, path: Sequence[Hashable]) -> Hand:
    """Return the hand in the order in which a Hamiltonian path visits vertices and edges."""
    number = {vertex: index for index, vertex in enumerate(graph)}
    edge_number = {frozenset(edge): index for index, edge in enumerate(graph.edges())}
    sequence: list[Card] = []
    for before, vertex, after in zip([None, *path[:-1]], path, [*path[1:], None], strict=True):
        others = [other for other in graph[vertex] if other not in (before, after)]
        sequence += [
            (number[vertex], edge_number[frozenset((vertex, other))])
            for other in (before, *others, after)
            if other is not None
        ]
    return tuple(sequence)


def path_of(graph: Graph, sequence: Sequence[Card]) -> list[Hashable]:
    """Return the Hamiltonian path of a feasible sequence of the whole hand.

    It is the vertices in order, with consecutive cards of one vertex counted once. Only the first
    and the last vertex can occur a second time: a single card between cards of other vertices would
    match both neighbours by its number, which only one other card has.
    """
    vertices = list(graph)
    runs: list[int] = []
    for card in sequence:
        if not runs or runs[-1] != card[0]:
            runs.append(int(card[0]))
    if runs and runs[0] in runs[1:]:
        del runs[0]
    if runs and runs[-1] in runs[:-1]:
        del runs[-1]
    path = [vertices[run] for run in runs]
    assert set(path) == set(graph)
    assert all(graph.has_edge(u, v) for u, v in pairwise(path))
    return path


if __name__ == "__main__":
    for name, graph in {
        "K4": nx.complete_graph(4),
        "the cube": nx.cubical_graph(),
        "the Petersen graph": nx.petersen_graph(),
        "Tutte's graph": nx.tutte_graph(),
    }.items():
        answer = solve(cubic_hand(graph))
        path = path_of(graph, answer.sequence or ())
        back = sequence_of(graph, path)
        print(
            f"{name}: {len(back)} cards, {answer.status}, a Hamiltonian path of "
            f"{len(path)} vertices"
        )

    hand = diamond_hand(nx.complete_bipartite_graph(3, 3))
    print(f"K3,3 with diamonds for edges: {solve(hand).status}")
    print(f"cards that make it playable: {solve(FillIn(hand.cards)).objective}")
