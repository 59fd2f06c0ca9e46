"""Reading of requests: strictly, and only if they are not too large."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from uno_csp.errors import InstanceError, UnoCspError
from uno_csp.formats import parse
from uno_csp.formats.strict_json import NotJson, loads
from uno_csp.formats.text import unknown_key
from uno_csp.questions import Instance
from uno_csp.questions.arguments import first_fault, place_of, refusal
from uno_csp.questions.codes import MOST_WORDS
from uno_csp.service.problems import Problem

BodyT = TypeVar("BodyT", bound=BaseModel)
Task = Mapping[str, Any]

MOST_MEMBERS = 200_000  # keys of a request, or lists and objects: four for each card
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_WHOLE = re.compile(r"[0-9]\.0|[0-9][eE]")  # perhaps an integer written as a float

_OUTER = re.compile(r"\A(?:instance|answer)\.")
_EXACT = 2**53  # absolute value up to which every integer is a float
_KEY = re.compile(r'"\s*:')


def read(kind: type[BodyT], text: str, most_cards: int) -> BodyT:
    """Read a request from JSON; raise a Problem with 400, 413 or 422 if it is bad."""
    if members(text) > MOST_MEMBERS:
        raise Problem(413, f"the body has more than {MOST_MEMBERS} keys, or lists and objects")
    try:
        found = loads(text)
    except NotJson as error:
        raise Problem(400, f"the body is {error}") from None
    except InstanceError as error:  # its place begins at the question, as that of others does
        raise InstanceError(_OUTER.sub("", str(error))) from None
    if _WHOLE.search(text):
        found = _whole(found)
    try:
        return kind.model_validate(found, context=most_cards)
    except ValidationError as error:
        first = first_fault(error.errors(include_url=False))
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, UnoCspError):  # of a question, which names its place itself
            raise cause from None
        place = place_of(first["loc"]) or "body"
        said = f"{place}: {refusal(first)}"
        if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
            said = unknown_key(place, str(first["loc"][0]), [*kind.model_fields])
        raise Problem(422, said, place=place) from None


def _whole(value: Any) -> Any:
    """Return a value with integers for floats that are whole, which JSON Schema counts as such."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return {key: _whole(it) for key, it in value.items()} if isinstance(value, dict) else value


def members(text: str) -> int:
    """Return how many keys, or lists and objects, a text has: parsing many takes seconds."""
    found = _count(text)
    return found if found <= MOST_MEMBERS else _count(_STRING.sub('""', text))


def _count(text: str) -> int:
    return max(text.count("{") + text.count("["), len(_KEY.findall(text)))


def question_of(asked: Mapping[str, Any], most: int) -> Instance:
    """Parse a question, and check its size before and after: a Problem with 413 if too large."""
    require_short_lists(asked, most)
    instance = parse(asked)
    require_size(instance, most)
    return instance


def require_short_lists(given: Mapping[str, Any], most: int) -> None:
    """Raise a problem with status 413 if a list of cards or plays is too long."""
    for name, value in given.items():
        if isinstance(value, list):
            lists = value if name == "hands" else [value]
            count = sum(len(each) for each in lists if isinstance(each, list))
            if count > most:
                raise Problem(413, f"{count} cards are more than the {most} allowed")


def require_size(instance: Instance, most: int) -> None:
    """Raise a problem with status 413 if a question has more than ``most`` cards."""
    if instance.size > most:
        raise Problem(413, f"{instance.size} cards are more than the {most} allowed")


def require_words(text: str, most: int) -> None:
    """Raise a problem with status 413 if a typed text has more words than ``most`` cards have."""
    limit = MOST_WORDS * most
    words = sum(1 for _ in re.finditer(r"[^\s;]+", text))
    if not text.lstrip().startswith("{") and words > limit:
        raise Problem(413, f"{words} words are more than the {limit} that {most} cards have")
