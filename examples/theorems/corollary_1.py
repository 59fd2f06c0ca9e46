"""Corollary 1: the reduction of Theorem 3.1 with equally many cards in both hands."""

import networkx as nx

from uno_csp import solve
from uno_csp.graphs.paper import EqualHandsReduction

house = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (0, 2)])
for start in house:
    reduction = EqualHandsReduction(house, start)
    answer = solve(reduction.instance)
    sizes = [len(hand) for hand in reduction.instance.hands]
    print(f"from vertex {start}, hands of {sizes}: {answer.status}")
