"""The cut loop: restarts change no answer, and a solver that ignores cuts is named."""

import random

import networkx as nx
import pytest

from tests.support.paths import Paths
from uno_csp import Longest, Uno1
from uno_csp.backends.pysat import PySatBackend, PySatSession
from uno_csp.errors import BackendError
from uno_csp.hamilton import Goal, problem_of
from uno_csp.hamilton.hands import hand_of
from uno_csp.methods import ENCODINGS, find_backend
from uno_csp.modeling import Model, Objective, relax
from uno_csp.pipeline import Options
from uno_csp.pipeline.cut_loop import decide, minimise
from uno_csp.pipeline.search import Search, do_nothing
from uno_csp.pipeline.stages import Task, run
from uno_csp.questions.answers import Status

WAY = Options(method="successor", backend="cadical195", presolve=False)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of variables of each session; a run is one round, and nothing is patched."""
    monkeypatch.setattr("uno_csp.pipeline.cut_loop.RESTART_AFTER", 1)
    monkeypatch.setattr("uno_csp.pipeline.stages.Patcher", lambda *_: do_nothing)
    sizes: list[int] = []
    open_session = PySatBackend.open

    def note(self: PySatBackend, model: Model, *, seed: int = 0, workers: int = 1) -> PySatSession:
        sizes.append(model.num_vars)
        return open_session(self, model, seed=seed, workers=workers)

    monkeypatch.setattr(PySatBackend, "open", note)
    return sizes


def test_places_are_counted_modulo_2_then_3_then_not(opened: list[int]) -> None:
    """A grid has many squares, and as many longer cycles, which take their cut sets."""
    hand = hand_of(problem_of(nx.grid_2d_graph(8, 8), Goal.CYCLE)).question
    assert run(Task(hand, WAY)).status is Status.SATISFIABLE
    nodes = len(hand.cards) + 1
    extra = [size - opened[0] for size in opened]
    assert len(extra) > 4
    assert extra == [(0, nodes, 3 * nodes)[turn % 3] for turn in range(len(extra))]


def test_no_answer_changes(opened: list[int]) -> None:
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
    kind: type[Uno1 | Longest], backend: str, monkeypatch: pytest.MonkeyPatch
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
