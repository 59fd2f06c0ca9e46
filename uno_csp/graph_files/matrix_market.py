"""Reader of Matrix Market files: a symmetric matrix whose entries are edges.

The format is described by Boisvert, Pozo and Remington, "The Matrix Market Exchange Formats" (NIST
report 5935, 1996). SciPy's reader is not used: it takes lines that go on behind their numbers, and
ends the process if the last line of a dense matrix does.
"""

from collections.abc import Iterator
from typing import NamedTuple

from uno_csp.graph_files.drafts import (
    MOST_EDGES,
    WEIGHT,
    Draft,
    ReadGraph,
    Reading,
    Vertex,
    error_at,
    lines_of,
    named,
    numbered,
    size_of,
)

_FIELDS = ("real", "double", "integer", "unsigned-integer", "pattern")
_FIRST = ["%%matrixmarket", "matrix"]
_EXPECTED = (
    "expected %%MatrixMarket matrix, coordinate or array, "
    f"{', '.join(_FIELDS[:-1])} or pattern, and general or symmetric"
)


class _Kind(NamedTuple):
    """The form of a matrix, by the first line of its file."""

    dense: bool  # whether all entries are listed, column by column, without their places
    valued: bool  # whether entries have values
    symmetric: bool  # whether entries are those on and below the diagonal


def read_matrix_market(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph of a square matrix, whose entries are edges and whose values are weights."""
    kind = _kind_of(text.partition("\n")[0].lower().split())
    lines = iter(lines_of(text, "%"))
    line, words = next(lines, (1, []))
    size, entries = _sizes(words, line, kind)
    draft = Draft(reading)
    draft.number(range(1, size + 1), line)
    cells = _cells(size, kind)
    arcs = set[tuple[Vertex, Vertex]]()
    found = 0
    for found, (line, words) in enumerate(lines, start=1):
        if found > entries:
            raise error_at(line, f"there are more than the {entries} entries stated")
        one, other = next(cells) if kind.dense else _ends(words, size, line, kind)
        if kind.valued and not _value(words if kind.dense else words[2:], line):
            if kind.dense:
                continue
            raise error_at(line, f"the entry of {one} and {other} is 0, no weight")
        draft.join(one, other, line)
        if (one, other) in arcs:
            raise error_at(line, f"the entry of {one} and {other} is there twice")
        arcs |= {(one, other), (other, one)} if kind.symmetric else {(one, other)}
    if found < entries:
        raise error_at(None, f"the file is cut off; {found} of {entries} entries")
    draft.is_both_ways(arcs, required=True)
    if kind.valued:
        draft.note("weights are ignored")
    yield draft.finish("Matrix Market", each_twice=True)


def _kind_of(words: list[str]) -> _Kind:
    """Return what the first line says; raise InstanceError if it is none, or of no graph."""
    if len(words) != 5 or words[:2] != _FIRST or words[2] not in ("coordinate", "array"):
        raise error_at(1, f"it is not Matrix Market: {_EXPECTED}")
    form, field, symmetry = words[2:]
    if field == "complex" or symmetry in ("skew-symmetric", "hermitian"):
        raise error_at(1, f"a {symmetry} matrix of {field} numbers is no graph")
    if (form, field) == ("array", "pattern") or field not in _FIELDS:
        raise error_at(1, f"it is not Matrix Market: {_EXPECTED}")
    if symmetry not in ("general", "symmetric"):
        raise error_at(1, f"it is not Matrix Market: {_EXPECTED}")
    return _Kind(form == "array", field != "pattern", symmetry == "symmetric")


def _sizes(words: list[str], line: int, kind: _Kind) -> tuple[int, int]:
    """Return the numbers of vertices and of entries."""
    if len(words) != (2 if kind.dense else 3):
        entries = "" if kind.dense else " and entries"
        raise error_at(line, f"expected the numbers of rows, columns{entries}")
    rows, columns = (size_of(word, "vertices", line) for word in words[:2])
    if rows != columns:
        raise error_at(line, f"{rows} rows and {columns} columns; a graph has equally many")
    if not kind.dense:
        return rows, size_of(words[2], "edges", line, 2 * MOST_EDGES)
    return rows, rows * (rows + 1) // 2 if kind.symmetric else rows * rows


def _cells(size: int, kind: _Kind) -> Iterator[tuple[int, int]]:
    """Yield the places of a dense matrix in the order of its entries."""
    for column in range(1, size + 1):
        for row in range(column if kind.symmetric else 1, size + 1):
            yield row, column


def _ends(words: list[str], size: int, line: int, kind: _Kind) -> tuple[int, int]:
    if len(words) != 2 + kind.valued:
        value = " and a value" if kind.valued else ""
        raise error_at(line, f"{named(' '.join(words))} is no entry: expected two vertices{value}")
    return numbered(words[0], size, line), numbered(words[1], size, line)


def _value(words: list[str], line: int) -> float:
    if len(words) != 1 or not WEIGHT.fullmatch(words[0]):
        raise error_at(line, f"{named(' '.join(words))} is no number")
    return float(words[0])
