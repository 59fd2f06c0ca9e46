"""Mutations of valid answers: each is refused by the rule it breaks."""

import ast
import random
from dataclasses import replace
from pathlib import Path

import pytest

from uno_csp import Answer, Status, Uno1, checker, solve
from uno_csp.checker import MAX_REPORTED, check
from uno_csp.questions import Convention, Instance, Uncooperative
from uno_csp.questions.answers import Witness

HAND = Uno1((("red", 5), ("red", 7), ("blue", 7), ("*", "*"), ("green", 1)), after=("red", 9))
SEQUENCE = HAND.cards


def rules(instance: Instance, answer: Answer) -> list[tuple[str, int]]:
    return [(violation.rule, violation.step) for violation in check(instance, answer)]


def yes(sequence: tuple[tuple[int | str, ...], ...]) -> Answer:
    return Answer("uno-1", Status.SATISFIABLE, Witness(sequence))


def test_violations_are_cut_off() -> None:
    hand = Uno1(tuple((i, i) for i in range(100)))
    assert len(check(hand, yes(hand.cards))) == MAX_REPORTED
    assert len(check(hand, yes(()))) == MAX_REPORTED


def test_every_swap_in_a_rigid_sequence_is_found() -> None:
    """A staircase has one sequence and its reverse; any other order must be refused."""
    stairs = tuple((i // 2, (i + 1) // 2) for i in range(10))
    hand = Uno1(stairs)
    order = list(stairs)
    rng = random.Random(3)
    for _ in range(200):
        rng.shuffle(order)
        good = tuple(order) in (stairs, stairs[::-1])
        assert (not check(hand, yes(tuple(order)))) == good


def test_the_checker_imports_nothing_it_is_to_judge() -> None:
    for path in Path(checker.__file__).parent.glob("*.py"):
        modules = {
            node.module
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.ImportFrom) and node.module
        }
        ours = {name for name in modules if name.startswith("uno_csp")}
        allowed = {
            "uno_csp.questions",
            "uno_csp.questions.answers",
            "uno_csp.questions.decisions",
            "uno_csp.questions.frozen",
            "uno_csp.questions.wording",
            "uno_csp.registry",
            "uno_csp.errors",
        }
        assert {
            name for name in ours if name.split(".")[1] not in ("checker", "verifier")
        } <= allowed


GAME = Uncooperative((((1, 1), (1, 2), (2, 3)), ((1, 5), (2, 6))))
EMPTYING = Uncooperative((((1, 1), (1, 2)), ((1, 3), (2, 2))), Convention.EMPTY_HAND_WINS)


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
