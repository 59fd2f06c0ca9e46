"""Local repair: what it makes of an assignment satisfies the model, and a no stays a no."""

import random

import numpy as np
import pytest

from tests.support.brute_force import minimum_sequences
from tests.support.running import Patch
from uno_csp import Answer, Uno1, check, generate
from uno_csp.backends.pysat import BACKENDS
from uno_csp.methods import ENCODINGS, find_backend
from uno_csp.modeling import (
    Connected,
    Model,
    RelaxingSession,
    broken_constraint,
    relax,
    violated_cuts,
)
from uno_csp.pipeline import Options
from uno_csp.pipeline.late_repair import LateRepair
from uno_csp.pipeline.neighbourhoods import Neighbourhoods
from uno_csp.pipeline.repair import AT_LEAST, CONFLICTS, WORK_OF_A_NODE, Repairer
from uno_csp.pipeline.search import do_nothing
from uno_csp.pipeline.stages import Task, run
from uno_csp.questions import FillIn, Instance, Longest

PLENTY = 10**8
"""Work of a search, of which repair may do as much again."""

CADICAL = next(backend for backend in BACKENDS if backend.name == "cadical195")


def relaxed(instance: Instance, encoding: str = "hub-trail") -> tuple[Model, Connected]:
    model = ENCODINGS.find(encoding).encode(instance).model
    (net,) = model.globals
    assert isinstance(net, Connected)
    return model, net


def repaired(model: Model, net: Connected, seed: int) -> tuple[int, bool]:
    """The components of a relaxed assignment, and whether they were joined, which is verified."""
    session = CADICAL.open(relax(model), seed=seed)
    assignment = session.solve().assignment
    session.close()
    if assignment is None:
        return 0, False
    values = np.array(assignment, dtype=bool)
    labels = Neighbourhoods(model, net).components(values)
    repairer = Repairer(model, net, CADICAL, 1.0, seed)
    found = repairer(assignment, PLENTY)
    if found is not None:
        assert broken_constraint(model, found) is None
        assert repairer.joined >= (len(set(labels[labels >= 0].tolist())) > 1)
    return len(set(labels[labels >= 0].tolist())), found is not None


def hands(rng: random.Random, count: int) -> list[tuple[tuple[int, int], ...]]:
    """Hands of eight or nine cards of a square, many of them a yes and many a no."""
    square = [(colour, 10 + number) for colour in range(5) for number in range(5)]
    return [tuple(rng.sample(square, rng.randrange(8, 10))) for _ in range(count)]


def test_small_hands_are_only_repaired_where_the_answer_is_yes(monkeypatch: Patch) -> None:
    monkeypatch.setattr("uno_csp.pipeline.repair.FEWEST_FREE", 3)
    monkeypatch.setattr("uno_csp.pipeline.repair.LARGEST_SHARE", 1)
    monkeypatch.setattr("uno_csp.pipeline.repair.GROWTH", 2)
    rng = random.Random(1)
    joined = refused = 0
    for number, cards in enumerate(hands(rng, 70)):
        model, net = relaxed(Uno1(cards))
        components, found = repaired(model, net, number)
        playable = minimum_sequences(cards) == 1
        if components:
            assert playable or not found
            joined += components > 1 and found
            refused += not playable
    assert joined > 1
    assert refused > 1


def test_a_local_problem_keeps_what_is_fixed() -> None:
    hand = generate("random-cubic", vertices=60, seed=3).cards
    model, net = relaxed(Uno1(hand))
    session = CADICAL.open(relax(model))
    assignment = session.solve().assignment
    assert assignment is not None
    values = np.array(assignment, dtype=bool)
    places = Neighbourhoods(model, net)
    component = places.components(values)
    own = int(component[component >= 0][0])
    edge = int(places.borders(component, own)[0])
    nodes = places.around(edge, 20)
    assert len(nodes) >= 20
    problem = places.problem(nodes, values, component, own)
    assert len(problem.variables) < model.num_vars / 2
    # What the free variables are now satisfies the constraints on them.
    now = [False, *values[problem.variables].tolist(), True]
    assert broken_constraint(relax(problem.model), now) is None
    assert (problem.spread(now, values) == values).all()
    # And so does whatever solves these.
    other = CADICAL.open(problem.model, seed=5).solve().assignment
    assert other is not None
    assert broken_constraint(relax(model), problem.spread(other, values).tolist()) is None


