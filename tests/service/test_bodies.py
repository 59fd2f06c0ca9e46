"""Bodies that are too large are refused before they are parsed; the largest allowed ones pass."""

import json
from typing import Any
from unittest.mock import patch

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.serving import PAIR
from uno_csp.service import reading
from uno_csp.service.problems import Problem
from uno_csp.service.reading import require_words

JSON = {"content-type": "application/json"}


CARD, TURN = ["red", 5], {"player": 0, "card": ["red", 5]}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("solve", {"k": 1}),
        ("solve", {"instance": {"k": 1}}),
        ("jobs", {"instance": {**PAIR, "cards": [{"k": 1}]}}),
        ("generate", {"family": "random", "parameters": {"k": 1}}),
        ("check", {"instance": PAIR, "answer": {"k": 1}}),
        ("parse", {"text": "R5", "k": 1}),
        ("hamilton", {"text": "a b", "k": 1}),
    ],
)
def test_very_many_keys_are_refused_before_they_are_parsed(
    path: str, body: dict[str, Any], client: TestClient
) -> None:
    many = ",".join(f'"k{i}":1' for i in range(201_000))
    found = client.post(f"/{path}", content=json.dumps(body).replace('"k": 1', many), headers=JSON)
    assert found.status_code == 413
    assert "more than 200000 keys" in found.json()["detail"]


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
