"""The dynamic program along the frontier, against brute force."""

from typing import Any

from hypothesis import given

from tests.support.drawing import graphs
from tests.support.examples import examples
from tests.support.paths import Paths
from uno_csp import Status, hamiltonian_cycle
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


def test_a_snark_of_a_hundred_vertices_has_no_cycle() -> None:
    answer = hamiltonian_cycle(flower_snark(25), method="frontier")
    assert (answer.status, answer.method) == (Status.UNSATISFIABLE, "frontier")
