"""Theorem 3.3: a Hamiltonian path of a cubic graph as solitaire UNO."""

import networkx as nx

from uno_csp import FillIn, solve
from uno_csp.families.structured_hands import diamond_hand
from uno_csp.graphs.paper import CubicReduction

for name, graph in {
    "K4": nx.complete_graph(4),
    "the cube": nx.cubical_graph(),
    "the Petersen graph": nx.petersen_graph(),
    "Tutte's graph": nx.tutte_graph(),
}.items():
    reduction = CubicReduction(graph)
    answer = solve(reduction.instance)
    path = reduction.path_of(answer.sequence or ())
    back = reduction.sequence_of(path)
    print(f"{name}: {len(back)} cards, {answer.status}, a Hamiltonian path of {len(path)} vertices")

hand = diamond_hand(nx.complete_bipartite_graph(3, 3))
print(f"K3,3 with diamonds for edges: {solve(hand).status}")
print(f"cards that make it playable: {solve(FillIn(hand.cards)).objective}")
