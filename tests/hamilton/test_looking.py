"""The look at a graph before any search: against dynamic programming, and on large easy graphs."""

import random
from itertools import combinations, pairwise
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import uno_csp
from tests.support import drawing
from tests.support.examples import FACTOR, examples
from tests.support.paths import Paths
from tests.support.running import Patch
from tests.support.tables import table
from uno_csp import Options, Status
from uno_csp.graph_tools import wide_blocks
from uno_csp.graph_tools.mate_tables import Effort, most_edges
from uno_csp.graph_tools.pieces import components, paths_of, strip_leaves
from uno_csp.graph_tools.rotations import Sought, rotated
from uno_csp.graph_tools.separators import best_separator
from uno_csp.graph_tools.wide_blocks import relaxed_edges
from uno_csp.hamilton import Goal, HamiltonProblem, problem_of, solve_problem
from uno_csp.hamilton.checking import violations
from uno_csp.hamilton.looking import (
    Look,
    Seen,
    look_for_fewest,
    look_for_longest,
    look_for_one,
    most_at_once,
    most_steps,
)

ENOUGH = 0.3
"""Density from which most questions with the answer yes are answered by a look."""


def graphs(most: int = 12 if FACTOR else 9) -> st.SearchStrategy[tuple[int, list[tuple[int, int]]]]:
    """Sizes and edges of graphs of 4 to 9 vertices, or to 12 where many are drawn."""
    return drawing.graphs(fewest=4, most=most).map(lambda graph: (len(graph), [*graph.edges]))


def near_of(graph: "nx.Graph[Any]", seed: int = 1) -> list[list[int]]:
    """The neighbours of each vertex, renamed at random."""
    order = list(range(len(graph)))
    random.Random(seed).shuffle(order)
    place = dict(zip(graph, order, strict=True))
    near: list[list[int]] = [[] for _ in order]
    for one, other in graph.edges:
        near[place[one]].append(place[other])
        near[place[other]].append(place[one])
    return near


def made(expression: str) -> "nx.Graph[Any]":
    """Return the graph of an expression in a table."""
    graph: nx.Graph[Any] = eval(expression, {"nx": nx})  # noqa: S307
    return graph


@given(graph=graphs(), data=st.data())
@examples(80)
def test_what_is_seen_is_right(
    graph: tuple[int, list[tuple[int, int]]], data: st.DataObject
) -> None:
    size, edges = graph
    truth = Paths(size, edges)
    source = data.draw(st.integers(0, size - 1))
    target = data.draw(st.integers(0, size - 1).filter(lambda vertex: vertex != source))
    near = HamiltonProblem(Goal.PATH, tuple(range(size)), tuple(edges)).neighbours
    dense = len(edges) > ENOUGH * size * (size - 1) / 2
    for goal, sought, right in (
        (Goal.CYCLE, Sought(closed=True), truth.has_cycle()),
        (Goal.PATH, Sought(), truth.has_path()),
        (Goal.PATH, Sought(source=source), truth.has_path(source)),
        (Goal.PATH, Sought(False, source, target), truth.has_path(source, target)),
    ):
        seen = look_for_one(near, sought, Look())
        status = Status.SATISFIABLE if right else Status.UNSATISFIABLE
        assert seen.status in ((status,) if dense else (status, Status.UNKNOWN))
        if seen.paths is not None:
            ends = (sought.source, sought.target)
            problem = HamiltonProblem(goal, tuple(range(size)), tuple(edges), *ends)
            assert violations(problem, seen.paths) == []
    seen = look_for_fewest(near, Look())
    assert len(_right(Goal.PATHS, size, edges, seen)) == seen.bound == truth.fewest()
    seen = look_for_longest(near, Look())
    assert len(_right(Goal.LONGEST, size, edges, seen)[0]) == seen.bound == truth.longest()


def _right(goal: Goal, size: int, edges: list[tuple[int, int]], seen: Seen) -> list[list[int]]:
    """Return the paths that were seen, after they were checked."""
    assert seen.paths is not None
    problem = HamiltonProblem(goal, tuple(range(size)), tuple(edges))
    assert violations(problem, seen.paths) == []
    return seen.paths


@given(graph=graphs(9), seed=st.integers(0, 9))
@examples(50)
def test_the_parts_of_the_look_alone(graph: tuple[int, list[tuple[int, int]]], seed: int) -> None:
    """Without the other stages each of them is right as well."""
    size, edges = graph
    near = HamiltonProblem(Goal.PATH, tuple(range(size)), tuple(edges)).neighbours
    truth = Paths(size, edges)
    effort = Effort(width=size, pairs=10**8)
    decided, chosen = most_edges(near, single=False, most_cost=2 * size, ended=(), effort=effort)
    assert decided
    assert len(paths_of(range(size), chosen or ())) == truth.fewest()
    stripped = strip_leaves(near)
    if not stripped.left:
        assert len(paths_of(range(size), stripped.edges)) == truth.fewest()
    if len(components(near)) == 1:
        needed, _ = best_separator(near)
        assert needed <= truth.fewest()
    found, path = rotated(near, Sought(closed=True), seed, 2000)
    assert found <= truth.has_cycle()
    assert len(set(path)) == len(path) <= size


