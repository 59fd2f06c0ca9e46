"""The dynamic program along the frontier, against brute force."""

import random

import networkx as nx
import pytest

from tests.support.brute_force import minimum_sequences
from tests.support.paths import Paths
from uno_csp import Status, Uno1, check, hamiltonian_cycle, solve
from uno_csp.algorithms.frontier import ALGORITHM
from uno_csp.hamilton import Goal, HamiltonProblem
from uno_csp.hamilton.hands import hand_of


def snark(petals: int) -> "nx.Graph[object]":
    """The flower snark, which has no Hamiltonian cycle."""
    graph: nx.Graph[object] = nx.Graph()
    for i in range(petals):
        graph.add_edges_from((("a", i), (name, i)) for name in "bcd")
        graph.add_edge(("b", i), ("b", (i + 1) % petals))
    ring = [(name, i) for name in "cd" for i in range(petals)]
    graph.add_edges_from(zip(ring, ring[1:] + ring[:1], strict=True))
    return graph


@pytest.mark.parametrize("seed", range(8))
def test_graphs_against_dynamic_programming_over_sets(seed: int) -> None:
    rng = random.Random(f"frontier {seed}")
    for _ in range(40):
        size, share = rng.randint(3, 9), rng.choice([0.25, 0.35, 0.5, 0.8])
        edges = [
            (one, other) for one in range(size) for other in range(one) if rng.random() < share
        ]
        truth = Paths(size, edges)
        for goal, yes in ((Goal.CYCLE, truth.has_cycle()), (Goal.PATH, truth.has_path())):
            problem = HamiltonProblem(goal, tuple(range(size)), tuple(edges))
            found = ALGORITHM.run(hand_of(problem).question)  # type: ignore[arg-type]
            assert (found.status is Status.SATISFIABLE) is yes, problem
            assert found.status in (Status.SATISFIABLE, Status.UNSATISFIABLE)


def test_hands_with_wild_cards_against_brute_force() -> None:
    rng = random.Random(17)
    for _ in range(200):
        dimension, wild = rng.randint(1, 4), rng.choice([0, 0, 1, 2])
        k, values = rng.randint(1, dimension), rng.choice([2, 3, 5])
        cards = tuple(
            tuple(rng.randrange(values) for _ in range(dimension)) for _ in range(rng.randint(1, 7))
        )
        hand = Uno1((*cards, *[("*",) * dimension] * wild), at_least=k)
        answer = solve(hand, method="frontier", presolve=False)
        assert (answer.status is Status.SATISFIABLE) is (minimum_sequences(cards, k) <= wild + 1)
        assert check(hand, answer) == []


def test_a_snark_of_a_hundred_vertices_has_no_cycle() -> None:
    answer = hamiltonian_cycle(snark(25), method="frontier")
    assert (answer.status, answer.method) == (Status.UNSATISFIABLE, "frontier")


def test_what_is_too_wide_or_has_too_many_states_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dense = hand_of(
        HamiltonProblem(Goal.PATH, tuple(range(30)), tuple(nx.complete_graph(30).edges))
    )
    found = ALGORITHM.run(dense.question)  # type: ignore[arg-type]
    assert (found.status, found.stats["width"]) == (Status.UNKNOWN, 30)
    assert "30 cards are on the frontier" in found.reason
    edges = tuple(nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 4)).edges)
    grid = hand_of(HamiltonProblem(Goal.PATH, tuple(range(16)), edges)).question
    monkeypatch.setattr("uno_csp.algorithms.frontier.KEPT_STATES", 50)
    assert "not kept to read it" in ALGORITHM.run(grid).reason  # type: ignore[arg-type]
    monkeypatch.setattr("uno_csp.algorithms.frontier.MOST_STATES", 50)
    assert "more than 50 states" in ALGORITHM.run(grid).reason  # type: ignore[arg-type]
