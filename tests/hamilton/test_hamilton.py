"""Hamiltonian problems against dynamic programming, and their checker."""

import json
import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import uno_csp
from tests.support.drawing import graphs
from tests.support.examples import examples
from tests.support.paths import Paths
from uno_csp import Status
from uno_csp.errors import InstanceError, UnknownName
from uno_csp.hamilton import Goal, HamiltonAnswer, HamiltonProblem, problem_of, solve_problem
from uno_csp.hamilton.checking import violations
from uno_csp.hamilton.hands import MANY_COLOURS, hand_of

STAR = [("centre", leaf) for leaf in "abcd"]


@examples(40)
@given(graphs(most=9), st.data())
def test_all_problems_of_a_graph_against_dynamic_programming(
    graph: Any, data: st.DataObject
) -> None:
    size, edges = len(graph), [*graph.edges]
    truth = Paths(size, edges)
    vertices = tuple(f"v{number}" for number in range(size))

    def asked(goal: Goal, *ends: int | None) -> HamiltonAnswer:
        return solve_problem(HamiltonProblem(goal, vertices, tuple(edges), *ends))

    yes_or_no = {True: Status.SATISFIABLE, False: Status.UNSATISFIABLE}
    assert asked(Goal.CYCLE).status is yes_or_no[truth.has_cycle()]
    assert asked(Goal.PATH).status is yes_or_no[truth.has_path()]
    assert asked(Goal.PATHS).objective == truth.fewest()
    assert asked(Goal.LONGEST).objective == truth.longest()
    source, target = data.draw(st.tuples(*[st.integers(0, size - 1)] * 2))
    assert asked(Goal.PATH, source).status is yes_or_no[truth.has_path(source)]
    if source != target:
        status = asked(Goal.PATH, source, target).status
        assert status is yes_or_no[truth.has_path(source, target)]


@pytest.mark.parametrize(
    ("method", "backend"), [("hub-trail", "highs"), ("successor", "cp-sat"), ("successor", None)]
)
def test_methods_agree_on_graphs_without_a_cycle(method: str, backend: str | None) -> None:
    for graph in (nx.petersen_graph(), nx.complete_bipartite_graph(7, 8), nx.star_graph(4)):
        answer = uno_csp.hamiltonian_cycle(graph, method=method, backend=backend)
        assert (answer.status, answer.path) == (Status.UNSATISFIABLE, None)


def test_vertices_keep_their_names() -> None:
    cover = uno_csp.path_cover(STAR)
    assert (cover.objective, len(cover.paths or ())) == (3, 3)
    named = sorted(str(vertex) for path in cover.paths or () for vertex in path)
    assert named == ["a", "b", "c", "centre", "d"]
    longest = uno_csp.longest_path(nx.Graph(STAR))
    assert longest.path is not None
    assert longest.path[1] == "centre"
    path = uno_csp.hamiltonian_path([(1, 2), (2, 3), (3, 1), (3, 4)], source=4, target=1)
    assert path.path == (4, 3, 2, 1)
    assert json.loads(json.dumps(path.to_dict()))["paths"] == [[4, 3, 2, 1]]


def test_a_dense_graph_may_have_more_colours_than_a_file_allows(tmp_path: Path) -> None:
    graph = nx.complete_graph(70)
    answer = uno_csp.hamiltonian_cycle(graph)
    assert answer.status is Status.SATISFIABLE
    assert answer.path is not None
    assert set(answer.path) == set(range(70))
    assert len(answer.path) == 70
    apart = nx.disjoint_union(graph, graph)
    no = uno_csp.hamiltonian_cycle(apart, proof=tmp_path / "proof")
    assert no.certificate is not None
    assert no.certificate["kind"] == "separator"


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        ([], "it has no vertex"),
        ([(1, 1)], "a loop at 1"),
        ([(1, 2, 3)], "edge 1: expected a pair"),
        (["ab"], "edge 1: expected a pair"),
        (nx.DiGraph([(1, 2)]), "it is directed"),
        ("R5 R7", "expected a graph or pairs of vertices"),
        ({(0, 1): 1, (1, 2): 1, (2, 0): 1}, "pairs of vertices, not a dict"),
        ({(0, 0): [(0, 1)], (0, 1): [(0, 0)]}, "pairs of vertices, not a dict"),
        (iter(()), "the tuple_iterator yields no edge: is it used up"),
        ([(0, None)], "edge 1: null is a missing value"),
        ([(0, 1), (1, math.nan)], "edge 2: NaN is a missing value"),
        ([(0, np.datetime64("NaT", "D"))], "edge 1: .* is a missing value"),
        ([(0, [1])], "edge 1: a vertex is hashable, but a list is not"),
        ([b"ab"], "edge 1: expected a pair"),
    ],
)
def test_what_is_no_graph_is_refused(graph: Any, message: str) -> None:
    with pytest.raises(InstanceError, match=message):
        uno_csp.hamiltonian_cycle(graph)


def test_what_stands_for_an_integer_is_one() -> None:
    edges = np.array([[0, 1], [1, 2]])
    path = uno_csp.hamiltonian_path(edges, source=np.int64(2))
    assert path.to_dict()["paths"] == [[2, 1, 0]]
    graph = nx.relabel_nodes(nx.path_graph(3), {vertex: np.int64(vertex) for vertex in range(3)})
    assert {type(vertex) for vertex in uno_csp.hamiltonian_path(graph).path or ()} == {int}


