"""Every method against brute force, and what is said of hard questions."""

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawing import KINDS, questions
from tests.support.examples import examples
from tests.support.products import ONE_OF_EACH_ADAPTER
from tests.support.truth import truth
from uno_csp import (
    NotAccepted,
    Options,
    Status,
    Uno1,
    algorithm_names,
    check,
    encoding_names,
    generate,
    solve,
)
from uno_csp.algorithms.matching import TOO_MANY_CARDS
from uno_csp.families import shuffled
from uno_csp.families.structured_hands import diamond_hand
from uno_csp.methods import ALGORITHMS, CONNECTIVITY, ENCODINGS, find_method
from uno_csp.modeling import Proof
from uno_csp.pipeline import explain, solving
from uno_csp.pipeline.race import run_isolated
from uno_csp.pipeline.stages import Solved, Task, run
from uno_csp.questions import FillIn, Instance, Uncooperative

TIRELESS = "play-outs"
"""A method that never proves a no and takes a second to give up; it has tests of its own."""


def ways(instance: Instance) -> list[str | None]:
    """The default and every method that takes a question."""
    encodings = [name for name in encoding_names() if not ENCODINGS.find(name).refusal(instance)]
    others = [name for name in algorithm_names() if not ALGORITHMS.find(name).refusal(instance)]
    return [None, *encodings, *(name for name in others if name != TIRELESS)]


def run_here(tasks: Sequence[Task], *more: Any) -> tuple[Task, Solved]:
    """Run a task that is alone in this process, which is quicker; others race as ever."""
    return (tasks[0], run(tasks[0])) if len(tasks) == 1 else run_isolated(tasks, *more)


@pytest.mark.parametrize("wild", ["none", "universal", "partial"])
@pytest.mark.parametrize("kind", KINDS)
@patch.object(solving, "run_isolated", run_here)
@examples(8)
@given(st.data())
def test_every_method_gives_the_true_answer(kind: str, wild: str, data: st.DataObject) -> None:
    drawn, seed = data.draw(questions(kind, wild=wild)), data.draw(st.integers(0, 3))
    expected = truth(drawn)
    instance = shuffled(drawn, seed) if seed else drawn  # other names, another order
    for method in ways(instance):
        encoder = ENCODINGS.find(method) if method and method in encoding_names() else None
        backend = data.draw(st.sampled_from(ONE_OF_EACH_ADAPTER)) if encoder else None
        treatment = data.draw(st.sampled_from((None, None, *CONNECTIVITY))) if encoder else None
        presolve = data.draw(st.booleans())
        asked = Options(method, backend, treatment, seed=seed, presolve=presolve)
        try:
            answer = solve(instance, asked)
        except NotAccepted:
            assert treatment is not None, method
            continue
        assert not check(instance, answer)
        if answer.status is Status.UNKNOWN:
            exact = method is None or find_method(method).proves is Proof.EXACT
            assert not exact or answer.reason == TOO_MANY_CARDS
            continue
        assert (answer.status, answer.objective) == expected, method
        assert answer.checked or answer.status is Status.UNSATISFIABLE
        if isinstance(instance, Uncooperative):
            assert answer.strategy is not None
            assert answer.loser == (1 if answer.status is Status.UNSATISFIABLE else answer.loser)


@pytest.mark.parametrize("backend", ["cadical195", "cp-sat", "highs", "cbc"])
def test_large_costs_are_compared_exactly(backend: str) -> None:
    """Two ways to join the cards differ by one in a billion: near the optimum is not optimal."""
    base = 1_000_000_000
    supply = (("red", 7), ("blue", 5), ("*", "*"))
    for order in ((2, 1, 3), (1, 3, 2), (3, 2, 1)):
        costs = tuple(base + each for each in order)
        instance = FillIn((("red", 5), ("blue", 7)), supply, costs)
        answer = solve(instance, backend=backend)
        assert (answer.status, answer.objective, answer.bound) == ("OPTIMAL", base + 1, base + 1)


def test_a_sparse_random_hand_is_optimised_by_the_default_choice() -> None:
    hand = generate("random", colours=1000, numbers=1000, cards=1500, seed=1)
    answer = solve(FillIn(hand.cards))
    assert (answer.status, answer.objective) == (Status.OPTIMAL, 225)


def test_large_two_player_games_take_no_quadratic_graph() -> None:
    rows = [(i, i + 1) for i in range(10_000)]
    hands = (tuple(rows[:5_000]), tuple(rows[5_000:]))
    crowded = Uncooperative(
        (tuple((0, i) for i in range(10_000)), tuple((0, -i) for i in range(10_000)))
    )
    assert solve(crowded).status is Status.UNSATISFIABLE
    answer = solve(Uncooperative(hands))
    assert answer.status is Status.SATISFIABLE
    assert answer.checked


def test_where_no_reason_is_known_that_is_said() -> None:
    hand = diamond_hand(nx.complete_bipartite_graph(3, 3))
    assert "no short reason is known" in explain(hand, solve(hand))[0]


SQUARE = ((1, 1), (1, 2), (2, 2), (2, 1))


@pytest.mark.parametrize(
    ("cards", "backend", "presolve", "expected"),
    [
        (SQUARE, "highs", True, "4 hubs and 4 cards, all of which tables summed up"),
        (SQUARE, "highs", False, "4 hubs and 4 cards, all of which were searched"),
        (SQUARE, "cadical195", True, "4 hubs and 4 cards, all of which were searched"),
        (
            generate("random-cubic", vertices=500, seed=1).cards,
            "cadical195",
            True,
            "1,250 hubs and 1,500 cards; the kernel that was searched has",
        ),
    ],
)
def test_what_was_searched_is_told(
    cards: tuple[tuple[int, int], ...], backend: str, presolve: bool, expected: str
) -> None:
    options = Options("hub-trail", backend, presolve=presolve)
    assert expected in explain(Uno1(cards), solve(Uno1(cards), options))[1]
