"""What there is to choose from, and the schemas of questions and answers."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import FastAPI

from uno_csp.catalogue import LISTINGS, listing
from uno_csp.formats.answers import answer_schema
from uno_csp.formats.questions import question_schema as schema
from uno_csp.service.replies import ROWS


def add(app: FastAPI, prefix: str, guarded: list[Any], more_backends: Sequence[str]) -> None:
    """Add the routes; some more solver programs are listed with the backends."""
    for what in LISTINGS:
        rows = partial(listing, what, tuple(more_backends))
        row = ROWS.get(what, dict[str, Any])
        app.get(
            f"{prefix}/{what}",
            dependencies=guarded,
            response_model=list[row],  # type: ignore[valid-type]
            name=f"list_{what}",
            description=f"The {what} there are.",
        )(rows)

    @app.get(f"{prefix}/schema/question", dependencies=guarded)
    def question_schema() -> dict[str, Any]:
        """The JSON Schema of a question."""
        return schema()

    @app.get(f"{prefix}/schema/answer", dependencies=guarded, name="answer_schema")
    def answers() -> dict[str, Any]:
        """The JSON Schema of an answer."""
        return answer_schema()
