"""The checker on every other question: mutations of valid answers, each refused by its rule."""

from dataclasses import replace
from typing import Any

import pytest

from uno_csp import Answer, Play, Status, check, parse, solve
from uno_csp.questions import Convention, Cooperative, FillIn, Instance, Longest, Uncooperative
from uno_csp.questions.answers import Witness

R5, R7, B7, B1, G1, WILD = parse("R5 R7 B7 B1 G1 W").cards
LONGEST = Longest((R5, R7, B7, G1))
FILL = FillIn((R5, B7), after=("red", 9))
SUPPLIED = FillIn((R5, B7), (R7, R7, WILD), (4, 2, 1))
COOPERATIVE = Cooperative(((R5, B1), (R7, B7)))


def rules(instance: Instance, answer: Answer) -> list[tuple[str, int]]:
    return [(violation.rule, violation.step) for violation in check(instance, answer)]


def longest(sequence: Any, objective: int | None, bound: int | None, **more: Any) -> Answer:
    status = more.pop("status", Status.OPTIMAL)
    return Answer("longest", status, Witness(sequence, objective=objective, **more), bound)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (longest((R5, R7, B7), 3, 3), []),
        (longest((R5, R7, B7), 3, 4, status=Status.UNKNOWN), []),
        (longest(None, None, 4, status=Status.UNKNOWN), []),
        (longest((R5, R7), 3, 3), [("objective", 0)]),
        (longest((R5, R7, B7), 3, 4), [("objective", 0)]),
        (longest((R5, R7, B7), 3, 2, status=Status.UNKNOWN), [("objective", 0)]),
        (longest((R5, R5, R7), 3, 3), [("hand", 2)]),
        (longest((R5, B7, R7), 3, 3), [("match", 2)]),
        (longest(None, 3, 3), [("status", 0)]),
        (longest((R5, R7), None, None, status=Status.UNKNOWN), [("status", 0)]),
        (longest((R5,), 1, 1, status=Status.SATISFIABLE), [("status", 0)]),
        (longest(None, None, None, status=Status.UNSATISFIABLE), [("status", 0)]),
        (longest((R5,), 1, 1, added=(R7,)), [("status", 0)]),
    ],
)
def test_longest(answer: Answer, expected: list[tuple[str, int]]) -> None:
    assert rules(LONGEST, answer) == expected


def filled(sequence: Any, added: Any, objective: int | None, **more: Any) -> Answer:
    status = more.pop("status", Status.OPTIMAL)
    bound = more.pop("bound", objective)
    return Answer(
        "fill-in", status, Witness(sequence, added=added, objective=objective, **more), bound
    )


@pytest.mark.parametrize(
    ("instance", "answer", "expected"),
    [
        (FILL, filled((R5, R7, B7), (R7,), 1), []),
        (FILL, filled((R5, R7, B7), (), 0), [("hand", 2)]),
        (FILL, filled((R5, R7, B7), (R7, R7), 2), [("hand", 0)]),
        (FILL, filled((R5, R7, B7), (R7,), 2), [("objective", 0)] * 2),
        (FILL, filled((R5, WILD, B7), (WILD,), 1), [("supply", 0)]),
        (FILL, filled((B7, R7, R5), (R7,), 1), [("opening", 1)]),
        (FILL, filled((R5, ("red", 7, 1), B7), (("red", 7, 1),), 1), [("supply", 0)]),
        (FILL, filled((R5, R7, B7), None, 1), [("status", 0)]),
        (FILL, filled((R5, R7, B7), (R7,), 1, bound=2, status=Status.UNKNOWN), [("objective", 0)]),
        (FILL, filled(None, None, None, status=Status.UNSATISFIABLE), [("status", 0)]),
        (SUPPLIED, filled((R5, WILD, B7), (WILD,), 1), []),
        (SUPPLIED, filled((R5, R7, B7), (R7,), 2), []),
        (SUPPLIED, filled((R5, R7, B7), (R7,), 4), [("objective", 0)] * 2),
        (SUPPLIED, filled((R5, R7, R7, R7, B7), (R7,) * 3, 6), [("supply", 0)]),
        (SUPPLIED, filled((R5, B1, B7), (B1,), 1), [("supply", 0)]),
        (SUPPLIED, filled(None, None, None, status=Status.UNSATISFIABLE), []),
    ],
)
def test_fill_in(instance: FillIn, answer: Answer, expected: list[tuple[str, int]]) -> None:
    assert rules(instance, answer) == expected


