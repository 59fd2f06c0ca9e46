"""Routes of the listings, and of the schemas of questions and answers."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter

from uno_csp.catalogue import LISTINGS, listing
from uno_csp.service.api.description import PREFIX
from uno_csp.service.api.guarded import GuardedRoute
from uno_csp.service.messages import AnswerFile, AnyQuestion


def listings_router(more_backends: Sequence[str]) -> APIRouter:
    """Return the routes; some more solver programs are listed with the backends."""
    router = APIRouter(prefix=PREFIX, tags=["choices"], route_class=GuardedRoute)
    for what, (row, _) in LISTINGS.items():
        router.get(
            f"/{what}",
            response_model=list[row],  # type: ignore[valid-type]
            name=f"list_{what}",
            description=f"List all {what}.",
        )(partial(listing, what, tuple(more_backends)))
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
