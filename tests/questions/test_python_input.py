"""Questions and options from Python are held to the rules of files, and errors are our own."""

import ast
import inspect
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import uno_csp
from tests.support.running import printed
from tests.support.tables import table
from uno_csp import (
    Convention,
    Cooperative,
    Expected,
    FillIn,
    Instance,
    InstanceError,
    Longest,
    NotAccepted,
    OpenGame,
    Options,
    Seat,
    Status,
    Uncooperative,
    UnknownName,
    Uno1,
    UnoCspError,
    export,
    generate,
    parse,
    solve,
)
from uno_csp.models import to_cpmpy
from uno_csp.open_game import PRESETS
from uno_csp.puzzles import Reasoner
from uno_csp.questions.instance import Common

RED_5 = (("red", 5),)


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


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


NAMES = {
    **{name: getattr(uno_csp, name) for name in uno_csp.__all__},
    **{each.__name__: each for each in (Decimal, Fraction, Path, Reasoner, closed, to_cpmpy)},
    "np": np,
    "io": io,
    "replace": replace,
    "RED_5": RED_5,
    "ONE": Longest(RED_5),
    "HUGE": 10**5000,
    "GAME": OpenGame((RED_5, (("blue", 5),)), after=("red", 1)),
    "SEAT": Seat(RED_5, ("red", 1), (7,)),
}
"""Names that the expressions of the table use."""


@pytest.mark.parametrize(("doing", "said"), table("questions", "errors from Python"))
def test_every_error_is_ours(doing: str, said: str) -> None:
    with pytest.raises(UnoCspError) as caught:
        eval(doing, NAMES)  # noqa: S307
    assert said in str(caught.value)
    assert isinstance(caught.value, InstanceError | NotAccepted | UnknownName)


@pytest.mark.filterwarnings("error")
def test_numbers_of_libraries_are_numbers() -> None:
    plain: Any = {"seed": np.int64(3), "workers": np.int64(1), "presolve": np.bool_(False)}
    for limit in (np.float16(9), np.float32(9), np.float64(9), Fraction(9), np.int8(9), 9):
        given: Any = limit
        options = Options(time_limit_s=given, memory_limit_mb=given, **plain)
        assert (options.time_limit_s, options.memory_limit_mb) == (9, 9)
        shown = json.loads(json.dumps(options.to_dict()))
        assert (shown["time_limit_s"], shown["seed"], shown["presolve"]) == (9, 3, False)
    one: Any = np.int32(1)
    sizes = [export(Longest(RED_5), "dimacs", None, bound=n, limit_mb=n) for n in (one, 1)]
    assert sizes[0] == sizes[1]
    others: Any = np.array([2])
    assert Seat(RED_5, ("red", 1), others).others == (2,)


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


HAND = (("red", 5), ("red", 7))
ROWS = [["red", 5], ["red", 7]]


def codes() -> Iterator[str]:
    yield from ("R5", "R7")


# mypy reads these calls as those of users: no cast and no "type: ignore" may be needed here
TAKEN: list[Callable[[], Any]] = [
    lambda: Uno1(HAND),
    lambda: Uno1(ROWS),
    lambda: Uno1([["red", 5], ["red", 7]], after=["red", 1]),
    lambda: Uno1(("R5", "R7"), after="R1", name="two"),
    lambda: Uno1(codes()),
    lambda: Uno1(("red", number) for number in (5, 7)),
    lambda: Uno1(map(list, HAND), at_least=np.int64(1)),
    lambda: Uno1(np.array([[1, 5], [1, 7]])),
    lambda: Uno1([("red", np.int64(5)), np.array(["red", 7], dtype=object)]),
    lambda: Uno1(pd.DataFrame(ROWS).to_numpy()),
    lambda: Uno1(pd.Series(["R5", "R7"])),
    lambda: Uno1(HAND, expected={"status": "SATISFIABLE", "why": "both are red"}),
    lambda: Longest(ROWS, at_least=np.uint8(1), expected=Expected("OPTIMAL", np.int64(2))),
    lambda: FillIn(ROWS, ["R9"], costs=[np.int64(3)]),
    lambda: FillIn(("R5", "B7"), supply=codes(), costs=np.array([1, 2])),
    lambda: FillIn(ROWS, ROWS, pd.Series([1, 2])),
    lambda: FillIn(ROWS, ROWS, (cost for cost in (np.int64(1), 2))),
    lambda: Cooperative([["R5"], codes()], after="R1"),
    lambda: Uncooperative([ROWS, ["R7"]], "empty-hand-wins", after=("red", 1)),
    lambda: Uncooperative((HAND, HAND), Convention.LAST_MOVER),
    lambda: OpenGame([np.array([["red", 5]], dtype=object), ["B5"]], after="R1"),
    lambda: OpenGame([["R5"], ["B5"]], after="R1", draw=["R3"], rules="stacking", goal="together"),
    lambda: OpenGame(
        [["R5"], ["B5"]],
        after=["red", 1],
        rules={"must_play": np.bool_(True)},
        to_move=np.int64(2),
        direction=np.int64(-1),
        turned_up=np.bool_(False),
        decks=np.int8(2),
    ),
    lambda: Expected(Status.UNKNOWN, bound=np.int64(3), why="x"),
    lambda: Seat(["R5"], "R1", [np.int64(7)], seen=codes(), rules="stacking"),
    lambda: Options(seed=np.int64(3), workers=np.int8(1), time_limit_s=np.float32(5)),
    lambda: Options(memory_limit_mb=np.int64(500), presolve=np.bool_(True), proof=Path("x")),
    lambda: solve(Uno1(HAND), seed=np.int64(1), time_limit_s=np.float64(9)).status,
]


@pytest.mark.parametrize("made", TAKEN)
def test_what_type_checkers_take_is_taken(made: Callable[[], Any]) -> None:
    found = made()
    assert found == made()
    if isinstance(found, Instance):
        assert parse(json.loads(json.dumps(found.to_dict()))) == found


def declared(kind: type) -> dict[str, Any]:
    """Return the parameters of the constructor that a class declares to type checkers."""
    (source,) = (
        node
        for node in ast.walk(ast.parse(Path(inspect.getfile(kind)).read_text()))
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    checked = (
        node.body[0]
        for node in source.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    (found,) = (each for each in checked if getattr(each, "name", "") == "__init__")
    assert isinstance(found, ast.FunctionDef)
    names = vars(inspect.getmodule(kind))
    plain = found.args.args[1:]
    needed = [None] * (len(plain) - len(found.args.defaults))
    defaults = [*needed, *found.args.defaults, *found.args.kw_defaults]
    given = {
        each.arg: inspect.Parameter.empty if it is None else eval(ast.unparse(it), names)  # noqa: S307
        for each, it in zip((*plain, *found.args.kwonlyargs), defaults, strict=True)
    }
    return given | dict.fromkeys(Common.__annotations__ if found.args.kwarg else ())


KINDS = [  # types of questions
    kind
    for kind in (getattr(uno_csp, name) for name in uno_csp.__all__)
    if isinstance(kind, type) and issubclass(kind, Instance) and kind is not Instance
]


@pytest.mark.parametrize("kind", [*KINDS, Expected, Options, Seat])
def test_the_constructor_that_is_declared_is_the_one_there_is(kind: type) -> None:
    there = inspect.signature(kind).parameters
    said = declared(kind)
    assert {*said} == {*there}
    for name in {*said} - {*Common.__annotations__}:
        assert said[name] == there[name].default, name