def plays(*moves: tuple[int, Any], status: Status = Status.SATISFIABLE) -> Answer:
    return Answer("cooperative", status, Witness(plays=tuple(Play(*move) for move in moves)))


@pytest.mark.parametrize(
    ("instance", "answer", "expected"),
    [
        (COOPERATIVE, plays((1, R5), (2, R7), (2, B7), (1, B1)), [("goal", 3)]),
        (COOPERATIVE, plays((1, R5), (2, R7)), [("goal", 0)]),
        (COOPERATIVE, plays((1, R5), (1, B1)), [("skip", 2)]),
        (COOPERATIVE, plays((2, R7)), [("skip", 1)]),
        (COOPERATIVE, plays((3, R5)), [("turn", 1)]),
        (COOPERATIVE, plays((1, R7)), [("hand", 1)]),
        (COOPERATIVE, plays((1, R5), (2, B7)), [("match", 2)]),
        (COOPERATIVE, plays((1, R5), status=Status.UNKNOWN), [("status", 0)]),
        (COOPERATIVE, Answer("cooperative", Status.SATISFIABLE), [("status", 0)]),
        (Cooperative(((R5,), (R7,))), plays((1, R5)), []),
        (Cooperative(((R5,), (R7,))), plays((1, R5), (2, R7)), [("goal", 1)]),
        (Cooperative(((R5,), (R7,)), after=G1), plays((1, R5)), [("opening", 1)]),
        (Cooperative(((R5, WILD), (B7, WILD))), plays((1, R5), (1, WILD)), [("skip", 2)]),
        (Cooperative(((R5, R7), (B1, G1))), plays((1, R5), (1, R7)), []),
    ],
)
def test_cooperative(
    instance: Cooperative, answer: Answer, expected: list[tuple[str, int]]
) -> None:
    assert rules(instance, answer) == expected


GAME = Uncooperative((((1, 1), (1, 2), (2, 3)), ((1, 5), (2, 6))))
EMPTYING = Uncooperative((((1, 1), (1, 2)), ((1, 3), (2, 2))), Convention.EMPTY_HAND_WINS)


def test_valid_strategies_stand_and_mutated_ones_fall() -> None:
    answer = solve(GAME, method="matching")
    assert answer.strategy is not None
    assert check(GAME, answer) == []
    pairs = list(answer.strategy["pairs"])
    for wrong in (
        {**answer.strategy, "pairs": []},
        {**answer.strategy, "pairs": [*pairs, pairs[0]]},
        {**answer.strategy, "pairs": [[[1, 1], [2, 6]]]},
        {**answer.strategy, "open": [9, 9]},
        {**answer.strategy, "kind": "luck"},
        {"kind": "matching"},
        {"kind": "matching", "pairs": 5},
    ):
        assert [
            rule for rule, _ in rules(GAME, replace(answer, witness=Witness(strategy=wrong)))
        ] == ["strategy"]
    assert rules(GAME, replace(answer, loser=1)) == [("loser", 0)]
    assert rules(GAME, replace(answer, loser=7)) == [("loser", 0)]
    assert rules(GAME, replace(answer, status=Status.UNSATISFIABLE, loser=None)) != []
    assert rules(GAME, replace(answer, status=Status.OPTIMAL)) == [("status", 0)]


@pytest.mark.parametrize("game", [EMPTYING, Uncooperative((*GAME.hands, ((1, 9), (3, 6))))])
def test_positions_are_played_out(game: Uncooperative) -> None:
    answer = solve(game, method="game-search")
    assert answer.strategy is not None
    assert answer.strategy["kind"] == "positions"
    positions = answer.strategy["positions"]
    for index in range(len(positions)):
        fewer = positions[:index] + positions[index + 1 :]
        broken = replace(
            answer, witness=Witness(strategy={"kind": "positions", "positions": fewer})
        )
        assert rules(game, broken) == [("strategy", 0)]
    other = Status.UNSATISFIABLE if answer.status == "SATISFIABLE" else Status.SATISFIABLE
    assert rules(game, replace(answer, status=other, loser=None)) == [("strategy", 0)]


def test_unknown_has_neither_loser_nor_strategy() -> None:
    unknown = Answer("uncooperative", Status.UNKNOWN, reason="time")
    assert rules(GAME, unknown) == []
    assert rules(GAME, replace(unknown, loser=1)) == [("status", 0)]
    assert rules(GAME, replace(unknown, witness=Witness(strategy={"kind": "opening"}))) == [
        ("status", 0)
    ]
