"""The cut loop: restarts, patching, and a witness that is known before it."""

import random
from collections.abc import Sequence

import networkx as nx
import pytest

from tests.support.hands import nontraceable
from tests.support.paths import Paths
from tests.support.running import Patch
from uno_csp import Longest, Options, Status, Uno1, generate, hamiltonian_cycle
from uno_csp.backends.pysat import PySatBackend, PySatSession
from uno_csp.errors import BackendError
from uno_csp.hamilton import Goal, problem_of
from uno_csp.hamilton.hands import GraphHand, hand_of
from uno_csp.methods import ENCODINGS, find_backend
from uno_csp.modeling import Circuit, Model, Objective, broken_constraint, relax, violated_cuts
from uno_csp.pipeline.cut_loop import decide, minimise
from uno_csp.pipeline.patching import Patcher
from uno_csp.pipeline.search import Search, do_nothing
from uno_csp.pipeline.solving import find_answer
from uno_csp.pipeline.stages import Task, run

WAY = Options(method="successor", backend="cadical195", presolve=False)


@pytest.fixture
def opened(monkeypatch: Patch) -> list[tuple[int, int]]:
    """The variables and the seed of each session; a run is one round, and nothing is patched."""
    monkeypatch.setattr("uno_csp.pipeline.cut_loop.RESTART_AFTER", 1)
    monkeypatch.setattr("uno_csp.pipeline.stages.Patcher", lambda *_: do_nothing)
    sessions: list[tuple[int, int]] = []
    open_session = PySatBackend.open

    def note(self: PySatBackend, model: Model, *, seed: int = 0, workers: int = 1) -> PySatSession:
        sessions.append((model.num_vars, seed))
        return open_session(self, model, seed=seed, workers=workers)

    monkeypatch.setattr(PySatBackend, "open", note)
    return sessions


def test_places_are_counted_modulo_2_then_3_then_not(opened: list[tuple[int, int]]) -> None:
    """A grid has many squares, and as many longer cycles, which take their cut sets."""
    hand = hand_of(problem_of(nx.grid_2d_graph(8, 8), Goal.CYCLE)).question
    assert run(Task(hand, WAY)).status is Status.SATISFIABLE
    nodes = len(hand.cards) + 1
    extra = [size - opened[0][0] for size, _ in opened]
    assert len(extra) > 4
    assert extra == [(0, nodes, 3 * nodes)[turn % 3] for turn in range(len(extra))]


@pytest.mark.parametrize("hand", [generate("generalized-petersen", n=11, k=2), nontraceable()[0]])
def test_runs_grow_as_luby_says_and_keep_their_cuts(
    hand: Uno1, opened: list[tuple[int, int]]
) -> None:
    status = Status.UNSATISFIABLE if "non-traceable" in hand.name else Status.SATISFIABLE
    solved = run(Task(hand, Options("hub-trail", "cadical195", presolve=False, seed=7)))
    assert solved.status is status
    last = len(opened)
    assert last > 1
    assert [seed for _, seed in opened] == list(range(7, 7 + last))
    luby = [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1, 1, 2, 1, 1, 2, 4, 1, 1, 2]
    assert sum(luby[: last - 1]) < (solved.stats or {})["rounds"] <= sum(luby[:last])


def test_no_answer_changes(opened: list[tuple[int, int]]) -> None:
    """Sparse graphs against dynamic programming; sixteen of them see labels."""
    rng = random.Random(3)
    restarted = {True: 0, False: 0}
    while min(restarted.values()) < 8:
        size = rng.choice((8, 10, 12))
        graph = nx.random_regular_graph(3, size, seed=rng.randrange(10**6))
        for _ in range(rng.randrange(3)):
            one, other = rng.sample(range(size), 2)
            graph.add_edge(one, other)
        if rng.random() < 0.7:
            graph.remove_edges_from(rng.sample(sorted(graph.edges), rng.randint(1, 3)))
        opened.clear()
        status = run(Task(hand_of(problem_of(graph, Goal.CYCLE)).question, WAY)).status
        truth = Paths(size, list(graph.edges)).has_cycle()
        assert status is (Status.SATISFIABLE if truth else Status.UNSATISFIABLE)
        restarted[truth] += len(opened) > 1


