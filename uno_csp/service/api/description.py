"""The OpenAPI document, complete enough to generate clients from.

FastAPI describes the routes. This module adds the schemas of questions and answers, made from the
question types; the schemas of request bodies, which FastAPI does not see because a worker process
parses them; the tag, examples and errors of each operation; and the security scheme of the token.
"""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from uno_csp.formats.answer_types import answers_schema
from uno_csp.formats.answers import answer_schema
from uno_csp.formats.questions import question_schema, without_null
from uno_csp.service.api.bodies import (
    STANDS_FOR,
    AdviseRequest,
    AnalyseRequest,
    CheckRequest,
    CountRequest,
    ExportRequest,
    GenerateRequest,
    HamiltonRequest,
    HintRequest,
    MoveRequest,
    ParseRequest,
    PuzzleRequest,
    ReviewRequest,
    SolveManyRequest,
    SolveRequest,
)
from uno_csp.service.api.examples import EXAMPLES
from uno_csp.service.api.replies import ProblemBody
from uno_csp.service.api.responses import MEDIA_TYPE
from uno_csp.service.problems import problem
from uno_csp.service.settings import Settings

PREFIX = "/api/v1"  # path under which all routes of the API are
JSON = "application/json"
BEARER = "token"
TEXT, BINARY = {"type": "string"}, {"type": "string", "format": "binary"}
_REFERENCE = "#/components/schemas/{model}"
_REQUESTS: Mapping[str, type[BaseModel]] = {
    "solve": SolveRequest,
    "create_job": SolveRequest,
    "solve_many": SolveManyRequest,
    "parse_question": ParseRequest,
    "check_answer": CheckRequest,
    "export_question": ExportRequest,
    "generate_question": GenerateRequest,
    "analyse_game": AnalyseRequest,
    "advise_player": AdviseRequest,
    "choose_move": MoveRequest,
    "review_game": ReviewRequest,
    "solve_graph": HamiltonRequest,
    "count_plays": CountRequest,
    "make_puzzle": PuzzleRequest,
    "hint_puzzle": HintRequest,
}
"""Request body of each operation, by operation id; FastAPI does not see them."""

_TAGS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "solving": ("Ask a question and get its answer", ("solve", "solve-many")),
    "jobs": ("Long-running questions", ("jobs",)),
    "files": (
        "Parse, check, export and generate questions and answers",
        ("parse", "check", "export", "generate"),
    ),
    "graphs": ("Hamiltonian problems", ("hamilton",)),
    "plays": ("The number of plays, and puzzles", ("count", "puzzle", "hint")),
    "games": ("The real game, move by move", ("analyse", "advise", "move", "review")),
    "operation": ("Monitoring of the server", ("health", "ready", "metrics")),
    "choices": ("Listings of encodings, backends, families and so on, and the JSON Schemas", ()),
}
"""Description of each tag and the first segments of its paths; the last has all others."""

_OPEN = ("health", "ready")  # operations that need no token and are not rate-limited
_DESCRIPTIONS = {
    400: "not JSON",
    401: "no token",
    404: "not found",
    409: "not possible in the state of the job",
    413: "too large",
    415: "content type is not JSON",
    421: "unknown host name",
    422: "a bad question or option",
    429: "too many requests",
    500: "internal error",
    502: "a solver failed",
    503: "not available",
}
_LATER = {
    "Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer", "minimum": 0}}
}
_RATE = {
    "RateLimit-Policy": {
        "description": "Requests allowed per client (q), and length of the window in seconds (w)",
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": "Requests left (r), and seconds until more are allowed (t)",
        "schema": {"type": "string"},
    },
}
_HEADERS: Mapping[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": {"description": "Bearer", "schema": {"type": "string"}}},
    429: _LATER,
}
_PLACE = {"Location": {"description": "URL of the job", "schema": {"type": "string"}}}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the error responses of an operation, in FastAPI's form."""
    schema = {STANDS_FOR: ProblemBody.__name__}
    return {
        status: {
            "description": _DESCRIPTIONS[status],
            "content": {
                MEDIA_TYPE: {"schema": schema, "example": problem(status, _DESCRIPTIONS[status])}
            },
            **({"headers": _HEADERS[status]} if status in _HEADERS else {}),
        }
        for status in statuses
    }


