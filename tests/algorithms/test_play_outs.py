"""Cooperative play by random games: what they win is won, and deals of real decks are."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import Card
from tests.support.brute_force_games import cooperative
from tests.support.drawing import deals, piles
from tests.support.examples import examples
from uno_csp import Answer, Cooperative, Status, check
from uno_csp.algorithms import play_outs
from uno_csp.algorithms.play_outs import ALGORITHM, MOST_KINDS

DECK: list[Card] = [
    *((colour, number) for colour in "RGBY" for number in range(13) for _ in range(2)),
    *[("*", "*")] * 8,
]


def dealt(sizes: list[int], decks: int, seed: int) -> Cooperative:
    cards = DECK * decks
    random.Random(seed).shuffle(cards)
    return Cooperative(tuple(tuple(cards.pop() for _ in range(size)) for size in sizes))


def won(game: Cooperative) -> bool:
    found = ALGORITHM.run(game)
    if found.witness is not None:
        assert not check(game, Answer("cooperative", found.status, found.witness))
    assert (found.witness is not None) == (found.status is Status.SATISFIABLE)
    return found.witness is not None


@examples(60)
@given(st.integers(1, 4).flatmap(lambda players: deals(players=players, wild=True)), piles())
def test_only_what_can_be_won_is_won(
    hands: tuple[tuple[Card, ...], ...], after: Card | None
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(play_outs, "MOST_STEPS", 10_000)
        assert won(Cooperative(hands, after=after)) <= cooperative(hands, 1, after)


def test_deals_of_real_decks_are_won() -> None:
    for sizes, decks in (
        ([7] * 10, 1),
        ([10] * 10, 1),
        ([100] * 2, 4),
        ([250] * 4, 20),
        ([5, 395], 8),
    ):
        assert won(dealt(sizes, decks, seed=len(sizes)))
    same = dealt([104], 2, seed=1).hands[0]
    assert won(Cooperative((same, same)))
    assert won(Cooperative((same, same, same)))
    assert won(Cooperative(((("R", 1),) * 300,) * 2))


def test_wide_cards() -> None:
    draw = random.Random(1)
    wide = [tuple(tuple(draw.randrange(3) for _ in range(20)) for _ in range(100)) for _ in "ab"]
    assert won(Cooperative(tuple(wide), at_least=8))


def test_a_game_that_cannot_be_won_is_given_up() -> None:
    found = ALGORITHM.run(Cooperative(((("R", 1), ("B", 2)), (("G", 3), ("Y", 4)))))
    assert found.status is Status.UNKNOWN
    assert found.reason.endswith("random games was won")


def test_too_many_kinds_are_refused() -> None:
    many = tuple((i, i) for i in range(MOST_KINDS + 1))
    refusal = ALGORITHM.refusal(Cooperative((many, many)))
    assert refusal == "there are 4001 different cards, more than 4000"
