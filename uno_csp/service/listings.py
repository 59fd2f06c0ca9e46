"""What there is to choose from, and the schemas of questions and answers."""

from typing import Any

from fastapi import FastAPI

from uno_csp.exports import FORMATS
from uno_csp.families import families
from uno_csp.formats.answers import answer_schema
from uno_csp.formats.questions import question_schema as schema
from uno_csp.questions import question_types
from uno_csp.registry import (
    CONNECTIVITY,
    algorithm_names,
    backend_names,
    encoding_names,
    find_algorithm,
    find_backend,
    find_encoder,
)

Rows = list[dict[str, Any]]


def add(app: FastAPI, prefix: str, guarded: list[Any]) -> None:
    """Add the routes."""
    for path, rows in (
        ("encodings", _encodings),
        ("backends", _backends),
        ("families", _families),
        ("questions", _questions),
        ("formats", _formats),
    ):
        app.get(f"{prefix}/{path}", dependencies=guarded, response_model=Rows, name=path)(rows)

    @app.get(f"{prefix}/schema/question", dependencies=guarded)
    def question_schema() -> dict[str, Any]:
        """The JSON Schema of a question."""
        return schema()

    @app.get(f"{prefix}/schema/answer", dependencies=guarded, name="answer_schema")
    def answers() -> dict[str, Any]:
        """The JSON Schema of an answer."""
        return answer_schema()


def _encodings() -> Rows:
    """Encodings and algorithms."""
    rows: Rows = [
        {"name": name, "needs_backend": True, "proof": find_encoder(name).proves,
         "connectivity": list(CONNECTIVITY)}
        for name in encoding_names()
    ]  # fmt: skip
    rows += [
        {"name": find_algorithm(name).name, "needs_backend": False, "proof": "exact"}
        for name in algorithm_names()
    ]
    return rows


def _backends() -> Rows:
    """Solvers, installed or not."""
    found = [find_backend(name) for name in backend_names()]
    return [
        {"name": each.name, "installed": each.available(), "summary": each.summary}
        for each in found
    ]


def _families() -> Rows:
    """Instance families with their parameters."""
    return [
        {
            "name": family.name,
            "origin": str(family.origin),
            "seeded": family.seeded,
            "summary": family.summary,
            "parameters": [
                {"name": each.name, "default": each.default, "meaning": each.meaning,
                 "allowed": each.allowed}
                for each in family.parameters.values()
            ],
        }
        for family in families().values()
    ]  # fmt: skip


def _questions() -> Rows:
    """Kinds of questions."""
    return [
        {"name": name, "summary": (kind.__doc__ or "").splitlines()[0]}
        for name, kind in question_types().items()
    ]


def _formats() -> Rows:
    """Formats of exports."""
    return [{"name": name} for name in FORMATS]
