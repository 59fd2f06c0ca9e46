"""The description of the API: clients are generated from it, and people read it."""

import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from tests.support.browsing import chromium, needs_browser, server  # noqa: F401
from tests.support.serving import PAIR, client_of
from uno_csp.questions import question_types
from uno_csp.service.handlers.declaring import HANDLERS
from uno_csp.service.handlers.solving import EXAMPLES

OPERATIONS = {
    *("solve", "solve_many", "create_job", "list_jobs", "get_job", "delete_job", "delete_jobs"),
    *("cancel_job", "get_certificate", "watch_job", "parse_question", "check_answer"),
    *("export_question", "generate_question", "analyse_game", "advise_player", "choose_move"),
    *("review_game", "solve_graph", "certify_graph", "count_plays", "make_puzzle", "hint_puzzle"),
    *("list_encodings", "list_backends", "list_families", "list_questions", "list_formats"),
    *("question_schema", "answer_schema", "health", "ready", "metrics"),
}


def operations(document: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """The path, the method and the description of each operation."""
    return {
        operation["operationId"]: (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def strict(document: dict[str, Any]) -> dict[str, Any]:
    """The same, with no keys in an answer that its type does not name."""
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("Answer") and "properties" in schema:
            schema["additionalProperties"] = False
    return document


@pytest.mark.slow
def test_every_example_is_answered_as_described(client: TestClient) -> None:
    document = strict(client.get("/openapi.json").json())
    known = operations(document)
    shown = {name: each.example for name, each in HANDLERS.items()}
    for name, examples in {**shown, "solve": EXAMPLES, "create_job": EXAMPLES}.items():
        path, method, operation = known[name]
        for summary, example in examples.items():
            response = client.request(method, f"http://localhost{path}", json=example)
            assert response.status_code == (201 if name == "create_job" else 200), response.text
            content = operation["responses"][str(response.status_code)]["content"]
            kind = response.headers["content-type"].partition(";")[0]
            if kind == "application/json":
                jsonschema_rs.validate({**content[kind]["schema"], **document}, response.json())
            assert kind in content
            if name == "solve":
                assert response.json()["question"] == example["instance"]["question"], summary


def test_operations_have_names_tags_and_errors_of_their_own(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    known = operations(document)
    assert set(known) == OPERATIONS
    tags = {tag["name"] for tag in document["tags"]}
    for path, _, operation in known.values():
        assert tags.issuperset(operation["tags"]), path
        assert operation["summary"], path
        schema = {"$ref": "#/components/schemas/ProblemBody"}
        for status, response in operation["responses"].items():
            if status >= "400":
                kinds = {kind: media["schema"] for kind, media in response["content"].items()}
                assert kinds == {"application/problem+json": schema}
    assert "HTTPValidationError" not in document["components"]["schemas"]
    assert "securitySchemes" not in document["components"]
    told_apart = document["components"]["schemas"]["AnyAnswer"]["discriminator"]["mapping"]
    assert told_apart.keys() == question_types().keys()


def test_a_token_is_described_where_one_is_needed(tmp_path: Path) -> None:
    with client_of(tmp_path, token="secret") as client:  # noqa: S106
        document = client.get("/openapi.json").json()
        known = operations(document)
        schemes = document["components"]["securitySchemes"]
        assert schemes == {"token": {"type": "http", "scheme": "bearer"}}
        for name, (path, method, operation) in known.items():
            guarded = name not in ("health", "ready")
            assert ("security" in operation) == ("401" in operation["responses"]) == guarded
            response = client.request(method, f"http://localhost{path}", json={})
            assert (response.status_code == 401) == guarded


@needs_browser
@pytest.mark.slow
def test_the_description_is_a_page_that_asks_nobody_else(
    server: str,  # noqa: F811
) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda asked: said.append(asked.url))
        page.goto(f"{server}docs")
        page.click("#send")
        page.locator("#reply").get_by_text("the whole hand can be discarded").wait_for()
        assert page.locator("#requests tbody tr").count() == len(OPERATIONS)
        page.get_by_role("button", name="GET health").click()
        page.click("#send")
        page.locator("#status").get_by_text("200").wait_for()
        page.get_by_role("button", name="POST count").click()
        page.get_by_label("JSON to send").fill('{"instance": 3}')
        page.click("#send")
        page.locator("#status").get_by_text("422: instance").wait_for()
        own = re.compile(f"{re.escape(server)}|.*status of 422")
        assert not [each for each in said if not own.match(each)]


def test_an_answer_of_the_wrong_kind_is_not_described(client: TestClient) -> None:
    """The types are told apart by the question they answer."""
    document = strict(client.get("/openapi.json").json())
    answer = client.post("/solve", json={"instance": PAIR}).json()
    schema = {"$ref": "#/components/schemas/AnyAnswer", **document}
    jsonschema_rs.validate(schema, answer)
    for wrong in ({**answer, "question": "longest", "plays": []}, {**answer, "objective": 2}):
        with pytest.raises(jsonschema_rs.ValidationError):
            jsonschema_rs.validate(schema, wrong)
