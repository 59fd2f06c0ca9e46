"""The formats of graph files: how each is recognised, and which reader it has.

A text is read as one format: the one that is asked for, or that of the suffix, or the one whose
mark it has. A text without any of these is a list of edges if every line has that form; no format
takes what the others left.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType
from typing import TypeAlias

from uno_csp.errors import InstanceError, require_known
from uno_csp.formats.text import fault_of, plain_name, with_line_feeds
from uno_csp.graph_files.dot import read_dot
from uno_csp.graph_files.drafts import ReadGraph, Reading, error_at, is_number, lines_of, named
from uno_csp.graph_files.edges import NotEdges, read_edges
from uno_csp.graph_files.gml import read_gml
from uno_csp.graph_files.graphml import read_graphml
from uno_csp.graph_files.headings import APART, BEGIN, HEADING, PAIRS, SEVERAL, STRAY
from uno_csp.graph_files.lists import read_adjacency, read_matrix, read_metis
from uno_csp.graph_files.matrix_market import read_matrix_market
from uno_csp.graph_files.nauty import reader_of
from uno_csp.graph_files.node_link import read_node_link
from uno_csp.graph_files.sections import read_col, read_pajek, read_tgf
from uno_csp.graph_files.tsplib import read_tsplib

Mark: TypeAlias = Callable[[str], object]  # tells whether a text has the mark of a format


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its reader, the suffixes of its files, its mark, and whether lines have words."""

    read: Callable[[str, Reading], Iterator[ReadGraph]]
    suffixes: tuple[str, ...]
    mark: Mark | None = None
    of_lines: bool = True


def _starts(pattern: str) -> Mark:
    return re.compile(rf"\s*{pattern}").match


def _has_line(pattern: str) -> Mark:
    return re.compile(rf"^[ \t]*{pattern}", re.MULTILINE).search


def _has_colons(text: str) -> bool:
    """Return True if every line begins with a name and its only colon, as in ``1: 2 3``."""
    begun = False
    for _, (first, *near) in lines_of(text, "#%"):
        if not re.fullmatch(r'[^"{<[:]+:[^:]*', first) or any(":" in word for word in near):
            return False
        begun = True
    return begun


def _has_bar(text: str) -> bool:
    lines = (words for _, words in lines_of(text))
    begins = "#" in text and not next(lines)[0].startswith(("#", "%"))
    return begins and ["#"] in lines


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "edges": Format(read_edges, (".edges", ".edgelist", ".el")),
        "adjacency": Format(read_adjacency, (".adjlist", ".adj"), _has_colons),
        "matrix": Format(read_matrix, (".matrix",)),
        "metis": Format(read_metis, (".metis", ".graph")),
        "tgf": Format(read_tgf, (".tgf",), _has_bar),
        "col": Format(read_col, (".col",), _has_line(r"p[ \t]+(?:edge|edges|col)[ \t]")),
        "hcp": Format(
            read_tsplib,
            (".hcp", ".hpp", ".tsp"),
            _has_line(r"(?:(?:NAME|TYPE|DIMENSION|EDGE_DATA_FORMAT)[ \t]*:|\w+_SECTION[ \t]*$)"),
        ),
        "graph6": Format(reader_of("graph6"), (".g6",), _starts(">>graph6<<")),
        "sparse6": Format(reader_of("sparse6"), (".s6",), _starts(">>sparse6<<")),
        "digraph6": Format(reader_of("digraph6"), (".d6",), _starts(">>digraph6<<")),
        "graphml": Format(read_graphml, (".graphml",), _starts("<"), of_lines=False),
        "gml": Format(
            read_gml, (".gml",), _has_line(r"graph[ \t]*(?:\n[ \t]*)?\["), of_lines=False
        ),
        "pajek": Format(read_pajek, (".net", ".paj"), _has_line(r"\*(?i:vertices|network)\b")),
        "dot": Format(
            read_dot,
            (".dot", ".gv"),
            _starts(
                r"(?:(?://|#)[^\n]*\n\s*|/\*(?:[^*]|\*(?!/))*\*/\s*)*(?i:(?:strict\s+)?(?:di)?graph)\b[^{\n[]*\{"
            ),
            of_lines=False,
        ),
        "mtx": Format(read_matrix_market, (".mtx", ".mm"), _starts("%%MatrixMarket")),
        "json": Format(read_node_link, (".json",), _starts(r'\{\s*"'), of_lines=False),
    }
)
"""The formats by name."""


