"""The dynamic program along the frontier, against brute force."""

from dataclasses import replace
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import minimum_sequences
from tests.support.drawing import graphs, hands
from tests.support.examples import examples
from tests.support.paths import Paths
from uno_csp import Status, Uno1, check, hamiltonian_cycle, solve
from uno_csp.algorithms.frontier import ALGORITHM
from uno_csp.families.cubic_graphs import flower_snark
from uno_csp.hamilton import Goal, HamiltonProblem
from uno_csp.hamilton.hands import hand_of


@examples(100)
@given(graphs(fewest=3, most=9))
def test_graphs_against_dynamic_programming_over_sets(graph: Any) -> None:
    truth = Paths(len(graph), [*graph.edges])
    for goal, yes in ((Goal.CYCLE, truth.has_cycle()), (Goal.PATH, truth.has_path())):
        problem = HamiltonProblem(goal, tuple(graph), tuple(graph.edges))
        found = ALGORITHM.run(hand_of(problem).question)  # type: ignore[arg-type]
        assert (found.status is Status.SATISFIABLE) is yes
        assert found.status in (Status.SATISFIABLE, Status.UNSATISFIABLE)


@examples(100)
@given(hands(after=False).filter(lambda hand: bool(hand.cards)), st.sampled_from((0, 1, 2)))
def test_hands_with_wild_cards_against_brute_force(hand: Uno1, wild: int) -> None:
    whole = replace(hand, cards=(*hand.cards, *[("*",) * hand.dimension] * wild))
    answer = solve(whole, method="frontier", presolve=False)
    fewest = minimum_sequences(hand.cards, hand.at_least)
    assert (answer.status is Status.SATISFIABLE) is (fewest <= wild + 1)
    assert check(whole, answer) == []


def test_a_snark_of_a_hundred_vertices_has_no_cycle() -> None:
    answer = hamiltonian_cycle(flower_snark(25), method="frontier")
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
