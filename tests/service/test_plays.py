"""Counts and puzzles over HTTP."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

import uno_csp

HAND = {"question": "uno-1", "cards": ["R1", "R2", "B2", "W"]}


def test_the_plays_of_a_hand_are_counted(client: TestClient) -> None:
    answer = client.post("/count", json={"instance": HAND}).json()
    assert (answer["status"], answer["objective"], answer["checked"]) == ("OPTIMAL", 12, True)
    assert {"card": ["*", "*"], "plays": 2} in answer["first"]
    large = {"question": "uno-1", "cards": [["red", number] for number in range(30)]}
    assert client.post("/count", json={"instance": large}).json()["objective"].startswith("26525")


def test_counts_and_puzzles_have_time_limits(client: TestClient) -> None:
    limited = {"instance": HAND, "time_limit_s": 1e-9}
    answer = client.post("/count", json=limited).json()
    assert (answer["status"], answer["bound"]) == ("UNKNOWN", 2)
    refused = client.post("/puzzle", json={"cards": 7, "time_limit_s": 1e-9})
    assert refused.status_code == 422
    assert "the time limit of 1e-09 s ended while making a puzzle" in refused.text
    assert client.post("/count", json={**limited, "time_limit_s": 0}).status_code == 422


def test_a_puzzle_is_made(client: TestClient) -> None:
    asked = {"cards": 7, "level": "medium", "seed": 4}
    made = client.post("/puzzle", json=asked).json()
    assert made["level"] == "medium"
    assert uno_csp.count(uno_csp.parse(made["question"])).objective == 1
    assert len(made["solution"]) == 7
    assert client.post("/puzzle", json=asked).json() == made
    made = client.post("/puzzle", json={"cards": 7, "missing": 1}).json()
    assert made["question"]["question"] == "fill-in"
    assert made["missing"][0] in made["question"]["supply"]


def test_a_hint_names_the_next_card(client: TestClient) -> None:
    hand = {"question": "uno-1", "cards": ["R1", "R2", "B2", "B3"], "after": "R9"}
    first = client.post("/hint", json={"instance": hand}).json()
    assert first["card"] == ["red", 1]
    assert first["reason"].startswith("after red 2, ")
    second = client.post("/hint", json={"instance": hand, "played": ["R2"]}).json()
    assert second["card"] is None
    assert second["reason"].startswith("take back red 2: ")


def test_many_questions_are_answered_in_order(client: TestClient) -> None:
    asked = [HAND, {"question": "uno-1", "cards": ["R5", "X7"]}, HAND, {"cards": []}]
    answers = client.post("/solve-many", json={"instances": asked}).json()["answers"]
    assert [each["status"] for each in answers] == ["SATISFIABLE", 422, "SATISFIABLE", 422]
    assert answers[0]["checked"]
    assert answers[1]["place"] == "cards[1]"
    assert client.post("/solve-many", json={"instances": []}).json() == {"answers": []}
    solved = {"instances": [HAND], "method": "successor", "presolve": False}
    assert client.post("/solve-many", json=solved).json()["answers"][0]["method"] == "successor"


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ({"instances": [HAND] * 10_001}, 422, "instances: "),
        ({"instances": [{"question": "uno-1", "cards": ["R5"] * 30_000}] * 2}, 413, "cards are"),
    ],
)
def test_what_is_wrong_for_all_questions_is_a_problem(
    client: TestClient, more: dict[str, Any], status: int, said: str
) -> None:
    refused = client.post("/solve-many", json=more)
    assert refused.status_code == status
    assert said in refused.json()["detail"]
