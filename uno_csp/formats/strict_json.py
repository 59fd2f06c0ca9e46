"""Strict reading of JSON.

A duplicate key, and a string that is not Unicode text (half of a surrogate pair, which JSON can
write and UTF-8 cannot), are errors that name the place. So all accepted input can be written again.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from uno_csp.errors import InstanceError
from uno_csp.questions.given_cards import MAX_DIGITS
from uno_csp.questions.wording import NOT_TEXT, is_unicode, shown, shown_key

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
        found = json.loads(text, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        raise NotJson(
            f"not JSON: {error.msg.lower()} at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise NotJson("unreadable JSON: it is nested too deeply") from None
    except InstanceError:
        raise
    except ValueError:  # more digits than the interpreter reads
        raise InstanceError(f"an integer has at most {MAX_DIGITS} digits") from None
    if _SURROGATE.search(text) or not is_unicode(text):
        require_unicode(found)
    return found


def require_unicode(value: object) -> None:
    """Raise an InstanceError with the place unless every string in JSON is Unicode."""
    for place, text in _strings(value, ""):
        if not is_unicode(text):
            where = f"{place}: " if place else ""
            raise InstanceError(f"{where}{shown(text)} {NOT_TEXT}")


def _strings(value: object, place: str) -> Iterator[tuple[str, str]]:
    waiting: list[tuple[str, object]] = [(place, value)]
    while waiting:
        where, each = waiting.pop()
        if isinstance(each, str):
            yield where, each
        elif isinstance(each, dict):
            for key, inner in each.items():
                yield where, key
                waiting.append((f"{where}.{key}" if where else key, inner))
        elif isinstance(each, list | tuple):
            waiting.extend((f"{where}[{index}]", inner) for index, inner in enumerate(each))


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InstanceError(f"{shown_key(key)}: duplicate key")
        found[key] = value
    return found
