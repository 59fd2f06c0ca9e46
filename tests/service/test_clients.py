"""The description of the API: people read it, and clients generated from it call every route."""

import inspect
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2 as httpx
import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from tests.support import ROOT
from tests.support.browsing import chromium, needs_browser
from tests.support.serving import PAIR, client_of, wait_until
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
    assert document["openapi"].startswith("3.1.")
    assert set(known) == OPERATIONS
    tags = {tag["name"] for tag in document["tags"]}
    for path, _, operation in known.values():
        assert tags.issuperset(operation["tags"]), path
        assert operation["summary"], path
        assert {"400", "403", "412", "431"} <= operation["responses"].keys(), path  # of any request
        schema = {"$ref": "#/components/schemas/ProblemBody"}
        for status, response in operation["responses"].items():
            kinds = response.get("content", {})
            for media in kinds.values():  # what its version of OpenAPI knows
                assert media.keys() <= {"schema", "example", "examples", "encoding"}, path
            if status >= "400":
                assert [*kinds] == ["application/problem+json"]
                assert kinds["application/problem+json"]["schema"] == schema
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
def test_the_description_is_a_page_that_asks_nobody_else(server: str) -> None:
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


COMMAND = "generate --path openapi.json --config config.yml --meta none --output-path asking"
CONFIG = "content_type_overrides:\n  application/zip: application/octet-stream\npost_hooks: []\n"
TOOLS = ROOT / "tests/service/clients/node_modules"
PROVED = {"instance": {"question": "uno-1", "cards": [[1, 1], [2, 2]]}, "proof": True}
EXPECTED: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(OPERATIONS, (200,)),
    "create_job": (201,),
    "delete_job": (204,),
    "solve": (200, 202),  # 202 where it is busy
}
LAST = ("delete_job", "delete_jobs")  # called when nothing else needs the job
TYPESCRIPT = """
import createClient from "openapi-fetch";
import type {{ paths }} from "./api";

declare const process: {{ argv: string[] }};
const client = createClient<paths>({{ baseUrl: process.argv[2] }});
const name = process.argv[3];
const said: Record<string, number> = {{}};
{calls}
console.log(JSON.stringify(said));
"""


@pytest.fixture(scope="module")
def document(server: str) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{server}api/v1/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def package(document: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("python")
    (folder / "config.yml").write_text(CONFIG)
    (folder / "openapi.json").write_text(json.dumps(document))
    said = run(f"{Path(sys.executable).parent}/openapi-python-client {COMMAND}", folder)
    assert "arning" not in said
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(folder)
        yield import_module("asking")


def proved_job(server: str) -> str:
    """A finished job with a certificate."""
    job: str = httpx.post(f"{server}api/v1/jobs", json=PROVED).json()["id"]
    where = f"{server}api/v1/jobs/{job}"
    wait_until(lambda: httpx.get(where).json()["state"] == "done")
    assert httpx.get(f"{where}/certificate").status_code == 200
    return job


def smallest(operation: dict[str, Any]) -> Any:
    """The smallest example of a request; None for a route without a body."""
    if "requestBody" not in operation:
        return None
    examples = operation["requestBody"]["content"]["application/json"]["examples"]
    bodies: list[Any] = [each["value"] for each in examples.values()]
    return min(bodies, key=lambda body: len(json.dumps(body)))


def in_order(document: dict[str, Any]) -> list[tuple[str, str, str, dict[str, Any]]]:
    """Name, path, method and description of each operation; those that delete come last."""
    found = [(name, *known) for name, known in operations(document).items()]
    return sorted(found, key=lambda each: each[0] in LAST)


def require_expected(said: dict[str, int]) -> None:
    assert said.keys() == EXPECTED.keys()
    assert not {name: status for name, status in said.items() if status not in EXPECTED[name]}


@pytest.mark.slow
def test_a_python_client_calls_every_route(
    package: Any, document: dict[str, Any], server: str
) -> None:
    job, said = proved_job(server), {}
    with package.Client(base_url=server.rstrip("/")) as client:
        for name, path, _, operation in in_order(document):
            module = import_module(f"asking.api.{operation['tags'][0]}.{name}")
            more: dict[str, Any] = {"older_days": 36_500} if name == "delete_jobs" else {}
            body = smallest(operation)
            if body is not None:
                kind = inspect.signature(module.sync_detailed).parameters["body"].annotation
                more["body"] = kind.from_dict(body)
                assert more["body"].to_dict() == body
            where = (job,) if "{name}" in path else ()
            said[name] = int(module.sync_detailed(*where, client=client, **more).status_code)
    require_expected(said)


@pytest.mark.slow
@pytest.mark.skipif(
    not TOOLS.exists() and "CI" not in os.environ, reason="npm has not installed the generator"
)
def test_a_typescript_client_calls_every_route(
    document: dict[str, Any], server: str, tmp_path: Path
) -> None:
    (tmp_path / "node_modules").symlink_to(TOOLS)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    calls = "\n".join(map(typescript_of, in_order(document)))
    (tmp_path / "call.ts").write_text(TYPESCRIPT.format(calls=calls))
    options = "--strict --target es2022 --module es2022 --moduleResolution bundler --lib es2023,dom"
    run("node_modules/.bin/openapi-typescript openapi.json -o api.d.ts", tmp_path)
    run(f"node_modules/.bin/tsc {options} call.ts", tmp_path)
    said = run(f"node call.js {server.rstrip('/')} {proved_job(server)}", tmp_path)
    require_expected(json.loads(said))


def run(command: str, folder: Path) -> str:
    """Run a program, and return what it prints."""
    done = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def typescript_of(known: tuple[str, str, str, dict[str, Any]]) -> str:
    """The statement that calls an operation, and keeps its status."""
    name, path, method, operation = known
    parameters = []
    if "{name}" in path:
        parameters.append("path: { name }")
    if name == "delete_jobs":
        parameters.append("query: { older_days: 36500 }")
    options = [f"params: {{ {', '.join(parameters)} }}"] if parameters else []
    if (body := smallest(operation)) is not None:
        options.append(f"body: {json.dumps(body)}")
    if "application/json" not in operation["responses"].get("200", {}).get("content", {}):
        options.append('parseAs: "text"')
    call = f'client.{method.upper()}("{path}", {{ {", ".join(options)} }})'
    return f'said["{name}"] = (await {call}).response.status;'


@pytest.mark.slow
def test_a_python_client_gets_a_typed_answer(package: Any, server: str) -> None:
    models = import_module("asking.models")
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
