"""Strict reading of JSON.

A duplicate key, and a string that is not Unicode text (half of a surrogate pair, which JSON can
write and UTF-8 cannot), are errors that name the place. So all accepted input can be written again.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from uno_csp.errors import InstanceError
from uno_csp.questions.given_cards import MAX_DIGITS
from uno_csp.questions.wording import NOT_TEXT, is_unicode, shown, shown_key

_LONG = object()  # stands for an integer of too many digits
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class NotJson(InstanceError):
    """The text is not JSON, or exceeds the limits of the parser."""


def loads(text: str) -> Any:
    r"""Return the value of a JSON text.

    Raises
    ------
    NotJson
        If it is not JSON.
    InstanceError
        If it has a duplicate key, or a string that is not Unicode.

    >>> loads('{"name": "\ud800"}')
    Traceback (most recent call last):
    ...
    uno_csp.errors.InstanceError: name: "\ud800" is no Unicode text: half of a surrogate pair
    """
    try:
        found = _decoded(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        said = error.msg.lower().removesuffix(" at")
        raise NotJson(f"not JSON: {said} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise NotJson("unreadable JSON: it is nested too deeply") from None
    if _SURROGATE.search(text) or not is_unicode(text):
        require_unicode(found)
    return found


def require_unicode(value: object) -> None:
    """Raise an InstanceError with the place unless every string in JSON is Unicode."""
    for place, text in _leaves(value, ""):
        if isinstance(text, str) and not is_unicode(text):
            where = f"{place}: " if place else ""
            raise InstanceError(f"{where}{shown(text)} {NOT_TEXT}")


def _decoded(text: str) -> Any:
    """Return the value of a JSON text without byte order mark."""
    try:
        return _DECODER.decode(text)
    except (json.JSONDecodeError, InstanceError):
        raise
    except ValueError:  # more digits than the interpreter reads: find them
        found = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_int=_short).decode(text)
        place = next(place for place, each in _leaves(found, "") if each is _LONG)
        where = f"{place}: " if place else ""
        raise InstanceError(f"{where}an integer has at most {MAX_DIGITS} digits") from None


def _short(digits: str) -> object:
    return int(digits) if len(digits) <= MAX_DIGITS else _LONG


def _leaves(value: object, place: str) -> Iterator[tuple[str, object]]:
    """Yield the keys and the values without parts in some JSON, with their places."""
    waiting: list[tuple[str, object]] = [(place, value)]
    while waiting:
        where, each = waiting.pop()
        if isinstance(each, dict):
            for key, inner in each.items():
                yield where, key
                waiting.append((f"{where}.{key}" if where else key, inner))
        elif isinstance(each, list | tuple):
            waiting.extend((f"{where}[{index}]", inner) for index, inner in enumerate(each))
        else:
            yield where, each


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InstanceError(f"{shown_key(key)}: duplicate key")
        found[key] = value
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"not JSON: {name} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
