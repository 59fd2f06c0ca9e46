"""Reader of GML: keys with a number, a string, or a list of keys in brackets."""

import html
import re
from collections.abc import Iterator
from typing import TypeAlias

from uno_csp.graph_files.drafts import Draft, ReadGraph, Reading, error_at, named, tokens_of
from uno_csp.graph_files.names import require_apart, require_visible

_TOKEN = re.compile(
    r"""[ \t\n]+|\#[^\n]*                                                # between tokens
    |(?P<key>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<number>[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?![\w.]))
    |(?P<string>"[^"]*")
    |(?P<bracket>[][])""",
    re.VERBOSE,
)
_PARTS = ("graph", "node", "edge", "directed")
_MARKS = frozenset(("id", "source", "target", "node", "edge"))
"""Keys of the lists that are parts of a graph."""

_MOST_INSIDE = 50  # maximum depth of lists
_Values: TypeAlias = dict[str, list["_Value"]]
_Value: TypeAlias = "tuple[int | str | _Values, int]"  # the values of each key, with their lines


def read_gml(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graphs of a GML file; vertices are called by labels that tell them apart."""
    found = _parse(text)
    _require_plain(found, ("graph",))
    graphs = found.get("graph", [])
    if not graphs:
        raise error_at(None, "there is no 'graph ['")
    for values, line in graphs:
        if not isinstance(values, dict):
            raise error_at(line, "expected 'graph ['")
        yield _graph(values, reading)


def _graph(values: _Values, reading: Reading) -> ReadGraph:
    draft, labels = Draft(reading), list[str]()
    _require_plain(values, ("directed", "node", "edge"))
    for direction, line in values.get("directed", []):
        _look_at_direction(draft, direction, line)
    for node, line in values.get("node", []):
        found = _only(node, ("id", "label"), line)
        draft.declare(_identifier(found.get("id", ""), "id", line), line)
        labels.append(found.get("label", ""))
        require_visible(labels[-1], line)
    for edge, line in values.get("edge", []):
        found = _only(edge, ("source", "target", "directed"), line)
        _look_at_direction(draft, found.get("directed", "0"), line)
        one, other = (_identifier(found.get(key, ""), key, line) for key in ("source", "target"))
        draft.join(one, other, line)
    graph = draft.finish("GML", labels)
    require_apart((name for name in graph.vertices if isinstance(name, str)), strict=False)
    return graph


def _look_at_direction(draft: Draft, direction: object, line: int) -> None:
    if direction not in ("0", "1"):
        raise error_at(line, "directed: expected 0 or 1")
    if direction == "1":
        draft.directed(line, "directed 1")


def _only(given: "int | str | _Values", keys: tuple[str, ...], line: int) -> dict[str, str]:
    """Return the values of some keys of a list, each of which is there once at most."""
    if not isinstance(given, dict):
        raise error_at(line, "expected a list in brackets")
    _require_plain(given, keys)
    found = {}
    for key in keys:
        for value, at in given.get(key, []):
            if key in found or isinstance(value, dict):
                raise error_at(at, f"expected one {key}, a number or a text")
            found[key] = html.unescape(str(value)[1:-1]) if str(value)[:1] == '"' else str(value)
    return found


def _require_plain(given: _Values, keys: tuple[str, ...]) -> None:
    """Raise if a list holds a part of a graph that is none of its keys, or a key in upper case."""
    for key, values in given.items():
        small = key.lower()
        if small != key and small in keys and (small not in given or small in _PARTS):
            raise error_at(values[0][1], f"{key} is not read; the key is {small}")
        for value, line in values:
            if isinstance(value, dict) and key not in keys and _is_part(key, value):
                raise error_at(line, f"a list {named(key)} is not read there")


def _is_part(key: str, inner: _Values) -> bool:
    """Return True if a list seems to be a part of a graph: by its key, or by the keys in it."""
    return key in _PARTS or not _MARKS.isdisjoint(map(str.lower, inner))


def _identifier(text: str, key: str, line: int) -> int:
    if not re.fullmatch(r"[-+]?[0-9]{1,18}", text):
        raise error_at(
            line, f"{key}: {named(text) or 'nothing'} is not allowed; expected an integer"
        )
    return int(text)


def _parse(text: str) -> _Values:
    """Return the keys of a text, with the values of lists read as well."""
    inside: list[_Values] = [{}]
    opened: list[int] = []
    key = ""
    for kind, word, line in tokens_of(text, _TOKEN, "does not begin a key or value"):
        if kind == "key" and not key:
            key = word
        elif word == "]" and not key and opened:
            inside.pop()
            opened.pop()
        elif key and word != "]" and kind != "key":
            value: int | str | _Values = {} if word == "[" else word
            inside[-1].setdefault(key, []).append((value, line))
            if isinstance(value, dict):
                inside.append(value)
                opened.append(line)
            key = ""
        else:
            expected = "a number, a string or [" if key else "a key or ]"
            raise error_at(line, f"expected {expected}, not {named(word)}")
        if len(opened) > _MOST_INSIDE:
            raise error_at(line, "the lists are nested too deeply")
    if key or opened:
        first = opened[0] if opened else None
        raise error_at(first, "the file is cut off; a list or a value has no end")
    return inside[0]
