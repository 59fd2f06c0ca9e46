"""Writers of graphs as text: GraphML and graph6 by networkx, and DOT."""

import io
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import networkx as nx

from uno_csp.errors import NotAccepted
from uno_csp.questions.wording import describe

Graph: TypeAlias = "nx.Graph[Any]"


def to_dot(graph: Graph) -> str:
    """Return the graph in Graphviz's DOT language, with cards as labels of vertices or edges.

    >>> print(to_dot(nx.path_graph(2)))
    graph {
      0 [label="0"];
      1 [label="1"];
      0 -- 1;
    }
    """
    arrow, kind = ("->", "digraph") if graph.is_directed() else ("--", "graph")
    number = {vertex: index for index, vertex in enumerate(graph)}
    lines = [
        f"  {number[vertex]} [label={_quote(_label(vertex, data))}];"
        for vertex, data in graph.nodes(data=True)
    ]
    for u, v, data in graph.edges(data=True):
        label = f" [label={_quote(describe(data['card']))}]" if "card" in data else ""
        lines.append(f"  {number[u]} {arrow} {number[v]}{label};")
    return "\n".join([f"{kind} {{", *lines, "}"])


def to_graphml(graph: Graph) -> str:
    """Return the graph as GraphML, with cards and vertices as text."""
    plain = graph.__class__()
    for vertex, data in graph.nodes(data=True):
        plain.add_node(str(vertex), **_texts(data))
    for u, v, data in graph.edges(data=True):
        plain.add_edge(str(u), str(v), **_texts(data))
    stream = io.BytesIO()
    nx.write_graphml_xml(plain, stream)
    return stream.getvalue().decode()


def to_graph6(graph: Graph) -> str:
    """Return the graph as one line of graph6, without names; raise NotAccepted if it has none."""
    if graph.is_directed() or graph.is_multigraph() or nx.number_of_selfloops(graph):
        raise NotAccepted("graph6 is for undirected graphs without parallel edges and loops")
    text: str = nx.to_graph6_bytes(graph, header=False).decode()
    return text.strip()


WRITERS: Mapping[str, Callable[[Graph], str]] = MappingProxyType(
    {"dot": to_dot, "graphml": to_graphml, "graph6": to_graph6}
)
"""The writers by the name of their format."""


def _label(vertex: Any, data: Mapping[str, Any]) -> str:
    if "card" in data:
        return describe(data["card"])
    return str(vertex[1]) if isinstance(vertex, tuple) and len(vertex) == 2 else str(vertex)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _texts(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: describe(value) if key == "card" else value for key, value in data.items()}
