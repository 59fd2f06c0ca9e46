"""Hubs of two cards as edges, against brute force."""

import random
from collections import Counter

import pytest

from tests.support.brute_force import minimum_sequences, playable
from tests.support.brute_force_games import longest
from tests.support.examples import some_slow
from uno_csp import FillIn, Longest, Status, Uno1, solve
from uno_csp.hub_graph import build_hub_graph, identity_kernel, pairs_of_cards
from uno_csp.questions import HandQuestion
from uno_csp.questions.cards import Card

BLOCK = 25


def drawn(rng: random.Random) -> tuple[tuple[Card, ...], int]:
    """Cards of three to six attributes on many values: some hubs are pairs, some are larger."""
    dimension, at_least = rng.choice([(3, 1), (4, 1), (6, 1), (3, 2), (4, 2)])
    count = rng.randint(4, 8)
    values = rng.choice([count, 2 * count]) if at_least == 1 else 3
    cards = tuple(tuple(rng.randrange(values) for _ in range(dimension)) for _ in range(count))
    return cards, at_least


def best(question: HandQuestion, backend: str, *, presolve: bool) -> bool | int | None:
    """The answer of ``hub-trail``: yes or no, or the optimum."""
    answer = solve(question, method="hub-trail", backend=backend, presolve=presolve)
    if isinstance(question, Uno1):
        return answer.status is Status.SATISFIABLE
    return answer.objective


@pytest.mark.parametrize("block", some_slow(8))
@pytest.mark.parametrize("backend", ["cadical195", "highs"])
def test_edges_between_cards_against_brute_force(block: int, backend: str) -> None:
    rng = random.Random(f"pairs {block}")
    with_edges = 0
    for number in range(BLOCK):
        cards, k = drawn(rng)
        pairs = pairs_of_cards(identity_kernel(build_hub_graph(Uno1(cards, at_least=k))).core)
        with_edges += bool(pairs)
        fewest = minimum_sequences(cards, k)
        wild = ("*",) * len(cards[0])
        after = tuple(rng.choice(cards)[place] for place in range(len(cards[0])))
        expected: list[tuple[HandQuestion, bool | int]] = [
            (Uno1(cards, at_least=k), fewest == 1),
            (Uno1((*cards, wild), at_least=k), fewest <= 2),
            (Uno1(cards, at_least=k, after=after), playable(cards, k, after)),
            (Longest(cards, at_least=k), longest(cards, k, None)),
            (Longest(cards, at_least=k, after=after), longest(cards, k, after)),
        ]
        if 2 * k <= len(cards[0]):
            expected.append((FillIn(cards, at_least=k), fewest - 1))
        for question, truth in expected:
            assert best(question, backend, presolve=bool(number % 2)) == truth, question
    assert with_edges > BLOCK // 4


def test_an_edge_has_two_different_cards_and_nothing_else() -> None:
    rng = random.Random(5)
    for _ in range(200):
        cards, k = drawn(rng)
        after = cards[0] if rng.random() < 0.3 else None
        core = identity_kernel(build_hub_graph(Uno1(cards, at_least=k, after=after))).core
        on = Counter(hub for _, at in core.cards for hub in at)
        for hub, places in pairs_of_cards(core).items():
            ats = [core.cards[place][1] for place in places]
            assert on[hub] == 2
            assert ats[0] != ats[1]
            assert all(hub in at for at in ats)
            assert max(map(len, ats)) > 2
            assert hub not in core.loops
            assert hub not in (core.after_hubs or ())


def test_cards_on_two_hubs_stay_edges_between_hubs() -> None:
    square = (("red", 1), ("red", 2), ("blue", 2), ("blue", 1))
    assert pairs_of_cards(identity_kernel(build_hub_graph(Uno1(square))).core) == {}
