"""Constructors declare to type checkers what they take, which is more than fields hold."""

import ast
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import uno_csp
from uno_csp import (
    Convention,
    Cooperative,
    Expected,
    FillIn,
    Instance,
    Longest,
    OpenGame,
    Options,
    Seat,
    Status,
    Uncooperative,
    Uno1,
    solve,
)
from uno_csp.questions.instance import Common

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
    lambda: Uno1(pd.Series(["R5", "R7"])),
    lambda: Uno1(HAND, expected={"status": "SATISFIABLE", "why": "both are red"}),
    lambda: Longest(ROWS, at_least=np.uint8(1), expected=Expected("OPTIMAL", np.int64(2))),
    lambda: FillIn(ROWS, ["R9"], costs=[np.int64(3)]),
    lambda: FillIn(("R5", "B7"), supply=codes(), costs=np.array([1, 2])),
    lambda: Cooperative([["R5"], codes()], after="R1"),
    lambda: Uncooperative([ROWS, ["R7"]], "empty-hand-wins", after=("red", 1)),
    lambda: Uncooperative((HAND, HAND), Convention.LAST_MOVER),
    lambda: OpenGame([["R5"], ["B5"]], after="R1", draw=["R3"], rules="stacking", goal="together"),
    lambda: OpenGame(
        [["R5"], ["B5"]],
        after=["red", 1],
        rules={"must_play": True},
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
    assert made() == made()


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
