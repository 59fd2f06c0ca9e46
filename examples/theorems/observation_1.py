"""Observation 1: a graph is an UNO-1 graph iff it is the line graph of a bipartite graph."""

from collections.abc import Hashable
from itertools import combinations

import networkx as nx

from uno_csp import Uno1
from uno_csp.graphs.uno_graphs import Graph, uno_graph
from uno_csp.questions.cards import Card


def cards_of(graph: Graph) -> dict[Hashable, Card] | None:
    """Return cards, by vertex, whose UNO-1 graph is this graph; None if it is not an UNO-1 graph.

    A graph is an UNO-1 graph if and only if it is the line graph of a bipartite multigraph.
    Vertices with the same closed neighbourhood may hold the same card, so one of each class is
    kept. The rest must be the line graph of a simple bipartite graph, in which every edge lies
    in exactly one maximal clique (its two vertices and their common neighbours): these cliques are
    the hubs. No vertex may lie in more than two of them, and they must split into colours and
    numbers such that no card has two colours or two numbers.

    >>> cards_of(nx.path_graph(3))
    {0: (0, 0), 1: (1, 0), 2: (1, 1)}
    >>> cards_of(nx.star_graph(3)) is None
    True
    """
    keeper = _twins(graph)
    kept = graph.subgraph(set(keeper.values()))
    cliques = _cliques(kept)
    if cliques is None:
        return None
    on: dict[Hashable, list[int]] = {vertex: [] for vertex in kept}
    for number, clique in enumerate(cliques):
        for vertex in clique:
            on[vertex].append(number)
    if any(len(own) > 2 for own in on.values()):
        return None
    hub_pairs: Graph = nx.Graph()
    hub_pairs.add_nodes_from(range(len(cliques)))
    hub_pairs.add_edges_from((own[0], own[1]) for own in on.values() if len(own) == 2)
    if not nx.is_bipartite(hub_pairs):
        return None
    side: dict[int, int] = {}
    for component in nx.connected_components(hub_pairs):
        side |= nx.algorithms.bipartite.color(hub_pairs.subgraph(component))
    return _deal_cards(graph, keeper, on, side)


def _twins(graph: Graph) -> dict[Hashable, Hashable]:
    """Map each vertex to the first one with the same closed neighbourhood."""
    first: dict[frozenset[Hashable], Hashable] = {}
    return {
        vertex: first.setdefault(frozenset(graph[vertex]) | {vertex}, vertex) for vertex in graph
    }


def _cliques(graph: Graph) -> list[set[Hashable]] | None:
    """Return cliques such that every edge lies in exactly one of them; None if there are none."""
    cliques: list[set[Hashable]] = []
    covered: set[frozenset[Hashable]] = set()
    for u, v in graph.edges():
        if u == v or frozenset((u, v)) in covered:
            continue
        clique = {u, v} | (set(graph[u]) & set(graph[v]))
        pairs = [frozenset(pair) for pair in combinations(clique, 2)]
        if not all(graph.has_edge(*pair) for pair in pairs) or covered.intersection(pairs):
            return None
        covered.update(pairs)
        cliques.append(clique)
    return cliques


def _deal_cards(
    graph: Graph,
    keeper: dict[Hashable, Hashable],
    on: dict[Hashable, list[int]],
    side: dict[int, int],
) -> dict[Hashable, Card]:
    """Return a card per vertex; a value is a new one if no clique of that kind has the vertex."""
    numbers: tuple[dict[Hashable, int], ...] = ({}, {})
    found: dict[Hashable, Card] = {}
    for vertex in graph:
        kept = keeper[vertex]
        places = (
            next((hub for hub in on[kept] if side[hub] == kind), ("own", kept)) for kind in (0, 1)
        )
        pairs = zip(numbers, places, strict=True)
        found[vertex] = tuple(known.setdefault(place, len(known)) for known, place in pairs)
    return found


if __name__ == "__main__":
    shown = {
        "a path of 4 vertices": nx.path_graph(4),
        "a circuit of 6 vertices": nx.cycle_graph(6),
        "a circuit of 5 vertices": nx.cycle_graph(5),
        "a star with 3 leaves (a claw)": nx.star_graph(3),
        "the line graph of K3,3": nx.line_graph(nx.complete_bipartite_graph(3, 3)),
        "the line graph of the Petersen graph": nx.line_graph(nx.petersen_graph()),
    }
    for name, graph in shown.items():
        cards = cards_of(graph)
        if cards is None:
            print(f"{name}: no hand has this UNO-1 graph")
            continue
        hand = Uno1(tuple(cards[vertex] for vertex in graph))
        same = nx.utils.graphs_equal(
            nx.Graph(uno_graph(hand).edges()),
            nx.Graph(nx.convert_node_labels_to_integers(graph).edges()),
        )
        print(f"{name}: {len(hand.cards)} cards make it, the very same graph: {same}")
