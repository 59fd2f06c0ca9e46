"""Every refusal is a problem that names the place, what stands there, and what is allowed."""

import json
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.serving import PAIR
from tests.support.tables import table
from uno_csp.families.puzzle_hands import FEWEST_CARDS, MOST_CARDS
from uno_csp.processes import supervision
from uno_csp.processes.deadline import clock_s
from uno_csp.processes.pool import Pool
from uno_csp.processes.supervision import Control, LimitedTask, Limits, Outcome, supervise
from uno_csp.service.handlers.declaring import HANDLERS
from uno_csp.service.handlers.solving import EXAMPLES
from uno_csp.service.jobs.scheduler import result_of
from uno_csp.service.problems import Problem

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
        outcome = supervise(LimitedTask(worker, task, Limits(1.0), Control(grace_s=0)))
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
