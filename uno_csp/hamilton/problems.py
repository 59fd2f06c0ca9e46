"""Hamiltonian problems on an undirected graph without loops and parallel edges; their answers."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from uno_csp.errors import InstanceError
from uno_csp.graph_files.drafts import ReadGraph, Vertex
from uno_csp.graph_files.objects import read_object, require_same, vertex_of
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions.answers import Status, WithoutTruth
from uno_csp.questions.frozen import thawed
from uno_csp.questions.wording import SHOWN_CHARS, named, printable, shown


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

    @staticmethod
    def of(graph: ReadGraph) -> "Goal":
        """Return the goal that a file asks for: a path, if it says so, or else a cycle."""
        return Goal.PATH if graph.asks_for_path else Goal.CYCLE


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
        size = len(self.vertices)
        self._require_simple()
        ends = [end for end in (self.source, self.target) if end is not None]
        if ends and self.goal is not Goal.PATH:
            raise InstanceError("source, target: only the ends of a path can be given")
        if any(not 0 <= end < size for end in ends):
            raise InstanceError(f"source, target: vertices are numbered from 0 to {size - 1}")
        if len(ends) == 2 and ends[0] == ends[1] and size > 1:
            raise InstanceError("source, target: a path through several vertices has two ends")

    def _require_simple(self) -> None:
        """Raise InstanceError that names the first edge that is none, if there is one."""
        size = len(self.vertices)
        ends = np.fromiter(chain.from_iterable(self.edges), np.int64, 2 * len(self.edges))
        low, high = np.sort(ends.reshape(-1, 2)).T
        outside, loop, again = (low < 0) | (high >= size), low == high, np.ones(len(low), bool)
        again[np.unique(low * size + high, return_index=True)[1]] = False
        wrong = np.flatnonzero(outside | loop | again)
        if not len(wrong):
            return
        edge = f"edge {wrong[0] + 1}"
        if outside[wrong[0]]:
            raise InstanceError(f"{edge}: vertices are numbered from 0 to {size - 1}")
        one, other = self.edges[wrong[0]]
        if one == other:
            raise InstanceError(f"{edge}: it is a loop at {self.texts[one]}")
        named = f"{self.texts[one]} and {self.texts[other]}"
        raise InstanceError(f"{edge}: there is another edge between {named}")

    @cached_property
    def neighbours(self) -> Sequence[Sequence[int]]:
        """For each vertex, the places of its neighbours."""
        near: list[list[int]] = [[] for _ in self.vertices]
        for one, other in self.edges:
            near[one].append(other)
            near[other].append(one)
        return near

    @cached_property
    def place(self) -> Mapping[Vertex, int]:
        """The place of each vertex in ``vertices``."""
        return {vertex: place for place, vertex in enumerate(self.vertices)}

    def places(self, paths: Iterable[Iterable[Vertex]]) -> list[list[int]]:
        """Return paths over vertices as paths over places."""
        return [list(map(self.place.__getitem__, path)) for path in paths]

    @cached_property
    def texts(self) -> Sequence[str]:
        """The vertices as texts, each another; where some are printed alike, all are numbered."""
        texts = [printable(str(vertex)) for vertex in self.vertices]
        alike = {text for text, times in Counter(texts).items() if times > 1}
        taken = set(texts) - alike
        for place, text in enumerate(texts):
            if text in alike:
                number = place + 1
                while (found := f"{text} (vertex {number})") in taken:
                    number += len(texts)
                texts[place] = found
                taken.add(found)
        return texts

    @cached_property
    def words(self) -> Sequence[str]:
        """The texts of the vertices, in quotes where one could be taken for several."""
        pairs = zip(map(str, self.vertices), self.texts, strict=True)
        plain = ((raw if printable(raw) == text else text) for raw, text in pairs)
        return [text if text.isdecimal() else named(text) for text in plain]

    def named(self, places: Iterable[int]) -> tuple[Vertex, ...]:
        """Return the vertices at some places."""
        return tuple(map(self.vertices.__getitem__, places))

    def forward(self, paths: Iterable[list[int]]) -> list[list[int]]:
        """Return paths in the direction of the given ends, or else from the end that is first."""

        def is_backward(path: list[int]) -> bool:
            if self.source is not None:
                return path[0] != self.source
            return path[0] > path[-1] if self.target is None else path[-1] != self.target

        return [path[::-1] if is_backward(path) else path for path in paths]

    def induced(self, places: Sequence[int]) -> "HamiltonProblem":
        """Return the problem on some of the vertices; no end is given."""
        place = {vertex: number for number, vertex in enumerate(places)}
        edges = ((place.get(one), place.get(other)) for one, other in self.edges)
        inside = tuple((u, v) for u, v in edges if u is not None and v is not None)
        return HamiltonProblem(self.goal, self.named(places), inside)


@dataclass(frozen=True, slots=True)
class HamiltonAnswer(WithoutTruth):
    """The answer to a Hamiltonian problem.

    Parameters
    ----------
    goal
        What was sought.
    status
        SATISFIABLE, UNSATISFIABLE, OPTIMAL or UNKNOWN, as for any question.
    paths
        The paths found, as vertices in order. A cycle is one path; its last vertex is adjacent to
        the first. None if none were found.
    objective, bound
        Number of paths (``paths``) or of vertices on the path (``longest``), and the proved bound
        on it.
    reason
        Why the status is UNKNOWN; for a no, a short reason if one is known.
    method, backend
        What was used.
    checked
        True if the checker of graphs accepted the paths.
    wall_s
        Wall-clock seconds from the graph to the checked answer.
    stats, certificate
        As in :class:`~uno_csp.Answer`.
    separator
        Places of vertices whose removal shows a no, or the least number of paths, if such are
        known.
    """

    goal: Goal
    status: Status
    paths: tuple[tuple[Vertex, ...], ...] | None = None
    objective: int | None = None
    bound: int | None = None
    reason: str = ""
    method: str | None = None
    backend: str | None = None
    checked: bool = False
    wall_s: float = 0.0
    stats: Mapping[str, Any] | None = None
    certificate: Mapping[str, Any] | None = None
    separator: tuple[int, ...] | None = None

    @property
    def path(self) -> tuple[Vertex, ...] | None:
        """The path, or the cycle, where one is sought; None if none was found."""
        return self.paths[0] if self.paths and self.goal is not Goal.PATHS else None

    def to_dict(self) -> dict[str, Any]:
        """Return the answer, JSON-ready."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        del found["stats"], found["separator"]
        paths = None if self.paths is None else [list(map(plain, path)) for path in self.paths]
        ready: dict[str, Any] = thawed({**found, "paths": paths, "wall_s": round(self.wall_s, 6)})
        return ready


