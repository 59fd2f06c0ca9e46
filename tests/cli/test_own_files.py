"""Files that ``new`` writes are read without a note, for every kind and card of the deck."""

import io
from pathlib import Path

import pytest

from tests.support.running import Capture, Patch, answered, run, shell
from uno_csp.formats import notes_on, parse
from uno_csp.open_game.search import SEARCH
from uno_csp.questions import question_types
from uno_csp.questions.codes import CODES


@pytest.mark.parametrize("kind", sorted(question_types()))
def test_a_note_is_for_no_card_of_the_deck(kind: str) -> None:
    after = ("--after", "R7") if kind == "open-game" else ()
    hands = ("R5", "/", "R6") if kind in ("cooperative", "uncooperative", "open-game") else ("R5",)
    for card in sorted(CODES):
        assert not [*notes_on(parse(answered(0, "new", kind, *hands, card, *after)))]


ASKED = [
    ("uno-1", "R5", "R7", "W"),
    ("uno-1", "R5", "R7", "--after", "B5", "--name", "größe", "--comment", "-- ---"),
    ("uno-1", "pink,3", "pink,4", "blue,4"),
    ("longest", "R5", "B7", "+4"),
    ("fill-in", "R5", "B7", "--rest-of-deck"),
    ("fill-in", "R5", "B7", "--supply", "W +4 B+2", "--costs", "3 2 1"),
    ("cooperative", "R5", "R6", "/", "R7"),
    ("uncooperative", "R5", "W", "/", "+4", "BS"),
    ("uncooperative", "1,2", "/", "1,3", "--convention", "empty-hand-wins"),
    ("open-game", "R5", "/", "R6", "--after", "R7"),
    ("open-game", "R5", "W", "/", "R6", "--after", "+4", "--colour", "red", "--draw", "B1 B2"),
    ("open-game", "--deal", "2,2", "--seed", "1"),
    ("open-game", "--deal", "7,7,7", "--seed", "3", "--rules", "rlcard"),
    ("open-game", "--deal", "2,2,2", "--seed", "3", "--rules", "rlcard", "--goal", "together"),
]


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_what_new_writes_is_solved_without_a_word_of_error(
    asked: tuple[str, ...], capsys: Capture, monkeypatch: Patch
) -> None:
    SEARCH.why_not()  # a new installation compiles it once, and says so
    capsys.readouterr()
    assert run("new", *asked) == 0
    written = capsys.readouterr()
    given = io.TextIOWrapper(io.BytesIO(written.out.encode()), "utf-8")
    monkeypatch.setattr("sys.stdin", given)
    assert run("solve", "-", "--time-limit", "60") in (10, 20, 30)
    assert (written.err, capsys.readouterr().err) == ("", "")
    assert {kind for kind, *_ in ASKED} == set(question_types())


def test_a_question_goes_through_a_pipe(tmp_path: Path) -> None:
    done = shell("uno-csp new fill-in R5 B7 --rest-of-deck | uno-csp solve -", tmp_path)
    assert (done.returncode, done.stderr) == (30, "")
    assert done.stdout.startswith("BEST  ")
