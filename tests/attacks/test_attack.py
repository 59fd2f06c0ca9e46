"""A seeded minute of the attack, and the attack's own tools."""

import json
import random
from pathlib import Path

import pytest

from tests.attacks import __main__ as attack
from tests.attacks import differential
from tests.attacks.questions import random_question, smallest, truth
from tests.support.hands import truth as proved
from uno_csp import Status, Uno1
from uno_csp.questions import Instance


@pytest.mark.slow
def test_some_seeded_seconds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fell = attack.main(["--minutes", "0.1", "--seed", "20", "--out", str(tmp_path / "fell.json")])
    expected = capsys.readouterr().out
    assert fell == 0, expected
    assert "no failures" in expected


def test_a_case_that_falls_is_made_small_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As if every hand with a card that shows a 1 were answered wrongly."""

    def flaw(instance: Instance, _: object) -> str:
        return "wrong" if any(1 in card for card in instance.cards) else ""

    monkeypatch.setattr(differential, "flaw", flaw)
    out = tmp_path / "fell.json"
    arguments = ["--minutes", "0.1", "--seed", "1", "--only", "questions", "--out", str(out)]
    assert attack.main(arguments) == 1
    case = json.loads(out.read_text())
    hands = case["instance"].get("hands") or [case["instance"]["cards"]]
    assert sum(1 in card for hand in hands for card in hand) == 1
    assert sum(map(len, hands)) <= 2 + len(hands)
    assert "wrong" in capsys.readouterr().out


def test_the_same_seed_draws_the_same_cases() -> None:
    first, second = random.Random(5), random.Random(5)
    assert [random_question(first) for _ in range(50)] == [
        random_question(second) for _ in range(50)
    ]


def test_the_judge_knows_the_proved_answers() -> None:
    compared = 0
    for each in proved():
        if len(each.instance.cards) <= 8:
            assert truth(each.instance) == (each.status, each.objective)
            compared += 1
    assert compared >= 20


def test_smaller_questions_are_real_ones() -> None:
    hand = Uno1(((1, 1), (1, 2), (2, 2)), after=(1, 9))
    assert smallest(hand, lambda each: len(each.cards) >= 1) == Uno1(((2, 2),))
    assert truth(hand)[0] == Status.SATISFIABLE