def test_vertices_that_print_alike_have_names_that_differ(tmp_path: Path) -> None:
    class Place:
        def __repr__(self) -> str:
            return "Place"

    hub, *leaves = (Place() for _ in range(4))
    graphs: list[list[tuple[object, object]]] = [
        [(1, "1"), (1, 2), (1, 3)],
        [((0, 1), "(0, 1)"), ((0, 1), 2), ((0, 1), 3)],
        [(hub, leaf) for leaf in leaves],
    ]
    for number, edges in enumerate(graphs):
        answer = uno_csp.hamiltonian_cycle(edges, proof=tmp_path / str(number))
        assert answer.status is Status.UNSATISFIABLE
        assert (answer.certificate or {})["certified"]
    texts = HamiltonProblem(Goal.CYCLE, (1, "1", "1 (vertex 1)", 2), ()).texts
    assert len(set(texts)) == 4


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"edges": ((0, 3),)}, "edge 1: vertices are numbered from 0 to 2"),
        ({"edges": ((0, 1), (1, 0))}, "edge 2: there is another edge between b and a"),
        ({"vertices": ("a", "a", "b")}, "named twice"),
        ({"source": 1}, "only the ends of a path"),
        ({"goal": Goal.PATH, "source": 1, "target": 1}, "two ends"),
        ({"goal": Goal.PATH, "target": 7}, "numbered from 0 to 2"),
    ],
)
def test_a_problem_is_well_formed(fields: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"goal": Goal.CYCLE, "vertices": ("a", "b", "c"), "edges": ()}
    with pytest.raises(InstanceError, match=message):
        HamiltonProblem(**{**given, **fields})
    with pytest.raises(InstanceError, match="source: x is no vertex"):
        problem_of([(1, 2)], Goal.PATH, source="x")


@pytest.mark.parametrize(
    ("goal", "paths", "message"),
    [
        (Goal.CYCLE, [[0, 1, 2, 3]], "3 and 0 are not adjacent"),
        (Goal.PATH, [[0, 2, 1, 3]], "0 and 2 are not adjacent"),
        (Goal.PATH, [[0, 1, 2]], "3 is not visited"),
        (Goal.PATH, [[0, 1], [2, 3]], "2 paths, where one is wanted"),
        (Goal.PATHS, [[0, 1, 2, 3], [0]], "0 is visited 2 times"),
        (Goal.LONGEST, [[0, 1, 0]], "0 is visited 2 times"),
    ],
)
def test_the_checker_names_what_is_wrong(
    goal: Goal, paths: Sequence[Sequence[int]], message: str
) -> None:
    problem = HamiltonProblem(goal, (0, 1, 2, 3), ((0, 1), (1, 2), (2, 3)))
    assert any(message in found for found in violations(problem, paths))
    path = HamiltonProblem(Goal.PATH, problem.vertices, problem.edges, 0, 3)
    assert violations(path, [[0, 1, 2, 3]]) == []
    assert len(violations(path, [[3, 2, 1, 0]])) == 2
    triangle = HamiltonProblem(Goal.CYCLE, (0, 1, 2), ((0, 1), (1, 2), (2, 0)))
    assert violations(triangle, [[0, 1, 2]]) == []


@pytest.mark.parametrize(
    "graph",
    [nx.petersen_graph(), nx.complete_graph(MANY_COLOURS + 2), nx.star_graph(MANY_COLOURS)],
    ids=["petersen", "complete", "star"],
)
def test_cards_agree_exactly_where_vertices_are_adjacent(graph: Any) -> None:
    for goal in Goal:
        hand = hand_of(problem_of(graph, goal))
        cards = hand.question.cards
        agreeing = {
            (one, other)
            for one in range(len(graph))
            for other in range(one + 1, len(graph))
            if any(a == b for a, b in zip(cards[one], cards[other], strict=True))
        }
        assert agreeing == {(min(edge), max(edge)) for edge in graph.edges}
        assert len(set(cards)) == len(cards)


def test_a_path_begins_at_the_end_that_comes_first() -> None:
    edges = np.array([[0, 1], [1, 2], [2, 3]])
    assert uno_csp.hamiltonian_path(edges).to_dict()["paths"] == [[0, 1, 2, 3]]
    assert uno_csp.longest_path(edges[::-1, ::-1]).path == (3, 2, 1, 0)
    assert uno_csp.hamiltonian_path(edges, source=3).path == (3, 2, 1, 0)
    assert uno_csp.hamiltonian_path(edges, target=0).path == (3, 2, 1, 0)


@pytest.mark.parametrize("named", [{"method": "none"}, {"backend": "none"}])
def test_unknown_names_are_refused_where_a_look_would_answer(named: dict[str, str]) -> None:
    with pytest.raises(UnknownName, match='"none"'):
        uno_csp.hamiltonian_cycle([("a", "b")], **named)


def test_an_event_stops_a_search_and_a_look() -> None:
    stop = threading.Event()
    stop.set()
    graph = nx.random_regular_graph(3, 400, seed=1)
    answer = solve_problem(problem_of(graph, Goal.CYCLE), stop=stop)
    assert answer.status is Status.UNKNOWN
    assert "stopped" in answer.reason


def test_edges_may_be_a_view_of_a_graph() -> None:
    graph = nx.cycle_graph(5)
    for edges in (graph.edges, graph.edges(), {(0, 1): "a", (1, 2): "b"}.keys(), {(0, 1), (1, 2)}):
        assert uno_csp.hamiltonian_path(edges).status is Status.SATISFIABLE
    with pytest.raises(InstanceError, match="pairs of vertices, not a dict"):
        uno_csp.hamiltonian_path({(0, 1): "a"})
