"""The kernel of the hub graph: whatever is settled there changes no answer, and is lifted whole."""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from hypothesis import strategies as st

from tests.support import drawing
from tests.support.brute_force import minimum_sequences
from tests.support.running import Patch
from uno_csp import Answer, FillIn, Instance, Longest, Options, Status, Uno1, check, generate, solve
from uno_csp.hub_graph.choices import Choice, read_witness
from uno_csp.hub_graph.contraction import contract
from uno_csp.hub_graph.elimination import order_width
from uno_csp.hub_graph.graph import build_hub_graph
from uno_csp.hub_graph.kernel import BOUNDING, DECIDING, IMPROVING, kernelize, prepare
from uno_csp.hub_graph.shrinking import odd_join
from uno_csp.hub_graph.tables import ABSENT
from uno_csp.methods import ALGORITHMS, ENCODINGS, find_backend
from uno_csp.modeling import Finding, RelaxingSession, relax
from uno_csp.modeling.fractional_cuts import fractional_cuts
from uno_csp.pipeline.progress import BoundUpdate, Progress
from uno_csp.pipeline.stages import Solved, Task, run
from uno_csp.questions import HandQuestion
from uno_csp.questions.answers import Witness

HUB_TRAIL = ENCODINGS.find("hub-trail")
WIDTH = ALGORITHMS.find("width")
NEIGHBOURS = (0, 1, 2, 3, 5, 8)
EDGES = tuple[tuple[int, int], ...]


def value_of(instance: Instance, found: Solved | Finding) -> tuple[Status, int | None]:
    """Status and objective of what was found, after the checker has seen it."""
    witness = found.witness or Witness()
    proved = witness.objective if found.status is Status.OPTIMAL else None
    answer = Answer(instance.question, found.status, witness, proved)
    assert not check(instance, answer), (instance, answer)
    return found.status, witness.objective


def solved(instance: HandQuestion, *, presolve: bool) -> tuple[Status, int | None]:
    options = Options("hub-trail", "cadical195", presolve=presolve)
    return value_of(instance, run(Task(instance, options)))


def small() -> st.SearchStrategy[HandQuestion]:
    """Hands of up to seven cards with every option there is."""
    found = drawing.questions("uno-1", "longest", "fill-in")
    return found.filter(lambda instance: HUB_TRAIL.refusal(instance) is None)


@st.composite
def sparse(draw: st.DrawFn) -> HandQuestion:
    """Larger hands with about as many cards as hubs: trees, chains, short circuits, copies."""
    kind: Any = draw(st.sampled_from((Uno1, Longest, FillIn)))
    attributes = draw(st.sampled_from((2, 2, 2, 2, 3)))
    values = [draw(st.integers(2, 12)) for _ in range(attributes)]
    card: Any = st.tuples(*(st.integers(0, value - 1) for value in values))
    wild = ("*",) * attributes
    size = int(sum(values) * draw(st.sampled_from((0.5, 0.7, 0.9, 1.2))))
    cards = draw(st.lists(card, min_size=size, max_size=size))
    cards += [wild] * draw(st.sampled_from((0, 0, 0, 1, 3)))
    after = draw(st.none() | card)
    if kind is FillIn and draw(st.booleans()):
        supply = draw(st.lists(card | st.just(wild), min_size=5, max_size=5).map(tuple))
        costs = draw(st.tuples(*[st.sampled_from((0, 1, 5))] * 5))
        return FillIn(tuple(cards), supply, costs, after=after)
    found: HandQuestion = kind(tuple(cards), after=after)
    return found


