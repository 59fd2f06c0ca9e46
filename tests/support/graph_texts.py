"""Graphs written in every format, by networkx where it has a writer, and read again by other code.

The readers here are lax and short: they say what a text that was accepted has to mean.
"""

import io
import json
import re
import shlex
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias
from xml.etree.ElementTree import fromstring

import networkx as nx
import pydot
from scipy.io import mmwrite

Graph: TypeAlias = "nx.Graph[Any]"

Shape: TypeAlias = tuple[set[str], set[frozenset[str]]]
"""The names of the vertices, and the edges between them."""


def shape_of(vertices: Iterable[Any], edges: Iterable[tuple[Any, Any]]) -> Shape:
    """Return vertices and edges by name."""
    pairs = {frozenset((str(one), str(other))) for one, other in edges}
    return {str(vertex) for vertex in vertices}, pairs


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _numbered(graph: Graph) -> Graph:
    return nx.convert_node_labels_to_integers(graph, first_label=1)


def edges(graph: Graph) -> str:
    return _lines(nx.generate_edgelist(graph, data=False))


def adjacency(graph: Graph) -> str:
    return _lines(f"{vertex}: {' '.join(map(str, graph[vertex]))}" for vertex in graph)


def matrix(graph: Graph) -> str:
    return _lines(
        " ".join(str(int(graph.has_edge(one, other))) for other in graph) for one in graph
    )


def metis(graph: Graph) -> str:
    numbered = _numbered(graph)
    head = f"{len(graph)} {graph.number_of_edges()}"
    return _lines([head, *(" ".join(map(str, numbered[vertex])) for vertex in numbered)])


def tgf(graph: Graph) -> str:
    vertices = (f"{vertex} the label" for vertex in graph)
    return _lines([*vertices, "#", *(f"{one} {other}" for one, other in graph.edges)])


def col(graph: Graph) -> str:
    pairs = (f"e {one} {other}" for one, other in _numbered(graph).edges)
    return _lines([f"p edge {len(graph)} {graph.number_of_edges()}", *pairs])


def hcp(graph: Graph, listed: str = "EDGE_LIST") -> str:
    numbered = _numbered(graph)
    pairs = (f"{one} {other}" for one, other in numbered.edges)
    lists = (f"{vertex} {' '.join(map(str, numbered[vertex]))} -1" for vertex in numbered)
    head = f"NAME : a graph\nTYPE : HCP\nDIMENSION : {len(graph)}\nEDGE_DATA_FORMAT : {listed}"
    rows = pairs if listed == "EDGE_LIST" else lists
    return _lines([head, "EDGE_DATA_SECTION", *rows, "-1", "EOF"])


def digraph6(graph: Graph) -> str:
    """Write a graph of less than 63 vertices with arcs both ways."""
    bits = "".join(str(int(graph.has_edge(one, other))) for one in graph for other in graph)
    bits += "0" * (-len(bits) % 6)
    codes = (int(bits[place : place + 6], 2) for place in range(0, len(bits), 6))
    return ">>digraph6<<&" + "".join(chr(63 + code) for code in (len(graph), *codes)) + "\n"


def pajek_matrix(graph: Graph) -> str:
    vertices = [f'{place} "{vertex}"' for place, vertex in enumerate(graph, start=1)]
    return _lines([f"*Vertices {len(graph)}", *vertices, "*Matrix", matrix(graph).rstrip()])


def dot(graph: Graph) -> str:
    vertices = [f'"{vertex}";' for vertex in graph]
    return _lines(["graph {", *vertices, *(f'"{u}" -- "{v}";' for u, v in graph.edges), "}"])


def mtx(graph: Graph) -> str:
    stream = io.BytesIO()
    mmwrite(stream, nx.to_scipy_sparse_array(graph), field="pattern")
    return stream.getvalue().decode()


