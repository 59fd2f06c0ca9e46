"""Readers of adjacency lists, 0/1 matrices and METIS: a line for each vertex."""

import re
from collections.abc import Iterator, Sequence

from uno_csp.graph_files.drafts import (
    MOST_EDGES,
    Draft,
    ReadGraph,
    Reading,
    Vertex,
    error_at,
    is_number,
    lines_of,
    named,
    numbered,
    size_of,
)
from uno_csp.graph_files.names import fault_of_name, require_apart
from uno_csp.questions.wording import counted


def read_adjacency(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph whose lines have a vertex and its neighbours: ``1: 2 3``, or ``1 2 3``.

    Each vertex has a line. An edge is on the line of one of its ends, or on those of both; where
    some edges are on one and others on both, the graph is directed.

    Raises InstanceError if the text is no such list, or of no undirected graph without loops.
    """
    draft = Draft(reading)
    lists: dict[str, tuple[int, list[str]]] = {}
    colons = set[bool]()
    for line, words in lines_of(text, "#%"):
        name, *near = words
        colons.add(name.endswith(":"))
        name = name.removesuffix(":")
        if len(colons) > 1:
            raise error_at(line, "some lines have a colon behind the vertex, others have none")
        near = _without_commas(near, line)
        for each in (name, *near):
            fault = "" if each in lists else fault_of_name(each)
            if re.search("[:,;]", each):
                fault = f"{named(each)} has a separator; a blank follows a colon"
            if fault:
                raise error_at(line, fault)
        draft.declare(name, line)
        lists[name] = line, near
    arcs = set[tuple[Vertex, Vertex]]()
    for name, (line, near) in lists.items():
        for other in near:
            if other not in lists:
                raise error_at(line, f"{named(other)} has no line of its own")
            draft.join(name, other, line)
            arcs.add((name, other))
    require_apart({name: line for name, (line, _) in lists.items()}, strict=True)
    yield draft.finish("an adjacency list", each_twice=draft.is_both_ways(arcs))


def _without_commas(words: list[str], line: int) -> list[str]:
    """Return the names of a list, which are separated by blanks, or all by commas."""
    if not any("," in word for word in words):
        return words
    names = [name.strip() for name in " ".join(words).split(",")]
    if any(len(name.split()) != 1 for name in names):
        raise error_at(line, "neighbours are separated by blanks, or all by commas")
    return names


def read_matrix(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph of a matrix of 0 and 1, whose cells blanks, commas or nothing separates."""
    draft = Draft(reading)
    rows = [(line, _cells_of(words, line)) for line, words in lines_of(text, "#%")]
    draft.number(range(1, len(rows) + 1), None)
    join_rows(draft, rows)
    yield draft.finish("a 0/1 matrix", each_twice=True)


def join_rows(draft: Draft, rows: Sequence[tuple[int, str]]) -> None:
    """Add the edges in the rows of a matrix of 0 and 1, with their lines."""
    for vertex, (line, cells) in enumerate(rows, start=1):
        if len(cells) != len(rows):
            raise error_at(line, f"{len(cells)} columns, but there are {len(rows)} rows")
        for other, cell in enumerate(cells, start=1):
            if cell == "1":
                draft.join(vertex, other, line)
            if other < vertex and cell != rows[other - 1][1][vertex - 1]:
                draft.directed(line, f"columns {vertex} and {other} of these rows differ")


def _cells_of(words: list[str], line: int) -> str:
    row = " ".join(words)
    cells = words if "," not in row else [cell.strip() for cell in row.split(",")]
    joined = "".join(cells)
    if len(cells) not in (1, len(joined)) or set(joined) - {"0", "1"}:
        raise error_at(
            line, "a row has the numbers 0 and 1, separated by blanks, commas or nothing"
        )
    return joined


def read_metis(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph of METIS: ``n m``, and a line of neighbours for each vertex.

    A third number of the heading says which weights there are: 100 sizes of vertices, 10 weights
    of vertices (a fourth number says how many), 1 weights of edges.
    """
    lines = [
        (number, line)
        for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1)
        if not line.lstrip().startswith("%")
    ]
    number, header = lines[0] if lines else (1, "")
    size, edges, skipped, step = _header(header.split(), number)
    draft = Draft(reading)
    draft.number(range(1, size + 1), number)
    for line, behind in lines[size + 1 :]:
        if behind.strip():
            raise error_at(line, f"there is a line behind those of the {size} vertices")
    if len(lines) <= size:
        raise error_at(number, f"the file is cut off; {counted(len(lines) - 1, 'line')} of {size}")
    arcs = set[tuple[Vertex, Vertex]]()
    for vertex, (line, near) in enumerate(lines[1 : size + 1], start=1):
        for word in _neighbours(near.split(), skipped, step, line):
            other = numbered(word, size, line)
            draft.join(vertex, other, line)
            arcs.add((vertex, other))
    draft.is_both_ways(arcs, required=True)
    if draft.listed != 2 * edges:
        stated = f"{edges} edges are stated, but {draft.listed / 2:g} are there"
        raise error_at(number, stated)
    if skipped or step > 1:
        draft.note("weights are ignored")
    yield draft.finish("METIS", each_twice=draft.size == edges)


def _neighbours(words: list[str], skipped: int, step: int, line: int) -> list[str]:
    near = words[skipped:]
    if len(words) < skipped or len(near) % step or not all(map(is_number, words)):
        first = f"{skipped} weights, then " if skipped else ""
        behind = ", each with a weight" if step > 1 else ""
        raise error_at(line, f"expected numbers: {first}neighbours{behind}")
    return near[::step]


def _header(words: list[str], line: int) -> tuple[int, int, int, int]:
    """Return the numbers of vertices, edges, weights of a vertex, and words of a neighbour."""
    if not 2 <= len(words) <= 4:
        raise error_at(line, "expected the heading 'VERTICES EDGES', and perhaps a format")
    size = size_of(words[0], "vertices", line)
    edges = size_of(words[1], "edges", line, MOST_EDGES)
    kind = words[2].zfill(3) if len(words) > 2 else "000"
    if len(kind) != 3 or set(kind) - {"0", "1"}:
        raise error_at(line, f"{named(words[2])} is no format of METIS; it has three digits 0 or 1")
    weights = size_of(words[3], "weights", line) if len(words) == 4 else 1
    return size, edges, (kind[0] == "1") + (kind[1] == "1") * weights, 1 + (kind[2] == "1")
