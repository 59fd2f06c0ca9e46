"""Subtour bounds: never too large, always proved, and large enough where they should be."""

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest

from tests.support.paths import Paths
from uno_csp import FillIn, Longest, Options, Status, Uno1, hamiltonian_cycle, solve
from uno_csp.algorithms._subtours import MOST_ENDS, Found, PathProblem, bounded
from uno_csp.algorithms.subtour_bound import ALGORITHM
from uno_csp.hamilton import Goal, HamiltonProblem, problem_of
from uno_csp.hamilton.hands import hand_of
from uno_csp.pipeline.planning import make_plan
from uno_csp.processes.deadline import NEVER, Deadline


def refutes(found: Found, problem: PathProblem, least: int) -> bool:
    """Check a bound in fractions: by counting components, or by adding up rows of its proof."""
    size = len(problem.near)
    graph: nx.Graph[int] = nx.empty_graph(size)
    graph.add_edges_from(problem.edges.tolist())
    if found.separator is not None:
        rest = graph.subgraph({*graph} - {*found.separator})
        ends = len({*found.separator}.intersection(problem.ends))
        pieces = nx.number_connected_components(rest)
        return pieces > max(0 if problem.paths else 1, len(found.separator) - ends + least - 1)
    assert found.proof is not None
    edges = problem.edges.tolist()
    first_left = len(edges) + size
    total = np.zeros(first_left + size * problem.skips, dtype=object)
    required = 0
    objective, rows = found.proof
    for times, row in rows:
        chosen, weights, bound = _row(problem, row.kind, list(row.vertices), edges)
        assert times > 0 or row.kind == "degree"
        assert (sorted(row.columns.tolist()), row.least) == (sorted(chosen), bound)
        for column, weight in zip(chosen, weights, strict=True):
            total[column] += times * weight
        required += times * bound
    costs = np.zeros(len(total), dtype=object)
    costs[(first_left if problem.skips else len(edges)) :] = objective
    upper = np.ones(len(total), dtype=object)
    upper[len(edges) : first_left] = MOST_ENDS
    value = required + sum(min(0, c - t) * u for c, t, u in zip(costs, total, upper, strict=True))
    unit = 1 if problem.skips else 2
    return math.ceil(Fraction(int(value), objective * unit)) >= least


def _row(
    problem: PathProblem, kind: str, vertices: list[int], edges: Sequence[Sequence[int]]
) -> tuple[list[int], list[int], int]:
    """Write a row once more, from the definition."""
    many, size = len(edges), len(problem.near)
    ends = [many + vertex for vertex in vertices]
    match kind:
        case "end":
            return ends, [1], 1
        case "visited":
            return [many + size + vertices[0]], [-1], 0
        case "most":
            return [*range(many, many + size)], [-1] * size, -2 * problem.paths
    assert kind == ("degree" if len(vertices) == 1 and kind == "degree" else "cut")
    assert problem.paths or len(vertices) < size
    within = {*vertices}
    leaving = [n for n, (one, other) in enumerate(edges) if (one in within) != (other in within)]
    excuse = [many + size + vertices[0]] if problem.skips else []
    return [*leaving, *ends, *excuse], [1] * len(leaving + ends) + [2] * len(excuse), 2


@pytest.mark.parametrize("block", range(2))
def test_bounds_of_graphs_against_dynamic_programming(block: int) -> None:
    rng = random.Random(f"graphs {block}")
    for _ in range(8):
        size, share = rng.randint(4, 10), rng.choice([0.2, 0.3, 0.4, 0.6, 0.9])
        edges = [(v, w) for v in range(size) for w in range(v) if rng.random() < share]
        known = Paths(size, edges)
        near = [[w for w in range(size) if (v, w) in edges or (w, v) in edges] for v in range(size)]
        first, last = rng.sample(range(size), 2)
        fewest = known.fewest()
        for problem, best in (
            (PathProblem(near, 0), 0 if known.has_cycle() else size),
            (PathProblem(near, 1), fewest),
            (PathProblem(near, 1, (first,)), 1 if known.has_path(first) else size),
            (PathProblem(near, 1, (first, last)), 1 if known.has_path(first, last) else size),
            (PathProblem(near, 1, skips=True), size - known.longest()),
        ):
            found = bounded(problem, NEVER)
            assert found.complete
            assert found.least <= best, (problem, found)
            assert not found.least or refutes(found, problem, found.least), problem


def separated(count: int) -> "nx.Graph[int]":
    """Some cut vertices that leave one more complete graph, with many edges to each."""
    graph: nx.Graph[int] = nx.disjoint_union_all([nx.complete_graph(6)] * (count + 1))
    for cut in range(count):
        vertex = 6 * (count + 1) + cut
        graph.add_edges_from((vertex, 6 * piece + cut % 6) for piece in range(count + 1))
    return graph


def test_the_hand_of_a_cycle_is_refuted_where_the_cycle_is() -> None:
    rng = random.Random("cycles 0")
    refuted = 0
    for _ in range(40):
        size, share = rng.randint(3, 9), rng.choice([0.3, 0.4, 0.6])
        edges = tuple((v, w) for v in range(size) for w in range(v) if rng.random() < share)
        near = [[w for w in range(size) if (v, w) in edges or (w, v) in edges] for v in range(size)]
        hand = hand_of(HamiltonProblem(Goal.CYCLE, tuple(range(size)), edges)).question
        found = ALGORITHM.run(hand)
        assert found.status is not Status.UNSATISFIABLE or not Paths(size, edges).has_cycle(), edges
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
