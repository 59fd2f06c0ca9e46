"""Writers of UNO graphs as text: GraphML and graph6 by networkx, and DOT."""

import io
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

import networkx as nx

from uno_csp.errors import NotAccepted
from uno_csp.graphs.uno_graphs import Graph
from uno_csp.questions.wording import describe


def to_dot(graph: Graph) -> str:
    """Return the graph in Graphviz's DOT language, with cards as labels.

    >>> from uno_csp.graphs.uno_graphs import uno_graph
    >>> from uno_csp.questions import Uno1
    >>> print(to_dot(uno_graph(Uno1((("red", 5), ("red", 7))))))
    graph {
      0 [label="red 5"];
      1 [label="red 7"];
      0 -- 1;
    }
    """
    arrow, kind = ("->", "digraph") if graph.is_directed() else ("--", "graph")
    lines = [
        f"  {vertex} [label={json.dumps(describe(data['card']), ensure_ascii=False)}];"
        for vertex, data in graph.nodes(data=True)
    ]
    lines += [f"  {one} {arrow} {other};" for one, other in graph.edges()]
    return "\n".join([f"{kind} {{", *lines, "}"])


def to_graphml(graph: Graph) -> str:
    """Return the graph as GraphML, with cards as text."""
    plain = graph.copy()
    for _, data in plain.nodes(data=True):
        data["card"] = describe(data["card"])
    stream = io.BytesIO()
    nx.write_graphml_xml(plain, stream)
    return stream.getvalue().decode()


def to_graph6(graph: Graph) -> str:
    """Return the graph as one line of graph6, without names; raise NotAccepted if it has none."""
    if graph.is_directed():
        raise NotAccepted("graph6 is for undirected graphs without parallel edges and loops")
    text: str = nx.to_graph6_bytes(graph, header=False).decode()
    return text.strip()


WRITERS: Mapping[str, Callable[[Graph], str]] = MappingProxyType(
    {"dot": to_dot, "graphml": to_graphml, "graph6": to_graph6}
)
"""The writers by the name of their format."""
