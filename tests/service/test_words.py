"""Messages over HTTP: words for people, keys of the request, and the place of what is wrong."""

import json
import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.serving import PAIR
from uno_csp.registry import modules_of
from uno_csp.service.handlers.declaring import HANDLERS, do
from uno_csp.service.handlers.solving import EXAMPLES, SolveRequest, accept
from uno_csp.service.jobs import worker
from uno_csp.service.problems import problem

modules_of("uno_csp.service.handlers")
ENTRIES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "solve": (accept, SolveRequest, dict(next(iter(EXAMPLES.values())))),
    **{
        name: (each, each.request, dict(next(iter(each.example.values()))))
        for name, each in HANDLERS.items()
    },
}
BAD: tuple[Any, ...] = (
    *(None, True, 1.5, -1, 10**30, "", "x", "\u202e", "a\x00b", {}, {"\u202e\n": "\x1b"}),
    *([], [[]], [[None, True]], ["\u202e\x07"], [{"card": ["red", 5], "count": -1}]),
)
CHANNEL = Mock(**{"ask.return_value": None})
FOREIGN = re.compile(
    r"\b(?:True|False|None|NoneType|dict|tuple|bool|validation|pydantic|model|input should)\b"
    "|--[a-z]"
)
KEYS = ("at_least", "supply", "costs", "convention", "rules", "expected", "unknown\u202e")


def changed(value: Any) -> Iterator[Any]:
    """The same with something bad in one place."""
    yield from BAD
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: each} for each in changed(inner))
        if "question" in value:
            yield from ({**value, key: each} for key in KEYS for each in BAD)
    if isinstance(value, list):
        for at, inner in enumerate(value):
            yield from ([*value[:at], each, *value[at + 1 :]] for each in changed(inner))


def refused(entry: Any, body: str) -> dict[str, Any] | None:
    """The problem of a request; None if there is none."""
    task = {"do": do(entry), "body": body, "cards": 100, "backends": (), "path": "/dev/null"}
    found: dict[str, Any] | None = worker.handle({**task, "wall_s": 60.0}, CHANNEL).get("error")
    return found


def require_words_for_people(found: dict[str, Any]) -> None:
    detail = found["detail"]
    assert not FOREIGN.search(detail), detail
    assert detail.isprintable(), detail
    assert found["status"] < 500, detail
    if re.match(r"[\w.\[\]\\]+: |line |edge ", detail):
        assert detail.startswith(found["place"]), detail


@pytest.mark.parametrize("name", ENTRIES)
def test_every_refusal_is_in_words_for_people(name: str) -> None:
    entry, kind, example = ENTRIES[name]
    quick = {"deals": 200, "instances": []}  # what is wrong with a question of a list is an item
    example |= {key: value for key, value in quick.items() if key in example}
    more = ({**example, key: each} for key in kind.model_fields.keys() - example for each in BAD)
    for body in (*changed(example), *more, {}, {**example, "unknown\u202e": 1}):
        found = refused(entry, json.dumps(body))
        if found is not None:
            require_words_for_people(found)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert refused(accept, "\ufeff" + json.dumps({"instance": PAIR})) is None


@pytest.mark.parametrize(
    ("detail", "place"),
    [
        ("cards[3]: null is not allowed", "cards[3]"),
        ("plays[0].draws: null is not allowed", "plays[0].draws"),
        ("line 3, column 14: no card", "line 3, column 14"),
        ("edge 2: it is a loop", "edge 2"),
        ("a b\x00: duplicate key", "a b\\x00"),
        ('no family is called "x"; there are: random', None),
    ],
)
def test_a_place_in_the_words_is_one_of_the_problem(detail: str, place: str | None) -> None:
    assert problem(422, detail).get("place") == place


@pytest.mark.parametrize(
    ("status", "title"),
    [
        (404, "Not Found"),
        (413, "Content Too Large"),
        (416, "Range Not Satisfiable"),
        (422, "Unprocessable Content"),
        (507, "Insufficient Storage"),
    ],
)
def test_statuses_have_the_same_names_in_every_python(status: int, title: str) -> None:
    assert problem(status, "")["title"] == title
