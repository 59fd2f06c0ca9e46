"""Observation 1: a graph is an UNO-1 graph iff it is the line graph of a bipartite graph."""

import networkx as nx

from uno_csp import Uno1
from uno_csp.graphs.uno_graphs import cards_of, uno_graph

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
