"""Cards of the supply that every answer has: the optimum stays, and the lift adds them again."""

import random

from hypothesis import given

from tests.support.drawing import questions
from tests.support.examples import examples
from tests.support.truth import truth
from uno_csp import FillIn, Status, solve
from uno_csp.algorithms.walks import ALGORITHM as WALKS
from uno_csp.pipeline import Progress
from uno_csp.questions import Instance
from uno_csp.questions.answers import Witness
from uno_csp.reductions.needed_supply import add_needed_supply


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
