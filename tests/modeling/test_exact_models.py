"""Models judged by trying every assignment, and results that contradict themselves."""

import random
from itertools import product
from typing import Any

import pytest

from tests.support.solutions import HOLDS, solutions
from uno_csp.errors import NotAccepted
from uno_csp.modeling import Connected, Model, Parity, to_cnf, to_rows
from uno_csp.modeling.model import Linear, Objective
from uno_csp.modeling.solvers import Result
from uno_csp.modeling.verification import broken_constraint
from uno_csp.questions.answers import Status


def drawn(rng: random.Random) -> tuple[Model, list[tuple[str, Any]]]:
    """Return a model of one constraint of each kind, and the constraints by name."""
    model = Model()
    variables = model.new_vars(6)

    def literals() -> list[int]:
        return [rng.choice([1, -1]) * v for v in rng.sample(variables, rng.randint(1, 6))]

    clause, chosen, odd = literals(), literals(), literals()
    weights = [rng.randint(-3, 3) for _ in chosen]
    linear = Linear(weights, chosen, rng.choice(list(HOLDS)), rng.randint(-3, 4))
    parity = Parity(odd, rng.random() < 0.5)
    model.add_clause(*clause)
    model.linears.append(linear)
    model.parities.append(parity)
    return model, [("clause 1", clause), ("linear constraint 1", linear), ("parity 1", parity)]


def holds(constraint: Any, values: tuple[bool, ...]) -> bool:
    def true(literal: int) -> bool:
        return values[abs(literal)] == (literal > 0)

    if isinstance(constraint, list):
        return any(map(true, constraint))
    if isinstance(constraint, Parity):
        return sum(map(true, constraint.literals)) % 2 == constraint.odd
    terms = zip(constraint.coefficients, constraint.literals, strict=True)
    total = sum(weight for weight, literal in terms if true(literal))
    return bool(HOLDS[constraint.relation](total, constraint.bound))


def test_what_an_assignment_breaks_is_named_and_clauses_say_the_same() -> None:
    rng = random.Random(50)
    for _ in range(60):
        model, constraints = drawn(rng)
        right = set()
        for chosen in product((False, True), repeat=6):
            values = (False, *chosen)
            first = next((name for name, each in constraints if not holds(each, values)), None)
            said = broken_constraint(model, values)
            assert (said is None) == (first is None)
            assert said is None or said.startswith(str(first))
            right |= {chosen} if first is None else set()
        assert solutions(model, 6) == right


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"status": Status.SATISFIABLE}, "assignment if and only if"),
        ({"status": Status.UNKNOWN}, "UNKNOWN needs a stop reason"),
        ({"status": Status.OPTIMAL, "assignment": [False]}, "OPTIMAL needs an objective value"),
        ({"status": Status.UNSATISFIABLE, "objective": 1}, "cannot have an objective value"),
        ({"status": Status.UNSATISFIABLE, "assignment": [False]}, "assignment if and only if"),
    ],
)
def test_results_that_contradict_themselves_are_refused(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Result(**parts)
    assert Result(Status.UNSATISFIABLE).objective is None
    assert Result(Status.OPTIMAL, [False], 0).objective == 0


def test_bounds_are_rounded_up_but_for_rounding_errors() -> None:
    objective = Objective([2], [1], offset=1, unit=2, floor=2)
    sums = (0.0, 2.0, 2.1, 4.0000001, 4.1, 4e6 + 0.5, 4e6 + 1e-6)
    assert [objective.bound_of_sum(total) for total in sums] == [2, 2, 3, 3, 4, 2000002, 2000001]
    assert objective.value([False, True]) == 2
    assert objective.value_of_sum(6) == 4
    assert objective.largest_sum(4) == 6


def test_models_with_globals_are_not_lowered() -> None:
    model = Model()
    model.add_global(Connected(presence=model.new_vars(1), literals=[], tails=[], heads=[]))
    for lowered in (to_cnf, to_rows):
        with pytest.raises(NotAccepted):
            lowered(model)


def test_no_literal_is_0() -> None:
    with pytest.raises(ValueError, match=r"a literal of \(2, 0\) is 0"):
        Model(2).add_clauses([(1, 2), (2, 0)])
