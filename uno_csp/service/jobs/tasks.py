"""The tasks of a worker: the keys of their results, and the request that a task carries."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from uno_csp.errors import InstanceError
from uno_csp.formats import parse
from uno_csp.formats.strict_json import NotJson, loads
from uno_csp.questions import Instance, OpenGame
from uno_csp.service.problems import Problem

BodyT = TypeVar("BodyT", bound=BaseModel)
Task = Mapping[str, Any]

RESULT, ERROR = "result", "error"
"""Keys of what a handler returns: the result, or a problem."""

ANSWER, REUSABLE = "answer", "reusable"
"""Keys of the result of a job: its answer, and the answer in canonical names if it is to be kept
for the same question in other names."""


def body_of(kind: type[BodyT], text: str) -> BodyT:
    """Parse a request from its JSON text.

    Raises
    ------
    Problem
        400 if it is not JSON, 422 if it does not match its model, with the place.
    InstanceError
        When a key occurs twice, or a string is not valid Unicode.
    """
    try:
        found = loads(text)
    except NotJson as error:
        raise Problem(400, f"the body is {error}") from None
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"]) or "body"
        raise Problem(422, f"{place}: {first['msg'].lower()}", place=place) from None


def question_of(asked: Mapping[str, Any], most: int) -> Instance:
    """Parse a question, and check its size.

    Raises
    ------
    InstanceError
        When it cannot be read.
    Problem
        413 when it is too large.
    """
    instance = parse(asked)
    require_size(instance, most)
    return instance


def open_game_of(given: dict[str, Any], most: int) -> OpenGame:
    """Return a question that must be a real game."""
    instance = question_of(given, most)
    if not isinstance(instance, OpenGame):
        raise InstanceError(f"question: {instance.question} is no open-game")
    return instance


def require_size(instance: Instance, most: int) -> None:
    """Raise a problem with status 413 if a question has more than ``most`` cards."""
    if instance.size > most:
        raise Problem(413, f"{instance.size} cards are more than the {most} allowed")
