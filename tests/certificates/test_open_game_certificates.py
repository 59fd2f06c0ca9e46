"""Certificates of real games: made, verified by a program of its own, and forged."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.certifying import changed, edited, judged_alone, put_certificate
from tests.support.drawing import drawn, games
from tests.support.running import answered, run
from uno_csp import CheckFailed, Status, certify, parse, solve
from uno_csp.certificates import open_games, pack
from uno_csp.questions.open_game import Goal, OpenGame, dealt
from uno_csp.verifier.reading import CLAIM, Refused
from uno_csp.verifier.real_games import STRATEGY, verify

SMALL = {
    "question": "open-game",
    "hands": [["R5", "R7", "W"], ["B7", "G1"]],
    "after": "R1",
    "draw": ["G1", "Y4", "B1"],
}


def small() -> OpenGame:
    found = parse(SMALL)
    assert isinstance(found, OpenGame)
    return found


def made(folder: Path) -> None:
    """Certify the small game."""
    put_certificate(folder, json.dumps(SMALL))


def test_every_game_is_certified(tmp_path: Path) -> None:
    """All presets and switches, two to four players, won and lost."""
    statuses = set()
    for number, instance in enumerate(drawn(games(), 20)):
        answer = solve(instance)
        if answer.status is Status.UNKNOWN:
            continue
        folder = tmp_path / str(number)
        certified = certify(instance, answer, folder).certificate
        assert certified
        assert certified["certified"]
        assert certified["kind"] == "strategy"
        statuses.add(answer.status)
        words, by = verify(folder)
        assert by is None
        assert ("can force a win" in words) == (answer.status is Status.SATISFIABLE)
    assert len(statuses) == 2


@pytest.mark.parametrize("size", [7, pytest.param(10, marks=pytest.mark.slow)])
def test_a_deal_is_certified(size: int, tmp_path: Path) -> None:
    instance = dealt((size, size), 3)
    answer = solve(instance, proof=tmp_path)
    assert answer.certificate
    assert answer.certificate["certified"]
    assert len((tmp_path / STRATEGY).read_text().splitlines()) > 100


@pytest.mark.parametrize(
    ("name", "how", "said"),
    [
        (STRATEGY, lambda text: text.replace("0 r7", "0 r5", 1), "won by|not one of"),
        (STRATEGY, lambda text: "0 g9\n" + text, "line 1: '0 g9' is not one of"),
        (STRATEGY, lambda text: text[: text.rindex("\n", 0, -1) + 1], "None is not one of"),
        (STRATEGY, lambda text: text + "0\n", "more than"),
        (STRATEGY, lambda text: text.replace("\n", "\r\n"), "is not one of"),
        (CLAIM, lambda text: text.replace("SATISFIABLE", "UNSATISFIABLE"), "won by|not one of"),
        (CLAIM, lambda text: text.replace("SATISFIABLE", "OPTIMAL"), "is not claimed"),
        ("question.json", lambda text: text.replace('"must_play": true,', ""), "not all stated"),
        ("question.json", lambda text: text.replace('"one"', '"two"'), "draw is 'two'"),
        ("question.json", lambda text: text.replace('"reshuffles": 0', '"reshuffles": 9'), "is 9"),
        ("question.json", lambda text: text.replace('"hands"', '"hand"'), "unknown key"),
        (CLAIM, lambda text: text.replace('"objective": null', '"objective": 3'), "no objective"),
    ],
)
def test_forged_certificates_are_refused(
    name: str, how: Callable[[str], str], said: str, tmp_path: Path
) -> None:
    made(tmp_path)
    before = (tmp_path / name).read_text()
    assert how(before) != before
    changed(tmp_path, name, how)
    with pytest.raises(Refused, match=said):
        verify(tmp_path)


@pytest.mark.parametrize(
    ("changes", "rules", "said"),
    [
        ({}, {"reshuffles": 1, "effects_wear_off": True}, "reshuffles with worn cards"),
        ({}, {"reshuffles": 1, "first_card": "no-draw"}, "reshuffles with worn cards"),
        ({"after": ["*", "+4"], "colour": "red", "turned_up": True}, {}, r"a \+4 is not turned up"),
    ],
)
def test_questions_that_cannot_be_asked_are_refused(
    changes: dict[str, Any], rules: dict[str, Any], said: str, tmp_path: Path
) -> None:
    made(tmp_path)

    def how(question: dict[str, Any]) -> None:
        question.update(changes)
        question["rules"].update(rules)

    changed(tmp_path, "question.json", edited(how))
    with pytest.raises(Refused, match=said):
        verify(tmp_path)


def test_files_that_do_not_belong_are_refused(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / STRATEGY).write_text("0 r5\n")
    with pytest.raises(Refused, match="not the file that was certified"):
        verify(tmp_path)


def test_it_is_verified_without_this_package(tmp_path: Path) -> None:
    folder = tmp_path / "certificate"
    made(folder)
    found = judged_alone(folder)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("proved: player 1 can force a win: a strategy of ")
    pack(folder, tmp_path / "certificate.zip")
    assert verify(tmp_path / "certificate.zip") == verify(folder)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question, folder = tmp_path / "game.json", tmp_path / "certificate"
    question.write_text(json.dumps(SMALL))
    assert "can force a win: a strategy of 5 turns, 9 positions" in answered(
        10, f"solve {question} --proof {folder}"
    )
    assert "believed: the rules and the fact" in answered(0, f"verify {folder}")
    changed(folder, STRATEGY, lambda text: f"{text}0\n")
    assert run(f"verify {folder}") == 1
    assert "more than" in capsys.readouterr().err


def test_a_wrong_answer_is_noticed(tmp_path: Path) -> None:
    answer = solve(small())
    wrong: Any = replace(answer, status=Status.UNSATISFIABLE)
    with pytest.raises(CheckFailed, match="the answer is wrong: no turn keeps what is claimed"):
        certify(small(), wrong, tmp_path)


def test_what_has_no_certificate_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together = replace(small(), goal=Goal.TOGETHER)
    certified = certify(together, solve(together), tmp_path).certificate
    said = "there are no certificates of the goal together"
    assert certified == {"certified": False, "summary": said}
    answer = solve(small())
    monkeypatch.setattr(open_games, "MOST_TURNS", 1)
    certified = certify(small(), answer, tmp_path).certificate
    assert certified
    assert certified["summary"] == "the strategy has more than 1 turns"


@pytest.mark.parametrize(
    "change", [{"name": True}, {"expected": 5}, {"draw": [["yellow", "1"]]}, {"after": [7, 1]}]
)
def test_a_game_has_the_types_that_solve_wants(change: dict[str, Any], tmp_path: Path) -> None:
    made(tmp_path)
    changed(tmp_path, "question.json", edited(lambda question: question.update(change)))
    with pytest.raises((Refused, ValueError)):
        verify(tmp_path)
