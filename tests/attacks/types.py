"""Put values of wrong types anywhere in questions: each must raise a one-line InstanceError."""

import json
from contextlib import suppress
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from tests.attacks.questions import Counterexample
from tests.support.drawing import KINDS, often, questions
from uno_csp import InstanceError, parse
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance

VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10**5000,
    1.5,
    float("nan"),
    "",
    "x",
    "*",
    "\ud800",
    [],
    [[]],
    [None],
    ["R5"],
    {},
    {"a": 1},
    [[[["R5"]]]],
)
"""Values of wrong types, for any place in a question."""


def attempt(draw: st.DrawFn) -> None:
    """Parse a question with a wrong value or two."""
    asked = draw(questions(*KINDS, "open-game").map(_with_every_field))
    for _ in range(draw(st.integers(1, 2))):
        _spoil(draw, asked)
    what = _flaw(asked)
    if what:
        raise Counterexample(what, {"question": repr(_short(asked))[:2000]})


def _with_every_field(instance: Instance) -> dict[str, Any]:
    """Return a question with every field it may have."""
    asked = question_to_dict(instance)
    if asked["question"] == "open-game":
        preset = {"preset": "nobody-skips", "stacking": "same", "must_play": False}
        asked |= {"rules": preset, "goal": "win", "to_move": 1, "direction": 1, "decks": 2}
    if asked["question"] == "fill-in":
        asked |= {"supply": [[1, 2]], "costs": [1]}
    return {"name": "n", "comment": "c", "at_least": 1, **asked}


def _spoil(draw: st.DrawFn, holder: Any) -> None:
    """Put a wrong value at some place in a nested list or object."""
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if not keys:
        return
    key = draw(st.sampled_from(keys))
    if isinstance(holder[key], list | dict) and holder[key] and draw(often(0.7)):
        _spoil(draw, holder[key])
        return
    holder[key] = deepcopy(draw(st.sampled_from(VALUES)))


def _flaw(asked: dict[str, Any]) -> str:
    """Return the error in how a spoilt question is parsed, or an empty string."""
    ways: list[Any] = [asked]
    with suppress(ValueError):  # Python limits the digits of integers
        ways.append(json.dumps(asked))
    for way in ways:
        try:
            if not isinstance(parse(way), Instance):
                return "parse returned something other than a question"
        except InstanceError as error:
            if "\n" in str(error) or len(str(error)) > 600:
                return f"no line: {error}"
        except Exception as error:
            return f"a bug: {type(error).__name__}: {error}"
    return ""


def _short(value: Any) -> Any:
    """Replace huge integers, so that the value can be printed."""
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    if isinstance(value, list):
        return [*map(_short, value)]
    return "an integer of many digits" if type(value) is int and abs(value) > 10**50 else value