def operation_id(route: APIRoute) -> str:
    """Return the name of the route's function, which stays the same if the path changes."""
    return route.name


def describe(app: FastAPI, settings: Settings) -> None:
    """Have the application serve this document."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _complete_all(described(), settings)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _complete_all(document: dict[str, Any], settings: Settings) -> dict[str, Any]:
    components = document["components"]
    components["schemas"] = dict(sorted({**components["schemas"], **_schemas()}.items()))
    for schema in components["schemas"].values():
        if "properties" in schema:
            schema["properties"] = without_null(schema["properties"])
    for path, methods in document["paths"].items():
        for operation in methods.values():
            _complete(operation, path, settings)
    if settings.token is not None:
        components["securitySchemes"] = {BEARER: {"type": "http", "scheme": "bearer"}}
    document["tags"] = [{"name": tag, "description": said} for tag, (said, _) in _TAGS.items()]
    found: dict[str, Any] = _resolve(document)
    return found


def _schemas() -> dict[str, Any]:
    """Return the schemas of questions, answers and requests, and those they refer to."""
    question, answer = question_schema(_REFERENCE), answers_schema(_REFERENCE)
    claim = answer_schema(_REFERENCE)
    models: list[Any] = [
        (each, "validation") for each in dict.fromkeys((*_REQUESTS.values(), ProblemBody))
    ]
    _, requests = models_json_schema(models, ref_template=_REFERENCE)
    shared = (each.pop("$defs", {}) for each in (claim, answer, question, requests))
    found = {name: schema for defined in shared for name, schema in defined.items()}
    return {**found, "Question": question, "Answer": answer, "Claim": {**claim, "title": "Claim"}}


def _complete(operation: dict[str, Any], path: str, settings: Settings) -> None:
    """Add tag, summary, body, examples, headers, security and errors to an operation."""
    name, responses = operation["operationId"], operation["responses"]
    step = path.split("/")[3]
    tag = next((tag for tag, (_, steps) in _TAGS.items() if step in steps), [*_TAGS][-1])
    operation["tags"] = [tag]
    operation["summary"] = operation.pop("description").rstrip(".")
    if name in _REQUESTS:
        schema = {"$ref": _REFERENCE.format(model=_REQUESTS[name].__name__)}
        body = {"schema": schema, "examples": EXAMPLES[name]}
        operation["requestBody"] = {"required": True, "content": {JSON: body}}
    for status, holder in (("201", "create_job"), ("202", "solve")):
        if name == holder:
            responses[status]["headers"] = _PLACE
    if name not in _OPEN:
        for response in (each for status, each in responses.items() if status < "300"):
            response["headers"] = {**response.get("headers", {}), **_RATE}
    gone = set()
    if settings.token is None or name in _OPEN:
        gone.add("401")
    else:
        operation["security"] = [{BEARER: []}]
    if settings.token is not None:
        gone.add("421")
    if name in _OPEN:
        gone.add("429")
    for status in gone:
        responses.pop(status, None)
    operation["responses"] = dict(sorted(responses.items()))


def _resolve(node: Any) -> Any:
    """Return the document with each placeholder schema replaced by a ``$ref``."""
    if isinstance(node, Mapping):
        if STANDS_FOR in node:
            rest = {key: value for key, value in node.items() if key == "description"}
            return {"$ref": _REFERENCE.format(model=node[STANDS_FOR]), **rest}
        return {key: _resolve(value) for key, value in node.items()}
    return [_resolve(each) for each in node] if isinstance(node, list) else node
