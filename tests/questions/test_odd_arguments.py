"""Any value for any argument of a public function: an answer, or an error of this package."""

# mypy: disable-error-code="arg-type,list-item,no-untyped-call,var-annotated"

import datetime
import inspect
import io
import json
import sys
import threading
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path, PurePath
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import uno_csp
from tests.support.running import Patch
from uno_csp import FillIn, OpenGame, Options, Seat, Status, Uncooperative, Uno1, UnoCspError

HAND = Uno1((("red", 5), ("red", 7)))
GAME = OpenGame((("R5", "R1"), ("B5",)), after="R2", draw=("R3",))
TRIANGLE = [(1, 2), (2, 3), (3, 1)]


NAMES = (
    *("advise", "analyse", "certify", "check", "count", "decode", "explain", "export", "generate"),
    *("hamiltonian_cycle", "hamiltonian_path", "longest_path", "next_move", "parse"),
    *("parse_answer", "path_cover", "plays", "puzzle", "review", "sample", "solve", "solve_many"),
    *("start", "Cooperative", "Expected", "FillIn", "GameState", "Longest", "OpenGame"),
    *("Options", "Seat", "Uncooperative", "Uno1"),
)


class Three:
    """A value that stands for an integer."""

    def __index__(self) -> int:
        return 3


def odd_values() -> list[Any]:
    """Return values of many types, new ones for each call, since some are used up."""
    return [
        *(None, True, False, 0, 1, -1, 3, 10**30, 1.5, float("nan"), float("inf"), 1j, ...),
        *("", "x", "R5", "\ud800", "a\nb", b"", b"R5", bytearray(b"x"), memoryview(b"x")),
        *([], [[]], (), {}, {"a": 1}, {1: 2}, set(), frozenset({"R5"}), range(3)),
        *(np.int64(3), np.float64(2.5), np.bool_(True), np.str_("R5"), np.datetime64("NaT")),
        *(np.array([1, 2]), np.array([[1, 2], [3, 4]]), np.array(3), np.array([]), np.array(["x"])),
        *(pd.NA, pd.NaT, pd.Series([1, 2]), pd.DataFrame({"a": [1]}), pd.Timestamp(0)),
        *(Decimal(2), Decimal("NaN"), Fraction(1, 2), datetime.datetime(2020, 1, 1)),
        *(print, lambda *_: None, object(), type, int, threading.Event(), sys, ValueError("x")),
        *(nx.path_graph(3), nx.DiGraph([(1, 2)]), HAND, GAME, Status.UNKNOWN, Options()),
        *(io.StringIO("x"), io.BytesIO(b"x"), Three(), PurePath("x"), "x" * 5000),
        *((each for each in ()), (each for each in [1, 2]), iter("R5")),
    ]


