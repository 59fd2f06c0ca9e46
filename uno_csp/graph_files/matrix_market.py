"""Reader of Matrix Market files, by SciPy: a square matrix whose entries are edges."""

import io
import math
from collections.abc import Iterator
from typing import Any

from uno_csp.graph_files.drafts import (
    MOST_EDGES,
    Draft,
    ReadGraph,
    Reading,
    Vertex,
    error_at,
    named,
    size_of,
)


def read_matrix_market(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph of a square matrix, whose entries are edges and whose values are weights."""
    draft = Draft(reading)
    matrix, weighted = _matrix(text)
    draft.number(range(1, matrix.shape[0] + 1), None)
    arcs = set[tuple[Vertex, Vertex]]()
    for one, other, value in zip(matrix.row + 1, matrix.col + 1, matrix.data, strict=True):
        ends = (int(one), int(other))
        if not value or math.isnan(value):
            raise error_at(None, f"the entry of {ends[0]} and {ends[1]} is {value}, no weight")
        draft.join(*ends)
        if ends in arcs:
            raise error_at(None, f"the entry of {ends[0]} and {ends[1]} is there twice")
        arcs.add(ends)
    draft.is_both_ways(arcs, required=True)
    if weighted:
        draft.note("weights are ignored")
    yield draft.finish("Matrix Market", each_twice=True)


def _matrix(text: str) -> tuple[Any, bool]:
    """Return the entries of a square matrix, and whether they have values."""
    from scipy.io import mminfo, mmread  # which load slowly
    from scipy.sparse import coo_array

    try:
        rows, columns, entries, form, field, symmetry = mminfo(io.StringIO(text))
        fits = rows == columns and entries <= len(text)
        matrix = coo_array(mmread(io.StringIO(text))) if fits else None
    except (ValueError, OverflowError) as error:
        said = str(error).removesuffix(".")
        raise error_at(None, f"it is not Matrix Market: {named(said)}") from None
    size_of(str(rows), "vertices", None)
    size_of(str(entries if form == "coordinate" else 0), "edges", None, 2 * MOST_EDGES)
    if rows != columns:
        raise error_at(None, f"{rows} rows and {columns} columns; a graph has equally many")
    if matrix is None:
        raise error_at(None, f"the file is cut off; it has no {entries} entries")
    if symmetry in ("skew-symmetric", "hermitian") or field == "complex":
        raise error_at(1, f"a {symmetry} matrix of {field} numbers is no graph")
    return matrix, field != "pattern"
