"""Hostile bodies and changed ones for a server: each is answered, and a refusal is one line."""

import json
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.drawing import questions
from tests.support.examples import examples
from tests.support.tables import table
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

DEEP = '{"instance": {"question": "uno-1", "cards": [%s]}}'
HOSTILE: tuple[str, ...] = (*table("attacks", "hostile"), DEEP % ("[" * 5000), DEEP % ("9" * 5000))
PATHS = ("solve", "check", "export", "generate", "parse")
MORE: tuple[dict[str, object], ...] = (
    {},
    {"to": "dimacs"},
    {"answer": {"question": "uno-1", "status": "UNKNOWN"}},
)


def require_answer(client: "TestClient", path: str, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post(f"/{path}", content=body, headers=headers)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json"
        assert "\n" not in answer.json()["detail"]


@pytest.mark.parametrize("path", PATHS)
def test_hostile_bodies_are_refused_in_a_line(path: str, client: "TestClient") -> None:
    for body in HOSTILE:
        require_answer(client, path, body.encode("utf-8", "surrogatepass"))


@settings(examples(8), suppress_health_check=[*HealthCheck])
@given(questions(), st.sampled_from(MORE), st.randoms(use_true_random=False))
def test_changed_bodies_are_answered(
    client: "TestClient", instance: Instance, more: dict[str, object], rng: random.Random
) -> None:
    text = json.dumps({"instance": question_to_dict(instance), **more})
    for _ in range(rng.randint(0, 3)):
        place, sign = rng.randrange(len(text) + 1), rng.choice(('"', *"[]9,*", "\\ud800", ""))
        text = text[:place] + sign + text[place + 1 :]
    for path in PATHS:
        require_answer(client, path, text.encode())
