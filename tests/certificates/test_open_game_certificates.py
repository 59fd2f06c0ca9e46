"""Certificates of real games: made, verified by a program of its own, and forged."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.certifying import changed, edited, judged_alone, put_certificate, replaced
from tests.support.drawing import drawn, games
from tests.support.running import Capture, Patch, answered, run
from tests.support.tables import table
from uno_csp import CheckFailed, Status, certify, parse, solve
from uno_csp.certificates import open_games, pack
from uno_csp.open_game import Rules
from uno_csp.questions.open_game import Goal, OpenGame, dealt
from uno_csp.verifier.reading import Refused
from uno_csp.verifier.real_games import STRATEGY, Game, verify, walk

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


def test_a_deal_is_certified(tmp_path: Path) -> None:
    instance = dealt((7, 7), 3)
    answer = solve(instance, proof=tmp_path)
    assert answer.certificate
    assert answer.certificate["certified"]
    assert len((tmp_path / STRATEGY).read_text().splitlines()) > 100


@pytest.mark.parametrize(("name", "how", "said"), table("certificates", "forged games"))
def test_forged_certificates_are_refused(
    name: str, how: tuple[str, str], said: str, tmp_path: Path
) -> None:
    made(tmp_path)
    before = (tmp_path / name).read_text()
    change = replaced(*how)
    assert change(before) != before
    changed(tmp_path, name, change)
    with pytest.raises(Refused, match=said):
        verify(tmp_path)


@pytest.mark.parametrize(
    ("changes", "rules", "said"), table("certificates", "games that cannot be asked")
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


def test_it_is_verified_without_this_package(tmp_path: Path) -> None:
    folder = tmp_path / "certificate"
    made(folder)
    found = judged_alone(folder)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("proved: player 1 can force a win: a strategy of ")
    pack(folder, tmp_path / "certificate.zip")
    assert verify(tmp_path / "certificate.zip") == verify(folder)


def test_the_commands(tmp_path: Path, capsys: Capture) -> None:
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


def test_what_has_no_certificate_says_so(tmp_path: Path, monkeypatch: Patch) -> None:
    together = replace(small(), goal=Goal.TOGETHER)
    certified = certify(together, solve(together), tmp_path).certificate
    said = "there are no certificates of the goal together"
    assert certified == {"certified": False, "summary": said}
    answer = solve(small())
    monkeypatch.setattr(open_games, "MOST_TURNS", 1)
    certified = certify(small(), answer, tmp_path).certificate
    assert certified
    assert certified["summary"] == "the strategy has more than 1 turns"


GAME = {
    "hands": [[["red", 5]], [["blue", 7]]],
    "after": ["red", 1],
    "draw": [["green", 1]],
    "rules": json.loads(json.dumps(asdict(Rules()))),
}


@pytest.mark.parametrize(("changes", "said"), table("certificates", "no games"))
def test_games_that_are_none_are_refused(changes: dict[str, Any], said: str) -> None:
    assert Game(GAME).players == 2
    with pytest.raises(Refused, match=said):
        Game({**GAME, **changes})


@pytest.mark.parametrize("changes", table("certificates", "games of all sizes"))
def test_games_of_all_sizes_are_read(changes: dict[str, Any]) -> None:
    game = Game({**GAME, **changes})
    assert game.players == len({**GAME, **changes}["hands"])
    assert game.start.player == changes.get("to_move", 1) - 1


def test_a_rule_of_another_type_is_refused() -> None:
    for name, value in (("must_play", 1), ("reshuffles", False), ("reshuffles", 4), ("draw", "")):
        with pytest.raises(Refused, match=f"{name} is {value!r}"):
            Game({**GAME, "rules": {**GAME["rules"], name: value}})


def test_a_strategy_is_followed_line_by_line() -> None:
    game = Game({**GAME, "hands": [[["red", 5]], [["blue", 7]]], "draw": []})
    assert walk(game, True, iter(["0 r5"])) == (1, 1)
    for wins, lines, said in table("certificates", "broken strategies"):
        with pytest.raises(Refused, match=said):
            walk(game, wins, iter(lines))
