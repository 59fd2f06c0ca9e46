"""Files and commands of all questions, verdicts on answers, and on the output of other solvers."""

import json
import shlex
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.running import answered, outcome, refused, run
from tests.support.tables import table
from uno_csp import InstanceError, parse_answer
from uno_csp.formats import notes_on, parse
from uno_csp.open_game.search import SEARCH
from uno_csp.questions import question_types
from uno_csp.questions.codes import CODES, DECK, all_official, rest_of_deck


def test_the_deck() -> None:
    assert len(DECK) == 108
    assert all_official(DECK)
    assert DECK.count(("red", 0)) == 1
    assert DECK.count(("blue", "skip")) == 2
    assert DECK.count(("*", "*")) == 8
    with pytest.raises(InstanceError, match=r"cards\[1\]: red 0: the deck of 108 cards has 1"):
        rest_of_deck([("red", 0), ("red", 0)])
    with pytest.raises(InstanceError, match="does not have it"):
        rest_of_deck([("pink", 0)])


CASES = table("cli", "questions")


def asked(line: str, folder: Path) -> str:
    """The file of a question that ``new`` writes, without a note."""
    code, written, noted = outcome("new", *shlex.split(line))
    assert (code, noted) == (0, "")
    (folder / "question.json").write_text(written)
    return str(folder / "question.json")


@pytest.mark.parametrize(("line", "code", "says"), CASES, ids=str)
def test_a_question_from_the_command_line(line: str, code: int, says: str, tmp_path: Path) -> None:
    if line.startswith("open-game"):
        SEARCH.why_not()  # a new installation compiles it once, and says so
    question, answer = asked(line, tmp_path), tmp_path / "answer.json"
    found, said, noted = outcome("solve", question)
    assert (found, noted) == (code, "")
    assert says in said
    text = answered(code, "solve", question, "--format", "json")
    answer.write_text(text)
    assert parse_answer(text).to_dict()["status"] == json.loads(text)["status"]
    assert run("check", question, str(answer)) == 0


def test_every_kind_of_question_is_asked() -> None:
    assert {line.split()[0] for line, *_ in CASES} == {*question_types()}


@pytest.mark.parametrize("kind", sorted(question_types()))
def test_a_note_is_for_no_card_of_the_deck(kind: str) -> None:
    after = ("--after", "R7") if kind == "open-game" else ()
    hands = ("R5", "/", "R6") if kind in ("cooperative", "uncooperative", "open-game") else ("R5",)
    for card in sorted(CODES):
        assert not [*notes_on(parse(answered(0, "new", kind, *hands, card, *after)))]


@pytest.mark.parametrize(("line", "says"), table("cli", "options of new"))
def test_options_that_do_not_fit(line: str, says: str) -> None:
    error = refused("new", *line.split())
    assert says in error
    assert error.count("\n") == 1


def test_the_listing_tells_encodings_from_algorithms() -> None:
    rows = {row["name"]: row for row in json.loads(answered(0, "list encodings --format json"))}
    assert rows["hub-trail"]["needs_backend"]
    assert not rows["colour-dp"]["needs_backend"]
    assert rows["free-turns"]["proof"] == "necessary only"
    assert len(json.loads(answered(0, "list questions --format json"))) == 6


EXAMPLE = ROOT / "examples/paper-example-1.json"


def test_solve_and_check(tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(answered(10, "solve", str(EXAMPLE), "--format", "json"))
    check = ("check", str(EXAMPLE), str(answer))
    assert answered(0, *check) == (
        "valid: the sequence of 9 cards plays the whole hand\nnot checked: method, wall_s, stats\n"
    )
    spoilt = json.loads(answer.read_text())
    spoilt["sequence"][0], spoilt["sequence"][4] = spoilt["sequence"][4], spoilt["sequence"][0]
    answer.write_text(json.dumps(spoilt))
    assert "not valid: match at step" in answered(1, *check)
    verdict = json.loads(answered(1, *check, "--format", "json"))
    assert verdict["valid"] is False
    assert {"rule", "step", "message"} == set(verdict["violations"][0])
    answer.write_text("nonsense")
    for words in (check, (*check[:2], str(tmp_path / "x")), ("check", str(tmp_path / "x"), "x")):
        refused(*words)


def test_what_is_not_checked_is_said(tmp_path: Path) -> None:
    file, answer = tmp_path / "longest.json", tmp_path / "answer.json"
    file.write_text('{"question": "longest", "cards": ["R5", "R7", "B9"]}')
    found = '"status": "OPTIMAL", "objective": 1, "bound": 1, "sequence": [["red", 5]]'
    played = "the sequence plays 1 of 3 cards; whether there is a better one is not checked"
    for claim, words, checked in (
        (found, f"valid: {played}\n", "sequence"),
        ('"status": "UNKNOWN"', "nothing to check", "nothing"),
    ):
        answer.write_text(f'{{"question": "longest", {claim}}}')
        assert words in answered(0, "check", str(file), str(answer))
        verdict = json.loads(answered(0, "check", str(file), str(answer), "--format", "json"))
        assert verdict == {"valid": True, "checked": checked, "unchecked": [], "violations": []}


def test_output_that_contradicts_a_proof_is_wrong(tmp_path: Path) -> None:
    file, output = tmp_path / "hand.json", tmp_path / "output"
    proved = {"status": "SATISFIABLE", "why": "by hand"}
    file.write_text(json.dumps({"question": "uno-1", "cards": ["R5", "R7"], "expected": proved}))
    output.write_text("s UNSATISFIABLE\n")
    said = answered(70, "decode", str(file), str(output), "--method", "hub-trail")
    assert "contradicts the proved SATISFIABLE: by hand" in said
    output.write_text('{"question": "uno-1", "status": "UNSATISFIABLE"}')
    said = answered(1, "check", str(file), str(output))
    assert "not valid: expected: the answer UNSATISFIABLE contradicts" in said
    output.write_text("s UNKNOWN\n")
    answered(0, "decode", str(file), str(output))