def test_a_large_hand_is_repaired_on_its_way(monkeypatch: Patch) -> None:
    """And twice alike with the same seed: no clock has a say in what is repaired."""
    monkeypatch.setattr("uno_csp.pipeline.late_repair.REPAIR_AFTER", 0)
    monkeypatch.setattr("uno_csp.pipeline.late_repair.REPAIR_RATIO", 100.0)
    hand = Uno1(generate("generalized-petersen", n=503, k=2).cards)
    task = Task(hand, Options("hub-trail", "cadical195", seed=1))
    solved, again = run(task), run(task)
    assert solved.witness is not None
    assert not check(hand, Answer("uno-1", solved.status, solved.witness))
    assert solved.stats is not None
    assert solved.stats["repaired_components"] >= 1
    assert {**(again.stats or {}), "solver_wall_s": 0} == {**solved.stats, "solver_wall_s": 0}
    assert again.witness == solved.witness


def test_repair_keeps_to_the_work_it_may_do() -> None:
    """On a flower snark a local problem can be as hard as the whole."""
    model, net = relaxed(Uno1(generate("flower-snark", n=501).cards))
    session = CADICAL.open(relax(model))
    repairer = Repairer(model, net, CADICAL, 0.0)
    step = WORK_OF_A_NODE * len(net.presence) + CONFLICTS * model.num_vars
    for _ in range(8):
        assignment = session.solve().assignment
        assert assignment is not None
        if repairer(assignment, PLENTY) is not None:
            break
        assert repairer.work <= AT_LEAST + step
        session.add(violated_cuts(net, assignment))


def test_repair_stops_when_its_work_is_done(monkeypatch: Patch) -> None:
    monkeypatch.setattr("uno_csp.pipeline.repair.AT_LEAST", 1)
    model, net = relaxed(Uno1(generate("generalized-petersen", n=503, k=2).cards))
    session = CADICAL.open(relax(model))
    repairer, spent = Repairer(model, net, CADICAL, 0.0), [0, 0]
    while spent[-2] == 0:  # at first there are too many components to begin
        assignment = session.solve().assignment
        assert assignment is not None
        assert repairer(assignment, PLENTY) is None
        spent.append(repairer.work)
        session.add(violated_cuts(net, assignment))
    assert spent[-1] == spent[-2] > 1


@pytest.mark.parametrize("question", [Longest, FillIn])
def test_what_is_connected_within_an_objective_value_keeps_to_it(
    question: type[Longest] | type[FillIn],
) -> None:
    """Optima of relaxations without connectedness, and what repair makes of them."""
    rng = random.Random(8)
    joined = 0
    for seed in range(2):
        cards = tuple(tuple(rng.randrange(24) for _ in range(3)) for _ in range(80))
        encoder = ENCODINGS.find("hub-trail")
        model = encoder.encode_kernel(question(cards), minimising=True).model
        objective = model.objective
        assert objective is not None
        result = find_backend("highs").open(relax(model)).solve()
        assert result.assignment is not None
        assert result.objective is not None
        improve = LateRepair(relax(model), CADICAL, encoder, seed).improvement(model.globals)
        for slack in (20, 3):
            most = result.objective + slack
            found = improve(result.assignment, most)
            if found is not None:
                joined += 1
                assert broken_constraint(model, found) is None
                assert objective.value(found) <= most
        assert improve(result.assignment, result.objective - 1) is None
    assert joined > 1


def test_highs_starts_from_a_solution() -> None:
    """A solution that is given is kept, and what is found is no worse."""
    hand = FillIn(generate("random", colours=8, numbers=8, cards=14, seed=1).cards)
    model = relax(ENCODINGS.find("hub-trail").encode(hand).model)
    session = find_backend("highs").open(model)
    assert isinstance(session, RelaxingSession)
    first = session.solve()
    assert first.assignment is not None
    session.start_from(first.assignment)
    again = session.solve()
    assert (again.status, again.objective) == (first.status, first.objective)


def test_sums_with_large_coefficients_are_not_repaired() -> None:
    encoder = ENCODINGS.find("hub-trail")
    for cost, repaired in ((1, True), (8, True), (9, False)):
        lack = FillIn(((1, 1), (2, 2)), supply=((1, 2), (2, 1)), costs=(1, cost))
        model = encoder.encode(lack).model
        late = LateRepair(model, CADICAL, encoder, 0)
        assert (late.improvement(model.globals) is not do_nothing) is repaired