APART = ((1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (3, 4), (4, 3), (4, 4))


@pytest.mark.parametrize("kind", [Uno1, Longest])
@pytest.mark.parametrize("backend", ["cp-sat", "highs"])
def test_a_solver_that_ignores_cuts_is_named(
    kind: type[Uno1 | Longest], backend: str, monkeypatch: Patch
) -> None:
    encoder = ENCODINGS.find("hub-trail")
    encoded = encoder.encode(kind(APART))
    model = relax(encoded.model)
    search = Search(
        encoder, encoded, model, encoded.model.globals, find_backend(backend), Options()
    )
    monkeypatch.setattr(type(search.session), "add", lambda *_: None)
    with pytest.raises(BackendError, match=f"{backend} proposed what breaks a cut"):
        if model.objective is None:
            decide(search, restarts=False)
        else:
            assert isinstance(model.objective, Objective)
            minimise(search, model.objective)


Arc = tuple[int, int]

LADDER = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (1, 4), (2, 7)])
"""Two squares, and two edges that join them."""


def circuit_model(arcs: Sequence[Arc]) -> tuple[Model, Circuit]:
    """A model of a circuit through these arcs and nothing else; variables are numbered alike."""
    model = Model()
    nodes = 1 + max(map(max, arcs))
    literals = model.new_vars(len(arcs))
    tails, heads = zip(*arcs, strict=True)
    circuit = Circuit(nodes, tails, heads, literals)
    model.add_global(circuit)
    return model, circuit


def both_ways(graph: "nx.Graph[int]") -> list[Arc]:
    return [arc for tail, head in graph.edges for arc in ((tail, head), (head, tail))]


def cover(arcs: Sequence[Arc], cycles: Sequence[Sequence[int]]) -> list[bool]:
    """The assignment that chooses the arcs of these cycles; place 0 stands for no variable."""
    chosen = {arc for cycle in cycles for arc in zip(cycle, [*cycle[1:], cycle[0]], strict=True)}
    return [False, *(arc in chosen for arc in arcs)]


@pytest.mark.parametrize("turned", [False, True])
def test_a_cycle_is_turned_round_where_that_joins_it(turned: bool) -> None:
    """Two squares beside each other, walked in the same or in opposite directions."""
    arcs = both_ways(LADDER)
    model, circuit = circuit_model(arcs)
    second = [7, 6, 5, 4] if turned else [4, 5, 6, 7]
    found = Patcher(model, circuit)(cover(arcs, [[0, 1, 2, 3], second]))
    assert found is not None
    assert broken_constraint(model, found) is None


def test_random_covers() -> None:
    """Directed and undirected graphs, with nodes that are skipped, arcs twice, and clauses."""
    rng = random.Random(4)
    joined = left = 0
    for _ in range(400):
        size = rng.randint(4, 14)
        graph = nx.gnp_random_graph(size, rng.uniform(0.2, 0.7), seed=rng.randrange(10**6))
        arcs = [arc for arc in both_ways(graph) if rng.random() < rng.choice((0.8, 1.0))]
        arcs += rng.sample(arcs, min(len(arcs), rng.choice((0, 0, 2))))
        arcs += [(node, node) for node in range(1, size) if rng.random() < rng.choice((0, 0.3))]
        if not arcs:
            continue
        model, circuit = circuit_model(arcs)
        if rng.random() < 0.3:
            model.add_clause(*rng.sample(range(1, len(arcs) + 1), min(3, len(arcs))))
        session = find_backend("cadical195").open(relax(model), seed=rng.randrange(9))
        assignment = session.solve().assignment
        session.close()
        if assignment is None or not violated_cuts(circuit, assignment):
            continue
        found = Patcher(model, circuit)(assignment)
        if found is None:
            left += 1
        else:
            joined += 1
            assert broken_constraint(model, found) is None
    assert min(joined, left) > 20


def test_a_grid_takes_few_rounds() -> None:
    answer = hamiltonian_cycle(
        nx.grid_2d_graph(20, 20), method="successor", backend="cadical195", presolve=False
    )
    assert answer.status is Status.SATISFIABLE
    assert (answer.stats or {})["rounds"] < 10


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
