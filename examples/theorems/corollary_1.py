"""Corollary 1: the reduction of Theorem 3.1 with equally many cards in both hands."""

import networkx as nx

from uno_csp import solve
from uno_csp.graphs.paper import equal_hands

house = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (0, 2)])
for start in house:
    question = equal_hands(house, start)
    answer = solve(question)
    sizes = [len(hand) for hand in question.hands]
    print(f"from vertex {start}, hands of {sizes}: {answer.status}")