WRITERS: Mapping[str, tuple[Callable[[Graph], str], ...]] = {
    "edges": (
        edges,
        lambda graph: _lines(nx.generate_edgelist(graph)),
        lambda graph: _lines(nx.generate_edgelist(graph, data=False, delimiter=",")),
        lambda graph: "source;target\n" + _lines(f"{u};{v}" for u, v in graph.edges),
        lambda graph: "% sym weighted\n" + _lines(f"{u}\t{v}\t2.5" for u, v in graph.edges),
    ),
    "adjacency": (adjacency, lambda graph: _lines(nx.generate_adjlist(graph))),
    "matrix": (matrix, lambda graph: matrix(graph).replace(" ", ",")),
    "metis": (metis, lambda graph: "% a comment\n" + metis(graph)),
    "tgf": (tgf,),
    "col": (col, lambda graph: "c a comment\n" + col(graph).replace(" edge ", " col ")),
    "hcp": (hcp, lambda graph: hcp(graph, "ADJ_LIST")),
    "graph6": (
        lambda graph: nx.to_graph6_bytes(graph).decode(),
        lambda graph: nx.to_graph6_bytes(graph, header=False).decode(),
    ),
    "sparse6": (
        lambda graph: nx.to_sparse6_bytes(graph).decode(),
        lambda graph: nx.to_sparse6_bytes(graph, header=False).decode(),
    ),
    "digraph6": (digraph6,),
    "graphml": (lambda graph: _lines(nx.generate_graphml(graph)),),
    "gml": (lambda graph: _lines(nx.generate_gml(graph)),),
    "pajek": (lambda graph: _lines(nx.generate_pajek(graph)), pajek_matrix),
    "dot": (dot, lambda graph: dot(graph).replace(" -- ", "--").replace(";", "[weight=2]")),
    "mtx": (mtx,),
    "json": (
        lambda graph: json.dumps(nx.node_link_data(graph)),
        lambda graph: json.dumps(nx.node_link_data(graph, edges="links"), indent=1),
    ),
}
"""The writers of each format."""

FIRST = {
    **dict.fromkeys(("matrix", "mtx", "metis", "col", "hcp"), 1),
    **dict.fromkeys(("graph6", "sparse6", "digraph6"), 0),
}
"""The first number, in formats without names."""


def written_shape(graph: Graph, format_name: str) -> Shape:
    """Return what a format has to keep of a graph."""
    if format_name in FIRST:
        order: Any = "sorted" if format_name == "sparse6" else "default"
        graph = nx.convert_node_labels_to_integers(graph, FIRST[format_name], order)
    if format_name == "edges":
        graph = graph.edge_subgraph(graph.edges)
    return shape_of(graph.nodes, graph.edges)


def _of(graph: Graph) -> Shape:
    return shape_of(graph.nodes, [edge[:2] for edge in graph.edges])


def _meant_by_edges(text: str) -> Shape:
    rows = [
        re.split(r"[,;\t ]+", line.strip())[:2]
        for line in text.split("\n")
        if line.strip() and line.strip()[0] not in "#%"
    ]
    if rows and set(rows[0]) == {"source", "target"}:
        del rows[0]
    assert all(len(row) == 2 for row in rows), text
    return shape_of([end for row in rows for end in row], [(row[0], row[1]) for row in rows])


def _meant_by_adjacency(text: str) -> Shape:
    rows = [line.replace(":", " ").replace(",", " ").split() for line in text.split("\n")]
    rows = [row for row in rows if row and row[0][0] not in "#%"]
    return shape_of([row[0] for row in rows], [(row[0], near) for row in rows for near in row[1:]])


def _meant_by_matrix(text: str) -> Shape:
    rows = [re.findall("[01]", line) for line in text.split("\n") if re.match(r"[ \t]*[01]", line)]
    ones = [(i, j) for i, row in enumerate(rows, 1) for j, cell in enumerate(row, 1) if cell == "1"]
    return shape_of(range(1, len(rows) + 1), ones)


def _meant_by_metis(text: str) -> Shape:
    rows = [line.split() for line in text.split("\n") if not line.lstrip().startswith("%")]
    size = int(rows[0][0])
    near = enumerate(rows[1 : size + 1], 1)
    return shape_of(range(1, size + 1), [(i, int(other)) for i, row in near for other in row])


def _meant_by_tgf(text: str) -> Shape:
    before, behind = re.split(r"(?m)^[ \t]*#[ \t]*$", text, maxsplit=1)
    vertices = [line.split()[0] for line in before.split("\n") if line.split()]
    rows = [line.split() for line in behind.split("\n") if line.split()]
    return shape_of(vertices, [(row[0], row[1]) for row in rows])


def _meant_by_col(text: str) -> Shape:
    (size,) = re.findall(r"(?m)^[ \t]*p\s+\w+\s+(\d+)", text)
    pairs = re.findall(r"(?m)^[ \t]*e\s+(\d+)\s+(\d+)", text)
    return shape_of(range(1, int(size) + 1), [(int(one), int(other)) for one, other in pairs])


def _meant_by_hcp(text: str) -> Shape:
    (size,) = re.findall(r"DIMENSION\s*:\s*(\d+)", text)
    words = text.partition("EDGE_DATA_SECTION")[2].split()
    pairs: list[tuple[int, int]] = []
    if "EDGE_LIST" in text:
        numbers = [int(word) for word in words[: words.index("-1")]]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    else:
        for each in " ".join(words).partition(" -1 -1")[0].split("-1"):
            one, *near = map(int, each.split())
            pairs += [(one, other) for other in near]
    return shape_of(range(1, int(size) + 1), pairs)


