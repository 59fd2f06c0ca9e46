"""Hamiltonian problems against dynamic programming, their checker, and objects that are graphs."""

import json
import math
import random
import threading
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sparse
from hypothesis import assume, given
from hypothesis import strategies as st

import uno_csp
from tests.support.drawing import graphs
from tests.support.examples import examples
from tests.support.paths import Paths
from tests.support.tables import table
from uno_csp import InstanceError, NotAccepted, Status, hamiltonian_path
from uno_csp.errors import UnknownName
from uno_csp.graph_files.objects import read_object
from uno_csp.hamilton import Goal, HamiltonAnswer, HamiltonProblem, problem_of, solve_problem
from uno_csp.hamilton.checking import violations
from uno_csp.hamilton.hands import MANY_COLOURS, hand_of
from uno_csp.processes.deadline import NEVER

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


@examples(30)
@given(graphs(most=6))
def test_paths_and_cycles_are_counted_by_their_hands(graph: Any) -> None:
    """Each path has two directions; a cycle also has two at the vertex that is doubled."""
    assume(len(graph) > 2)
    orders = [each for each in permutations(graph) if all(map(graph.has_edge, each, each[1:]))]
    closed = [order for order in orders if graph.has_edge(order[0], order[-1])]
    for goal, found in ((Goal.PATH, len(orders)), (Goal.CYCLE, 2 * len(closed) // len(graph))):
        assert uno_csp.count(hand_of(problem_of(graph, goal)).question).objective == found


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


@pytest.mark.parametrize(("goal", "paths", "message"), table("hamilton", "wrong paths"))
def test_the_checker_names_what_is_wrong(goal: str, paths: list[list[int]], message: str) -> None:
    problem = HamiltonProblem(Goal(goal), (0, 1, 2, 3), ((0, 1), (1, 2), (2, 3)))
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


def test_no_certificate_about_a_graph_is_strict(tmp_path: Path) -> None:
    with pytest.raises(NotAccepted, match="certificates about graphs"):
        uno_csp.path_cover([("a", "b")], proof=tmp_path / "proof", strict=True)


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


WAYS: dict[str, Callable[[Any], Any]] = {
    "networkx": lambda graph: graph,
    "igraph": igraph.Graph.from_networkx,
    "matrix": nx.to_numpy_array,
    "whole numbers": lambda graph: nx.to_numpy_array(graph).astype(np.int8),
    "truths": lambda graph: nx.to_numpy_array(graph).astype(bool),
    "sparse": nx.to_scipy_sparse_array,
    "sparse matrix": lambda graph: sparse.coo_matrix(nx.to_numpy_array(graph)),
    "frame": nx.to_pandas_adjacency,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_graph_is_the_same_in_every_library(way: str) -> None:
    rng = random.Random(1)
    for size in (1, 3, 4, 7, 12):
        graph = nx.gnp_random_graph(size, 0.4, seed=rng.randrange(1000))
        vertices, edges = read_object(WAYS[way](graph), NEVER)
        assert list(vertices) == list(range(size))
        assert sorted(edges) == sorted(graph.edges)


def test_a_frame_of_edges_is_a_list_of_pairs() -> None:
    frame = nx.to_pandas_edgelist(nx.cycle_graph(5))
    vertices, edges = read_object(frame, NEVER)
    assert set(vertices) == set(range(5))
    assert len(list(edges)) == 5


def test_a_named_matrix_of_two_vertices_is_no_list_of_two_pairs() -> None:
    frame = pd.DataFrame([[0, 1], [1, 0]], index=["a", "b"], columns=["a", "b"])
    vertices, edges = read_object(frame, NEVER)
    assert (list(vertices), list(edges)) == (["a", "b"], [(0, 1)])
    vertices, edges = read_object(pd.DataFrame([[4, 5], [5, 6]]), NEVER)
    assert (list(vertices), list(edges)) == ([4, 5, 6], [(0, 1), (1, 2)])


NAMED = igraph.Graph(edges=[(0, 2), (1, 2)])
NAMED.vs["name"] = ["a", "a", "b"]
ONE_AND_TRUE = igraph.Graph(edges=[(0, 2), (1, 2)])
ONE_AND_TRUE.vs["name"] = [1, True, 3]
TWICE = pd.DataFrame([[0, 1, 0], [1, 0, 1], [0, 1, 0]], index=[*"aab"], columns=[*"aab"])
NAMES = {
    "nx": nx,
    "np": np,
    "igraph": igraph,
    "math": math,
    "Fraction": Fraction,
    "NAMED": NAMED,
    "ONE_AND_TRUE": ONE_AND_TRUE,
    "TWICE": TWICE,
}
"""Names that the expressions of the tables use."""


@pytest.mark.parametrize(("graph", "says"), table("hamilton", "no simple graphs"))
def test_what_is_no_simple_graph_is_refused(graph: str, says: str) -> None:
    with pytest.raises(InstanceError) as caught:
        hamiltonian_path(eval(graph, NAMES))  # noqa: S307
    assert says in str(caught.value)


@pytest.mark.parametrize("pairs", table("hamilton", "vertices of one kind"))
def test_vertices_of_one_kind_are_vertices(pairs: str) -> None:
    answer = hamiltonian_path(eval(pairs, NAMES))  # noqa: S307
    assert answer.path is not None
    assert len(answer.path) == 3


def test_an_end_is_a_vertex_of_its_kind() -> None:
    for end, said in ((True, "True and 1 are"), (1.0, "1.0 and 1 are"), (Fraction(1), "Fraction")):
        for name in ("source", "target"):
            with pytest.raises(InstanceError, match=f"^{name}: {said}"):
                hamiltonian_path([(1, 2), (2, 3)], **{name: end})
    assert hamiltonian_path([(1, 2), (2, 3)], source=np.int64(1)).path == (1, 2, 3)
