"""The description of the API: clients are generated from it, and people read it."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2 as httpx
import jsonschema_rs
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser

from tests.support.browsing import chromium, keep, needs_browser, server  # noqa: F401
from tests.support.serving import PAIR, client_of
from uno_csp.service.handlers.declaring import HANDLERS
from uno_csp.service.handlers.solving import EXAMPLES

OPERATIONS = {
    *("solve", "solve_many", "create_job", "list_jobs", "get_job", "delete_job", "cancel_job"),
    "delete_jobs",
    *("get_certificate", "watch_job", "parse_question", "check_answer", "export_question"),
    *(
        "generate_question",
        "analyse_game",
        "advise_player",
        "choose_move",
        "review_game",
        "solve_graph",
        "list_encodings",
    ),
    *("count_plays", "make_puzzle", "hint_puzzle"),
    *(
        "list_backends",
        "list_families",
        "list_questions",
        "list_formats",
        "question_schema",
        "answer_schema",
    ),
    *("health", "ready", "metrics"),
}
COMMAND = "generate --path openapi.json --config config.yml --meta none --output-path asking"
CONFIG = "content_type_overrides:\n  application/zip: application/octet-stream\npost_hooks: []\n"


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
        for status, response in operation["responses"].items():
            if status >= "400":
                (kind,) = response["content"]
                schema = {"$ref": "#/components/schemas/ProblemBody"}
                assert (kind, response["content"][kind]["schema"]) == (
                    "application/problem+json",
                    schema,
                )
    assert "HTTPValidationError" not in document["components"]["schemas"]
    assert "securitySchemes" not in document["components"]
    assert set(document["components"]["schemas"]["AnyAnswer"]["discriminator"]["mapping"]) == {
        *("uno-1", "longest", "fill-in", "cooperative", "uncooperative", "open-game")
    }


def test_a_token_is_described_where_one_is_needed(tmp_path: Path) -> None:
    with client_of(tmp_path, token="secret") as client:  # noqa: S106
        document = client.get("/openapi.json").json()
        known = operations(document)
        assert document["components"]["securitySchemes"] == {
            "token": {"type": "http", "scheme": "bearer"}
        }
        for name, (path, method, operation) in known.items():
            guarded = name not in ("health", "ready")
            assert ("security" in operation) == ("401" in operation["responses"]) == guarded
            response = client.request(method, f"http://localhost{path}", json={})
            assert (response.status_code == 401) == guarded


@pytest.mark.slow
def test_a_generated_client_gets_a_typed_answer(
    server: str,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "config.yml").write_text(CONFIG)
    (tmp_path / "openapi.json").write_text(httpx.get(f"{server}api/v1/openapi.json").text)
    program = Path(sys.executable).parent / "openapi-python-client"
    completed = subprocess.run(
        [program, *COMMAND.split()],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert "arning" not in completed.stdout + completed.stderr
    monkeypatch.syspath_prepend(tmp_path)
    package, models = import_module("asking"), import_module("asking.models")
    solve = import_module("asking.api.solving.solve")
    create = import_module("asking.api.jobs.create_job")
    get = import_module("asking.api.jobs.get_job")

    def answer_to(question: Any) -> Any:
        """The answer, at once or by its job."""
        found = solve.sync(client=client, body=models.SolveRequest(instance=question))
        while isinstance(found, models.JobBody):
            assert found.state in (models.State.QUEUED, models.State.RUNNING, models.State.DONE)
            found = found.answer or get.sync(found.id, client=client)
        return found

    with package.Client(base_url=server.rstrip("/")) as client:
        hand = models.Longest(question="longest", cards=["R5", "R7", ["blue", 2]])
        answer = answer_to(hand)
        assert isinstance(answer, models.LongestAnswer)
        assert (answer.status, answer.objective) == (models.Status.OPTIMAL, 2)
        assert sorted(answer.sequence) == [["red", 5], ["red", 7]]
        hands = models.Uncooperative(question="uncooperative", hands=[["R5", "R7"], ["B7"]])
        answer = answer_to(hands)
        assert isinstance(answer, models.UncooperativeAnswer)
        assert answer.loser == 2
        job = create.sync(client=client, body=models.SolveRequest(instance=hand))
        assert isinstance(job, models.JobBody)
        assert isinstance(job.instance, models.Longest)
        hand.cards.append("R99")
        refused = answer_to(hand)
        assert isinstance(refused, models.ProblemBody)
        assert (refused.status, refused.place) == (422, "cards[3]")


@needs_browser
@pytest.mark.slow
def test_the_description_is_a_page_that_asks_nobody_else(
    server: str,  # noqa: F811
) -> None:
    with chromium() as browser:
        asks_nobody_else(browser, server)


def asks_nobody_else(browser: Browser, server: str) -> None:  # noqa: F811
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on(
        "request", lambda asked: None if asked.url.startswith(server) else said.append(asked.url)
    )
    page.goto(f"{server}docs")
    page.click("#try")
    page.click("#operations-solving-solve .opblock-summary-control")
    page.click("#operations-solving-solve .execute")
    answer = page.locator("#operations-solving-solve .live-responses-table").first
    answer.get_by_text("the whole hand can be discarded").first.wait_for()
    keep(page, "docs")
    assert page.locator(".opblock").count() == len(OPERATIONS)
    assert not said
    page.close()


def test_an_answer_of_the_wrong_kind_is_not_described(client: TestClient) -> None:
    """The types are told apart by the question they answer."""
    document = strict(client.get("/openapi.json").json())
    answer = client.post("/solve", json={"instance": PAIR}).json()
    schema = {"$ref": "#/components/schemas/AnyAnswer", **document}
    jsonschema_rs.validate(schema, answer)
    for wrong in ({**answer, "question": "longest", "plays": []}, {**answer, "objective": 2}):
        with pytest.raises(jsonschema_rs.ValidationError):
            jsonschema_rs.validate(schema, wrong)
