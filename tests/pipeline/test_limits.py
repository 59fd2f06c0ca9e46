"""A limit is a limit: no stage in the caller's process does long work once the time is up."""

import random
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from tests.support.running import Patch
from uno_csp import Cooperative, FillIn, Longest, Status, Uncooperative, Uno1, generate, solve
from uno_csp.algorithms._annealed_plays import ANNEALING
from uno_csp.graph_tools.rotations import Sought, rotated
from uno_csp.hamilton import Goal, HamiltonProblem, looking, solve_problem
from uno_csp.hamilton.looking import (
    MANY_VERTICES,
    Look,
    look_for_fewest,
    look_for_longest,
    look_for_one,
)
from uno_csp.methods import find_method, methods_taking
from uno_csp.open_game.search import SEARCH
from uno_csp.pipeline import race, solving
from uno_csp.pipeline.options import Options
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import Convention, Instance
from uno_csp.questions.cards import Hand
from uno_csp.questions.question_types import question_types

LIMIT_S = 2.0
"""Time limit of each question."""

OVERRUN_CPU_S = 1.5
"""Maximum CPU seconds of the caller's process beyond those of a look: what is linear."""

OVERRUN_S = 60.0
"""Maximum wall seconds beyond the limit, on a machine with many busy neighbours."""


def drawn(size: int, values: int, dimension: int = 2) -> Hand:
    rng = random.Random(size + values)
    return tuple(tuple(rng.randrange(values) for _ in range(dimension)) for _ in range(size))


@cache
def large() -> Sequence[Instance]:
    """Large questions of every kind."""
    sparse, dense, wide = drawn(100_000, 60_000), drawn(100_000, 100), drawn(2_000, 3, 20)
    return (
        Uno1(sparse),
        Uno1(dense),
        Uno1(wide, at_least=10),
        Longest(sparse),
        Longest(wide, at_least=10),
        FillIn(sparse),
        FillIn(drawn(50_000, 40, 3), at_least=2),
        FillIn(sparse[:20_000], supply=sparse[20_000:70_000]),
        Cooperative((sparse[:5_000], sparse[5_000:10_000])),
        Uncooperative((sparse[:50_000], sparse[50_000:])),
        Uncooperative((dense[:200], dense[200:400]), Convention.EMPTY_HAND_WINS),
        generate("open-game", players=2, cards=40, seed=1),
        generate("open-game", players=10, cards=7, rules="encyclopedia", seed=1),
        generate("open-game", players=10, cards=7, goal="together", seed=1),
    )


@pytest.mark.slow
@pytest.mark.parametrize("place", range(14))
def test_a_question_ends_at_the_limit(place: int) -> None:
    """Each large question with the default and with every method that takes it."""
    offered = {kind for kind in question_types().values() if kind.question != "count"}
    assert {type(each) for each in large()} == offered
    assert len(large()) == 14
    assert SEARCH.why_not() == ANNEALING.why_not() == ""  # no limit counts the time to compile
    instance, late = large()[place], []
    methods = methods_taking(type(instance))
    taking = [name for name in methods if find_method(name).refusal(instance) is None]
    assert taking
    for method in (None, *taking):
        began, cpu_s = time.monotonic(), time.process_time()
        answer = solve(instance, method=method, time_limit_s=LIMIT_S)
        over_s, cpu_s = time.monotonic() - began - LIMIT_S, time.process_time() - cpu_s
        if cpu_s > OVERRUN_CPU_S or over_s > OVERRUN_S:
            late.append((method, answer.status, cpu_s, over_s))
    assert late == []


@pytest.mark.parametrize("kind", [Longest, FillIn, Uno1])
def test_a_large_question_whose_limit_has_passed_starts_no_worker(
    kind: type[Longest | FillIn | Uno1], monkeypatch: Patch
) -> None:
    monkeypatch.setattr(race.WORKERS, "start", lambda *_: pytest.fail("a worker was started"))
    asked = kind(drawn(10_000, 8_000))
    answer = solving.find_answer(asked, Options(time_limit_s=1e-9), None, None)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, "time limit of 1e-09 s reached")
    assert answer.bound == {Longest: 10_000, FillIn: 0, Uno1: None}[kind]
    assert answer.how.startswith("no method, ")


