"""Theorem 3.1 repaired: a counterexample to the printed reduction, and another proof of hardness.

Let player 2 hold one card that nothing matches. She is then always skipped, and cooperative play
asks whether player 1 can discard her whole hand alone.
"""

import random

import networkx as nx

from uno_csp import Cooperative, Play, Status, Uno1, check, solve
from uno_csp.graphs.paper import cubic_hand, incidence_hands
from uno_csp.questions.answers import Answer, Witness

windmill = nx.Graph([(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (2, 3), (4, 5)])
cards = [(4, 4), (4, 5), (5, 5), (0, 5), (0, 0), (0, 2), (2, 2), (2, 3), (3, 3), (0, 3), (0, 1)]
players = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 2, 1]
plays = tuple(Play(*each) for each in zip(players, [*cards, (1, 1)], strict=True))
hands = incidence_hands(nx.Graph(sorted(windmill.edges()))).hands
asked = Cooperative(tuple(tuple(sorted(hand)) for hand in hands))
claim = Answer("cooperative", Status.SATISFIABLE, Witness(plays=plays))
parts = nx.number_connected_components(nx.restricted_view(windmill, [0], []))
print(f"without its middle the graph has {parts} parts, so no Hamiltonian path")
print(f"and yet the checker finds {len(check(asked, claim))} mistakes in the play of the docs")


def alone(hand: Uno1, copies: int) -> Status:
    """Solve cooperative play against ``copies`` cards of player 2 that match nothing."""
    stranger = ("nobody's colour", "nobody's number")
    return solve(Cooperative((hand.cards, (stranger,) * copies))).status


rng = random.Random(1)
compared = yes = 0
for _ in range(80):
    size, values = rng.randint(1, 7), rng.randint(1, 4)
    drawn = ((rng.randint(1, values), rng.randint(1, values)) for _ in range(size))
    hand = Uno1(tuple(drawn))
    status = solve(hand).status
    assert alone(hand, 1) is alone(hand, size) is status
    compared += 1
    yes += status is Status.SATISFIABLE
print(f"{compared} random hands: one card or equally many, {yes} yes, all as alone")

cubic = 0
for vertices in (4, 6, 8):
    for seed in range(4):
        hand = cubic_hand(nx.random_regular_graph(3, vertices, seed=seed))
        assert alone(hand, 1) is solve(hand).status
        cubic += 1
print(f"{cubic} cubic graphs: the same")