def _meant_by_digraph6(text: str) -> Shape:
    codes = [ord(char) - 63 for char in text.strip().removeprefix(">>digraph6<<").strip()[1:]]
    size, bits = codes[0], "".join(f"{code:06b}" for code in codes[1:])
    ones = [divmod(place, size) for place in range(size * size) if bits[place] == "1"]
    return shape_of(range(size), ones)


def _meant_by_graphml(text: str) -> Shape:
    elements = [(each.tag.rpartition("}")[2], each.attrib) for each in fromstring(text).iter()]
    vertices = [attributes["id"] for tag, attributes in elements if tag == "node"]
    edges = [each for tag, each in elements if tag == "edge"]
    return shape_of(vertices, [(each["source"], each["target"]) for each in edges])


def _meant_by_gml(text: str) -> Shape:
    several = re.sub(r"\bgraph\s*\[", "graph [ multigraph 1 ", text)
    try:
        found = _of(nx.parse_gml(several))
        return found if "" not in found[0] else _of(nx.parse_gml(several, label="id"))
    except (nx.NetworkXError, KeyError):  # a label is missing, or there twice
        return _of(nx.parse_gml(several, label="id"))


def _meant_by_dot(text: str) -> Shape:
    vertices, pairs = dict[str, None](), list[tuple[str, str]]()
    with warnings.catch_warnings(action="ignore"):  # of its parser
        graphs = pydot.graph_from_dot_data(text) or ()
    for found in graphs:
        for node in found.get_nodes():
            vertices[node.get_name().strip('"')] = None
        for edge in found.get_edges():
            pairs.append(
                (str(edge.get_source()).strip('"'), str(edge.get_destination()).strip('"'))
            )
    for pair in pairs:
        vertices.update(dict.fromkeys(pair))
    return shape_of([name for name in vertices if name not in ("node", "edge", "graph")], pairs)


def _meant_by_mtx(text: str) -> Shape:
    lines = [line.split() for line in text.split("\n") if line.strip() and line[0] != "%"]
    (size, *_), *entries = [[int(word) for word in line[:2]] for line in lines]
    return shape_of(range(1, size + 1), [(one, other) for one, other in entries])


def _meant_by_pajek(text: str) -> Shape:
    lines = [line for line in text.split("\n") if line.strip() and line.strip()[0] != "%"]
    (at,) = (place for place, line in enumerate(lines) if "*vertices" in line.lower())
    size, rows = int(lines[at].split()[1]), 0
    labels, pairs, section = dict[int, str](), list[tuple[int, int]](), "vertices"
    for line in lines[at + 1 :]:
        words = shlex.split(line, posix="'" not in line)
        if words[0][0] == "*":
            section = words[0]
        elif section.lower() == "*matrix":
            rows += 1
            pairs += [(rows, place) for place, word in enumerate(words, 1) if float(word)]
        elif section == "vertices":
            labels[int(words[0])] = words[1] if len(words) > 1 else ""
        else:
            ends = [int(word) for word in (words if "list" in section else words[:2])]
            pairs += [(ends[0], end) for end in ends[1:]]
    names = [labels.get(number, "") for number in range(1, size + 1)]
    if not all(names) or len(set(names)) < size:
        names = [str(number) for number in range(1, size + 1)]
    return shape_of(names, [(names[one - 1], names[other - 1]) for one, other in pairs])


def _plain(text: str, name: str) -> Any:
    return text.strip().removeprefix(f">>{name}<<").strip().encode()


MEANINGS: Mapping[str, Callable[[str], Shape]] = {
    "edges": _meant_by_edges,
    "adjacency": _meant_by_adjacency,
    "matrix": _meant_by_matrix,
    "metis": _meant_by_metis,
    "tgf": _meant_by_tgf,
    "col": _meant_by_col,
    "hcp": _meant_by_hcp,
    "graph6": lambda text: _of(nx.from_graph6_bytes(_plain(text, "graph6"))),
    "sparse6": lambda text: _of(nx.from_sparse6_bytes(_plain(text, "sparse6"))),
    "digraph6": _meant_by_digraph6,
    "graphml": _meant_by_graphml,
    "gml": _meant_by_gml,
    "pajek": _meant_by_pajek,
    "dot": _meant_by_dot,
    "mtx": _meant_by_mtx,
    "json": lambda text: _of(
        nx.node_link_graph(json.loads(text), edges="links" if '"links"' in text else "edges")
    ),
}
"""The meaning of an accepted text of each format."""
