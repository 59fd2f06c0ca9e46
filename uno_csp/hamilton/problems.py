"""Hamiltonian problems on an undirected graph without loops and parallel edges."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from uno_csp.errors import InstanceError

Vertex: TypeAlias = Hashable
"""A vertex of the caller's graph."""


class Goal(StrEnum):
    """The goal: a cycle, a path, the fewest paths, or a longest path."""

    CYCLE = "cycle"
    PATH = "path"
    PATHS = "paths"
    LONGEST = "longest"

    @property
    def optimises(self) -> bool:
        """True if the answer is a number."""
        return self in (Goal.PATHS, Goal.LONGEST)


@dataclass(frozen=True)
class HamiltonProblem:
    """A graph, and what is sought in it.

    Parameters
    ----------
    goal
        A Hamiltonian cycle, a Hamiltonian path, the fewest paths that visit every vertex once
        together, or a longest path.
    vertices
        The vertices, each once.
    edges
        Pairs of places in ``vertices``; direction and order do not matter.
    source, target
        Places of the ends of a path, if they are given.

    Raises
    ------
    InstanceError
        If there is no vertex, a vertex is named twice, an edge is a loop, is there twice or leads
        outside, or the ends are not two vertices of a ``path``.
    """

    goal: Goal
    vertices: tuple[Vertex, ...]
    edges: tuple[tuple[int, int], ...]
    source: int | None = None
    target: int | None = None

    def __post_init__(self) -> None:
        if not self.vertices:
            raise InstanceError("graph: it has no vertex")
        if len(set(self.vertices)) < len(self.vertices):
            raise InstanceError("graph: a vertex is named twice")
        size, seen = len(self.vertices), set[frozenset[int]]()
        for number, (one, other) in enumerate(self.edges, start=1):
            if not (0 <= one < size and 0 <= other < size):
                raise InstanceError(f"edge {number}: vertices are numbered from 0 to {size - 1}")
            if one == other:
                raise InstanceError(f"edge {number}: it is a loop at {self.vertices[one]}")
            if frozenset((one, other)) in seen:
                named = f"{self.vertices[one]} and {self.vertices[other]}"
                raise InstanceError(f"edge {number}: there is another edge between {named}")
            seen.add(frozenset((one, other)))
        ends = [end for end in (self.source, self.target) if end is not None]
        if ends and self.goal is not Goal.PATH:
            raise InstanceError("from, to: only the ends of a path can be given")
        if any(not 0 <= end < size for end in ends):
            raise InstanceError(f"from, to: vertices are numbered from 0 to {size - 1}")
        if len(ends) == 2 and ends[0] == ends[1] and size > 1:
            raise InstanceError("from, to: a path through several vertices has two ends")

    @cached_property
    def neighbours(self) -> Sequence[frozenset[int]]:
        """For each vertex, the places of its neighbours."""
        near: list[set[int]] = [set() for _ in self.vertices]
        for one, other in self.edges:
            near[one].add(other)
            near[other].add(one)
        return [frozenset(each) for each in near]

    def named(self, places: Iterable[int]) -> tuple[Vertex, ...]:
        """Return the vertices at some places."""
        return tuple(self.vertices[place] for place in places)


def problem_of(
    graph: Any, goal: Goal, source: Vertex | None = None, target: Vertex | None = None
) -> HamiltonProblem:
    """Return the problem on a networkx graph, or on an iterable of edges.

    Parallel edges are taken as one.

    Raises
    ------
    InstanceError
        If the graph is directed, has a loop or no vertex, or has no such end.
    """
    vertices, pairs = _read(graph)
    place = {vertex: index for index, vertex in enumerate(vertices)}
    edges: dict[tuple[int, int], None] = {}
    for one, other in pairs:
        if one == other:
            raise InstanceError(f"graph: a loop at {one}; a path uses none")
        edges[min(place[one], place[other]), max(place[one], place[other])] = None
    for name, end in (("from", source), ("to", target)):
        if end is not None and end not in place:
            raise InstanceError(f"{name}: {end} is no vertex of the graph")
    ends = [None if end is None else place[end] for end in (source, target)]
    return HamiltonProblem(goal, tuple(vertices), tuple(edges), *ends)


def named_problem(
    graph: Any, goal: Goal, source: str | None = None, target: str | None = None
) -> HamiltonProblem:
    """Return the problem on a networkx graph; the ends are given by their names in print.

    Raises
    ------
    InstanceError
        As :func:`problem_of`.
    """
    named = {str(vertex): vertex for vertex in graph}
    return problem_of(graph, goal, named.get(source or "", source), named.get(target or "", target))


def _read(graph: Any) -> tuple[list[Vertex], list[tuple[Vertex, Vertex]]]:
    if hasattr(graph, "is_directed") and hasattr(graph, "nodes"):
        if graph.is_directed():
            raise InstanceError("graph: it is directed; expected an undirected graph")
        return list(graph.nodes), [(one, other) for one, other, *_ in graph.edges]
    pairs = list(_pairs(graph))
    return list(dict.fromkeys(vertex for pair in pairs for vertex in pair)), pairs


def _pairs(edges: Any) -> Iterator[tuple[Vertex, Vertex]]:
    if isinstance(edges, str) or not isinstance(edges, Iterable):
        raise InstanceError("graph: expected a networkx graph or pairs of vertices")
    for number, edge in enumerate(edges, start=1):
        pair = tuple(edge) if isinstance(edge, Iterable) and not isinstance(edge, str) else ()
        if len(pair) != 2:
            raise InstanceError(f"edge {number}: expected a pair of vertices")
        yield pair
