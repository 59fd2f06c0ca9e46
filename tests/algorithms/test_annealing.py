"""Cooperative play by annealing: what it finds is a play, and hard hands of middle size are won."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import Card
from tests.support.brute_force_games import cooperative
from tests.support.drawing import deals, piles
from tests.support.examples import examples
from uno_csp import Answer, Cooperative, Status, check
from uno_csp.algorithms._annealed_plays import BARRED, anneal, arrange, begin, count
from uno_csp.algorithms.annealing import ALGORITHM, MOST_CARDS, RUNS


def drawn(players: int, cards: int, values: int, *, seed: int, width: int = 2) -> Cooperative:
    draw = random.Random(seed)

    def card() -> Card:
        values_of = [draw.randrange(values) for _ in range(width)]
        wild = "*" if width > 2 and draw.random() < 0.05 else values_of[0]
        return (wild, *values_of[1:])

    return Cooperative(tuple(tuple(card() for _ in range(cards)) for _ in range(players)))


def won(game: Cooperative) -> bool:
    found = ALGORITHM.run(game)
    if found.witness is not None:
        assert not check(game, Answer("cooperative", found.status, found.witness))
    assert (found.witness is not None) == (found.status is Status.SATISFIABLE)
    return found.witness is not None


@examples(15)
@given(st.integers(1, 4).flatmap(lambda players: deals(players=players, wild=True)), piles())
def test_small_deals_as_by_brute_force(
    hands: tuple[tuple[Card, ...], ...], after: Card | None
) -> None:
    game = Cooperative(hands, after=after)
    assert won(game) == cooperative(hands, 1, after)


@examples(40)
@given(st.integers(1, 4), st.integers(1, 12), st.integers(2, 6), st.integers(0, 99))
def test_moves_keep_the_cost_of_each_step(players: int, cards: int, values: int, seed: int) -> None:
    deal, order = arrange(drawn(players, cards, values, seed=seed))
    begin(deal, order, seed)
    anneal(deal, order, 2_000, 2.0)
    kept = [numbers.tolist() for numbers in (order.costs, order.faults, order.numbers)]
    count(deal, order)
    assert [numbers.tolist() for numbers in (order.costs, order.faults, order.numbers)] == kept


def test_hands_near_the_threshold_are_won() -> None:
    assert won(drawn(2, 40, 20, seed=2))
    assert won(drawn(3, 30, 15, seed=1))
    assert won(drawn(4, 20, 10, seed=1))
    assert won(drawn(2, 40, 30, seed=1, width=3))


def test_cards_that_one_card_matches_are_played_first_and_last() -> None:
    chain = [(i // 2, (i + 1) // 2) for i in range(60)]
    for run, ends in enumerate([(60, 1), (1, 60)]):
        deal, order = arrange(Cooperative((tuple(chain), ((90, 91),))), run)
        assert (order.cards[1], order.cards[-1]) == ends
        assert sorted(order.cards.tolist()) == list(range(62))
        assert deal.relation[0, 2] == deal.relation[ends[1], 2] == BARRED
    assert won(Cooperative((tuple(chain), ((90, 91),))))
    assert won(Cooperative((tuple(chain[:-1]), ((90, 91),)), after=(0, 90)))


def test_a_play_that_does_not_exist_is_given_up() -> None:
    found = ALGORITHM.run(Cooperative(((("R", 1), ("B", 2)), (("G", 3), ("Y", 4)))))
    assert found.status is Status.UNKNOWN
    assert found.reason == f"none of {RUNS} runs found a play"


def test_too_many_cards_are_refused() -> None:
    many = tuple((i, i) for i in range(MOST_CARDS))
    refusal = ALGORITHM.refusal(Cooperative((many, ((1, 1),))))
    assert refusal == f"it takes up to {MOST_CARDS} cards"
