"""The dynamic program along the frontier, against brute force."""

from dataclasses import replace
from typing import Any

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


@examples(60)
@given(graphs(fewest=3, most=9))
def test_graphs_against_dynamic_programming_over_sets(graph: Any) -> None:
    truth = Paths(len(graph), [*graph.edges])
    for goal, yes in ((Goal.CYCLE, truth.has_cycle()), (Goal.PATH, truth.has_path())):
        problem = HamiltonProblem(goal, tuple(graph), tuple(graph.edges))
        found = ALGORITHM.run(hand_of(problem).question)  # type: ignore[arg-type]
        assert (found.status is Status.SATISFIABLE) is yes
        assert found.status in (Status.SATISFIABLE, Status.UNSATISFIABLE)


@examples(60)
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
