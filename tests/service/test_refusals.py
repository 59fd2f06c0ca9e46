"""Every refusal is a problem in words for people that names the place and what is allowed.

Bodies that are too large are refused before they are parsed; the largest allowed ones pass.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import Mock, patch

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.serving import PAIR
from tests.support.tables import table
from uno_csp.families.puzzle_hands import FEWEST_CARDS, MOST_CARDS
from uno_csp.processes import supervision
from uno_csp.processes.deadline import clock_s
from uno_csp.processes.pool import Pool
from uno_csp.processes.supervision import Control, LimitedTask, Limits, Outcome, supervise
from uno_csp.registry import modules_of
from uno_csp.service import reading
from uno_csp.service.handlers.declaring import HANDLERS, do
from uno_csp.service.handlers.solving import EXAMPLES, SolveRequest, accept
from uno_csp.service.jobs import worker
from uno_csp.service.jobs.scheduler import result_of
from uno_csp.service.problems import Problem, problem
from uno_csp.service.reading import require_words

JSON = {"content-type": "application/json"}
KEY = "k" * 5000


@pytest.mark.parametrize(
    ("asked", "given", "status", "place", "said"), table("service", "refusals")
)
def test_a_refusal_names_the_place(
    client: TestClient, asked: str, given: Any, status: int, place: str | None, said: str
) -> None:
    method, _, path = asked.rpartition(" ")
    text = given if isinstance(given, str) else json.dumps(given)
    body: dict[str, Any] = {} if method else {"content": text.encode(), "headers": JSON}
    found = client.request(method or "POST", path if method else f"/{path}", **body)
    assert found.headers["content-type"] == "application/problem+json"
    problem = found.json()
    assert (found.status_code, problem["status"], problem.get("place")) == (status, status, place)
    assert said in problem["detail"]


def test_a_place_in_a_question_begins_there_on_every_route(client: TestClient) -> None:
    """The place is the same if reading the text refuses a value, and if the question does."""
    bodies: dict[str, Any] = {"solve": next(iter(EXAMPLES.values()))}
    bodies["jobs"] = bodies["solve"]
    bodies |= {each.path: next(iter(each.example.values())) for each in HANDLERS.values()}
    asking = {path: body for path, body in bodies.items() if "instance" in body}
    assert len(asking) > 7
    for path, body in asking.items():
        for bad, place in ((True, "after"), (["\ud800"], "after[0]"), ("LONG", "after")):
            question = {**body["instance"], "after": bad}
            text = json.dumps({**body, "instance": question}).replace('"LONG"', "9" * 5000)
            found = client.post(f"/{path}", content=text, headers=JSON).json()
            assert (found["status"], found["place"]) == (422, place), path


def test_a_time_limit_blames_the_machine_that_gave_no_time() -> None:
    late = Outcome(None, "time limit of 3 s reached")
    for outcome, status, headers in (
        (late, 422, {}),
        (replace(late, starved=True), 503, {"Retry-After": "5"}),
    ):
        with pytest.raises(Problem) as caught:
            result_of(outcome)
        assert (caught.value.status, caught.value.headers) == (status, headers)


@pytest.mark.parametrize(("share", "starved"), [(0.1, True), (0.9, False)])
def test_a_task_is_starved_that_had_little_of_the_processor(
    monkeypatch: pytest.MonkeyPatch, share: float, starved: bool
) -> None:
    """The worker may have had much of it for earlier tasks."""
    monkeypatch.setattr(supervision, "_usage", lambda _: (900 + share * clock_s(), 1.0))
    with Pool(0).worker("tests.support.sleeper") as worker:
        task = {"obeys": False}
        limits, control = Limits(1.0), Control(grace_s=0)
        outcome = supervise(LimitedTask(worker, task, limits, control, measured=True))
    assert (outcome.limit_hit, outcome.starved) == ("time limit of 1 s reached", starved)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("solve", {"instance": PAIR, KEY: 1}),
        ("solve", {"instance": {**PAIR, KEY: 1}}),
        (f"parse?{KEY}=1", {"text": "R5"}),
    ],
)
def test_a_long_key_is_cut(client: TestClient, path: str, body: Any) -> None:
    found = client.post(f"/{path}", json=body)
    assert found.status_code == 422
    assert len(found.text) < 1000
    assert 10 < found.json()["place"].count("k") < 100


def test_puzzles_have_as_many_cards_as_are_described(client: TestClient) -> None:
    described = client.get("/openapi.json").json()["components"]["schemas"]["PuzzleRequest"]
    bounds = described["properties"]["cards"]
    assert (bounds["minimum"], bounds["maximum"]) == (FEWEST_CARDS, MOST_CARDS)
    found = client.post("/puzzle", json={"cards": MOST_CARDS + 1})
    assert found.json()["detail"].endswith(f"at most {MOST_CARDS}")


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


def test_a_place_in_the_words_is_one_of_the_problem() -> None:
    for detail, place in (
        ("cards[3]: null is not allowed", "cards[3]"),
        ("plays[0].draws: null is not allowed", "plays[0].draws"),
        ("line 3, column 14: no card", "line 3, column 14"),
        ("edge 2: it is a loop", "edge 2"),
        ("a b\x00: duplicate key", "a b\\x00"),
        ('no family is called "x"; there are: random', None),
    ):
        assert problem(422, detail).get("place") == place


def test_statuses_have_the_same_names_in_every_python() -> None:
    titles = {404: "Not Found", 413: "Content Too Large", 416: "Range Not Satisfiable"}
    titles |= {422: "Unprocessable Content", 507: "Insufficient Storage"}
    assert {status: problem(status, "")["title"] for status in titles} == titles


CARD, TURN = ["red", 5], {"player": 0, "card": ["red", 5]}


@pytest.mark.parametrize(
    "name", ["solve", "generate_question", "check_answer", "parse_question", "solve_graph"]
)
def test_very_many_keys_are_refused_before_they_are_parsed(name: str) -> None:
    entry, _, example = ENTRIES[name]
    many = ",".join(f'"k{i}":1' for i in range(201_000))
    for body in ({**example, "k": 1}, {"instance": {"cards": [{"k": 1}]}}):
        found = refused(entry, json.dumps(body).replace('"k": 1', many))
        assert found is not None
        assert found["status"] == 413
        assert "more than 200000 keys" in found["detail"]


@pytest.mark.parametrize(
    ("instance", "said"),
    [
        ({"question": "uno-1", "cards": ["R5"] * 50_001}, "50001 cards"),
        ({"question": "uno-1", "cards": [1] * 1_000_000}, "1000000 cards"),
        ({"question": "cooperative", "hands": [["R5"] * 30_000] * 2}, "60000 cards"),
        ({"question": "fill-in", "cards": [], "supply": ["R5"] * 50_001}, "50001 cards"),
        ({"question": "uno-1", "cards": [[]] * 200_001}, "lists and objects"),
        ({"question": "uno-1", "cards": [{}] * 200_001}, "lists and objects"),
    ],
)
def test_too_many_cards_are_refused_before_they_are_read(
    instance: dict[str, Any], said: str, client: TestClient
) -> None:
    found = client.post("/solve", json={"instance": instance})
    assert found.status_code == 413
    assert said in found.json()["detail"]


def test_a_text_of_too_many_words_is_refused_before_it_is_read() -> None:
    for word in ("R5 ", "no card\n", "pink,5;"):
        with pytest.raises(Problem, match="words are more than the 80 that 20 cards have") as error:
            require_words(word * 81, 20)
        assert error.value.status == 413
    require_words("wild card draw four " * 20, 20)
    require_words('{"cards": [' + "[1, 2]" * 50_000, 20)


def test_the_largest_questions_and_answers_are_read() -> None:
    offers = [{"card": CARD, "count": 2, "cost": 1}] * 49_000
    for body in (
        {"instance": {"question": "fill-in", "cards": [CARD] * 1000, "supply": offers}},
        {"instance": {"question": "cooperative", "hands": [[CARD] * 25_000] * 2}, "answer": [TURN]},
        {"instance": {"question": "uno-1", "cards": [CARD] * 50_000}, "answer": [CARD] * 50_000},
        {"instance": {"question": "uno-1", "cards": [['{"[a":', '"\\"', "b"]] * 50_000}},
        {"text": json.dumps([{"question": "uno-1", "cards": [CARD] * 3}] * 50_000)},
        {"text": '{"a": [' * 300_000},
    ):
        assert reading.members(json.dumps(body)) <= reading.MOST_MEMBERS


JSON_VALUES = st.recursive(
    st.none() | st.integers() | st.text(alphabet='a"\\:[{,} \n\u00e9'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet='k"\\:[{ '), inner),
)


@examples(40)
@given(JSON_VALUES, st.sampled_from([None, 1]), st.booleans())
def test_members_are_counted_as_they_are_parsed(value: Any, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    keys, containers, waiting = 0, 0, [value]
    while waiting:
        each = waiting.pop()
        containers += isinstance(each, list | dict)
        keys += len(each) if isinstance(each, dict) else 0
        waiting += (
            each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()
        )
    with patch.object(reading, "MOST_MEMBERS", -1):  # strings are left out
        assert reading.members(text) == max(keys, containers)
    assert reading.members(text) >= max(keys, containers)
