"""Mutations of valid answers: each is refused by the rule it breaks."""

import ast
import random
from pathlib import Path

from uno_csp import Answer, Status, Uno1, checker
from uno_csp.checker import MAX_REPORTED, check
from uno_csp.questions.answers import Witness

HAND = Uno1((("red", 5), ("red", 7), ("blue", 7), ("*", "*"), ("green", 1)), after=("red", 9))
SEQUENCE = HAND.cards


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
            "uno_csp.questions.frozen",
            "uno_csp.questions.wording",
            "uno_csp.registry",
            "uno_csp.errors",
        }
        assert {
            name for name in ours if name.split(".")[1] not in ("checker", "verifier")
        } <= allowed
