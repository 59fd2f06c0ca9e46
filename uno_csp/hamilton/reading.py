"""Readers of graphs: TSPLIB, DIMACS, graph6, sparse6, lists of edges and GraphML.

Each reader yields graphs with vertices named as in the file. An error names the line and what is
allowed there.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, TypeAlias

import networkx as nx

from uno_csp.errors import InstanceError, UnknownName

Graph: TypeAlias = "nx.Graph[Any]"

Reader: TypeAlias = Callable[[str], Iterator[Graph]]
"""Reads the graphs of a text; only graph6 and sparse6 have more than one."""


def read_graphs(text: str, *, name: str = "", kind: str | None = None) -> Iterator[Graph]:
    r"""Yield the graphs of a text.

    Parameters
    ----------
    name
        Name of the file, whose suffix tells the format.
    kind
        Name of the format, one of :data:`FORMATS`; by default it is told by the name, and else by
        the text.

    Raises
    ------
    UnknownName
        If there is no such format.
    InstanceError
        If the text is not a graph in this format, or the graph is directed or has a loop.

    Examples
    --------
    >>> [sorted(graph.edges) for graph in read_graphs("a b\nb c\n")]
    [[('a', 'b'), ('b', 'c')]]
    """
    if kind is not None and kind not in FORMATS:
        raise UnknownName("graph format", kind, FORMATS)
    chosen = kind or _SUFFIXES.get(PurePath(name).suffix.lower()) or _guessed(text)
    yield from FORMATS[chosen](text)


def _guessed(text: str) -> str:
    """Return the format that a text looks like."""
    start = text.lstrip()
    if start.startswith("<"):
        return "graphml"
    if re.search(r"^\s*EDGE_DATA_SECTION", text, re.MULTILINE):
        return "hcp"
    if re.search(r"^p\s", text, re.MULTILINE):
        return "col"
    words = start.split()
    if words and all(len(line.split()) < 2 for line in start.splitlines()):
        if words[0].startswith((":", ">>sparse6<<:")):
            return "sparse6"
        with suppress(InstanceError):
            return "graph6" if list(FORMATS["graph6"](words[0])) else "edges"
    return "edges"


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not empty, split into words, with their numbers."""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if words:
            yield number, words


def _read_hcp(text: str) -> Iterator[Graph]:
    """Read TSPLIB: DIMENSION, and the edges as EDGE_LIST or ADJ_LIST, which end with -1."""
    header: dict[str, str] = {}
    lines = _lines(text)
    for number, words in lines:
        key, _, value = " ".join(words).partition(":")
        if key.strip() == "EDGE_DATA_SECTION":
            break
        if words[0] == "EOF":
            raise InstanceError(f"line {number}: the file ends before EDGE_DATA_SECTION")
        _require_free(key, number)
        header[key.strip()] = value.strip()
    else:
        raise InstanceError("graph: there is no EDGE_DATA_SECTION")
    size = _size(header.get("DIMENSION", ""), "DIMENSION")
    if header.get("TYPE", "HCP") not in ("HCP", "HPP"):
        raise InstanceError(f"TYPE: {header['TYPE']} is not allowed; expected HCP")
    graph: Graph = nx.Graph()
    graph.add_nodes_from(range(1, size + 1))
    adjacency = header.get("EDGE_DATA_FORMAT", "EDGE_LIST") == "ADJ_LIST"
    if not (_read_adjacency if adjacency else _read_pairs)(graph, lines, size):
        raise InstanceError("graph: the file is cut off; EDGE_DATA_SECTION ends with -1")
    for number, words in lines:
        _require_free(words[0], number)
    yield graph


def _require_free(key: str, line: int) -> None:
    if key.strip(" :") == "FIXED_EDGES_SECTION":
        raise InstanceError(f"line {line}: edges that a tour has to use are not supported")


def _read_pairs(graph: Graph, lines: Iterator[tuple[int, list[str]]], size: int) -> bool:
    """Read a pair of vertices from each line; return True if the list has its end."""
    for number, words in lines:
        if words[0] in ("-1", "EOF"):
            return words[0] == "-1"
        if len(words) != 2:
            raise InstanceError(f"line {number}: expected two vertices")
        one, other = (_vertex(word, size, number) for word in words)
        _add_edge(graph, one, other, number)
    return False


def _read_adjacency(graph: Graph, lines: Iterator[tuple[int, list[str]]], size: int) -> bool:
    """Read lists of a vertex and its neighbours, each ended by -1; so is the list of lists."""
    current: list[int] = []
    for number, words in lines:
        for word in words:
            if word != "-1":
                current.append(_vertex(word, size, number))
            elif not current:
                return True
            else:
                for near in current[1:]:
                    _add_edge(graph, current[0], near, number)
                current = []
    return False


