"""The checker refuses what breaks a rule, and names the rule; it accepts all else."""

import ast
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.brute_force import match
from tests.support.tables import table
from uno_csp import Answer, Play, Status, Uno1, check, checker, parse, parse_answer, solve
from uno_csp.checker import MAX_REPORTED, NOTHING, part_checked
from uno_csp.questions import Convention, Cooperative, Instance, Uncooperative
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card


def rules(instance: Instance, answer: Answer) -> list[tuple[str, int]]:
    return [(violation.rule, violation.step) for violation in check(instance, answer)]


def yes(sequence: tuple[tuple[int | str, ...], ...]) -> Answer:
    return Answer("uno-1", Status.SATISFIABLE, Witness(sequence))


def test_violations_are_cut_off() -> None:
    hand = Uno1(tuple((i, i) for i in range(100)))
    assert len(check(hand, yes(hand.cards))) == MAX_REPORTED
    assert len(check(hand, yes(()))) == MAX_REPORTED


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


def claim(question: str, status: str, bound: int | None = None, **parts: Any) -> Answer:
    loser = parts.pop("loser", None)
    return Answer(question, Status(status), Witness(**parts), bound, loser=loser)


CLAIMS = table("checker", "claims")
"""A question, a claim about it, and the rules that it breaks, with their steps and words."""


@pytest.mark.parametrize(
    ("question", "claimed", "broken"),
    CLAIMS,
    ids=[f"{asked['question']}: {said[0][2] if said else 'right'}" for asked, _, said in CLAIMS],
)
def test_claims_are_judged_word_for_word(
    question: dict[str, Any], claimed: dict[str, Any], broken: list[list[Any]]
) -> None:
    answer = parse_answer(json.dumps({"question": question["question"], **claimed}))
    found = check(parse(question), answer)
    assert [[each.rule, each.step, each.message] for each in found] == broken


def test_the_part_that_is_checked_is_named() -> None:
    for parts, name in (
        ({}, NOTHING),
        ({"strategy": {"kind": "opening"}}, NOTHING),
        ({"strategy": {"kind": "matching"}}, "strategy"),
        ({"plays": (Play(1, ("red", 5)),)}, "plays"),
        ({"sequence": (("red", 5),)}, "sequence"),
    ):
        assert part_checked(claim("any", "UNKNOWN", **parts)) == name


def replayed(game: Cooperative, plays: list[Play]) -> str:
    """Return the rule that a game breaks, by the rules as they stand in the paper; "" if none."""
    left, last, turn = [list(hand) for hand in game.hands], game.after, 1
    for place, (player, card) in enumerate((play.player, play.card) for play in plays):
        while turn != player:
            if any(last is None or match(last, other, game.at_least) for other in left[turn - 1]):
                return "skip"
            turn = turn % len(left) + 1
        if card not in left[player - 1]:
            return "hand"
        if last is not None and not match(last, card, game.at_least):
            return "match" if place else "opening"
        left[player - 1].remove(card)
        if not left[player - 1]:
            return "goal" if player != 1 or place + 1 < len(plays) else ""
        last, turn = card, turn % len(left) + 1
    return "goal"


@pytest.mark.parametrize(("dimension", "at_least"), [(2, 1), (3, 1), (3, 2), (12, 6)])
def test_games_together_are_judged_as_a_plain_replay_does(dimension: int, at_least: int) -> None:
    """With twelve attributes a card has more keys than it is indexed by."""
    rng = random.Random(dimension + at_least)
    verdicts = set()
    for _ in range(400):
        values: list[int | str] = ["*", 1, 2, 3] if rng.random() < 0.3 else [1, 2, 3]
        deck: list[Card] = [tuple(rng.choice(values) for _ in range(dimension)) for _ in range(8)]
        deck = [card if set(card) != {"*"} else (1,) * dimension for card in deck]
        players = rng.randint(2, 3)
        game = Cooperative(
            tuple(tuple(deck[at::players]) for at in range(players)),
            after=rng.choice([None, (2,) * dimension]),
            at_least=at_least,
        )
        plays: list[Play] = []
        left = [list(hand) for hand in game.hands]
        last, turn = game.after, 1
        while all(left) and len(plays) < 20:
            legal = [c for c in left[turn - 1] if last is None or match(last, c, at_least)]
            if rng.random() < 0.03:
                legal = left[turn - 1]
            if legal and rng.random() < 0.97:
                last = rng.choice(legal)
                left[turn - 1].remove(last)
                plays.append(Play(turn, last))
            elif not any(match(last, c, at_least) for h in left for c in h if last is not None):
                break
            turn = turn % players + 1
        expected = replayed(game, plays)
        found = check(game, claim("cooperative", "SATISFIABLE", plays=tuple(plays)))
        assert [violation.rule for violation in found] == [expected] * bool(expected)
        verdicts.add(expected)
    assert {"", "goal", "skip", "match"} <= verdicts
