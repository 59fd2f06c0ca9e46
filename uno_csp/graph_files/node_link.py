"""Reader of graphs in JSON: nodes and links, as networkx and D3 write them."""

import math
from collections.abc import Iterator
from typing import Any

from uno_csp.formats.strict_json import loads
from uno_csp.graph_files.drafts import Draft, ReadGraph, Reading, error_at
from uno_csp.questions.wording import shown, shown_key

_KEYS = ("directed", "multigraph", "graph", "nodes", "edges", "links", "name", "comment")


def read_node_link(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph of a JSON text: ``nodes`` with ``id``, and ``edges`` or ``links``."""
    given = loads(text)
    if not isinstance(given, dict) or not isinstance(given.get("nodes"), list):
        raise error_at(None, "expected a JSON object with the lists nodes and edges")
    for key in given:
        if key not in _KEYS:
            raise error_at(
                None, f"{shown_key(key)} is no key of a graph; there are {', '.join(_KEYS)}"
            )
    named = [key for key in ("edges", "links") if key in given]
    if len(named) != 1 or not isinstance(given[named[0]], list):
        raise error_at(None, "expected one list of edges, called edges or links")
    draft = Draft(reading)
    _look_at_direction(draft, given, "")
    _look_at_direction(draft, given.get("graph"), "graph.")
    for index, node in enumerate(given["nodes"]):
        draft.declare(_end(node, "id", f"nodes[{index}]"))
    for index, edge in enumerate(given[named[0]]):
        place = f"{named[0]}[{index}]"
        _look_at_direction(draft, edge, f"{place}.")
        draft.join(_end(edge, "source", place), _end(edge, "target", place))
    yield draft.finish("JSON")


def _look_at_direction(draft: Draft, given: Any, place: str) -> None:
    """Tell the draft of a key ``directed`` that is true; raise if it is neither true nor false."""
    directed = given.get("directed", False) if isinstance(given, dict) else False
    if not isinstance(directed, bool):
        said = f"{place}directed: {shown(directed)} is not allowed; expected true or false"
        raise error_at(None, said)
    if directed:
        draft.directed(None, f"{place}directed: true")


def _end(given: Any, key: str, place: str) -> Any:
    """Return the vertex that a key names: a number, a text, or a list of them as a tuple."""
    if not isinstance(given, dict) or key not in given:
        raise error_at(None, f"{place}: expected an object with {key}")
    vertex = given[key]
    parts = vertex if isinstance(vertex, list) else [vertex]
    for part in parts:
        wrong = isinstance(part, bool) or not isinstance(part, int | float | str)
        if wrong or (isinstance(part, float) and not math.isfinite(part)):
            raise error_at(
                None, f"{place}.{key}: {shown(vertex)} is not allowed; expected a number or text"
            )
    return tuple(parts) if isinstance(vertex, list) else vertex