def relabelled(graph: "nx.Graph[Any]") -> HamiltonProblem:
    size = len(graph)
    place = dict(zip(graph, random.Random(size).sample(range(size), size), strict=True))
    pairs = tuple((place[one], place[other]) for one, other in graph.edges)
    return HamiltonProblem(Goal.PATH, tuple(range(size)), pairs)


def graphs(scale: int) -> list[HamiltonProblem]:
    """A sparse random graph, a star, a wheel, a grid and a row of complete graphs."""
    size = 100 * scale
    row = [(at + a, at + b) for at in range(0, size, 4) for b in range(5) for a in range(b)]
    drawn: tuple[nx.Graph[Any], ...] = (
        *(nx.gnm_random_graph(size, 140 * scale, seed=scale), nx.star_graph(size - 1)),
        *(nx.wheel_graph(size), nx.grid_2d_graph(scale, 25), nx.Graph(row)),
    )
    return [*map(relabelled, drawn)]


def test_a_certificate_has_the_rest_of_the_limit(monkeypatch: Patch, tmp_path: Path) -> None:
    given: list[float] = []

    def listed(*arguments: Any, **_: Any) -> dict[str, Any]:
        given.append(arguments[3].left_s)
        return {}

    monkeypatch.setattr(solving, "certificate_of_answer", listed)
    solve("R5 B7", time_limit_s=200.0, proof=tmp_path / "proof")
    assert 0 < given[0] < 200.0


STAGES = ("most_edges", "relaxed_edges", "best_separator", "biconnected")
"""The stages of a look that are not linear, or that a look does without."""


@pytest.mark.parametrize("problem", graphs(20))
def test_a_look_that_has_ended_begins_no_stage(
    problem: HamiltonProblem, monkeypatch: Patch
) -> None:
    look = Look(deadline=Deadline(0.0))
    for stage in STAGES:
        monkeypatch.setattr(looking, stage, lambda *_, **__: pytest.fail("a stage began"))
    near, size = problem.neighbours, len(problem.vertices)
    for closed in (False, True):
        seen = look_for_one(near, Sought(closed), look)  # the first path is linear
        assert seen.status is not Status.SATISFIABLE or len(seen.paths or ()) == 1
    cover = look_for_fewest(near, look).paths
    longest = look_for_longest(near, look).paths
    assert cover is not None
    assert sorted(vertex for path in cover for vertex in path) == list(range(size))
    assert longest


@pytest.mark.parametrize("goal", [Goal.PATHS, Goal.LONGEST])
def test_an_ended_look_at_a_large_graph_makes_no_paths(goal: Goal) -> None:
    rows = [(leaf, leaf + 1) for leaf in range(1, MANY_VERTICES, 2)]
    problem = HamiltonProblem(goal, tuple(range(MANY_VERTICES + 1)), tuple(rows))
    answer = solve_problem(problem, Options(time_limit_s=1e-9))
    assert (answer.status, answer.paths) == (Status.UNKNOWN, None)
    assert answer.reason == "time limit of 1e-09 s reached"


def test_rotations_end_at_once() -> None:
    near = [[other for other in range(300) if other != vertex] for vertex in range(300)]
    near[0], near[1] = [2], [2]  # no path is there, so rotations go on
    looks = 0

    def expired() -> bool:
        nonlocal looks
        looks += 1
        return Look(deadline=Deadline(0.0)).expired()

    rotated(near, Sought(), 0, 10**9, expired)
    assert looks <= 3


@pytest.mark.slow
@pytest.mark.parametrize("goal", Goal)
def test_graphs_end_at_the_limit(goal: Goal) -> None:
    late = []
    for drawn_graph in graphs(1000):
        problem = HamiltonProblem(goal, drawn_graph.vertices, drawn_graph.edges)
        began, cpu_s = time.monotonic(), time.process_time()
        answer = solve_problem(problem, Options(time_limit_s=LIMIT_S))
        over_s, cpu_s = time.monotonic() - began - LIMIT_S, time.process_time() - cpu_s
        if cpu_s > LIMIT_S + OVERRUN_CPU_S or over_s > OVERRUN_S:
            late.append((len(problem.vertices), answer.status, cpu_s, over_s))
    assert late == []