def plain(vertex: Vertex) -> Any:
    """Return a vertex as a number or text of JSON."""
    finite = isinstance(vertex, int | str) or (isinstance(vertex, float) and math.isfinite(vertex))
    return vertex if finite else str(vertex)


def problem_of(
    graph: Any,
    goal: Goal,
    source: Vertex | None = None,
    target: Vertex | None = None,
    *,
    deadline: Deadline = NEVER,
) -> HamiltonProblem:
    """Return the problem on a graph that was read, or any of :func:`read_object`.

    Parallel edges are taken as one. Raises InstanceError if the graph has no vertex, or no such
    end, or as :func:`read_object`; TimeUp if the deadline passes.
    """
    vertices, edges = read_object(graph, deadline)
    place = {vertex: index for index, vertex in enumerate(vertices)}
    ends = []
    for name, end in (("source", source), ("target", target)):
        vertex = None if end is None else vertex_of(end, name)
        if vertex is not None and vertex not in place:
            short = isinstance(end, str) and len(end) <= SHOWN_CHARS
            given = printable(str(end)) if short else shown(end)
            raise InstanceError(f"{name}: {given} is no vertex of the graph")
        ends.append(None if vertex is None else place[vertex])
        if vertex is not None:
            require_same(vertex, vertices[place[vertex]], name)
    return HamiltonProblem(goal, tuple(vertices), tuple(edges), *ends)


def named_problem(
    graph: ReadGraph, goal: Goal, source: str | None = None, target: str | None = None
) -> HamiltonProblem:
    """Return the problem on a graph that was read; the ends are given by their names in print.

    Raises
    ------
    InstanceError
        As :func:`problem_of`; also if two vertices have the name of an end.
    """
    ends: list[Vertex | None] = []
    for name, end in (("source", source), ("target", target)):
        found = [] if end is None else [each for each in graph.vertices if str(each) == end]
        if len(found) > 1:
            raise InstanceError(
                f"{name}: {len(found)} vertices are printed as {printable(str(end))}"
            )
        ends.append(found[0] if found else end)
    return problem_of(graph, goal, *ends)
