"""The dynamic program over sets of cards: against a solver, and when it is chosen."""

import random
from dataclasses import replace

import pytest

from uno_csp import NotAccepted, Options, explain, solve
from uno_csp.algorithms.subsets import ALGORITHM, MOST_SETS
from uno_csp.questions import FillIn, Longest, OneHand, Uno1


@pytest.mark.parametrize("kind", [Uno1, Longest, FillIn])
def test_larger_hands_against_a_solver(kind: type[OneHand]) -> None:
    rng = random.Random(f"larger {kind.question}")
    for size in (12, 14, 16):
        hand = kind(tuple((rng.randrange(6), rng.randrange(9)) for _ in range(size)))
        found = solve(hand, method="subsets", presolve=False)
        other = solve(hand, method="hub-trail")
        assert (found.status, found.objective) == (other.status, other.objective)
        assert found.stats["sets"] <= 2**size


def test_cards_that_match_the_same_cards_count_as_copies() -> None:
    answer = solve(Uno1(tuple(("red", number) for number in range(12))))
    assert (answer.method, answer.stats["sets"]) == ("subsets", 13)
    assert answer.checked


def test_it_declines_too_many_sets() -> None:
    supplied = FillIn(((1, 1),), supply=((2, 2),) * 10)
    assert ALGORITHM.declines(supplied) is None
    many = tuple((number, number) for number in range(16))
    assert ALGORITHM.declines(replace(supplied, supply=many)) is not None
    cards = tuple((number, number) for number in range(17))
    with pytest.raises(NotAccepted, match=f"more than {MOST_SETS} different sets"):
        solve(Uno1(cards), method="subsets")
    assert ALGORITHM.declines(Uno1(((1, 1),) * 10**5)) is not None
    assert ALGORITHM.declines(Uno1(((1, 1),) * 1000)) is None


def test_whoever_chooses_a_way_gets_it() -> None:
    hand = Uno1(((1, 1), (1, 2), (2, 2), (2, 1), (3, 1)))
    assert solve(hand).method == "subsets"
    for options in (Options(method="hub-trail"), Options(backend="glucose4")):
        assert solve(hand, options).method != "subsets"
    assert solve(hand, presolve=False).method == "hub-trail"


def test_explain_names_the_table() -> None:
    hand = Longest(((1, 1), (1, 2), (2, 2), (3, 3), (3, 4), (5, 5), (5, 6), (5, 7)))
    (line,) = explain(hand, solve(hand))
    assert line.endswith("proved optimal by a table of 96 sets of cards")
