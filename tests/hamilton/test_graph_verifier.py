"""The verifier of graphs, against every order of the vertices of small graphs, word for word."""

import random
from contextlib import nullcontext
from itertools import combinations, pairwise, permutations
from typing import Any

import pytest

from tests.support.solutions import satisfiable
from tests.support.tables import table
from uno_csp.verifier.graphs import (
    Edges,
    Graph,
    Levels,
    allowed,
    check_separator,
    check_witness,
    statement,
)
from uno_csp.verifier.reading import Budget, Exceeded, Refused

SQUARE = {"goal": "cycle", "vertices": ["a", "b", "c", "d"], "edges": [[0, 1], [1, 2], [2, 3]]}


def better_exists(graph: Graph, paths: int, left: int) -> bool:
    """Look at every order: at most ``paths`` paths (0: a cycle), and ``left`` vertices left out."""
    for size in range(graph.size - left, graph.size + 1):
        for order in permutations(range(graph.size), size):
            gaps = sum(other not in graph.near[one] for one, other in pairwise(order))
            if paths == 0:
                if not gaps and size > 2 and order[0] in graph.near[order[-1]]:
                    return True
            elif gaps < paths and order and {*graph.ends} <= {order[0], order[-1]}:
                return True
    return False


def unrefuted(graph: Graph, paths: int, left: int) -> bool:
    """Ask the formula of edges, with the cuts of all sets of vertices."""
    edges = Edges(graph, paths, left)
    cuts = []
    for size in range(1, graph.size + (paths > 0)):
        for chosen in combinations(range(graph.size), size):
            cuts += [edges.cut({"vertices": [*chosen], "inside": inside}) for inside in chosen]
    return satisfiable([*edges.clauses, *cuts])


@pytest.mark.parametrize("goal", ["cycle", "path", "paths", "longest"])
def test_orders_and_formulas_say_what_there_is(goal: str) -> None:
    rng, seen = random.Random(goal), {False: 0, True: 0}
    for _ in range(60):
        size = rng.randint(3 if goal == "cycle" else 1, 6)
        pairs = list(combinations(range(size), 2))
        edges = rng.sample(pairs, rng.randint(len(pairs) // 3, len(pairs)))
        ends = rng.sample(["source", "target"], rng.choice([0, 0, 1, 2])) if goal == "path" else []
        places = dict(zip(ends, rng.sample(range(size), min(size, len(ends))), strict=False))
        graph = Graph(
            {"goal": goal, "vertices": [*range(size)], "edges": [*map(list, edges)], **places}
        )
        value = rng.randint(1, size)
        proved = goal in ("paths", "longest")
        status = "OPTIMAL" if proved else "UNSATISFIABLE"
        wanted = allowed(graph, {"status": status, "objective": value if proved else None})
        if wanted is None:
            assert value == (1 if goal == "paths" else size)
            continue
        there = better_exists(graph, *wanted)
        levels = Levels(graph, *wanted)
        levels.run(rng.sample(range(size), size))
        assert bool(levels.level) == there, (goal, edges, places, wanted)
        assert unrefuted(graph, *wanted) == there, (goal, edges, places, wanted)
        seen[there] += 1
    assert min(seen.values()) > 2


@pytest.mark.parametrize(("changes", "said"), table("hamilton", "no graphs"))
def test_graphs_that_are_none_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused, match=said):
        Graph({**SQUARE, **changes})


def test_names_of_other_types_are_other_vertices() -> None:
    assert Graph({**SQUARE, "vertices": [1, "1", True, 2]}).size == 4
    alone = Graph({"goal": "path", "vertices": ["a"], "edges": [], "source": 0, "target": 0})
    assert alone.ends == [0, 0]


@pytest.mark.parametrize(("goal", "value", "more", "said"), table("hamilton", "claims"))
def test_claims_are_put_into_words(
    goal: str, value: int | None, more: dict[str, Any], said: str
) -> None:
    assert said in statement(Graph({**SQUARE, "goal": goal, **more}), value)


@pytest.mark.parametrize(("more", "status", "value", "said"), table("hamilton", "no claims"))
def test_claims_that_are_none_are_refused(
    more: dict[str, Any], status: str, value: int | None, said: str
) -> None:
    with pytest.raises(Refused, match=said):
        allowed(Graph({**SQUARE, **more}), {"status": status, "objective": value})


@pytest.mark.parametrize(("goal", "value", "paths", "said"), table("hamilton", "witnesses"))
def test_witnesses_are_checked(
    goal: str, value: int, paths: list[list[int]], said: str | None
) -> None:
    with pytest.raises(Refused, match=said) if said else nullcontext():
        check_witness(Graph({**SQUARE, "goal": goal}), value, paths)


@pytest.mark.parametrize(("more", "paths", "removed", "said"), table("hamilton", "separators"))
def test_separators_are_counted(
    more: dict[str, Any], paths: int, removed: list[int], said: str
) -> None:
    graph = Graph({**SQUARE, **more})
    if said.startswith(("without", "it is")):
        assert check_separator(graph, paths, removed).startswith(said)
        return
    with pytest.raises(Refused, match=said):
        check_separator(graph, paths, removed)


def test_orders_have_limits() -> None:
    with pytest.raises(Refused, match="not every vertex once"):
        Levels(Graph(SQUARE), 0, 0).run([0, 1, 2, 2])
    full = Levels(Graph(SQUARE), 0, 0)
    full.run([0, 1, 2, 3])
    few = Budget()
    few.left = full.seen - 1
    with pytest.raises(Exceeded, match="over the limit"):
        Levels(Graph(SQUARE), 0, 0, few).run([0, 1, 2, 3])


def test_rows_and_cuts_are_of_sets_of_vertices() -> None:
    edges = Edges(Graph({**SQUARE, "goal": "longest"}), 1, 2)
    assert edges.cut({"vertices": [0], "inside": 0}) == (1, 4, 8, 12)
    assert edges.row("around", {"vertices": [0], "inside": 0}) == (
        [(1, 1), (1, 4), (2, 8), (2, 12)],
        2,
    )
    assert edges.row("parity", {"vertices": [0], "chosen": [1]}) == ([(1, -1), (1, 4)], 1)
    for call, said in (
        (lambda: edges.cut({"vertices": [], "inside": 0}), "not a set of vertices"),
        (lambda: edges.cut({"vertices": [4], "inside": 4}), "not a set of vertices"),
        (lambda: edges.cut({"vertices": [0], "inside": 1}), "1 is not inside"),
        (lambda: edges.row("parity", {"vertices": [0], "chosen": [1, 4]}), "not an odd number"),
        (lambda: edges.row("parity", {"vertices": [0], "chosen": [2]}), "not an odd number"),
        (lambda: edges.row("below", {"vertices": [0]}), "'below' is not a row"),
    ):
        with pytest.raises(Refused, match=said):
            call()
    cycle = Edges(Graph(SQUARE), 0, 0)
    with pytest.raises(Refused, match="not a set of vertices"):
        cycle.cut({"vertices": [0, 1, 2, 3], "inside": 0})
