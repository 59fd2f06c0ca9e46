"""Cooperative play by annealing and by random games: real decks and hard hands are won."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.test_never_wrong import found
from tests.support.brute_force import Card
from tests.support.examples import examples
from tests.support.running import Patch
from uno_csp import Cooperative, Status
from uno_csp.algorithms import annealing, play_outs
from uno_csp.algorithms._annealed_plays import (
    BARRED,
    COST,
    KEPT,
    ROUND,
    anneal,
    arrange,
    begin,
    count,
)
from uno_csp.modeling import Algorithm
from uno_csp.open_game import compiling
from uno_csp.open_game.compiling import Compilation
from uno_csp.pipeline import solver_worker
from uno_csp.processes import pausing
from uno_csp.processes.deadline import Deadline

DECK: list[Card] = [
    *((colour, number) for colour in "RGBY" for number in range(13) for _ in range(2)),
    *[("*", "*")] * 8,
]


def won(game: Cooperative, algorithm: Algorithm[Cooperative] = play_outs.ALGORITHM) -> bool:
    return found(game, algorithm).status is Status.SATISFIABLE


def dealt(sizes: list[int], decks: int, seed: int) -> Cooperative:
    cards = DECK * decks
    random.Random(seed).shuffle(cards)
    return Cooperative(tuple(tuple(cards.pop() for _ in range(size)) for size in sizes))


def drawn(players: int, cards: int, values: int, *, seed: int, width: int = 2) -> Cooperative:
    draw = random.Random(seed)

    def card() -> Card:
        values_of = [draw.randrange(values) for _ in range(width)]
        wild = "*" if width > 2 and draw.random() < 0.05 else values_of[0]
        return (wild, *values_of[1:])

    return Cooperative(tuple(tuple(card() for _ in range(cards)) for _ in range(players)))


@examples(40)
@given(st.integers(1, 4), st.integers(1, 12), st.integers(2, 6), st.integers(0, 99))
def test_moves_keep_the_cost_of_each_step(players: int, cards: int, values: int, seed: int) -> None:
    deal, order = arrange(drawn(players, cards, values, seed=seed))
    begin(deal, order, seed)
    anneal(deal, order, 1_000, 2.0)
    cost = order.numbers[COST]
    anneal(deal, order, 2 * ROUND, 0.0)
    assert min(order.numbers[COST], order.numbers[KEPT]) <= cost
    kept = [numbers.tolist() for numbers in (order.costs, order.faults, order.numbers)]
    count(deal, order)
    assert [numbers.tolist() for numbers in (order.costs, order.faults, order.numbers)] == kept


@pytest.mark.parametrize(
    "game",
    [
        *(drawn(2, 40, 20, seed=2), drawn(3, 30, 15, seed=1), drawn(4, 20, 10, seed=1)),
        drawn(2, 40, 30, seed=1, width=3),
    ],
)
def test_hands_near_the_threshold_are_won(game: Cooperative) -> None:
    assert won(game, annealing.ALGORITHM)


CHAIN = tuple((i // 2, (i + 1) // 2) for i in range(60))
APART = ((90, 91),)


@pytest.mark.parametrize("run", [0, 1])
def test_cards_that_one_card_matches_are_played_first_and_last(run: int) -> None:
    first, last = ((60, 1), (1, 60))[run]
    deal, order = arrange(Cooperative((CHAIN, APART)), run)
    cards = order.cards.tolist()
    assert sorted(cards) == list(range(62))
    assert (cards[1], cards[-1]) == (first, last)
    assert deal.relation[0, 2] == deal.relation[last, 2] == BARRED


def test_long_chains_are_played_from_end_to_end() -> None:
    assert won(Cooperative((CHAIN, APART)), annealing.ALGORITHM)
    assert won(Cooperative((CHAIN[:-1], APART), after=(0, 90)), annealing.ALGORITHM)


def test_deals_of_real_decks_are_won() -> None:
    for sizes, decks in (
        *(([7] * 10, 1), ([10] * 10, 1), ([100] * 2, 4), ([250] * 4, 20), ([5, 395], 8)),
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


def test_so_many_kinds_that_some_are_tried(monkeypatch: Patch) -> None:
    draw = random.Random(2)
    wide = [tuple(tuple(draw.randrange(3) for _ in range(20)) for _ in range(2100)) for _ in "ab"]
    assert won(Cooperative(tuple(wide), at_least=10))
    monkeypatch.setattr(play_outs, "MOST_TRIED", 2)
    assert won(Cooperative((*[hand[:150] for hand in wide],), at_least=8))


MANY = tuple((i, i) for i in range(annealing.MOST_CARDS))


@pytest.mark.parametrize(
    ("algorithm", "given_up", "refusal"),
    [
        (
            annealing.ALGORITHM,
            f"none of {annealing.RUNS} runs found a play",
            f"it takes up to {annealing.MOST_CARDS} cards",
        ),
        (play_outs.ALGORITHM, "random games was won", None),
    ],
)
def test_what_is_given_up_or_refused(
    algorithm: Algorithm[Cooperative], given_up: str, refusal: str | None
) -> None:
    finding = found(Cooperative(((("R", 1), ("B", 2)), (("G", 3), ("Y", 4)))), algorithm)
    assert finding.status is Status.UNKNOWN
    assert finding.reason.endswith(given_up)
    assert algorithm.refusal(Cooperative((MANY, MANY))) == refusal


@pytest.mark.parametrize("kept", [True, False])
def test_a_worker_loads_machine_code_that_there_is(
    kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[bool] = []
    monkeypatch.setattr(Compilation, "is_kept", lambda _: kept)
    monkeypatch.setattr(Compilation, "prepare", lambda _: loaded.append(True))
    solver_worker.prepare("annealing")
    assert loaded == [True] * kept


def test_compiling_takes_nothing_of_the_limit_of_annealing(monkeypatch: Patch) -> None:
    total = pausing._total

    def compiled_in_1000_s(_: Compilation) -> str:
        monkeypatch.setattr(total, "seconds", total.seconds + 1000.0)
        return ""

    monkeypatch.setattr(compiling, "_why_not", compiled_in_1000_s)
    deal = Cooperative((((1, 1), (2, 2)), ((1, 2), (3, 3))))
    found = annealing.ALGORITHM.run_until(deal, Deadline.after(-500.0))
    assert found.status is Status.SATISFIABLE
