"""Answers from a witness that is known: it is kept, and optimal where a bound meets it."""

import networkx as nx

from uno_csp import Options, Status
from uno_csp.hamilton import Goal, problem_of
from uno_csp.hamilton.hands import GraphHand, hand_of
from uno_csp.pipeline.solving import find_answer

BOUNDS = Options(method="subtour-bound")
"""A method that finds no sequences."""


def star_of(goal: Goal) -> GraphHand:
    """Six rays of two edges, whose longest path has five vertices, and a cover five paths."""
    rays = [edge for ray in range(1, 7) for edge in ((0, ray), (ray, ray + 6))]
    return hand_of(problem_of(nx.Graph(rays), goal))


def test_a_bound_shows_that_a_known_witness_is_optimal() -> None:
    covered = star_of(Goal.PATHS)
    place = {vertex: at for at, vertex in enumerate(covered.problem.vertices)}
    cover = [[7, 1, 0, 2, 8], [3, 9], [4, 10], [5, 11], [6, 12]]
    first = covered.witness([[place[vertex] for vertex in path] for path in cover])
    answer = find_answer(covered.question, BOUNDS, None, None, first)
    assert (answer.status, answer.objective, answer.bound) == (Status.OPTIMAL, 4, 4)
    assert answer.sequence is not None
    assert sorted(map(len, covered.paths(answer.sequence))) == [2, 2, 2, 2, 5]


def test_a_known_witness_is_kept_where_nothing_better_is_found() -> None:
    long = star_of(Goal.LONGEST)
    place = {vertex: at for at, vertex in enumerate(long.problem.vertices)}
    first = long.witness([[place[vertex] for vertex in (7, 1, 0)]])
    answer = find_answer(long.question, BOUNDS, None, None, first)
    assert (answer.status, answer.objective) == (Status.UNKNOWN, 3)
    assert find_answer(long.question, Options(), None, None, first).objective == 5
    assert long.witness([]) is None
