"""A seeded minute of the attack, and the attack's own tools."""

import json
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.attacks import __main__ as attack
from tests.attacks import differential
from tests.attacks.questions import truth
from tests.support.examples import examples
from tests.support.hands import truth as proved
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
    arguments = ["--minutes", "10", "--seed", "1", "--only", "questions", "--out", str(out)]
    assert attack.main(arguments) == 1
    case = json.loads(out.read_text())
    hands = case["instance"].get("hands") or [case["instance"]["cards"]]
    assert sum(1 in card for hand in hands for card in hand) == 1
    assert sum(map(len, hands)) <= 2 + len(hands)
    assert "wrong" in capsys.readouterr().out


def test_the_judge_knows_the_proved_answers() -> None:
    compared = 0
    for each in proved():
        if len(each.instance.cards) <= 8:
            assert truth(each.instance) == (each.status, each.objective)
            compared += 1
    assert compared >= 20


@pytest.mark.parametrize("part", ["differential", "types", "mutations", "outputs", "certificates"])
@examples(10)
@given(st.data())
def test_a_few_cases_of_each_part(part: str, data: st.DataObject) -> None:
    import_module(f"tests.attacks.{part}").attempt(data.draw)
