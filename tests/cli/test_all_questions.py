"""Files and commands of all five questions."""

import json
import shlex
from pathlib import Path

import pytest

from tests.support.running import answered, refused, run
from tests.support.tables import table
from uno_csp import InstanceError, parse_answer
from uno_csp.questions.codes import DECK, all_official, rest_of_deck


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
    """The file of a question that ``new`` writes."""
    (folder / "question.json").write_text(answered(0, "new", *shlex.split(line)))
    return str(folder / "question.json")


@pytest.mark.parametrize(("line", "code", "says"), CASES, ids=str)
def test_a_question_from_the_command_line(line: str, code: int, says: str, tmp_path: Path) -> None:
    question, answer = asked(line, tmp_path), tmp_path / "answer.json"
    assert says in answered(code, "solve", question)
    text = answered(code, "solve", question, "--format", "json")
    answer.write_text(text)
    assert parse_answer(text).to_dict()["status"] == json.loads(text)["status"]
    assert run("check", question, str(answer)) == 0


@pytest.mark.parametrize(("line", "code", "says"), [CASES[at] for at in (0, 3, 6, 7, 13)], ids=str)
def test_it_is_explained_and_drawn(line: str, code: int, says: str, tmp_path: Path) -> None:
    question, picture = asked(line, tmp_path), tmp_path / "picture.svg"
    assert answered(code, "explain", question).strip()
    assert run("solve", question, "--plot", str(picture)) == code
    assert picture.stat().st_size > 1000


@pytest.mark.parametrize(("line", "says"), table("cli", "options of new"))
def test_options_that_do_not_fit(line: str, says: str) -> None:
    error = refused("new", *line.split())
    assert says in error
    assert error.count("\n") == 1


def test_competition_lines_number_all_cards(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text(json.dumps({"question": "cooperative", "hands": [["R5", "R7"], ["R1", "B2"]]}))
    lines = answered(10, "solve", str(path), "--format", "competition").splitlines()
    assert {line[0] for line in lines} == {"c", "s", "v"}
    numbers = [int(word) for line in lines if line[0] == "v" for word in line.split()[1:]]
    assert numbers[-1] == 0
    assert {1, 2} <= set(numbers[:-1]) <= {1, 2, 3, 4}
    assert numbers[-2] in (1, 2)


def test_the_listing_tells_encodings_from_algorithms() -> None:
    rows = {row["name"]: row for row in json.loads(answered(0, "list encodings --format json"))}
    assert rows["hub-trail"]["needs_backend"]
    assert not rows["colour-dp"]["needs_backend"]
    assert rows["free-turns"]["proof"] == "necessary only"
    assert len(json.loads(answered(0, "list questions --format json"))) == 6