@pytest.mark.parametrize("graph", table("hamilton", "easy cycles"))
def test_easy_cycles_are_seen(graph: str) -> None:
    near = near_of(made(graph))
    for sought in (Sought(closed=True), Sought()):
        seen = look_for_one(near, sought, Look())
        assert seen.status is Status.SATISFIABLE
        assert seen.paths is not None
        assert sorted(seen.paths[0]) == list(range(len(near)))
        again = look_for_one(near, sought, Look())
        assert seen == again  # the same graph and seed, the same path


def test_rotations_stop_early_where_edges_are_forced_or_cycles_short() -> None:
    subdivided = nx.circulant_graph(60, [1, 7])
    nx.add_path(subdivided, [0, *range(100, 180), 30])
    near = problem_of(subdivided, Goal.CYCLE).neighbours
    first, more = most_at_once(near)
    assert (first, more) == (most_steps(near) // 6, 0)
    lattice = problem_of(nx.circular_ladder_graph(70), Goal.CYCLE).neighbours
    assert most_at_once(lattice)[1] == 0
    cubic = problem_of(nx.random_regular_graph(3, 140, seed=1), Goal.CYCLE).neighbours
    first, more = most_at_once(cubic)
    assert first == most_steps(cubic)
    assert first + more == most_steps(cubic, long=True)


def test_rotations_go_on_beside_a_search_and_are_told_first() -> None:
    problem = problem_of(nx.random_regular_graph(3, 700, seed=0), Goal.CYCLE)
    seen = look_for_one(problem.neighbours, Sought(closed=True), Look())
    assert seen.status is Status.UNKNOWN
    *parts, last = seen.later
    assert {part.status for part in parts} == {Status.UNKNOWN}
    assert last.paths is not None
    for _ in range(2):
        answer = solve_problem(problem)
        paths = tuple(map(tuple, problem.forward(last.paths)))
        assert (answer.method, answer.paths) == ("rotations", paths)


def test_a_path_that_rotations_find_beside_a_search_ends_at_its_target() -> None:
    graph = nx.random_regular_graph(3, 700, seed=3)
    seen = look_for_one(problem_of(graph, Goal.PATH).neighbours, Sought(source=0), Look())
    assert seen.status is Status.UNKNOWN
    *_, last = seen.later
    assert last.status is Status.SATISFIABLE
    found = uno_csp.hamiltonian_path(graph, target=0)
    assert found.path is not None
    assert (found.path[-1], found.checked) == (0, True)


@pytest.mark.parametrize(("graph", "goal", "ends", "reason"), table("hamilton", "reasons of a no"))
def test_reasons_of_a_no_and_their_certificates(
    graph: str, goal: str, ends: list[int], reason: str, tmp_path: Path
) -> None:
    problem = problem_of(made(graph), Goal(goal), *ends)
    answer = solve_problem(problem, Options(proof=tmp_path / "proof"))
    assert answer.status is Status.UNSATISFIABLE
    assert reason in answer.reason
    certificate = answer.certificate or {}
    assert (certificate["kind"], certificate["certified"]) == ("separator", True)


@pytest.mark.parametrize(("graph", "fewest", "longest"), table("hamilton", "optima"))
def test_optima_that_are_seen(graph: str, fewest: int, longest: int) -> None:
    near = near_of(made(graph))
    cover = look_for_fewest(near, Look())
    assert (cover.status, len(cover.paths or ())) == (Status.OPTIMAL, fewest)
    path = look_for_longest(near, Look())
    assert len((path.paths or [[]])[0]) == longest


def test_what_is_open_is_searched_and_put_together(monkeypatch: Patch) -> None:
    """A component that no look decides beside others that it does decide."""
    monkeypatch.setattr("uno_csp.hamilton.looking.most_edges", lambda *_, **__: (False, None))
    snark: nx.Graph[Any] = nx.Graph(nx.random_regular_graph(3, 60, seed=5))
    snark.remove_edges_from(list(snark.edges)[::4])
    graph = nx.disjoint_union_all([snark, nx.complete_graph(5), nx.star_graph(4)])
    whole = solve_problem(problem_of(graph, Goal.PATHS))
    alone = solve_problem(problem_of(snark, Goal.PATHS), Options(presolve=False))
    assert whole.stats  # of a search
    assert (whole.status, whole.objective) == (Status.OPTIMAL, (alone.objective or 0) + 1 + 3)
    longest = solve_problem(problem_of(graph, Goal.LONGEST))
    assert longest.status is Status.OPTIMAL
    assert longest.objective == solve_problem(problem_of(snark, Goal.LONGEST)).objective


def test_rotations_alone_never_say_no() -> None:
    no = uno_csp.hamiltonian_cycle(nx.petersen_graph(), method="rotations")
    assert (no.status, no.method) == (Status.UNKNOWN, "rotations")
    assert "prove none" in no.reason
    yes = uno_csp.hamiltonian_path(nx.petersen_graph(), method="rotations")
    assert (yes.status, yes.method) == (Status.SATISFIABLE, "rotations")
    for goal in (Goal.PATHS, Goal.LONGEST):
        star = solve_problem(problem_of(nx.star_graph(4), goal), Options(method="rotations"))
        assert star.status is Status.UNKNOWN
        assert star.objective == 3


def test_vertices_with_one_neighbour_bound_a_cover_without_a_search() -> None:
    apart = nx.disjoint_union_all([nx.random_geometric_graph(300, 0.07, seed=4)] * 2)
    near = problem_of(apart, Goal.PATHS).neighbours
    ends = [sum(apart.degree(v) == 1 for v in part) for part in nx.connected_components(apart)]
    ended = Event()
    ended.set()
    seen = look_for_fewest(near, Look(stop=ended))
    bound = sum(max(1, -(-each // 2)) for each in ends)
    assert seen.bound == bound
    assert len(ends) < bound <= len(seen.paths or ())
    assert look_for_fewest(near, Look(rotations_only=True)).bound == len(ends)


def test_an_unknown_holds_the_best_that_was_seen() -> None:
    graph = nx.gnp_random_graph(400, 2.4 / 400, seed=4)
    for goal in (Goal.PATHS, Goal.LONGEST):
        answer = solve_problem(problem_of(graph, goal), Options(time_limit_s=0.001))
        assert answer.objective is not None
        assert answer.paths is not None
        assert answer.checked


@st.composite
def block_trees(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    """Graphs whose blocks are cycles with many chords."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    size, edges = 1, set[tuple[int, int]]()
    while size < 9:
        more, share = rng.randint(1, 4), rng.choice([0.5, 0.8, 1.0])
        block = [rng.randrange(size), *range(size, size + more)]
        edges |= {pair for pair in combinations(block, 2) if rng.random() < share}
        edges |= {(one, other) for one, other in pairwise(block)}
        edges |= {(block[0], block[-1])}
        size += more
    return size, sorted(edges)


@patch.object(wide_blocks, "NARROW", 1)
@given(graph=block_trees(), ends=st.sets(st.integers(0, 8), max_size=2))
@examples(60)
def test_relaxed_blocks_bound_and_attain(
    graph: tuple[int, list[tuple[int, int]]], ends: set[int]
) -> None:
    size, edges = graph
    near = HamiltonProblem(Goal.PATH, tuple(range(size)), tuple(edges)).neighbours
    truth = Paths(size, edges)

    def relaxed(
        *, single: bool, ended: set[int]
    ) -> tuple[int | None, list[tuple[int, int]] | None]:
        return relaxed_edges(
            near,
            single=single,
            ended=ended,
            effort=Effort(8),
            rotate=lambda around, sought: rotated(around, sought, 0, 5000),
        )

    for single, most in ((False, size - truth.fewest()), (True, truth.longest() - 1)):
        bound, chosen = relaxed(single=single, ended=set())
        assert bound is None or bound >= most
        if chosen is not None:
            assert len(chosen) == bound == most
            assert {tuple(sorted(edge)) for edge in chosen} <= set(edges)
    bound, chosen = relaxed(single=False, ended=ends)
    if truth.has_path(*sorted(ends)):
        assert bound is None or bound == size - 1
    for path in paths_of(range(size), chosen or ()):
        assert not ends.intersection(path[1:-1])


def test_optima_of_a_tree_of_dense_blocks() -> None:
    graph: nx.Graph[Any] = nx.gnp_random_graph(40, 0.5, seed=0)
    for seed, root in ((1, 3), (2, 7), (3, 3), (4, 45), (5, 80)):
        block = nx.gnp_random_graph(40, 0.5, seed=seed)
        first = len(graph) - 1
        graph = nx.compose(
            graph, nx.relabel_nodes(block, {v: v + first if v else root for v in block})
        )
    near = near_of(graph)
    assert look_for_fewest(near, Look()).status is Status.OPTIMAL
    assert look_for_longest(near, Look()).status is Status.OPTIMAL
