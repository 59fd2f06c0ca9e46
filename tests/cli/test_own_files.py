"""Files that ``new`` writes are read without a note, for every kind and card of the deck."""

import pytest

from tests.support.running import answered
from uno_csp.cli.asking import _note_slips
from uno_csp.formats import parse
from uno_csp.questions import question_types
from uno_csp.questions.codes import CODES

HANDS = {
    "cooperative": ("R5", "/", "R6"),
    "uncooperative": ("R5", "/", "R6"),
    "open-game": ("R5", "/", "R6"),
}


@pytest.mark.parametrize("kind", sorted(question_types()))
def test_a_note_is_for_no_card_of_the_deck(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    after = ("--after", "R7") if kind == "open-game" else ()
    for card in sorted(CODES):
        _note_slips(parse(answered(0, "new", kind, *HANDS.get(kind, ("R5",)), card, *after)))
        assert not capsys.readouterr().err


@pytest.mark.parametrize(
    "asked",
    [
        ("fill-in", "R5", "B7", "--rest-of-deck"),
        ("fill-in", "R5", "B7", "--supply", "W +4 B+2"),
        ("open-game", "--deal", "2,2", "--seed", "1"),
        ("open-game", "--deal", "7,7,7", "--seed", "3", "--rules", "rlcard"),
        ("uncooperative", "R5", "W", "/", "+4", "BS"),
    ],
)
def test_a_written_question_has_no_note(
    asked: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    _note_slips(parse(answered(0, "new", *asked)))
    assert not capsys.readouterr().err