def read_graphs(
    text: str, *, name: str = "", kind: str | None = None, reading: Reading | None = None
) -> Iterator[ReadGraph]:
    r"""Yield the graphs of a text.

    The format is ``kind``, one of :data:`FORMATS`; by default the suffix of the file's ``name``
    tells it, and else the text. Raises UnknownName if there is no such format, and InstanceError if
    the text is not a graph in this format, or the graph is directed or has a loop.

    >>> [graph.said for graph in read_graphs("a b\nb c\n")]
    ['read as an edge list: 3 vertices, 2 edges']
    """
    if kind is not None:
        require_known("graph format", kind, FORMATS)
    plain = with_line_feeds(text)
    chosen = kind or _by_suffix(name) or _by_mark(plain)
    found = FORMATS[chosen or "edges"]
    if found.of_lines:
        _require_blanks(plain)
    if chosen:
        yield from found.read(plain, reading or Reading())
    else:
        yield from _read_unmarked(plain, reading or Reading())


def read_graph(
    text: str,
    *,
    number: int | None = None,
    name: str = "",
    kind: str | None = None,
    reading: Reading | None = None,
) -> ReadGraph:
    """Return the only graph of a text, or the one with a number from 1, as :func:`read_graphs`.

    Raises InstanceError if there is none, or there are several and no number is given.
    """
    return chosen_of(list(read_graphs(text, name=name, kind=kind, reading=reading)), number)


def chosen_of(found: Sequence[ReadGraph], number: int | None) -> ReadGraph:
    """Return the only graph, or the one with a number, as :func:`read_graph`."""
    if number is not None:
        if not 1 <= number <= len(found):
            raise InstanceError(f"graph: there is no graph {number}; there are {len(found)}")
        return found[number - 1]
    if len(found) != 1:
        raise InstanceError(
            f"graph: {len(found)} graphs; expected one, or its number as the option graph"
        )
    return found[0]


def _read_unmarked(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph of a list of edges, if no other format takes the text for another graph."""
    formats = f"the option format names one of {', '.join(FORMATS)}"
    try:
        (graph,) = read_edges(text, reading)
    except NotEdges as error:
        raise InstanceError(f"{error}. It has no mark of another format; {formats}") from None
    apart = next((note for note in graph.notes if note.startswith(APART)), None)
    if apart:
        said = f"the first line is {apart.removeprefix('with ')}, or a heading"
        raise InstanceError(f"graph: {said}; {BEGIN}; {formats}")
    odd = next((note for note in graph.notes if note.startswith((STRAY, SEVERAL, PAIRS))), None)
    if odd:
        raise InstanceError(f"graph: it is an edge list {odd}, or another text; {formats}")
    names = dict.fromkeys(map(str, graph.vertices))
    for name in names:
        words = name.split()
        if len(words) > 1 and all(word in names or is_number(word) for word in words):
            raise InstanceError(f"graph: {named(name)} may be one name or several; {formats}")
    headed = any(note.startswith(HEADING) for note in graph.notes)
    others = {*FORMATS} - {"edges", *(["adjacency"] * headed)}  # for which n is a lone vertex
    for kind in sorted(others):
        if FORMATS[kind].of_lines and _reads_differently(FORMATS[kind], text, graph):
            kinds = f"an edge list and one of the format {kind}"
            raise InstanceError(f"graph: {kinds} are written like this; {formats}")
    yield graph


def _reads_differently(other: Format, text: str, graph: ReadGraph) -> bool:
    """Return True if another format reads a text, with commas or without, as another graph."""
    try:
        found = list(other.read(text.translate(_BLANKS), Reading(undirected=True)))
    except InstanceError:
        return False
    return bool(found) and [_by_names(each) for each in found] != [_by_names(graph)]


_BLANKS = str.maketrans(",;", "  ")


def _by_names(graph: ReadGraph) -> tuple[set[str], set[frozenset[str]]]:
    """Return the names of the vertices, and the edges between them."""
    names = [*map(str, graph.vertices)]
    return {*names}, {frozenset((names[one], names[other])) for one, other in graph.edges}


def _require_blanks(text: str) -> None:
    """Raise if a character that Python takes for a blank is none of those that are seen as one."""
    odd = re.search(r"[^\S \t\n]", text)
    if odd:
        line = text.count("\n", 0, odd.start()) + 1
        raise error_at(line, fault_of(odd[0]))


def _by_suffix(name: str) -> str | None:
    suffix = PurePath(plain_name(name)).suffix
    return next((key for key, each in FORMATS.items() if suffix in each.suffixes), None)


def _by_mark(text: str) -> str | None:
    """Return the format whose mark a text has; raise InstanceError if it has several."""
    marked = [key for key, each in FORMATS.items() if each.mark and each.mark(text)]
    if len(marked) > 1:
        formats = " and of ".join(marked)
        raise InstanceError(
            f"graph: the text has marks of {formats}; the option format chooses one"
        )
    return marked[0] if marked else None
