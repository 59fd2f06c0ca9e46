"""Values of wrong types anywhere in questions: each is read as a question or refused in a line."""

import json
from contextlib import suppress
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawing import KINDS, often, questions
from tests.support.examples import examples
from uno_csp import InstanceError, parse
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance

VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**5000, 1.5, float("nan"), "", "x", "*", "\ud800"),
    *([], [[]], [None], ["R5"], {}, {"a": 1}, [[[["R5"]]]]),
)
"""Values of wrong types, for any place in a question."""


def with_every_field(instance: Instance) -> dict[str, Any]:
    """Return a question with every field it may have."""
    asked = question_to_dict(instance)
    if asked["question"] == "open-game":
        preset = {"preset": "nobody-skips", "stacking": "same", "must_play": False}
        asked |= {"rules": preset, "goal": "win", "to_move": 1, "direction": 1, "decks": 2}
    if asked["question"] == "fill-in":
        asked |= {"supply": [[1, 2]], "costs": [1]}
    return {"name": "n", "comment": "c", "at_least": 1, **asked}


def spoil(draw: Any, holder: Any) -> None:
    """Put a wrong value at some place in a nested list or object."""
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if not keys:
        return
    key = draw(st.sampled_from(keys))
    if isinstance(holder[key], list | dict) and holder[key] and draw(often(0.7)):
        spoil(draw, holder[key])
    else:
        holder[key] = deepcopy(draw(st.sampled_from(VALUES)))


@examples(30)
@given(questions(*KINDS, "open-game").map(with_every_field), st.data())
def test_a_spoilt_question_is_refused_in_a_line(asked: dict[str, Any], data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 2))):
        spoil(data.draw, asked)
    ways: list[Any] = [asked]
    with suppress(ValueError):  # Python limits the digits of integers
        ways.append(json.dumps(asked))
    for way in ways:
        try:
            read = parse(way)
        except InstanceError as error:
            assert "\n" not in str(error)
            assert len(str(error)) <= 600
        else:
            assert parse(question_to_dict(read)) == read
