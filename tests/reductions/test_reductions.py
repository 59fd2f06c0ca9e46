"""Reductions: the answer is unchanged, and every lifted witness checks."""

import random
from collections.abc import Callable
from itertools import compress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import playable, sequences
from tests.support.drawing import hands, questions
from tests.support.examples import examples
from tests.support.truth import truth
from uno_csp import Answer, FillIn, Status, Uno1, check, solve
from uno_csp.algorithms.walks import ALGORITHM as WALKS
from uno_csp.graph_tools.bridges import by_igraph, by_rustworkx
from uno_csp.hub_graph.graph import build_hub_graph
from uno_csp.hub_graph.incidence import incidence
from uno_csp.pipeline import Progress
from uno_csp.questions import Instance
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import hub_count, hubs
from uno_csp.reductions import STEPS, Decided, is_dense, reduce
from uno_csp.reductions.duplicates import drop_surplus_copies
from uno_csp.reductions.needed_supply import add_needed_supply
from uno_csp.reductions.private_hubs import merge_pendant_cards
from uno_csp.reductions.steps import StepResult

Step = Callable[[Instance], StepResult | None]


def assert_safe(step: Step, instance: Uno1) -> None:
    expected = playable(instance.cards, instance.at_least, instance.after)
    outcome = step(instance)
    if outcome is None:
        return
    if isinstance(outcome, Decided):
        assert (outcome.witness is not None) == expected
        assert bool(outcome.reason) == (outcome.witness is None)
        witness = outcome.witness
    else:
        reduced = outcome.instance
        assert isinstance(reduced, Uno1)
        assert len(reduced.cards) < len(instance.cards)
        assert playable(reduced.cards, reduced.at_least, reduced.after) == expected
        found = next(sequences(reduced.cards, reduced.at_least, reduced.after), None)
        witness = None if found is None else outcome.lift(Witness(found))
    if witness is not None:
        assert not check(instance, Answer("uno-1", Status.SATISFIABLE, witness))


@pytest.mark.parametrize("wild", ["none", "universal", "partial"])
@pytest.mark.parametrize("step", STEPS, ids=lambda step: str(step.__name__))
@examples(20)
@given(st.data())
def test_each_step_is_safe(step: Step, wild: str, data: st.DataObject) -> None:
    assert_safe(step, data.draw(hands(wild=wild)))


@examples(80)
@given(hands(wild="universal"))
def test_all_steps_together_are_safe(instance: Uno1) -> None:
    presolved = reduce(instance)
    expected = playable(instance.cards, instance.at_least, instance.after)
    if presolved.decided is not None:
        assert (presolved.decided.witness is not None) == expected
        return
    left = presolved.instance
    assert isinstance(left, Uno1)
    found = next(sequences(left.cards, left.at_least, left.after), None)
    assert (found is not None) == expected
    if found is not None:
        lifted = presolved.lift(Witness(found))
        assert not check(instance, Answer("uno-1", Status.SATISFIABLE, lifted))


def test_copies_are_kept_up_to_the_number_of_hubs() -> None:
    flat = drop_surplus_copies(Uno1((("red", 1),) * 5 + (("red", 2),)))
    assert flat is not None
    assert flat.instance.cards == (("red", 1), ("red", 1), ("red", 2))
    lifted = flat.lift(Witness((("red", 2), ("red", 1), ("red", 1))))
    assert lifted.sequence == (("red", 2),) + (("red", 1),) * 5
    solid = drop_surplus_copies(Uno1(((1, 1, 1),) * 5))
    assert solid is not None
    assert len(solid.instance.cards) == 3
    strict = drop_surplus_copies(Uno1(((1, 1),) * 5, at_least=2))
    assert strict is not None
    assert len(strict.instance.cards) == 1


def test_one_pendant_card_stays_at_each_hub() -> None:
    outcome = merge_pendant_cards(Uno1((("red", 1), ("red", 2), ("red", 3), ("blue", 4))))
    assert outcome is not None
    assert outcome.instance.cards == (("red", 1), ("blue", 4))
    lifted = outcome.lift(Witness((("red", 1),)))
    assert lifted.sequence == (("red", 1), ("red", 2), ("red", 3))


def test_many_copies_take_linear_time() -> None:
    hand = Uno1((("red", 1),) * 100_000 + (("blue", 1),))
    presolved = reduce(hand)
    assert presolved.decided is not None
    assert presolved.decided.witness is not None
    assert len(presolved.decided.witness.sequence or ()) == 100_001


NODES = st.integers(0, 11)


