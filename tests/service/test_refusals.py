"""Every refusal is a problem that names the place, what stands there, and what is allowed."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.serving import PAIR
from tests.support.tables import table
from uno_csp.service.handlers.declaring import HANDLERS
from uno_csp.service.handlers.solving import EXAMPLES

JSON = {"content-type": "application/json"}


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


def test_the_place_in_an_answer_begins_there(client: TestClient) -> None:
    for bad in (None, "\ud800"):
        answer = {"question": "uno-1", "status": "SATISFIABLE", "sequence": ["R5", bad]}
        text = json.dumps({"instance": PAIR, "answer": answer})
        found = client.post("/check", content=text, headers=JSON).json()
        assert (found["status"], found["place"]) == (422, "sequence[1]")
