"""Hands that fall into pieces, against brute force, and the time that pieces are given."""

import random

import pytest

from tests.support.brute_force import Card
from tests.support.brute_force_games import fewest_added, longest
from uno_csp import FillIn, Longest, Progress, Status, check, explain, solve
from uno_csp.algorithms.subsets import ALGORITHM
from uno_csp.pipeline import pieces
from uno_csp.pipeline.pieces import answer_pieces
from uno_csp.pipeline.progress import ProgressListener
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import Instance
from uno_csp.questions.answers import Answer
from uno_csp.reductions.splitting import Split, split


def drawn(rng: random.Random, kind: type[FillIn | Longest]) -> FillIn | Longest:
    """A hand of up to seven cards of three groups of values, with wild cards of both sorts."""
    dimension, wild, values = (
        rng.randint(1, 5),
        rng.choice([0, 0, 0.15, 0.3]),
        rng.choice([2, 4, 6]),
    )

    def card() -> Card:
        first = 3 * rng.randrange(3)
        return tuple(
            "*" if rng.random() < wild else first + rng.randrange(values) for _ in range(dimension)
        )

    cards = [card() for _ in range(rng.randint(2, 7))]
    cards += [("*",) * dimension] * rng.choice([0, 0, 1, 2])
    rng.shuffle(cards)
    pile = rng.choice([None, card()])
    return kind(tuple(cards[:7]), at_least=rng.randint(1, dimension), after=pile)


@pytest.mark.parametrize("kind", [FillIn, Longest])
def test_pieces_against_brute_force(kind: type[FillIn | Longest]) -> None:
    rng = random.Random(f"pieces {kind.question}")
    compared: dict[tuple[int, int], int] = {}
    for _ in range(1000):
        hand = drawn(rng, kind)
        found = split(hand)
        if found is None:
            continue
        witnesses = [ALGORITHM.run(piece).witness for piece in found.pieces]
        values = [each.objective for each in witnesses if each is not None]
        joined = found.joined([each for each in witnesses if each is not None])
        claim = Answer(hand.question, Status.OPTIMAL, joined, bound=joined.objective)
        assert check(hand, claim) == [], hand
        truth = fewest_added if kind is FillIn else longest
        best = truth(hand.cards, hand.at_least, hand.after)
        assert joined.objective == found.value([each or 0 for each in values]) == best, hand
        sizes = len(found.pieces), len(found.wilds)
        compared[sizes] = compared.get(sizes, 0) + 1
    assert sum(compared.values()) > 100
    assert {count for count, _ in compared} >= {2, 3, 4}


def test_what_does_not_split() -> None:
    for hand in (
        FillIn(((1, 1, 1), (2, 2, 2)), at_least=2, supply=((1, 1, 2),)),
        FillIn(((1, 1, 1), (2, 2, 2)), at_least=3),
        FillIn(((1, 1, 1), (2, 2, 2), ("*", "*", "*"), ("*", "*", "*")), at_least=2),
        FillIn(((1, 1, 1), (2, 1, 2)), at_least=2),
        FillIn(()),
        Longest(((1, 1), (2, 2), ("*", "*"))),
        Longest(((1, 1), (1, 2))),
    ):
        assert split(hand) is None


def grids(count: int, side: int, dimension: int = 4) -> tuple[Card, ...]:
    """Pieces that share no value; the first attributes of the cards of a piece form a grid."""
    return tuple(
        (
            f"{piece} {row}",
            f"{piece} {column}",
            *[f"{piece} {row * side + column}"] * (dimension - 2),
        )
        for piece in range(count)
        for row in range(side)
        for column in range(side)
    )


def test_pieces_are_solved_one_by_one() -> None:
    rng = random.Random(3)
    hand = tuple(
        tuple(f"{piece} {rng.randrange(3)}" for _ in range(4))
        for piece in range(30)
        for _ in range(4)
    )
    answer = solve(FillIn(hand, at_least=3))
    assert (answer.status, answer.stats["pieces"]) == (Status.OPTIMAL, 30)
    assert answer.checked
    assert answer.stats["reductions"] == [pieces.STEP_NAME]
    said = explain(FillIn(hand, at_least=3), answer)
    assert "the hand falls into 30 pieces, which were solved one by one" in said
    alone = solve(FillIn(hand[:4], at_least=3)).objective or 0
    rest = solve(FillIn(hand[4:], at_least=3)).objective or 0
    assert answer.objective == alone + 3 + rest


def test_pieces_without_time_have_a_bound_and_a_simple_witness() -> None:
    hand = grids(3, 5)
    seen: list[Progress] = []
    answer = solve(FillIn(hand, at_least=3), time_limit_s=0.01, on_progress=seen.append)
    assert answer.status in (Status.UNKNOWN, Status.OPTIMAL)
    assert answer.objective is not None
    assert answer.bound is not None
    assert 2 * 3 <= answer.bound <= answer.objective
    assert all(each.bound is None or each.bound <= answer.objective for each in seen)


def test_the_longest_leaves_out_pieces_with_too_few_cards() -> None:
    hand = (*grids(1, 4), *[(f"x{number}",) * 4 for number in range(20)])
    answer = solve(Longest(hand))
    assert (answer.status, answer.objective, answer.stats["pieces"]) == (Status.OPTIMAL, 16, 21)
    behind = solve(Longest(hand, after=("x3", "y", "y", "y")))
    assert (behind.status, behind.objective) == (Status.OPTIMAL, 1)
    assert isinstance(split(Longest(hand, after=("z", "z", "z", "z"))), Split)
    assert solve(Longest(hand, after=("z", "z", "z", "z"))).objective == 0


def test_each_piece_has_a_share_of_the_time_by_its_number_of_cards() -> None:
    large = tuple((0, number, number) for number in range(30))
    small = tuple((group, 100 + number, 100 + number) for group in (1, 2) for number in range(5))
    found = split(Longest((*large, *small)))
    assert found is not None
    shares: list[tuple[int, float]] = []

    def run(piece: Instance, share: Deadline, _listener: ProgressListener | None) -> Answer:
        shares.append((len(piece.cards), share.left_s))
        return Answer(piece.question, Status.UNKNOWN)

    answer_pieces(found, run, Deadline.after(4000.0), None, None)
    sizes = [size for size, _ in shares]
    assert sizes == sorted((len(piece.cards) for piece in found.pieces), reverse=True)
    for number, (size, share_s) in enumerate(shares):
        assert share_s == pytest.approx(4000.0 * size / sum(sizes[number:]), abs=60.0)
