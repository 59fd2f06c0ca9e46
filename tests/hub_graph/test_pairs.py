"""Hubs of two cards as edges, against brute force."""

import pytest
from hypothesis import strategies as st

from tests.support.brute_force import minimum_sequences, playable
from tests.support.brute_force_games import longest
from tests.support.drawing import cards, drawn
from uno_csp import FillIn, Longest, Status, Uno1, solve
from uno_csp.hub_graph.graph import build_hub_graph
from uno_csp.hub_graph.incidence import is_graph
from uno_csp.hub_graph.kernel import identity_kernel
from uno_csp.hub_graph.pairs import pairs_of_cards
from uno_csp.questions import HandQuestion
from uno_csp.questions.cards import Card


@st.composite
def spread(draw: st.DrawFn) -> tuple[tuple[Card, ...], int]:
    """Cards of three to six attributes on many values: some hubs are pairs, some are larger."""
    dimension, at_least = draw(st.sampled_from([(3, 1), (4, 1), (6, 1), (3, 2), (4, 2)]))
    count = draw(st.integers(4, 8))
    values = draw(st.sampled_from([count, 2 * count])) if at_least == 1 else 3
    card = cards(dimension, values, "none")
    return tuple(draw(st.lists(card, min_size=count, max_size=count))), at_least


def best(question: HandQuestion, backend: str, *, presolve: bool) -> bool | int | None:
    """The answer of ``hub-trail``: yes or no, or the optimum."""
    answer = solve(question, method="hub-trail", backend=backend, presolve=presolve)
    if isinstance(question, Uno1):
        return answer.status is Status.SATISFIABLE
    return answer.objective


@pytest.mark.parametrize("backend", ["cadical195", "highs"])
def test_edges_between_cards_against_brute_force(backend: str) -> None:
    with_edges = 0
    for number, (held, k) in enumerate(drawn(spread(), 14)):
        pairs = pairs_of_cards(identity_kernel(build_hub_graph(Uno1(held, at_least=k))).core)
        with_edges += bool(pairs)
        fewest = minimum_sequences(held, k)
        wild = ("*",) * len(held[0])
        after = tuple(held[place % len(held)][place] for place in range(len(held[0])))
        expected: list[tuple[HandQuestion, bool | int]] = [
            (Uno1(held, at_least=k), fewest == 1),
            (Uno1((*held, wild), at_least=k), fewest <= 2),
            (Uno1(held, at_least=k, after=after), playable(held, k, after)),
            (Longest(held, at_least=k), longest(held, k, None)),
            (Longest(held, at_least=k, after=after), longest(held, k, after)),
        ]
        if 2 * k <= len(held[0]):
            expected.append((FillIn(held, at_least=k), fewest - 1))
        for question, truth in expected:
            assert best(question, backend, presolve=bool(number % 2)) == truth, question
    assert with_edges > 4


def test_cards_on_two_hubs_stay_edges_between_hubs() -> None:
    square = (("red", 1), ("red", 2), ("blue", 2), ("blue", 1))
    assert pairs_of_cards(identity_kernel(build_hub_graph(Uno1(square))).core) == {}


def test_a_hand_is_a_graph_if_no_value_is_on_three_cards() -> None:
    assert is_graph(((1, 1, 1), (1, 2, 2), (3, 2, 3)), 1)
    assert not is_graph(((1, 1, 1), (1, 2, 2), (1, 3, 3)), 1)
