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
    limits = {"wall_s": 60.0, "longest_wall_s": 60.0}
    found: dict[str, Any] | None = worker.handle({**task, **limits}, CHANNEL).get("error")
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


def asking(**more: Any) -> dict[str, Any]:
    """A body with a question, and more."""
    return {"instance": PAIR, **more}


def making(**parameters: Any) -> dict[str, Any]:
    """A body that asks for a random hand."""
    return {"family": "random", "parameters": parameters}


@pytest.mark.parametrize(
    ("name", "body", "place", "said"),
    [
        ("solve", asking(instance={**PAIR, "cards": ["R5", None]}), "cards[1]", "null is not"),
        ("solve", asking(instance={**PAIR, "extra": 1}), "extra", "unknown key"),
        ("solve", asking(instance={**PAIR, "question": "chess"}), "question", '"chess" is not'),
        ("solve", asking(method="turns"), "method", "does not take this question"),
        ("solve", asking(time_limit_s=1e9), "time_limit_s", "1e+09 is not"),
        ("solve", asking(time_limit_s=0), "time_limit_s", "0 is not allowed; expected more than 0"),
        ("solve", asking(colour=1), "colour", "unknown key; allowed are method, "),
        ("solve", {}, "instance", "missing"),
        ("solve", asking(instance={**PAIR, "expected": {"a b": 1}}), "expected.a b", "1 is not"),
        ("count_plays", asking(time_limit_s=31), "time_limit_s", "expected at most 30"),
        ("make_puzzle", {"time_limit_s": 0}, "time_limit_s", "expected more than 0"),
        ("export_question", asking(to="wcnf"), None, "questions with an objective"),
        ("export_question", asking(to="lp", method=""), "method", "1 or more characters"),
        ("export_question", asking(to="lp", bound=1), "bound", "objective"),
        ("check_answer", asking(answer={}), "question", "missing"),
        ("generate_question", making(card=1), "card", "not a parameter"),
        ("generate_question", making(cards=10**7), "cards", "at most 100"),
        ("generate_question", making(cards=None), "cards", "null is not allowed"),
        (
            "generate_question",
            {"family": "cubic", "parameters": {"graph6": "@/etc/passwd"}},
            "graph6",
            "is not a graph6 line",
        ),
        ("generate_question", {"family": "spider", "question": "x"}, "question", '"x" is not'),
        ("generate_question", {"family": "spider", "seed": 1}, "seed", "; shuffle permutes it"),
        ("parse_question", {"text": "R5\nR77"}, "line 2, column 1", "is no card"),
        ("solve_graph", {"text": "x"}, "line 1", "only with the option isolated"),
        ("solve_graph", {"text": "C~"}, "line 1", "C~ is one word"),
        ("solve_graph", {"text": "a a"}, "line 1", "a loop at a"),
        ("solve_graph", {"text": "&AO", "format": "digraph6"}, "line 1", "the option undirected"),
        ("solve_graph", {"text": "C~\nC~", "format": "graph6"}, "graph", "as the option graph"),
        ("solve_graph", {"text": "a b", "graph": 2}, "graph", "there is no graph 2; there are 1"),
        ("solve_graph", {"text": "a b", "goal": "tour"}, "goal", "expected cycle, path, paths or"),
        ("solve_graph", {"text": "a b", "goal": "path", "source": "x"}, "source", "no vertex"),
        ("solve_graph", {"text": "a b", "source": "a"}, "source, target", "only the ends"),
        ("solve_graph", {"text": "a b", "source": ""}, "source", '"" is not allowed'),
        ("solve_graph", {"text": "a b", "time_limit_s": 1000}, "time_limit_s", "at most 30"),
        ("solve_graph", {"graph": "a b"}, "text", "missing"),
        ("advise_player", {"hand": [], "after": "R5", "others": [1]}, "hand", "1 or more items"),
        ("make_puzzle", {"level": "x"}, "level", "expected easy, medium or hard"),
        ("make_puzzle", {"a\u202e": 1}, "a\\u202e", "allowed are cards, level"),
    ],
)
def test_the_place_and_what_is_allowed_are_named(
    name: str, body: dict[str, Any], place: str | None, said: str
) -> None:
    found = refused(ENTRIES[name][0], json.dumps(body))
    assert found is not None
    require_words_for_people(found)
    assert (found["status"], found.get("place")) == (422, place)
    assert said in found["detail"]


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("solve", asking(method="magic"), "method"),
        ("solve", asking(method="\u202e'done\x1b"), "method"),
        ("solve", asking(backend="dimacs:../sh"), "backend"),
        ("solve", asking(backend="dimacs:sh"), "backend"),
        ("solve", asking(connectivity="magic"), "connectivity"),
        ("export_question", asking(to="smt"), "format"),
        ("generate_question", {"family": "magic"}, "family"),
        ("solve_graph", {"text": "a b", "format": "csv"}, "graph format"),
    ],
)
def test_an_unknown_name_is_not_found(name: str, body: dict[str, Any], said: str) -> None:
    found = refused(ENTRIES[name][0], json.dumps(body))
    assert found is not None
    require_words_for_people(found)
    assert found["status"] == 404
    assert found["detail"].startswith(f'no {said} is called "')


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_of_json_is_refused_as_such(number: str) -> None:
    for key in ("seed", "time_limit_s", "memory_limit_mb", "unknown"):
        found = refused(accept, f'{{"instance": {json.dumps(PAIR)}, "{key}": {number}}}')
        assert found is not None
        require_words_for_people(found)
        assert (found["status"], number in found["detail"]) == (400, True)


@pytest.mark.parametrize("key", ["time_limit_s", "memory_limit_mb"])
@pytest.mark.parametrize("number", ["1e999", "-1e999"])
def test_a_number_beyond_all_floats_is_not_finite(key: str, number: str) -> None:
    found = refused(accept, f'{{"instance": {json.dumps(PAIR)}, "{key}": {number}}}')
    assert found is not None
    assert (found["status"], found["place"]) == (422, key)
    assert found["detail"].endswith("Infinity is not allowed; expected a finite number")


@pytest.mark.parametrize("at", ["cards[1][0]", "at_least", "expected.bound"])
def test_the_place_of_an_integer_with_too_many_digits_is_named(at: str) -> None:
    question: dict[str, Any] = {"question": "longest", "cards": [["a", 1], ["LONG", 2]]}
    key, _, inner = at.partition(".")
    if "[" not in at:
        question = {**PAIR, key: {inner: "LONG"} if inner else "LONG"}
    body = json.dumps({"instance": question}).replace('"LONG"', "9" * 5000)
    found = refused(accept, body)
    assert found is not None
    assert (found["status"], found["place"]) == (422, f"instance.{at}")


def test_a_byte_order_mark_is_passed_over() -> None:
    body = json.dumps({"instance": PAIR})
    assert refused(accept, f"\ufeff{body}") is None
    found = refused(accept, f"\ufeff\ufeff{body}")
    assert found is not None
    assert found["detail"] == "the body is not JSON: expecting value at line 1, column 1"
    found = refused(accept, '{"text": "R5')
    assert found is not None
    assert "string starting at line 1, column 10" in found["detail"]


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
