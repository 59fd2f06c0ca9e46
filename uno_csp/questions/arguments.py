"""Type checks of Python arguments, with error messages that name the argument."""

from collections.abc import Callable, Mapping
from numbers import Real
from os import PathLike
from types import MappingProxyType, UnionType

from uno_csp.errors import NotAccepted
from uno_csp.questions.wording import shown

Kind = type | UnionType

_WORDS: Mapping[Kind, str] = MappingProxyType(
    {
        int: "an integer",
        Real: "a number",
        bool: "true or false",
        str: "a name",
        str | PathLike: "a path",
    }
)


def require_kind(place: str, given: object, kind: Kind, what: str = "") -> None:
    """Raise unless a value has the required type; a bool does not count as a number.

    Raises
    ------
    NotAccepted
        If it has another type, with the place and what is allowed there.

    Examples
    --------
    >>> require_kind("workers", "2", int)
    Traceback (most recent call last):
    ...
    uno_csp.errors.NotAccepted: workers: "2" is not allowed; expected an integer
    """
    if not isinstance(given, kind) or (isinstance(given, bool) and kind is not bool):
        raise NotAccepted(
            f"{place}: {shown(given)} is not allowed; expected {what or _WORDS[kind]}"
        )


def require_function(place: str, given: Callable[..., object] | None) -> None:
    """Raise unless a value is callable or None.

    Raises
    ------
    NotAccepted
        If it is neither.
    """
    if given is not None and not callable(given):
        raise NotAccepted(f"{place}: {shown(given)} is not allowed; expected a function")
