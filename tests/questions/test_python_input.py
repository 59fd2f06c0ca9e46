"""Questions and options from Python are held to the rules of files, and errors are our own."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.running import printed
from uno_csp import (
    Convention,
    Cooperative,
    FillIn,
    InstanceError,
    NotAccepted,
    OpenGame,
    Options,
    Seat,
    Status,
    Uncooperative,
    UnknownName,
    Uno1,
    UnoCspError,
    advise,
    analyse,
    certify,
    check,
    decode,
    explain,
    export,
    generate,
    next_move,
    parse,
    parse_answer,
    review,
    sample,
    solve,
    solve_many,
    start,
)
from uno_csp.models import to_cpmpy
from uno_csp.open_game import PRESETS
from uno_csp.puzzles import Reasoner, puzzle

RED_5 = (("red", 5),)
GAME = OpenGame((RED_5, (("blue", 5),)), after=("red", 1))
SEAT = Seat(RED_5, ("red", 1), (7,))
HUGE = 10**5000


def test_codes_and_lists_are_cards() -> None:
    wanted = Uno1((("red", 5), ("red", 7), ("*", "*")), after=("blue", 7))
    given: Any = ["R5", ["red", 7], "W"]
    assert Uno1(given, after="B7") == wanted
    hands: Any = (["R5"], ("B5", "B7"))
    assert Cooperative(hands).hands == ((("red", 5),), (("blue", 5), ("blue", 7)))
    supply: Any = ["R7"]
    assert FillIn(RED_5, supply).supply == (("red", 7),)
    codes: Any = (["R5"], ["W", "+4"])
    game = OpenGame(codes, after="r1")
    assert game.hands == ((("red", 5),), (("*", "wild"), ("*", "+4")))
    whole: Any = np.array([[1, 2], [1, 3]])
    assert Uno1(whole.tolist()) == Uno1(((1, 2), (1, 3)))
    numbers: Any = [(np.int64(1), 2)]
    assert type(Uno1(numbers).cards[0][0]) is int


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Chosen(StrEnum):
    TRAIL = "hub-trail"


class Folded(str):
    """A text that is equal to others in capitals."""

    def __eq__(self, other: object) -> bool:
        return self.lower() == str(other).lower()

    def __hash__(self) -> int:
        return hash(self.lower())


def test_kinds_of_text_are_plain_texts() -> None:
    assert_plain(Uno1(((Colour.RED, 5), (Colour.BLUE, Folded("x")))).cards)
    assert_plain(Uno1([Folded("R5")], after=Colour.RED.name[:1] + "5").cards)
    game = OpenGame((((Colour.RED, 5),), ((Colour.BLUE, Folded("skip")),)), after=(Colour.RED, 1))
    assert_plain((*game.hands[0], *game.hands[1], game.after))
    assert solve(Uno1(((Folded("Red"), 5), (Folded("red"), 7)))).status is Status.UNSATISFIABLE
    assert solve(Cooperative((((Colour.RED, 5),), ((Colour.RED, 7),)))).status.has_solution
    assert type(Options(method=Chosen.TRAIL).method) is str


def assert_plain(cards: Any) -> None:
    assert {type(value) for card in cards for value in card} <= {int, str}


def test_a_large_hand_is_not_copied() -> None:
    cards = tuple((i, i + 1) for i in range(1000))
    assert Uno1(cards).cards is cards


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (("R5", "R77"), 'cards[1]: "R77" is no card; did you mean R7?'),
        ((("red", 5.0),), "cards[0][1]: 5.0 is not allowed; a value is an integer or a string"),
        ((("red", True),), "cards[0][1]: true is not allowed"),
        ((("red", None),), "cards[0][1]: null is not allowed"),
        ((("red", 5), None), "cards[1]: null is not allowed; a card is a list or a card code"),
        ("R5", 'cards: "R5" is not allowed; expected a list of cards'),
        (5, "cards: 5 is not allowed; expected a list of cards"),
    ],
)
def test_what_is_no_card_is_refused(cards: Any, said: str) -> None:
    with pytest.raises(InstanceError) as caught:
        Uno1(cards)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("doing", "said"),
    [
        (lambda: Cooperative("R5"), 'hands: "R5" is not allowed; expected a list of hands'),
        (lambda: Cooperative((RED_5, "R5")), 'hands[1]: "R5" is not allowed'),
        (lambda: Uno1(RED_5, at_least="2"), "at_least: "),  # type: ignore[arg-type]
        (lambda: Uno1(RED_5, after=5), "after: 5 is not allowed"),  # type: ignore[arg-type]
        (lambda: OpenGame((("R55",), ("B1",)), after="R1"), "hands[0][0]: "),
        (lambda: replace(GAME, rules="clasic"), 'rules: "clasic" is not allowed; there are: '),  # type: ignore[arg-type]
        (lambda: replace(GAME, rules={"stacking": "all"}), "rules: stacking: "),  # type: ignore[arg-type]
        (lambda: parse("hand.json"), '"hand.json" is the name of a file'),
        (lambda: parse(5), "5 is no question"),  # type: ignore[arg-type]
        (lambda: parse(Path("nowhere.json")), "nowhere.json: no such file"),
        (lambda: solve("R5 R77"), '"R77" is no card'),
        (lambda: solve(5), "5 is no question; uno_csp.parse reads one"),  # type: ignore[arg-type]
        (lambda: solve(Uno1(RED_5), time_limit_s="x"), "time_limit_s: "),  # type: ignore[arg-type]
        (lambda: solve(Uno1(RED_5), time_limit_s=True), "time_limit_s: true"),
        (lambda: solve(Uno1(RED_5), seed=1.5), "seed: 1.5 is not allowed; expected an integer"),  # type: ignore[arg-type]
        (lambda: solve(Uno1(RED_5), backend=5), "backend: 5 is not allowed"),  # type: ignore[arg-type]
        (lambda: solve(Uno1(RED_5), presolve=1), "presolve: 1 is not allowed"),  # type: ignore[arg-type]
        (lambda: solve(Uno1(RED_5), "hub-trail"), 'options: "hub-trail" is not allowed'),  # type: ignore[arg-type]
        (lambda: solve(Uno1(RED_5), seed=None), "seed: null is not allowed"),  # type: ignore[arg-type]
        (lambda: solve(Uno1(RED_5), on_progress=5), "on_progress: 5 is not allowed; expected"),  # type: ignore[arg-type]
        (lambda: solve(Uno1(RED_5), proof=5), "proof: 5 is not allowed; expected a path"),  # type: ignore[arg-type]
        (lambda: solve(Uno1(RED_5), proof="/dev/null/x"), "/dev/null is a file; a certificate"),
        (lambda: solve(Uno1(RED_5), proof=""), "folder: an empty text names none"),
        (lambda: Reasoner("R5"), '"R5" is no uno-1 question'),  # type: ignore[arg-type]
        (lambda: Reasoner(Uno1(RED_5, after=("red", 1))).hint("R5"), 'played: "R5" is not allowed'),  # type: ignore[arg-type]
        (lambda: start(Uno1(RED_5), Options(), seed=1), "options by name, not both"),
        (lambda: solve(Uno1(RED_5), time_limit_s=10**400), "the time limit must be positive and"),
        (lambda: solve(Uno1(RED_5), stop=5), "stop: 5 is not allowed; expected a threading.Event"),  # type: ignore[arg-type]
        (lambda: solve_many("R5"), "questions: a text is one question"),
        (lambda: solve_many(Uno1(RED_5)), "expected an iterable of questions"),  # type: ignore[arg-type]
        (lambda: solve(Uno1(RED_5), time_limit_s=Fraction(10**400)), "positive and finite"),
        (lambda: solve(Uno1(RED_5), time_limit_s=np.float32("nan")), "positive and finite"),
        (lambda: solve(Uno1(RED_5), backend=""), 'no backend is called ""'),
        (lambda: solve(Uno1(RED_5), method=""), 'no method is called ""'),
        (lambda: export(Uno1(RED_5), "dimacs", None, method=""), 'no encoding is called ""'),
        (lambda: export(Uno1(RED_5), "lp", None, connectivity=""), 'no connectivity is called ""'),
        (lambda: export(Uno1(RED_5), "lp", None, varnames="no"), 'varnames: "no" is not allowed'),  # type: ignore[arg-type]
        (lambda: export(Uno1(RED_5), "lp", None, question=1), "question: 1 is not allowed"),  # type: ignore[arg-type]
        (lambda: export(Uno1(RED_5), "lp", None, limit_mb=True), "limit_mb: true is not allowed"),
        (lambda: to_cpmpy("R5"), '"R5" is no question'),  # type: ignore[arg-type]
        (lambda: Uno1(np.array(5)), "cards: "),
        (lambda: export(Uno1(RED_5), "dimacs", closed()), "out: I/O operation on closed file"),
        (lambda: review(GAME, [], deals=0), "deals: 0 is not allowed; expected from 200 to 100000"),
        (lambda: review(GAME, [], deals="x"), 'deals: "x" is not allowed'),  # type: ignore[arg-type]
        (lambda: review(GAME, [], seed=-1), "the seed must be from 0"),
        (lambda: review(GAME, [], seed=None), "seed: null is not allowed"),  # type: ignore[arg-type]
        (lambda: puzzle(7, seed=-1), "the seed must be from 0"),
        (lambda: advise(SEAT, seed=-1), "the seed must be from 0"),
        (lambda: sample(Uno1(RED_5), 1, seed=-5), "the seed must be from 0"),
        (lambda: solve(Uno1(RED_5), backend=5), "backend: 5 is not allowed"),  # type: ignore[arg-type]
        (lambda: Uno1(None), "cards: null is not allowed; expected a list of cards"),  # type: ignore[arg-type]
        (lambda: Uno1({("red", 5)}), "cards: a set is not allowed"),
        (lambda: Cooperative({RED_5}), "hands: a set is not allowed"),
        (lambda: Uno1((("a" * 201, 5),)), "cards[0][0]: "),
        (lambda: Uno1((("\ud800", 5),)), "cards[0][0]: "),
        (lambda: Uno1(RED_5, name=5), "name: 5 is not allowed"),  # type: ignore[arg-type]
        (lambda: Uno1(RED_5, expected="yes"), 'expected: "yes" is not allowed; expected an object'),  # type: ignore[arg-type]
        (lambda: FillIn(RED_5, RED_5, costs=(1.5,)), "costs[0]: 1.5 is not allowed"),  # type: ignore[arg-type]
        (lambda: Uno1(RED_5, name="n" * 10_001), "name: "),
        (lambda: Uncooperative((RED_5, RED_5), convention="x"), 'convention: "x" is not allowed'),
        (lambda: OpenGame((RED_5, RED_5), after=None), "after: null is not allowed"),  # type: ignore[arg-type]
        (lambda: Seat(RED_5, "R1", 7), "others: 7 is not allowed"),  # type: ignore[arg-type]
        (lambda: Seat(("R55",), "R1", (7,)), "hand[0]: "),
        (lambda: advise(5), "seat: 5 is not allowed; expected a uno_csp.Seat"),  # type: ignore[arg-type]
        (lambda: advise(SEAT, deals=2.5), "deals: 2.5 is not allowed; expected an integer"),  # type: ignore[arg-type]
        (lambda: certify(Uno1(RED_5), None, "x"), "null is no answer"),  # type: ignore[arg-type]
        (lambda: check(Uno1(RED_5), None), "null is no answer"),  # type: ignore[arg-type]
        (lambda: check(None, None), "null is no question"),  # type: ignore[arg-type]
        (lambda: explain(Uno1(RED_5), None), "null is no answer"),  # type: ignore[arg-type]
        (lambda: export(None, "dimacs"), "null is no question"),  # type: ignore[arg-type]
        (lambda: export(Uno1(RED_5), "dimacs", 5), "out: 5 is not allowed"),  # type: ignore[arg-type]
        (lambda: decode(Uno1(RED_5), None), "solver output: null is not allowed"),  # type: ignore[arg-type]
        (lambda: decode(Uno1(RED_5), "", proof=5), "proof: 5 is not allowed"),  # type: ignore[arg-type]
        (lambda: analyse(Uno1(RED_5)), "uno-1 is no open-game question"),  # type: ignore[arg-type]
        (lambda: analyse(GAME, (5,)), "plays[0]: 5 is not allowed"),  # type: ignore[arg-type]
        (lambda: next_move(solve(GAME), None), "null is not a position"),  # type: ignore[arg-type]
        (lambda: parse_answer(5), "5 is not allowed; expected the text of an answer file"),  # type: ignore[arg-type]
        (lambda: Uno1(RED_5, at_least=HUGE), "at_least: an integer of very many digits"),
        (lambda: replace(GAME, to_move=HUGE), "to_move: there is no player an integer of very"),
        (lambda: replace(GAME, direction=HUGE), "direction: an integer of very many digits"),
        (lambda: FillIn(RED_5, RED_5, costs=(HUGE,)), "costs[0]: an integer of very many digits"),
        (lambda: solve(Uno1(RED_5), workers=HUGE), "not an integer of very many digits"),
        (lambda: solve_many([], workers=HUGE), "not an integer of very many digits"),
        (lambda: advise(SEAT, deals=HUGE), "deals: an integer of very many digits"),
        (lambda: start(Uno1(RED_5), limit=5), "there is no option 'limit'; there are: "),  # type: ignore[call-arg]
    ],
)
def test_every_error_is_ours(doing: Callable[[], Any], said: str) -> None:
    with pytest.raises(UnoCspError) as caught:
        doing()
    assert said in str(caught.value)
    assert isinstance(caught.value, InstanceError | NotAccepted | UnknownName)


@pytest.mark.filterwarnings("error")
def test_numbers_of_libraries_are_numbers() -> None:
    for limit in (np.float16(9), np.float32(9), np.float64(9), Fraction(9), np.int8(9), 9):
        given: Any = limit
        options = Options(time_limit_s=given, memory_limit_mb=given)
        assert (options.time_limit_s, options.memory_limit_mb) == (9, 9)
        assert json.loads(json.dumps(options.to_dict()))["time_limit_s"] == 9
    size: Any = np.int32(5)
    assert export(Uno1(RED_5), "lp", None, limit_mb=size).bytes


def test_what_files_write_as_text_is_taken_as_text() -> None:
    message: Any = "empty-hand-wins"
    assert (
        Uncooperative((RED_5, RED_5), convention=message).convention is Convention.EMPTY_HAND_WINS
    )
    costs: Any = [2]
    assert FillIn(RED_5, RED_5, costs=costs).costs == (2,)
    seat: Any = Seat(["R5", "+4"], "R1", [7], rules="stacking")
    assert seat == Seat((("red", 5), ("*", "+4")), ("red", 1), (7,), rules=PRESETS["stacking"])
    with pytest.raises(UnknownName, match='no family is called "null"'):
        generate(None)  # type: ignore[arg-type]


def test_experiments_are_there_when_they_are_asked_for() -> None:
    code = "import sys, uno_csp; assert 'uno_csp.experiments' not in sys.modules; "
    code += "print(uno_csp.experiments.read.__name__)"
    assert printed(code) == "read\n"


def test_a_path_is_read(tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    file.write_text("R5 R7\nred,9")
    assert solve(parse(file)).status is Status.SATISFIABLE
    assert parse(file).size == 3
