"""The common parts of the routes in the OpenAPI document, which FastAPI makes of their types."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Body
from fastapi.routing import APIRoute
from pydantic import BaseModel

from uno_csp.service.api.responses import MEDIA_TYPE
from uno_csp.service.messages import ProblemBody, SchemaOf
from uno_csp.service.problems import phrase, problem

PREFIX = "/api/v1"  # path under which all routes of the API are
TEXT, BINARY = {"type": "string"}, {"type": "string", "format": "binary"}
BAD_BODY = (400, 404, 413, 415, 422, 502, 503, 507)  # problems of all routes that take a body
TAGS = [
    {"name": name, "description": meaning}
    for name, meaning in {
        "solving": "Ask a question and get its answer",
        "jobs": "Long-running questions",
        "files": "Parse, check, export and generate questions and answers",
        "graphs": "Hamiltonian problems",
        "plays": "The number of plays, and puzzles",
        "games": "The real game, move by move",
        "operation": "Monitoring of the server",
        "choices": "Listings of encodings, backends, families and so on, and the JSON Schemas",
    }.items()
]

_PROBLEM = {"$ref": f"#/components/schemas/{ProblemBody.__name__}"}


def _header(about: str, schema: Mapping[str, Any] = TEXT) -> dict[str, Any]:
    return {"description": about, "schema": schema}


PLACE = {"Location": _header("URL of the job")}
_POLICY = "Requests allowed per client (q), length of the window in seconds (w)"
_HEADERS: Mapping[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": _header("Bearer")},
    405: {"Allow": _header("The methods of this path")},
    429: {
        "Retry-After": _header("Seconds to wait", {"type": "integer", "minimum": 0}),
        "RateLimit-Policy": _header(_POLICY),
        "RateLimit": _header("Requests left (r), and seconds until more are allowed (t)"),
    },
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the error responses of an operation, in FastAPI's form."""
    return {
        status: {
            "description": phrase(status),
            "content": {
                MEDIA_TYPE: {"schema": _PROBLEM, "example": problem(status, phrase(status))}
            },
            **({"headers": _HEADERS[status]} if status in _HEADERS else {}),
        }
        for status in statuses
    }


def body_of(kind: type[BaseModel], examples: Mapping[str, Mapping[str, Any]]) -> Any:
    """Return the type of a body: a text, which a worker parses, described as a request."""
    shown = {summary: {"summary": summary, "value": each} for summary, each in examples.items()}
    return Annotated[str, SchemaOf(kind), Body(openapi_examples=shown)]  # type: ignore[arg-type]


def without_item_schemas(document: dict[str, Any]) -> dict[str, Any]:
    """Describe streams as texts, in place: OpenAPI has ``itemSchema`` only from 3.2 on."""
    for operations in document["paths"].values():
        for operation in operations.values():
            for response in operation["responses"].values():
                for media in response.get("content", {}).values():
                    if media.pop("itemSchema", None) is not None:
                        media["schema"] = TEXT
    return document


def operation_id(route: APIRoute) -> str:
    """Return the name of the route's function, which stays the same if the path changes."""
    return route.name
