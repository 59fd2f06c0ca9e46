"""The OpenAPI document, such that clients can be generated from it.

FastAPI describes the routes. Questions and answers get their schemas from the types of questions,
and requests, which are read by a program of their own, from their models; every operation gets its
tag, its examples and the errors it can come to, and the token its scheme where one is needed.
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
from uno_csp.service.bodies import (
    STANDS_FOR,
    AdviseRequest,
    AnalyseRequest,
    CheckRequest,
    ExportRequest,
    GenerateRequest,
    ParseRequest,
    SolveRequest,
)
from uno_csp.service.examples import EXAMPLES
from uno_csp.service.problems import problem
from uno_csp.service.replies import ProblemBody
from uno_csp.service.responses import MEDIA_TYPE
from uno_csp.service.settings import Settings

JSON = "application/json"
BEARER = "token"
TEXT, BINARY = {"type": "string"}, {"type": "string", "format": "binary"}
_REFERENCE = "#/components/schemas/{model}"
_REQUESTS: Mapping[str, type[BaseModel]] = {
    "solve": SolveRequest,
    "create_job": SolveRequest,
    "parse_question": ParseRequest,
    "check_answer": CheckRequest,
    "export_question": ExportRequest,
    "generate_question": GenerateRequest,
    "analyse_game": AnalyseRequest,
    "advise_player": AdviseRequest,
}
"""The bodies of operations by their ids: FastAPI does not see them."""

_TAGS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "solving": ("A question, and its answer", ("solve",)),
    "jobs": ("Questions that take their time", ("jobs",)),
    "files": (
        "Questions and answers: read, checked, written and made",
        ("parse", "check", "export", "generate"),
    ),
    "games": ("The real game, move by move", ("analyse", "advise")),
    "operation": ("For those who run the server", ("health", "ready", "metrics")),
    "choices": ("What there is to choose from", ()),
}
"""What each tag is for, and the first steps of its paths; the last has all others."""

_OPEN = ("health", "ready")
"""The operations that need no token and are not counted."""

_TOLD = {
    400: "not JSON",
    401: "no token",
    404: "no such thing",
    409: "not now",
    413: "too large",
    415: "not said to be JSON",
    421: "not a name of this server",
    422: "a bad question or option",
    429: "too much at a time",
    500: "a bug",
    502: "a solver failed",
    503: "not available",
}
_LATER = {
    "Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer", "minimum": 0}}
}
_RATE = {
    "RateLimit-Policy": {
        "description": "Requests of one client (q) in so many seconds (w)",
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": "How many are left (r), and the seconds until there are more (t)",
        "schema": {"type": "string"},
    },
}
_HEADERS: Mapping[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": {"description": "Bearer", "schema": {"type": "string"}}},
    429: _LATER,
}
_PLACE = {"Location": {"description": "The job", "schema": {"type": "string"}}}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of an operation, as FastAPI takes them."""
    schema = {STANDS_FOR: ProblemBody.__name__}
    return {
        status: {
            "description": _TOLD[status],
            "content": {MEDIA_TYPE: {"schema": schema, "example": problem(status, _TOLD[status])}},
            **({"headers": _HEADERS[status]} if status in _HEADERS else {}),
        }
        for status in statuses
    }


def operation_id(route: APIRoute) -> str:
    """The name of the function that answers, which does not change with the path."""
    return route.name


def describe(app: FastAPI, settings: Settings) -> None:
    """Let the application give out this document."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        """The document, made once."""
        if app.openapi_schema is None:
            app.openapi_schema = _completed(described(), settings)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _completed(document: dict[str, Any], settings: Settings) -> dict[str, Any]:
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
    found: dict[str, Any] = _resolved(document)
    return found


def _schemas() -> dict[str, Any]:
    """Of questions, answers and requests, and of what they refer to."""
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
    """Tag, summary, body, examples, headers, token and errors of one operation."""
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


def _resolved(node: Any) -> Any:
    """The same with every schema in its place that is only named."""
    if isinstance(node, Mapping):
        if STANDS_FOR in node:
            rest = {key: value for key, value in node.items() if key == "description"}
            return {"$ref": _REFERENCE.format(model=node[STANDS_FOR]), **rest}
        return {key: _resolved(value) for key, value in node.items()}
    return [_resolved(each) for each in node] if isinstance(node, list) else node