@examples(200)
@given(st.integers(1, 12), st.lists(st.tuples(NODES, NODES), max_size=13))
def test_both_libraries_find_the_same_bridges(size: int, drawn: list[tuple[int, int]]) -> None:
    edges = [(u % size, v % size) for u, v in drawn if u % size != v % size]
    one, other = by_rustworkx(size, edges), by_igraph(size, edges)
    for which in (0, 1):  # the same nodes are together, whatever their label is
        pairs = {*zip(one[which], other[which], strict=True)}
        assert len(pairs) == len({*one[which]}) == len({*other[which]})
    assert sorted(one[2]) == sorted(other[2])


@examples(100)
@given(hands(max_cards=8, after=False).filter(lambda hand: bool(hand.cards)))
def test_incidence_is_what_hubs_say(instance: Uno1) -> None:
    cards, k = instance.cards, instance.at_least
    found = incidence(cards, k)
    own = [hubs(card, k) for card in cards]
    assert [tuple(found.hubs[hub] for hub in found.at(i)) for i in range(len(cards))] == own
    on = [[card for card, at in zip(cards, own, strict=True) if hub in at] for hub in found.hubs]
    assert found.degrees == [len(each) for each in on]
    assert found.kinds == [len(set(each)) for each in on]
    places = range(hub_count(instance.dimension, k))
    assert found.counts == [len({at[place] for at in own}) for place in places]
    first = list(dict.fromkeys(hub for at in own for hub in at))
    assert [found.hubs[hub] for hub in found.by_first_card()] == first


def test_a_hub_graph_leaves_out_spare_hubs() -> None:
    rng = random.Random(5)
    spared = 0
    for _ in range(300):
        cards = tuple((rng.randrange(4), 10 + rng.randrange(4)) for _ in range(8))
        on = incidence(cards, 1)
        assert set(build_hub_graph(Uno1(cards)).hubs) == set(compress(on.hubs, on.needed))
        spared += sum(on.needed) < sum(degree > 1 for degree in on.degrees)
    assert spared > 50


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ([("lime", 500), ("lime", 501)], "2 groups"),
        ([(f"shade {i}", number) for i in range(3) for number in (i, 600 + i)], "dead ends"),
    ],
)
def test_a_dense_hand_that_cannot_be_played_has_its_reason(
    extra: list[tuple[str, int]], reason: str
) -> None:
    dense = [(f"colour {i}", j) for i in range(80) for j in range(80)]
    instance = Uno1((*dense, *extra))
    assert is_dense(instance)
    for method in (None, "successor"):
        answer = solve(instance, method=method, time_limit_s=250)
        assert answer.status is Status.UNSATISFIABLE
        assert reason in answer.reason


@examples(150)
@given(questions("fill-in", most_cards=4))
def test_the_optimum_stays(instance: Instance) -> None:
    assert isinstance(instance, FillIn)
    found = add_needed_supply(instance)
    if found is None:
        return
    assert isinstance(found.instance, FillIn)
    _, rest = truth(found.instance)
    assert truth(instance)[1] == (None if rest is None else rest + found.cost)


def test_a_row_of_cards_that_only_the_supply_joins() -> None:
    draw = random.Random(1)
    hand = draw.sample([(i, i) for i in range(500)], 500)
    supply = [(i, i + 1) for i in range(499)] + [(0, 1), (700, 800)]
    costs = [draw.randrange(9) for _ in supply]
    instance = FillIn(tuple(hand), supply=tuple(supply), costs=tuple(costs))
    cost = sum(costs[1:499]) + min(costs[0], costs[499])
    found = add_needed_supply(instance)
    assert found is not None
    assert found.cost == cost
    assert isinstance(found.instance, FillIn)
    assert WALKS.run(found.instance).status is Status.OPTIMAL
    answer = solve(instance)
    assert (answer.status, answer.objective, answer.bound) == (Status.OPTIMAL, cost, cost)
    assert answer.stats["reductions"] == ["needed cards of the supply"]


def test_the_lift_adds_the_cards_and_their_cost() -> None:
    instance = FillIn(((1, 1), (2, 2)), supply=((1, 2), (5, 5)), costs=(7, 1), after=(1, 9))
    found = add_needed_supply(instance)
    assert found is not None
    assert (found.instance.cards, found.instance.supply) == (((1, 1), (2, 2), (1, 2)), ((5, 5),))
    lifted = found.lift(Witness(((1, 1), (1, 2), (2, 2)), added=(), objective=0))
    assert (lifted.added, lifted.objective) == (((1, 2),), 7)
    assert Progress(0, 0, 0.0, None, 1).dearer(7) == Progress(0, 0, 0.0, None, 8)