@pytest.mark.parametrize("draw", [small, sparse])
@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_the_kernel_changes_no_answer(draw: type, neighbours: int, monkeypatch: Patch) -> None:
    weights = (DECIDING, IMPROVING, BOUNDING)[neighbours % 3]
    monkeypatch.setattr(
        sys.modules["uno_csp.encodings._trails"],
        "kernelize",
        lambda graph, minimising: prepare(graph).kernelize(neighbours, weights=weights),
    )
    seen: Counter[Status] = Counter()
    monkeypatch.setattr("uno_csp.hub_graph.kernel.FEW_EDGES", 0)
    monkeypatch.setattr("uno_csp.pipeline.stages.SMALL_HAND", 0)
    for instance in drawing.drawn(draw(), 30):
        found = solved(instance, presolve=True)
        assert found == solved(instance, presolve=False), instance
        seen[found[0]] += 1
    assert min(seen[status] for status in (Status.OPTIMAL, Status.SATISFIABLE)) > 3


def test_width_agrees_with_a_search() -> None:
    seen: Counter[Status] = Counter()
    for instance in drawing.drawn(sparse(), 100):
        if WIDTH.refusal(instance) is None:
            found = WIDTH.run(instance)
            seen[found.status] += 1
            assert value_of(instance, found) == solved(instance, presolve=False), instance
    assert seen[Status.UNKNOWN] == 0
    assert min(seen[status] for status in Status if status is not Status.UNKNOWN) > 2, seen


def test_fractional_cuts_make_the_bound_of_diamonds_tight() -> None:
    hand = generate("diamond", vertices=10, seed=1)
    assert isinstance(hand, Uno1)
    model = HUB_TRAIL.encode_kernel(FillIn(hand.cards), minimising=True).model
    assert model.objective is not None
    session = find_backend("highs").open(relax(model))
    assert isinstance(session, RelaxingSession)
    bounds = []
    for _ in range(50):
        values = session.solve_relaxed()
        assert values is not None
        bounds.append(model.objective.sum_of(values))
        cuts = [cut for each in model.globals for cut in fractional_cuts(each, values)]
        if not cuts:
            break
        session.add(cuts)
    assert bounds == sorted(bounds)
    assert model.objective.bound_of_sum(bounds[-1]) == 4  # ten vertices need five paths


def test_what_others_know_is_taken_over() -> None:
    """A session that is told of the optimum elsewhere looks for nothing worse."""
    hand = FillIn(generate("random", colours=30, numbers=30, cards=60, seed=1).cards)
    completed = run(Task(hand, Options("hub-trail", "cadical195")))
    assert completed.witness is not None
    news = BoundUpdate(completed.witness.objective, completed.bound)
    rounds = []
    found = run(
        Task(hand, Options("hub-trail", "cadical195")),
        lambda message: rounds.append(message) if isinstance(message, Progress) else None,
        lambda: news,
    )
    assert value_of(hand, found) == (Status.OPTIMAL, completed.witness.objective)
    assert rounds[-1].bound == completed.bound


def multigraphs(count: int) -> Iterator[tuple[int, EDGES]]:
    """Small connected multigraphs, some with double edges."""
    rng = random.Random(3)
    for _ in range(count):
        size = rng.randint(2, 5)
        pairs = list(combinations(range(size), 2))
        edges = tuple(rng.choice(pairs) for _ in range(rng.randint(size, 8)))
        yield size, edges


def fewest_sequences(size: int, edges: EDGES) -> int:
    """Of cards that match if their edges share a node."""
    cards = (
        tuple("end" if node in edge else f"{at} {node}" for node in range(size))
        for at, edge in enumerate(edges)
    )
    return minimum_sequences(tuple(cards))


def test_dense_parts_shrink_without_changing_the_number_of_sequences() -> None:
    shrunk = 0
    for size, edges in multigraphs(60):
        found = contract(size, edges)
        part = found.part
        after = tuple((part[u], part[v]) for u, v in edges)
        shrunk += found.count < size
        assert fewest_sequences(size, edges) == fewest_sequences(found.count, after), edges
    assert shrunk > 24


