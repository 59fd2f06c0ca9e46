"""Subtour bounds: never too large, always proved, and large enough where they should be."""

from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawing import drawn, graphs
from tests.support.examples import examples
from tests.support.paths import Paths
from uno_csp import FillIn, Longest, Options, Status, Uno1, hamiltonian_cycle, solve
from uno_csp.algorithms._subtours import PathProblem, bounded
from uno_csp.algorithms.subtour_bound import ALGORITHM
from uno_csp.hamilton import Goal, HamiltonProblem, problem_of
from uno_csp.hamilton.hands import hand_of
from uno_csp.pipeline.planning import make_plan
from uno_csp.processes.deadline import NEVER, Deadline


@examples(20)
@given(graphs(fewest=4, most=10), st.data())
def test_bounds_of_graphs_against_dynamic_programming(graph: Any, data: st.DataObject) -> None:
    """Their proofs are checked where they are certified, in ``tests/attacks``."""
    size = len(graph)
    known, near = Paths(size, [*graph.edges]), [[*graph[vertex]] for vertex in range(size)]
    first, last = data.draw(st.permutations(range(size)))[:2]
    for problem, best in (
        (PathProblem(near, 0), 0 if known.has_cycle() else size),
        (PathProblem(near, 1), known.fewest()),
        (PathProblem(near, 1, (first,)), 1 if known.has_path(first) else size),
        (PathProblem(near, 1, (first, last)), 1 if known.has_path(first, last) else size),
        (PathProblem(near, 1, skips=True), size - known.longest()),
    ):
        found = bounded(problem, NEVER)
        assert found.complete
        assert found.least <= best, (problem, found)


def separated(count: int) -> "nx.Graph[int]":
    """Some cut vertices that leave one more complete graph, with many edges to each."""
    graph: nx.Graph[int] = nx.disjoint_union_all([nx.complete_graph(6)] * (count + 1))
    for cut in range(count):
        vertex = 6 * (count + 1) + cut
        graph.add_edges_from((vertex, 6 * piece + cut % 6) for piece in range(count + 1))
    return graph


def test_the_hand_of_a_cycle_is_refuted_where_the_cycle_is() -> None:
    refuted = 0
    for graph in drawn(graphs(fewest=3, most=9), 40):
        vertices, edges = tuple(graph), tuple(graph.edges)
        found = ALGORITHM.run(hand_of(HamiltonProblem(Goal.CYCLE, vertices, edges)).question)
        has_cycle = Paths(len(graph), edges).has_cycle()
        assert found.status is not Status.UNSATISFIABLE or not has_cycle, edges
        near = [[*graph[vertex]] for vertex in vertices]
        expected = bounded(PathProblem(near, 0), NEVER, 1).least > 0
        assert (found.status is Status.UNSATISFIABLE) >= expected, edges
        refuted += expected
    assert refuted > 3


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        (separated(12), "without 12 of them the cards fall into 13 groups, and a sequence reaches"),
        (nx.complete_bipartite_graph(9, 10), "without 9 of them the cards fall into 10 groups"),
        (nx.grid_2d_graph(5, 5), "without 12 of them the cards fall into 13 groups"),
    ],
    ids=["separators", "sides", "grid"],
)
def test_a_graph_is_refuted_beside_the_search(graph: "nx.Graph[Any]", reason: str) -> None:
    hand = hand_of(problem_of(graph, Goal.CYCLE)).question
    assert "subtour-bound" in [way.method for way in make_plan(hand, Options()).ways]
    found = ALGORITHM.run(hand)
    assert found.status is Status.UNSATISFIABLE
    assert reason in found.reason
    assert hamiltonian_cycle(graph).status is Status.UNSATISFIABLE


def test_what_is_not_refuted_is_unknown() -> None:
    yes = solve(Uno1(((1, 2), (1, 3), (2, 3))), method="subtour-bound", presolve=False)
    assert (yes.status, yes.reason) == (Status.UNKNOWN, "degrees and cut sets do not refute it")
    added = solve(FillIn(((1, 2), (3, 4), (5, 6))), method="subtour-bound", presolve=False)
    assert (added.status, added.bound) == (Status.UNKNOWN, 2)
    assert ALGORITHM.run_until(Longest(((1, 2), (1, 3))), Deadline(0.0)).reason.endswith("early")


def test_what_it_does_not_take() -> None:
    large = Uno1(tuple((0, number) for number in range(500)))
    assert "124750 pairs of cards match, more than 100000" in str(ALGORITHM.refusal(large))
    sparse = Uno1(tuple((number // 2, number) for number in range(5000)))
    assert ALGORITHM.refusal(sparse) is None
    supplied = FillIn(((1, 2),), supply=((1, 3),))
    assert ALGORITHM.refusal(supplied) == "it does not support a supply"
