"""Graphs as Python objects: of networkx and igraph, matrices, data frames, pairs of vertices."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from uno_csp.errors import InstanceError
from uno_csp.graph_files.drafts import ReadGraph, Vertex
from uno_csp.graph_files.names import is_no_value
from uno_csp.processes.deadline import Deadline
from uno_csp.questions.arguments import iterated, plain_value
from uno_csp.questions.wording import printable, shown

_Pairs = Iterable[tuple[Vertex, Vertex]]
_APART = frozenset((int, str))
"""Types of which no value of one is equal to a value of the other, or of its own but itself."""

_DIRECTED = "graph: it is directed; expected an undirected graph"


def read_object(
    graph: Any, deadline: Deadline
) -> tuple[Sequence[Vertex], Iterable[tuple[int, int]]]:
    """Return the vertices of a graph, and its edges as pairs of places, each once.

    Raises InstanceError if it is no graph, is directed, or has a loop or a missing value; TimeUp if
    the deadline passes.
    """
    if isinstance(graph, ReadGraph):
        return graph.vertices, graph.edges
    named, pairs = _parts(graph)
    if named is None:
        pairs = list(deadline.watch(pairs))
        ends = [vertex for pair in pairs for vertex in pair]
        vertices = list(dict.fromkeys(ends))
        _require_apart(vertices, ends)
    else:
        vertices = [vertex_of(vertex, "graph") for vertex in deadline.watch(named)]
    place = {vertex: index for index, vertex in enumerate(vertices)}
    _require_apart(place, vertices)
    if len(place) < len(vertices):
        twice = next(vertex for at, vertex in enumerate(vertices) if place[vertex] != at)
        raise InstanceError(f"graph: two vertices are called {shown(twice)}")
    edges: dict[tuple[int, int], None] = {}
    for one, other in deadline.watch(pairs):
        if one == other:
            raise InstanceError(f"graph: a loop at {printable(str(one))}; a path uses none")
        edges[min(place[one], place[other]), max(place[one], place[other])] = None
    return vertices, edges


def _require_apart(known: Iterable[Vertex], given: Iterable[Vertex]) -> None:
    """Raise InstanceError if Python takes two vertices for one though they are of two kinds."""
    if {*map(type, given)} <= _APART:
        return
    first = {vertex: vertex for vertex in known}
    for vertex in given:
        require_same(vertex, first[vertex], "graph")


def require_same(given: Vertex, known: Vertex, place: str) -> None:
    """Raise InstanceError if a vertex is equal to a known one of another kind, as True is to 1.

    >>> require_same(1, 1, "source")
    >>> require_same(True, 1, "source")
    Traceback (most recent call last):
    ...
    uno_csp.errors.InstanceError: source: True and 1 are equal in Python; name vertices apart
    """
    if _kind(given) != _kind(known):
        both = " and ".join(printable(repr(each)) for each in (given, known))
        raise InstanceError(f"{place}: {both} are equal in Python; name vertices apart")


def _kind(vertex: Any) -> object:
    """Return the type of a vertex, and those of its parts."""
    if isinstance(vertex, tuple | frozenset):
        return type(vertex), type(vertex)(map(_kind, vertex))
    return float if isinstance(vertex, float) else type(vertex)  # one of NumPy is one of Python


def _parts(graph: Any) -> tuple[Iterable[Any] | None, _Pairs]:
    """Return the vertices, None for those of the edges, and the edges as pairs of vertices."""
    if hasattr(graph, "is_directed") and hasattr(graph, "nodes"):
        pairs = (
            (vertex_of(one, "graph"), vertex_of(other, "graph")) for one, other, *_ in graph.edges
        )
        return _undirected(graph).nodes, pairs
    if hasattr(graph, "is_directed") and hasattr(graph, "get_edgelist"):
        names = [*range(graph.vcount())]
        if "name" in graph.vs.attributes():
            names = [vertex_of(name, f"vertex {at}") for at, name in enumerate(graph.vs["name"])]
        return names, (
            (names[one], names[other]) for one, other in _undirected(graph).get_edgelist()
        )
    if hasattr(graph, "tocoo") and getattr(graph, "ndim", 2) == 2:
        return _of_matrix(graph.tocoo(), None)
    if hasattr(graph, "to_numpy") and getattr(graph, "ndim", 0) == 2:  # a data frame
        names = [*graph.index]
        if names == [*graph.columns] and names != [0, 1]:  # else these are two edges
            return _of_matrix(graph.to_numpy(), names)
        graph = graph.to_numpy()
    rows, columns = graph.shape if getattr(graph, "ndim", 0) == 2 else (0, 0)
    if rows == columns not in (0, 2):
        return _of_matrix(graph, None)
    return None, _pairs(graph)


def _undirected(graph: Any) -> Any:
    if graph.is_directed():
        raise InstanceError(_DIRECTED)
    return graph


def _of_matrix(matrix: Any, names: Sequence[Any] | None) -> tuple[Sequence[Any], _Pairs]:
    """Return the vertices and edges of an adjacency matrix of 0 and 1."""
    import numpy as np  # which loads slowly
    from scipy.sparse import csr_array

    size, columns = matrix.shape
    if size != columns:
        raise InstanceError(f"graph: {size} rows and {columns} columns; a graph has equally many")
    try:
        found = csr_array(matrix, dtype=float)
    except (TypeError, ValueError):
        raise InstanceError("graph: a matrix has the numbers 0 and 1") from None
    found.eliminate_zeros()
    wrong = found.data[found.data != 1]
    if len(wrong):
        raise InstanceError(f"graph: {wrong[0]:g} in a matrix is not allowed; expected 0 or 1")
    if (found != found.T).nnz:
        raise InstanceError(_DIRECTED)
    vertices = [*range(size)] if names is None else [vertex_of(name, "graph") for name in names]
    ends = zip(*map(np.ndarray.tolist, found.nonzero()), strict=True)
    return vertices, ((vertices[one], vertices[other]) for one, other in ends)


def _pairs(edges: Any) -> Iterator[tuple[Vertex, Vertex]]:
    # The edges of a networkx graph are a mapping of them, and a set.
    if not iterated(edges) and not isinstance(edges, Set):
        kind = type(edges).__name__
        raise InstanceError(f"graph: expected a graph or pairs of vertices, not a {kind}")
    number = 0
    for number, edge in enumerate(edges, start=1):
        is_pair = isinstance(edge, Iterable) and not isinstance(edge, str | bytes | Mapping)
        pair = tuple(edge) if is_pair and getattr(edge, "ndim", 1) != 0 else ()
        if len(pair) != 2:
            raise InstanceError(f"edge {number}: expected a pair of vertices, not {shown(edge)}")
        one, other = (vertex_of(end, f"edge {number}") for end in pair)
        for end in (one, other):
            if isinstance(end, str) and end and is_no_value(end):
                raise InstanceError(f"edge {number}: {shown(end)} is a missing value, no vertex")
        yield one, other
    if not number and isinstance(edges, Iterator):
        kind = type(edges).__name__
        raise InstanceError(f"graph: it has no vertex; the {kind} yields no edge: is it used up?")


def vertex_of(given: Any, place: str) -> Vertex:
    """Return a vertex: an integer where it stands for one; raise InstanceError if it is missing."""
    if type(given) is tuple:
        return tuple(vertex_of(part, place) for part in given)
    vertex = plain_value(given)
    kind = type(vertex).__name__
    if not isinstance(vertex, Hashable):
        raise InstanceError(f"{place}: a vertex is hashable, but a {kind} is not")
    if vertex is None or kind in ("NAType", "NaTType") or vertex != vertex:  # noqa: PLR0124 (NaN)
        raise InstanceError(f"{place}: {shown(vertex)} is a missing value, no vertex")
    return vertex