@pytest.mark.parametrize(
    ("size", "edges", "parts"),
    [
        (2, ((0, 1), (0, 1)), 1),
        (2, ((0, 1),), 2),
        (3, ((0, 1), (0, 1), (1, 2)), 2),
        (4, tuple(combinations(range(4), 2)), 1),  # K4 has 6 edges, two paths of three
        (4, tuple(combinations(range(4), 2))[1:], 4),
        (8, tuple((u, v) for u in range(4) for v in range(4, 8)), 1),
        (6, tuple((u, v) for u in range(3) for v in range(3, 6)), 6),  # 9 edges, 10 are needed
    ],
)
def test_known_dense_parts(size: int, edges: EDGES, parts: int) -> None:
    assert contract(size, edges).count == parts


def test_nearly_all_of_a_dense_hand_is_one_part() -> None:
    hand = generate("random", colours=300, numbers=300, cards=2000, seed=1)
    assert isinstance(hand, Uno1)
    kernel = kernelize(build_hub_graph(hand), minimising=False)
    assert kernel.sizes["shrunk_hubs"] < 20
    assert not kernel.core.hubs
    assert solve(hand).status is Status.SATISFIABLE


def test_odd_join_makes_exactly_the_odd_ones_odd() -> None:
    rng = random.Random(5)
    for _ in range(100):
        size = rng.randint(1, 12)
        forest = [(rng.randrange(node), node) for node in range(1, size) if rng.random() < 0.8]
        odd = rng.sample(range(size), rng.randint(0, size))
        degree = Counter(node for index in odd_join(size, forest, odd) for node in forest[index])
        wrong = {node for node in range(size) if degree[node] % 2 != (node in odd)}
        graph = nx.empty_graph(size)
        graph.add_edges_from(forest)
        for tree in nx.connected_components(graph):
            assert len(wrong & tree) == len(tree & {*odd}) % 2


@pytest.mark.parametrize(
    ("scopes", "width"),
    [
        ([(0, 1), (1, 2), (2, 3)], 1),
        ([(0, 1), (1, 2), (2, 3), (3, 0)], 2),
        ([*combinations(range(5), 2)], 4),
        ([(0, 1, 2)], 2),
        ([], 0),
    ],
)
def test_widths_of_known_graphs(scopes: list[tuple[int, ...]], width: int) -> None:
    assert order_width(5, scopes, 10) == width
    assert order_width(5, scopes, 1) == min(width, order_width(5, scopes, 1))


def test_what_is_settled_is_told() -> None:
    diamonds = generate("diamond", vertices=10, seed=1)
    answer = solve(diamonds)
    assert answer.status is Status.UNSATISFIABLE
    hand = generate("random", colours=40, numbers=40, cards=60, question="longest", seed=2)
    answer = solve(hand)
    assert answer.method == "width"
    assert answer.stats["width"] <= 10
    assert answer.stats["kernel_hubs"] == 0 < answer.stats["hubs"]
    pair = Uno1((("red", 1), ("red", 2)))
    sizes = solve(pair, presolve=False).stats
    assert sizes["kernel_hubs"] == sizes["shrunk_hubs"] == sizes["hubs"] == 1


def test_sequences_of_a_settled_hand_are_as_few_as_brute_force_finds() -> None:
    for instance in drawing.drawn(small(), 60):
        plain = not any("*" in card for card in instance.cards) and instance.after is None
        if isinstance(instance, FillIn) and instance.supply is None and plain and instance.cards:
            kernel = prepare(build_hub_graph(instance)).kernelize(20, 10**6)
            if kernel.core.hubs:
                continue
            rows = [min(part.table.states, key=lambda row: row[1]) for _, part in kernel.core.parts]
            assert all(place != ABSENT for places, _ in rows for place in places)
            witness = read_witness(kernel.core.graph, kernel.lift(Choice((), (), states=rows)))
            fewest = minimum_sequences(instance.cards, instance.at_least)
            assert witness.objective == fewest - 1
