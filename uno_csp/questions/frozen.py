"""Immutable, hashable dictionaries and lists for JSON values.

They are read, compared, printed and serialized like ordinary dictionaries and lists.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NoReturn

from uno_csp.questions.arguments import plain_value


def _refuse(self: object, *_args: object, **_more: object) -> NoReturn:
    raise TypeError(f"a {type(self).__name__} cannot be changed; thawed() returns a copy that can")


_SCALARS = frozenset({str, int, float, bool, type(None)})
"""Types that are immutable; most values of long lists have one of them."""


class FrozenDict(dict[str, Any]):
    """An immutable dictionary; its values are frozen too."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


class FrozenList(list[Any]):
    """An immutable list; its values are frozen too."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenList, (list(self),)


def frozen(value: Any) -> Any:
    """Return a JSON value with frozen dictionaries and lists.

    >>> hash(frozen({"a": [1, {"b": 2}]})) == hash(frozen({"a": [1, {"b": 2}]}))
    True
    """
    if type(value) in (FrozenDict, FrozenList):
        return value
    if isinstance(value, list):
        return FrozenList([each if type(each) in _SCALARS else frozen(each) for each in value])
    if isinstance(value, Mapping):
        return FrozenDict({key: frozen(each) for key, each in value.items()})
    return value


def thawed(value: Any) -> Any:
    """Return a JSON-ready copy of a value, with plain dictionaries and lists.

    >>> thawed(frozen({"a": [1]}))["a"].append(2)
    >>> thawed((("red", 5), ("red", 7)))
    [['red', 5], ['red', 7]]
    """
    if isinstance(value, list | tuple):
        return [each if type(each) in _SCALARS else thawed(each) for each in value]
    if isinstance(value, Mapping):
        return {key: thawed(each) for key, each in value.items()}
    if is_dataclass(value):
        return {each.name: thawed(getattr(value, each.name)) for each in fields(value)}
    return plain_value(value)