def calls(folder: Path) -> Mapping[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """Return how each public function and class is called, and arguments that it takes."""
    answer, duel = uno_csp.solve(HAND), Uncooperative((HAND.cards, HAND.cards))
    refused = Uno1((("red", 5), ("blue", 7)))
    cards, hands, graph = {"cards": HAND.cards}, {"hands": duel.hands}, {"graph": TRIANGLE}
    asked: dict[str, dict[str, Any]] = {
        "advise": {"seat": Seat((("red", 5),), ("red", 1), (2,)), "agent": "exact-deals"},
        "analyse": {"instance": GAME, "most": 100},
        "certify": {"instance": refused, "answer": uno_csp.solve(refused), "folder": folder / "c"},
        "check": {"instance": HAND, "answer": answer},
        "count": {"question": HAND},
        "decode": {"instance": HAND, "text": "s UNKNOWN"},
        "explain": {"instance": HAND, "answer": answer},
        "export": {"instance": HAND, "to": "dimacs", "out": None},
        "generate": {"family": "cooperative", "seed": 1},
        "hamiltonian_cycle": graph,
        "hamiltonian_path": graph | {"source": 1},
        "longest_path": graph,
        "next_move": {"answer": uno_csp.solve(duel), "position": {}},
        "parse": {"source": "R5"},
        "parse_answer": {"text": "{}"},
        "path_cover": graph,
        "plays": {"question": HAND},
        "puzzle": {"cards": 6, "seed": 1},
        "review": {"instance": GAME, "plays": (), "deals": 5},
        "sample": {"question": HAND},
        "solve": {"instance": HAND, "method": "width"},
        "solve_many": {"questions": [HAND], "workers": 1},
        "start": {"instance": HAND, "method": "width"},
        "Cooperative": hands,
        "Expected": {},
        "FillIn": cards | {"supply": HAND.cards, "costs": (1, 2)},
        "GameState": {"question": GAME},
        "Longest": cards,
        "OpenGame": {"hands": GAME.hands, "after": GAME.after},
        "Options": {},
        "Seat": {"hand": HAND.cards, "after": ("red", 1), "others": (2,)},
        "Uncooperative": hands,
        "Uno1": cards,
    }
    waits = {"plays": list, "review": list, "solve_many": list, "start": lambda task: task.result()}
    return {
        name: (partial(_called, getattr(uno_csp, name), waits.get(name)), base)
        for name, base in asked.items()
    }


def _called(function: Callable[..., Any], wait: Callable[..., Any] | None, **given: Any) -> Any:
    found = function(**given)
    return found if wait is None else wait(found)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return calls(tmp_path_factory.mktemp("odd"))


CALLBACKS = ("on_deal", "on_effort", "on_first", "on_progress")  # what they raise is the caller's


@pytest.mark.parametrize("name", [each for each in uno_csp.__all__ if each in NAMES])
def test_an_odd_argument_is_taken_or_refused_in_a_line(
    asked: Any, name: str, monkeypatch: Patch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("uno_csp.puzzles.making.grown", lambda *_: iter(()))
    function, base = asked[name]
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    parameters = inspect.signature(getattr(uno_csp, name)).parameters.values()
    for parameter in (each.name for each in parameters if each.kind not in kinds):
        for value in odd_values():
            if parameter in CALLBACKS and callable(value):
                continue
            try:
                found = function(**base | {parameter: value})
            except UnoCspError as error:
                assert "\n" not in str(error), (parameter, value)
                assert len(str(error)) < 700, (parameter, value)
            except Exception as error:
                error.add_note(f"{parameter}: a {type(value).__name__}")
                raise
            else:
                if hasattr(found, "to_dict"):
                    json.dumps(found.to_dict(), allow_nan=False)


def test_a_value_that_cannot_be_printed_is_named_by_its_type() -> None:
    class Silent:
        def __repr__(self) -> str:
            raise RuntimeError("no text")

    with pytest.raises(UnoCspError, match="cards: a Silent "):
        Uno1(Silent())
    with pytest.raises(UnoCspError, match="level: a Silent is not allowed"):
        uno_csp.puzzle(level=Silent())
    with pytest.raises(UnoCspError, match='no encoding is called "a Silent"'):
        uno_csp.export(HAND, "dimacs", None, method=Silent())


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT, np.float64("nan"), "nan"])
def test_a_missing_value_is_refused_with_its_place(missing: Any) -> None:
    holed: Any = (("red", 5), ("red", missing))
    for place, refused in {
        "cards[1][1]": lambda: Uno1(holed),
        "hands[1][1][1]": lambda: uno_csp.Cooperative((HAND.cards, holed)),
        "supply[1][1]": lambda: FillIn(HAND.cards, holed),
        "costs[1]": lambda: FillIn(HAND.cards, HAND.cards, (1, missing)),
        "edge 2": lambda: uno_csp.hamiltonian_cycle([("a", "b"), ("b", missing)]),
        "line 3": lambda: uno_csp.parse(
            pd.DataFrame({"color": ["red"] * 2, "number": [5, missing]})
        ),
    }.items():
        with pytest.raises(UnoCspError) as caught:
            refused()
        assert str(caught.value).startswith(place), str(caught.value)


def test_integers_of_a_data_frame_with_gaps_are_integers() -> None:
    gap = float("nan")
    table = pd.DataFrame({"color": ["red", "wild", "blue"], "number": [5, gap, 7]})
    assert str(table["number"][0]) == "5.0"
    assert uno_csp.parse(table).cards == (("red", 5), ("*", "*"), ("blue", 7))
    with pytest.raises(UnoCspError, match=r"line 3: the count is missing"):
        uno_csp.parse(pd.DataFrame({"card": ["R5", "R7"], "count": [2, gap]}))
    with pytest.raises(UnoCspError, match=r"line 4: value 1: it is missing"):
        uno_csp.parse(pd.DataFrame({"a": [1, 2, gap], "b": [3, 4, 5]}))
    assert uno_csp.parse(pd.DataFrame({"color": ["red"], "number": [3.0]})).cards == (("red", 3),)


def test_the_bytes_of_a_buffer_are_no_values() -> None:
    for given in (memoryview(b"R5"), bytearray(b"R5"), b"R5"):
        for refused in (
            lambda given=given: Uno1(HAND.cards, after=given),
            lambda given=given: Uno1([given]),
            lambda given=given: FillIn(HAND.cards, HAND.cards, given),
            lambda given=given: uno_csp.start(HAND, on_progress=given),
        ):
            with pytest.raises(UnoCspError, match="not allowed"):
                refused()