def _read_col(text: str) -> Iterator[Graph]:
    """Read DIMACS: ``p edge VERTICES EDGES``, and a line ``e U V`` for each edge."""
    graph: Graph = nx.Graph()
    size = promised = read = 0
    for number, words in _lines(text):
        if words[0] == "c":
            continue
        if words[0] == "p":
            if graph or len(words) != 4 or words[1] not in ("edge", "col", "edges"):
                raise InstanceError(f"line {number}: expected one line 'p edge VERTICES EDGES'")
            size = _size(words[2], f"line {number}")
            promised = int(words[3]) if words[3].isdecimal() else -1
            if promised < 0:
                raise InstanceError(f"line {number}: {words[3]} is no number of edges")
            graph.add_nodes_from(range(1, size + 1))
        elif words[0] == "e" and len(words) == 3:
            if not size:
                raise InstanceError(f"line {number}: an edge before the line 'p edge'")
            read += 1
            one, other = (_vertex(word, size, number) for word in words[1:])
            _add_edge(graph, one, other, number)
        else:
            raise InstanceError(f"line {number}: expected 'c ...', 'p edge ...' or 'e U V'")
    if not size:
        raise InstanceError("graph: there is no line 'p edge VERTICES EDGES'")
    if read < promised:
        raise InstanceError(f"graph: the file is cut off; {read} edges of {promised} are there")
    yield graph


def _read_edges(text: str) -> Iterator[Graph]:
    """Read two names on each line, or one of a vertex without edges.

    Blanks, a comma or a semicolon separate names; ``#`` begins a comment, ``%`` a line of comment.
    """
    graph: Graph = nx.Graph()
    without_comments = re.sub(r"#.*|^[ \t]*%.*", "", text, flags=re.MULTILINE)
    for number, line in enumerate(without_comments.splitlines(), start=1):
        names = _names(line.split(), line)
        if not graph and {name.lower() for name in names} in _HEADINGS:
            raise InstanceError(f"line {number}: a heading of columns; begin it with #")
        if len(names) > 2 or not all(names) or any(map(_ODD.search, names[: len(names) % 2])):
            raise InstanceError(
                f"line {number}: expected two vertices, separated by a blank or a comma, or one"
            )
        if len(names) == 2:
            _add_edge(graph, names[0], names[1], number)
        else:
            graph.add_nodes_from(names)
    yield graph


def _names(words: list[str], line: str) -> list[str]:
    """Return the names of a line; a name in brackets may have commas, as in ``(0,1) (0,2)``."""
    commas = [word for word in words if "," in word or ";" in word]
    if not commas or (len(words) == 2 and all(map(_BRACKETED.fullmatch, commas))):
        return words
    names = [cell.strip().strip('"') for cell in re.split("[,;]", line)]
    return [""] if any(map(_BRACKET.search, names)) else names


_BRACKET = re.compile(r"[][{}()]")
_BRACKETED = re.compile(r"\(.*\)|\[.*\]|\{.*\}")
_ODD = re.compile(r"[][{}()<>|:=]|--|^(?:[0-9]+-[0-9]+|[^\W\d]+-[^\W\d]+)$")
"""Part of a single word that is more likely an edge than a vertex: ``a->b``, ``a:b``, ``1-2``."""

_HEADINGS = ({"source", "target"}, {"from", "to"}, {"node1", "node2"})
"""Names of the columns of a table of edges."""


def _by_line(read: Callable[..., Any], named: str) -> Reader:
    """Return the reader of a format with a graph on each line."""

    def reader(text: str) -> Iterator[Graph]:
        """Read a graph from each line."""
        for number, words in _lines(text):
            line = words[0].removeprefix(f">>{named}<<")
            if len(words) > 1 or not line.isascii():
                raise InstanceError(f"line {number}: it is not {named}")
            try:
                graph = read(line.encode())
            except (nx.NetworkXException, ValueError, IndexError) as error:
                raise InstanceError(f"line {number}: it is not {named} ({error})") from None
            if nx.number_of_selfloops(graph):
                raise InstanceError(f"line {number}: a loop; a path uses none")
            yield nx.Graph(graph)

    return reader


def _read_graphml(text: str) -> Iterator[Graph]:
    from xml.etree.ElementTree import ParseError

    try:
        graph = nx.parse_graphml(text)
    except ParseError as error:
        line, _ = error.position
        raise InstanceError(f"line {line}: it is not GraphML ({error})") from None
    except (nx.NetworkXException, KeyError, ValueError) as error:
        raise InstanceError(f"graph: it is not GraphML ({error})") from None
    if graph.is_directed():
        raise InstanceError("graph: it is directed; expected an undirected graph")
    for one, _ in nx.selfloop_edges(graph):
        raise InstanceError(f"graph: a loop at {one}; a path uses none")
    yield nx.Graph(graph)


def _add_edge(graph: Graph, one: object, other: object, line: int) -> None:
    if one == other:
        raise InstanceError(f"line {line}: a loop at {one}; a path uses none")
    graph.add_edge(one, other)


def _size(text: str, place: str) -> int:
    if not text.isdecimal() or not int(text):
        raise InstanceError(f"{place}: {text or 'nothing'} is no number of vertices")
    return int(text)


def _vertex(word: str, size: int, line: int) -> int:
    number = int(word) if word.isdecimal() else 0
    if not 1 <= number <= size:
        raise InstanceError(f"line {line}: {word} is no vertex; they are numbered from 1 to {size}")
    return number


FORMATS: Mapping[str, Reader] = MappingProxyType(
    {
        "hcp": _read_hcp,
        "col": _read_col,
        "graph6": _by_line(nx.from_graph6_bytes, "graph6"),
        "sparse6": _by_line(nx.from_sparse6_bytes, "sparse6"),
        "graphml": _read_graphml,
        "edges": _read_edges,
    }
)
"""The readers by the name of their format."""

_SUFFIXES = {
    ".hcp": "hcp",
    ".col": "col",
    ".g6": "graph6",
    ".s6": "sparse6",
    ".graphml": "graphml",
    ".edges": "edges",
}
