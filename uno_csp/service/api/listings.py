"""Routes of the listings, and of the schemas of questions and answers."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter

from uno_csp.catalogue import LISTINGS, listing
from uno_csp.formats.answers import answer_schema
from uno_csp.formats.questions import question_schema
from uno_csp.service.api.description import PREFIX
from uno_csp.service.api.replies import ROWS


def listings_router(more_backends: Sequence[str]) -> APIRouter:
    """Return the routes; some more solver programs are listed with the backends."""
    router = APIRouter(prefix=PREFIX)
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
    return question_schema()


def get_answer_schema() -> dict[str, Any]:
    """Return the JSON Schema of an answer."""
    return answer_schema()
