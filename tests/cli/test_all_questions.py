"""Files and commands of all five questions."""

import json
import shlex
from pathlib import Path

import pytest

from tests.support.running import answered, refused, run
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


CASES = [
    ("longest R5 R7 B7 G1", 30, "BEST  3 cards can be discarded in one sequence"),
    ("fill-in R5 B7", 30, "BEST  1 added card makes the hand playable"),
    ("fill-in R5 R7", 30, "no card has to be added"),
    ("fill-in R5 B7 --rest-of-deck --after Y1", 30, "BEST  2 added cards make"),
    ("fill-in R5 B7 --supply 'R7 W' --costs '3 2'", 30, "cards at a cost of 2 make the hand"),
    ("fill-in R5 B7 --supply G1", 20, "no cards that may be added"),
    ("cooperative R5 R7 / R1 B7", 10, "all together can empty player 1's hand first"),
    ("cooperative R5 B7 / G1 G2", 20, "all together cannot"),
    ("uncooperative R5 B7 / R1", 10, "player 1 wins"),
    ("uncooperative R5 / R1 B5", 10, "player 1 wins, where an empty hand wins"),
    ("uncooperative R5 / R1 B5 --convention last-mover", 20, "player 2 wins, where a player who"),
    ("uncooperative R5 / R1 B5 --after G1", 20, "player 2 wins, where an empty hand wins"),
    ("uncooperative 1,5 / 1,1 2,5", 20, "player 2 wins, where a player who cannot discard"),
    ("uncooperative R5 R6 / R1 R2 / R3 R4 --convention last-mover", 20, "player 1 loses, where"),
    ("uncooperative R5 / R1 / B3", 10, "player 1 can avoid losing"),
]


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


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("uno-1 R5 / R7", "has one hand"),
        ("longest R5 --supply R7", "--supply is for fill-in"),
        ("uno-1 R5 --convention last-mover", "--convention is for uncooperative"),
        ("fill-in R5 --rest-of-deck --supply R7", "it excludes --supply"),
        ("fill-in R5 R0 R0 --rest-of-deck", "cards[2]: red 0: the deck"),
        ("fill-in R5 --supply R7 --costs x", "costs[0]: 'x' is not an integer"),
        ("fill-in R5 B7 --supply R7,W --costs 1", "costs: 1 for 2"),
        ("cooperative R5 / / R7", "hands[1]: the hand is empty"),
    ],
)
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
