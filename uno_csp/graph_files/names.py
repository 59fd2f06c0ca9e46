"""Names of vertices in text: which are allowed, and which are not told apart by a reader."""

import re
from collections.abc import Iterable, Mapping

from uno_csp.errors import InstanceError
from uno_csp.formats.text import fault_of, is_missing, shape_of
from uno_csp.graph_files.drafts import error_at, named

_ODD = re.compile(r"[<>\"]|--|[:=]$|^[:=]|[\u2010-\u2015\u2190-\u21ff]")
"""Parts of a word that is more likely an edge, a list or a string than a name."""

_BRACKETS = {")": "(", "]": "[", "}": "{"}

_ROUNDED = re.compile(r"[-+]?[0-9]+(?:[.,][0-9]*)?[eE][-+][0-9]{1,3}")
"""A number as spreadsheets and pandas write a long one, without its last digits: ``1.23E+11``."""

_NUMBER = re.compile(r"([-+]?)0*([0-9]+)(?:\.0*)?")


def fault_of_name(name: str) -> str:
    """Return an error message for a word that is no name of a vertex; empty if it is one.

    >>> fault_of_name("b#1"), fault_of_name("NaN"), fault_of_name("a->b")
    ('', 'NaN is a missing value', 'a->b is no name of a vertex')
    """
    if not name:
        return "a missing value"
    if is_no_value(name):
        return f"{named(name)} is a missing value"
    if _ROUNDED.fullmatch(name):
        return f"{named(name)} is a number that a program has rounded"
    fault = fault_of(name)
    if fault:
        return f"{named(name)}: {fault}"
    if not any(map(str.isalnum, name)) or _ODD.search(name) or not _is_balanced(name):
        return f"{named(name)} is no name of a vertex"
    return ""


def is_no_value(name: str) -> bool:
    """Return True for a mark of a missing value; ``Na`` is sodium, and a name."""
    return name not in ("Na", "na", "nA") and is_missing(name)


def require_visible(name: str, line: int | None) -> None:
    """Raise an InstanceError unless all characters of a name can be seen and told apart."""
    fault = fault_of(name)
    if fault:
        raise error_at(line, f"{named(name)}: {fault}")


def require_apart(names: Mapping[str, int] | Iterable[str], *, strict: bool) -> None:
    """Raise InstanceError if two names differ only in how they are written.

    If ``strict``, names that differ in case or in leading zeros are taken for one, too: where names
    are not declared, they are more likely two spellings of one vertex.
    """
    lines = names if isinstance(names, Mapping) else {}
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(_look(name, strict=strict), name)
        if other != name:
            place = f"line {lines[name]}" if name in lines else "graph"
            raise InstanceError(
                f"{place}: {named(name)} and {named(other)} differ only in how they are written; "
                "where both are meant, write the graph as JSON"
            )


def _look(name: str, *, strict: bool) -> str:
    if name.isascii() and not strict:
        return name
    plain = " ".join(shape_of(name).split())
    if not strict:
        return plain
    number = _NUMBER.fullmatch(plain)
    return f"{number[1].strip('+')}{number[2]}" if number else plain.casefold()


def _is_balanced(name: str) -> bool:
    waiting: list[str] = []
    for char in name:
        if char in "([{":
            waiting.append(char)
        elif char in _BRACKETS and (not waiting or waiting.pop() != _BRACKETS[char]):
            return False
    return not waiting
