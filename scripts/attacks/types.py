"""Questions with values of the wrong type anywhere: each is an error of ours that names a place."""

import json
import random
import time
from contextlib import suppress
from copy import deepcopy
from typing import Any

from scripts.attacks.drawing import Fell, draw
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


def attack(rng: random.Random, until: float) -> int:
    """Put wrong values into questions until the time is up; return how many were read."""
    count = 0
    while time.monotonic() < until:
        asked = _question(rng)
        for _ in range(rng.choice((1, 1, 2))):
            _spoil(rng, asked)
        what = _flaw(asked)
        if what:
            raise Fell(what, {"question": repr(_short(asked))[:2000]})
        count += 1
    return count


def _question(rng: random.Random) -> dict[str, Any]:
    """A question with every field it may have."""
    kinds = ("uno-1", "longest", "fill-in", "cooperative", "uncooperative", "open-game")
    asked = question_to_dict(draw(rng, rng.choice(kinds)))
    if asked["question"] == "open-game":
        preset = {"preset": "nobody-skips", "stacking": "same", "must_play": False}
        asked |= {"rules": preset, "goal": "win", "to_move": 1, "direction": 1, "decks": 2}
    if asked["question"] == "fill-in":
        asked |= {"supply": [[1, 2]], "costs": [1]}
    return {"name": "n", "comment": "c", "at_least": 1, **asked}


def _spoil(rng: random.Random, holder: Any) -> None:
    """Put a wrong value at some place, however deep."""
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if not keys:
        return
    key = rng.choice(keys)
    if isinstance(holder[key], list | dict) and holder[key] and rng.random() < 0.7:
        _spoil(rng, holder[key])
        return
    holder[key] = deepcopy(rng.choice(VALUES))


def _flaw(asked: dict[str, Any]) -> str:
    """Return the flaw in how a spoilt question is read, or an empty text."""
    ways: list[Any] = [asked]
    with suppress(ValueError):  # more digits than Python writes
        ways.append(json.dumps(asked))
    for way in ways:
        try:
            if not isinstance(parse(way), Instance):
                return "something that is no question was read"
        except InstanceError as error:
            if "\n" in str(error) or len(str(error)) > 600:
                return f"no line: {error}"
        except Exception as error:
            return f"a bug: {type(error).__name__}: {error}"
    return ""


def _short(value: Any) -> Any:
    """A value that can be printed: integers of very many digits are cut."""
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    if isinstance(value, list):
        return [*map(_short, value)]
    return "an integer of many digits" if type(value) is int and abs(value) > 10**50 else value
