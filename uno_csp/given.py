"""What a program hands over, held to what is allowed: Python's own errors would name no place."""

from collections.abc import Callable, Mapping
from numbers import Real
from os import PathLike
from types import MappingProxyType, UnionType

from uno_csp.errors import NotAccepted
from uno_csp.wording import shown

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
    """Nothing, if it is of a kind; a true is no number here.

    Raises
    ------
    NotAccepted
        Otherwise, with the place and what is allowed there.

    Examples
    --------
    >>> require_kind("workers", "2", int)
    Traceback (most recent call last):
    ...
    uno_csp.errors.NotAccepted: workers: "2" is not allowed; an integer is
    """
    if not isinstance(given, kind) or (isinstance(given, bool) and kind is not bool):
        raise NotAccepted(f"{place}: {shown(given)} is not allowed; {what or _WORDS[kind]} is")


def require_function(place: str, given: Callable[..., object] | None) -> None:
    """Nothing, if it can be called, or is left out.

    Raises
    ------
    NotAccepted
        Otherwise.
    """
    if given is not None and not callable(given):
        raise NotAccepted(f"{place}: {shown(given)} is not allowed; a function is")
