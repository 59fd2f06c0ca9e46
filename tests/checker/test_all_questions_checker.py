"""The checker on every other question: mutations of valid answers, each refused by its rule."""

from dataclasses import replace

import pytest

from uno_csp import Answer, Status, check, solve
from uno_csp.questions import Convention, Instance, Uncooperative
from uno_csp.questions.answers import Witness


def rules(instance: Instance, answer: Answer) -> list[tuple[str, int]]:
    return [(violation.rule, violation.step) for violation in check(instance, answer)]


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
