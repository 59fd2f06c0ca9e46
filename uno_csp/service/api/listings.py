"""Routes of the listings, and of the schemas of questions and answers."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from uno_csp.catalogue import LISTINGS, listing
from uno_csp.service.api.description import PREFIX
from uno_csp.service.api.guarded import GuardedRoute
from uno_csp.service.messages import AnswerFile, AnyQuestion


class EncodingRow(BaseModel):
    """An encoding, or an algorithm, which needs no backend."""

    name: str
    needs_backend: bool
    proof: str
    questions: list[str]
    connectivity: list[str]
    summary: str


class BackendRow(BaseModel):
    """A solver backend, and how to install it if it is missing."""

    name: str
    installed: bool
    version: str | None
    install: str | None
    summary: str


class ParameterRow(BaseModel):
    """A parameter of a family."""

    name: str
    default: Any
    meaning: str
    allowed: str


class FamilyRow(BaseModel):
    """A family of instances."""

    name: str
    origin: str
    seeded: bool
    parameters: list[ParameterRow]
    summary: str


class QuestionRow(BaseModel):
    """A kind of question."""

    name: str
    title: str
    how_played: str
    sense: str
    shows: list[str]
    keys: list[str]
    summary: str


class FormatRow(BaseModel):
    """A format for other solvers."""

    name: str


ROWS: dict[str, type[BaseModel]] = {
    "encodings": EncodingRow,
    "backends": BackendRow,
    "families": FamilyRow,
    "questions": QuestionRow,
    "formats": FormatRow,
}
"""Model of the rows of each listing."""


def listings_router(more_backends: Sequence[str]) -> APIRouter:
    """Return the routes; some more solver programs are listed with the backends."""
    router = APIRouter(prefix=PREFIX, tags=["choices"], route_class=GuardedRoute)
    for what in LISTINGS:
        rows = partial(listing, what, tuple(more_backends))
        row = ROWS.get(what, dict[str, Any])
        router.get(
            f"/{what}",
            response_model=list[row],  # type: ignore[valid-type]
            name=f"list_{what}",
            description=f"List all {what}.",
        )(rows)
    router.get("/schema/question", name="question_schema")(get_question_schema)
    router.get("/schema/answer", name="answer_schema")(get_answer_schema)
    return router


def get_question_schema() -> dict[str, Any]:
    """Return the JSON Schema of a question."""
    schema: dict[str, Any] = AnyQuestion.model_json_schema()
    return schema


def get_answer_schema() -> dict[str, Any]:
    """Return the JSON Schema of an answer."""
    return AnswerFile.model_json_schema()
