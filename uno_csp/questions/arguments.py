"""Type checks of Python arguments, with error messages that name the argument."""

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from numbers import Real
from os import PathLike
from types import MappingProxyType, UnionType
from typing import Any

from uno_csp.errors import NotAccepted
from uno_csp.questions.wording import shown, shown_key

Kind = type | UnionType

LARGEST_SEED = 2**31 - 1  # largest seed that every solver takes

_WORDS: Mapping[Kind, str] = MappingProxyType(
    {
        int: "an integer",
        Real: "a number",
        bool: "true or false",
        str: "a name",
        str | PathLike: "a path",
    }
)

_FAULTS = {"missing": "missing", "extra_forbidden": "unknown key"}
"""Words for errors of Pydantic about keys."""

ALLOWED = {
    "bool_type": "true or false",
    "dict_type": "an object",
    "finite_number": "a finite number",
    "float_parsing": "a number",
    "float_type": "a number",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "int_from_float": "an integer",
    "int_parsing": "an integer",
    "int_parsing_size": "an integer",
    "int_type": "an integer",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "list_type": "a list",
    "literal_error": "{expected}",
    "enum": "{expected}",
    "model_attributes_type": "an object",
    "model_type": "an object",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "{min_length} or more characters",
    "string_type": "a text",
    "too_long": "at most {max_length} items",
    "too_short": "{min_length} or more items",
}
"""Wording of what is allowed, by the type of Pydantic's error, which names Python's types."""


def plain_value(given: Any) -> Any:
    """Return the integer that a value stands for by ``__index__``, or the text of a kind of text.

    A bool of NumPy is one of Python; any other value is returned as it is. True and False stand for
    no integer.

    >>> import enum, numpy
    >>> plain_value(numpy.int64(3)), plain_value("3"), plain_value(True)
    (3, '3', True)
    >>> plain_value(enum.StrEnum("Colour", {"RED": "red"}).RED)
    'red'
    """
    if isinstance(given, str):
        return str.__str__(given)
    if type(given).__name__ in ("bool", "bool_"):
        return bool(given)
    if type(given) is int or not hasattr(given, "__index__"):
        return given
    try:
        return operator.index(given)
    except TypeError:  # an array
        return given


def listed(given: Any) -> Any:
    """Return the list of an array with dimensions; any other value, as it is.

    >>> import numpy
    >>> listed(numpy.array([[1, 5], [1, 7]])), listed("R5")
    ([[1, 5], [1, 7]], 'R5')
    """
    if isinstance(given, memoryview):  # bytes are no numbers
        return given
    return given.tolist() if getattr(given, "ndim", 0) and hasattr(given, "tolist") else given


def iterated(given: Any) -> bool:
    """Return True for a value whose items are taken in their order: no text, mapping or set."""
    if isinstance(given, str | bytes | bytearray | memoryview | Mapping | Set):
        return False
    return isinstance(given, Iterable) and getattr(given, "ndim", 1) > 0


def described(given: object) -> str:
    """Return a value for a message, with its type if that is not one of JSON.

    >>> described("2"), described(2.5)
    ('"2"', '2.5')
    >>> import decimal
    >>> described(decimal.Decimal(2))
    '"2" (decimal.Decimal)'
    """
    kind = type(given)
    if kind.__module__ == "builtins":
        return shown(given)
    return f"{shown(given)} ({kind.__module__}.{kind.__qualname__})"


def require_kind(place: str, given: object, kind: Kind, what: str = "") -> None:
    """Raise unless a value has the required type; a bool does not count as a number.

    What stands for an integer counts as one.

    Raises NotAccepted if it has another type, with the place and what is allowed there.

    >>> require_kind("workers", "2", int)
    Traceback (most recent call last):
    ...
    uno_csp.errors.NotAccepted: workers: "2" is not allowed; expected an integer
    """
    if not isinstance(given, kind) or (isinstance(given, bool) and kind is not bool):
        raise NotAccepted(
            f"{place}: {described(given)} is not allowed; expected {what or _WORDS[kind]}"
        )


def place_of(steps: Iterable[int | str]) -> str:
    """Return the name of a place in JSON.

    >>> place_of(("hands", 0, "name"))
    'hands[0].name'
    """
    names = (f"[{step}]" if isinstance(step, int) else f".{shown_key(step)}" for step in steps)
    return "".join(names).removeprefix(".")


def first_fault(faults: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the fault of Pydantic's to report: an unknown key, if any, may be a misspelt one.

    >>> first_fault([{"type": "missing"}, {"type": "extra_forbidden"}])["type"]
    'extra_forbidden'
    """
    return next((each for each in faults if each["type"] == "extra_forbidden"), faults[0])


def refusal(error: Mapping[str, Any]) -> str:
    """Return what Pydantic refused, as it stands in the input, and what is allowed there.

    >>> refusal({"type": "greater_than", "ctx": {"gt": 0}, "input": -1})
    '-1 is not allowed; expected more than 0'
    >>> refusal({"type": "less_than_equal", "ctx": {"le": 30.0}, "input": 31})
    '31 is not allowed; expected at most 30'
    """
    kind, context = error["type"], error.get("ctx", {})
    if kind in _FAULTS:
        return _FAULTS[kind]
    if kind == "value_error":
        return str(context["error"])
    if kind == "float_type" and type(error["input"]) is int:  # beyond the largest float
        kind = "finite_number"
    context = {
        name: int(it) if isinstance(it, float) and it.is_integer() else it
        for name, it in context.items()
    }
    wanted = ALLOWED.get(kind, error.get("msg", "").lower()).format(**context).replace("'", "")
    return f"{shown(error['input'])} is not allowed; expected {wanted}"


def seed_of(given: Any) -> int:
    """Return a seed as an integer.

    Raises NotAccepted unless it is an integer from 0 to :data:`LARGEST_SEED`.

    >>> seed_of(3)
    3
    """
    seed = plain_value(given)
    require_kind("seed", seed, int)
    if not 0 <= seed <= LARGEST_SEED:
        raise NotAccepted(f"the seed must be from 0 to {LARGEST_SEED}, not {shown(seed)}")
    return int(seed)


def limit_of(name: str, given: Any) -> float:
    """Return the limit of a name as an integer or a float; numbers of libraries become floats.

    Raises NotAccepted unless it is a positive and finite number.

    >>> limit_of("time_limit_s", 3)
    3
    """
    limit = plain_value(given)
    require_kind(name, limit, Real)
    try:
        limit = limit if isinstance(limit, int) else float(limit)
        if limit > 0 and math.isfinite(limit):
            return limit
    except OverflowError:
        pass
    what = name.partition("_")[0]
    raise NotAccepted(f"the {what} limit must be positive and finite, not {shown(given)}")


def require_function(place: str, given: Callable[..., object] | None) -> None:
    """Raise NotAccepted unless a value is callable or None."""
    if given is not None and not callable(given):
        raise NotAccepted(f"{place}: {described(given)} is not allowed; expected a function")
