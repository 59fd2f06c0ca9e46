"""Bounds on path covers and longest paths of a graph, by a linear program with cut sets.

Choose the edges of the paths: x are the edges, s the ends of paths at a vertex, l the vertices left
out. Each vertex v satisfies ``x(edges at v) + s(v) + 2 l(v) = 2``, and each set S of vertices with
a vertex v satisfies ``x(edges that leave S) + s(S) + 2 l(v) >= 2``; for a cycle, S is not the whole
graph (Dantzig, Fulkerson and Johnson 1954). The program minimises the ends or, for a longest path,
the vertices left out. So it always has a solution, and any dual values prove a bound: that of
rounded ones is computed in integers, without floating-point errors (Neumaier and Shcherbina 2004).

Vertices with negative dual values are often a *separator*: more components remain without them than
the paths can reach (Chvatal 1973). The smaller side of a bipartite graph is one if sides differ.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, inf
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from uno_csp.graph_tools.array_graphs import Ints, components
from uno_csp.graph_tools.igraph_alone import load_igraph
from uno_csp.graph_tools.minimum_cuts import cheap_sides
from uno_csp.processes.deadline import Deadline

ROUNDS = 300  # maximum number of linear programs

MOST_NODES = 3000
"""Maximum number of nodes, edges of value 1 being contracted, for which minimum cuts are sought."""

THRESHOLDS = (0.3, 0.5, 0.75, 0.9, 0.999)
"""The components of the edges above one of these values are candidates for violated sets."""

DENOMINATORS = (1, 6, 60, 2520, 100_000)
LARGEST_DUAL = 100.0
"""Dual values are clipped to this, so that sums over 10^5 rows and columns fit into 64 bits."""

MOST_ENDS = 3  # upper bound of the ends at a vertex; any would do, since the degree implies 2

MOST_SEPARATORS = 8
"""Maximum number of dual values at which a separator is tried after each linear program."""

VIOLATED = 1e-3  # minimum violation of a cut that is added

_THIN = 1e-7

Flags: TypeAlias = NDArray[np.bool_]  # for each vertex, whether it is in a set


@dataclass(frozen=True)
class PathProblem:
    """Paths through all vertices of a graph or, if it ``skips``, through as many as possible.

    ``near`` are the neighbours of each vertex, ``paths`` is the number of paths allowed, 0 for a
    cycle, and ``ends`` are vertices at which a path ends.
    """

    near: Sequence[Collection[int]]
    paths: int
    ends: tuple[int, ...] = ()
    skips: bool = False

    @cached_property
    def edges(self) -> Ints:
        """The edges, each once."""
        pairs = [(v, w) for v, near in enumerate(self.near) for w in near if v < w]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class Row:
    """An inequality: the weighted columns have a sum of at least ``least``.

    Its kind is ``degree`` (an equation), ``end`` or ``visited`` of a given end, ``most`` of all
    ends, or ``cut``, which need not hold if vertices may be left out and its first one is.
    """

    kind: str
    vertices: Sequence[int]
    columns: Ints
    weights: Ints
    least: int


Proof: TypeAlias = tuple[int, Sequence[tuple[int, Row]]]
"""The integer multipliers of the objective and of the rows that bound it, with these rows."""


@dataclass
class Found:
    """A lower bound on the number of paths, or of vertices left out, and its proof.

    It is 1 or more if there is no cycle. A separator or rows prove it. It is ``complete`` unless
    the time or the rounds ran out. ``stats`` are the numbers of rounds and cuts.
    """

    least: int = 0
    separator: list[int] | None = None
    proof: Proof | None = None
    complete: bool = False
    stats: dict[str, int] = field(default_factory=dict)

    def take(self, least: int, separator: list[int] | None, proof: Proof | None = None) -> None:
        """Keep a bound if it is larger."""
        if least > self.least:
            self.least, self.separator, self.proof = least, separator, proof


def bounded(problem: PathProblem, deadline: Deadline, target: float = inf) -> Found:
    """Return a lower bound on the number of paths, or of vertices left out, with its proof.

    The search ends early at a bound of ``target``.
    """
    found = Found()
    for separator in () if problem.skips else _simple_separators(problem):
        found.take(*_trim(problem, separator))
    if found.least >= target or not problem.near:
        return found
    program = _Program(problem)
    for rounds in range(1, ROUNDS + 1):
        found.stats = {"rounds": rounds, "cuts": program.cuts}
        if deadline.expired or not program.solve(deadline):
            break
        for separator in () if problem.skips else program.separators():
            found.take(*_trim(problem, separator))
        if program.least > found.least:
            found.take(*program.proved())
        if found.least >= target:
            break
        if not program.add_cuts():
            found.complete = True
            break
    return found


def _simple_separators(problem: PathProblem) -> Iterator[Flags]:
    """Yield the smaller sides of a bipartite graph, then the 1, 2, 4, ... most adjacent vertices.

    If all vertices of a separator are among the chosen ones, the others touch one component each.
    """
    size, edges = len(problem.near), problem.edges
    bipartite, sides = load_igraph().Graph(size, edges.tolist()).is_bipartite(return_types=True)
    if bipartite:
        count, part = components(size, edges)
        side = np.array(sides, dtype=np.int64)
        sizes = np.bincount(2 * part + side, minlength=2 * count).reshape(-1, 2)
        yield side == (sizes[:, 1] < sizes[:, 0])[part]
    rank = np.argsort(np.argsort([-len(near) for near in problem.near], kind="stable"))
    yield from (rank < 1 << doubled for doubled in range((size // 2).bit_length()))


def _trim(problem: PathProblem, removed: Flags) -> tuple[int, list[int]]:
    """Return the paths that a separator requires, and the separator.

    Vertices that touch fewer than two components are put back, all at once: a connected set of n of
    them joins at most n components, so fewer components than vertices are lost.
    """
    tails, heads = problem.edges[:, 0], problem.edges[:, 1]
    while True:
        within = ~removed[tails] & ~removed[heads]
        count, part = components(len(removed), problem.edges[within])
        both = np.concatenate((problem.edges, problem.edges[:, ::-1]))
        across = both[removed[both[:, 0]] & ~removed[both[:, 1]]]
        touching = np.stack((across[:, 0], part[across[:, 1]]), axis=1)
        vertices = np.unique(touching, axis=0)[:, 0]
        needless = removed & (np.bincount(vertices, minlength=len(removed)) < 2)
        if not needless.any():
            left: list[int] = np.flatnonzero(removed).tolist()
            pieces, free = count - len(left), len({*left}.difference(problem.ends))
            return 0 if pieces < 2 and not problem.paths else pieces - free, left
        removed = removed & ~needless


class _Program:
    """The linear program; the columns are edges, ends at vertices, and vertices left out."""

    def __init__(self, problem: PathProblem) -> None:
        import highspy

        self._problem, self._optimal = problem, highspy.HighsModelStatus.kOptimal
        self._edges, self._size = problem.edges, len(problem.near)
        many, size = len(self._edges), self._size
        self._left = many + size  # the first column of vertices left out
        width = self._left + size * problem.skips
        self._costs = np.zeros(width, dtype=np.int64)
        self._costs[self._left if problem.skips else many :] = 1
        self._unit = 1 if problem.skips else 2
        self._upper = np.ones(width, dtype=np.int64)
        self._upper[many : self._left] = MOST_ENDS
        self._rows: list[Row] = []
        self._seen: set[bytes] = set()
        self.cuts = 0
        self._solver: Any = highspy.Highs()
        for name, chosen in (("output_flag", False), ("threads", 1), ("presolve", "off")):
            self._solver.setOptionValue(name, chosen)
        none, start = np.zeros(0, dtype=np.int32), np.zeros(width)
        costs, upper = self._costs.astype(float), self._upper.astype(float)
        self._solver.addCols(width, costs, start, upper, 0, none, none, np.zeros(0))
        self._add(list(self._first_rows()))

    def _first_rows(self) -> Iterator[Row]:
        many, left, given = len(self._edges), self._left, self._problem.ends
        columns: list[list[int]] = [[many + vertex] for vertex in range(self._size)]
        for edge, ends in enumerate(self._edges.tolist()):
            for vertex in ends:
                columns[vertex].append(edge)
        for vertex, ones in enumerate(columns):
            yield self._two("degree", [vertex], ones)
        for end in given:
            yield Row("end", [end], np.array([many + end]), np.array([1]), 1)
        for end in given if self._problem.skips else ():
            yield Row("visited", [end], np.array([left + end]), np.array([-1]), 0)
        if self._problem.skips:
            minus = -np.ones(self._size, dtype=np.int64)
            yield Row("most", [], np.arange(many, left), minus, -2 * self._problem.paths)

    def _two(self, kind: str, vertices: Sequence[int], ones: Sequence[int]) -> Row:
        """Return the row that some columns have a sum of 2, unless the first vertex is left out."""
        excuse = [self._left + vertices[0]] if self._problem.skips else []
        weights = np.repeat([1, 2], [len(ones), len(excuse)])
        return Row(kind, vertices, np.array([*ones, *excuse], dtype=np.int64), weights, 2)

    def _add(self, rows: Sequence[Row]) -> None:
        self._rows += rows
        least = np.array([row.least for row in rows], dtype=float)
        most = np.where([row.kind == "degree" for row in rows], least, inf)
        starts = np.cumsum([0, *(len(row.columns) for row in rows[:-1])], dtype=np.int32)
        columns = np.concatenate([row.columns for row in rows]).astype(np.int32)
        weights = np.concatenate([row.weights for row in rows]).astype(float)
        self._solver.addRows(len(rows), least, most, len(columns), starts, columns, weights)

    def solve(self, deadline: Deadline) -> bool:
        """Solve it from the last basis; return False if the time runs out."""
        solver = self._solver
        limit = inf if deadline.limit_s is None else solver.getRunTime() + deadline.limit_s
        solver.setOptionValue("time_limit", limit)
        solver.run()
        solution = solver.getSolution()
        self._values, self._duals = np.array(solution.col_value), np.array(solution.row_dual)
        return bool(solver.getModelStatus() == self._optimal)

    @property
    def least(self) -> int:
        """The bound, if floating-point numbers are believed."""
        return ceil(self._values @ self._costs / self._unit - VIOLATED)

    def separators(self) -> Iterator[Flags]:
        """Yield the vertices with the lowest dual values."""
        duals = self._duals[: self._size]
        for lowest in np.unique(duals[duals < -VIOLATED].round(3))[:MOST_SEPARATORS]:
            chosen: Flags = duals <= lowest + VIOLATED / 2
            if 2 * chosen.sum() > self._size:
                return
            yield chosen

    def proved(self) -> tuple[int, None, Proof | None]:
        """Return the largest bound that rounded dual values prove, and the proof."""
        columns = np.concatenate([row.columns for row in self._rows])
        weights = np.concatenate([row.weights for row in self._rows])
        starts = np.cumsum([0, *(len(row.columns) for row in self._rows)])
        matrix = csr_array((weights, columns, starts), (len(self._rows), len(self._costs)))
        least = np.array([row.least for row in self._rows])
        equation = np.array([row.kind == "degree" for row in self._rows])
        best: tuple[Fraction, Proof | None] = (Fraction(0), None)
        duals = np.clip(self._duals, -LARGEST_DUAL, LARGEST_DUAL)
        for one in DENOMINATORS:
            times = np.rint(duals * one).astype(np.int64)
            times[~equation] = np.maximum(times[~equation], 0)
            reduced = one * self._costs - matrix.T @ times
            value = int(times @ least) + int(np.minimum(reduced, 0) @ self._upper)
            if Fraction(value, one) > best[0]:
                rows = [(int(times[row]), self._rows[row]) for row in np.flatnonzero(times)]
                best = (Fraction(value, one), (one, rows))
        return ceil(best[0] / self._unit), None, best[1]

    def add_cuts(self) -> int:
        """Add cuts that the solution violates; return their number."""
        fresh: list[Row] = []
        for vertices in self._candidates():
            row = self._cut(vertices)
            key = row.columns.tobytes()
            if self._values[row.columns] @ row.weights < 2 - VIOLATED and key not in self._seen:
                self._seen.add(key)
                fresh.append(row)
        if fresh:
            self._add(fresh)
        self.cuts += len(fresh)
        return len(fresh)

    def _cut(self, vertices: Ints) -> Row:
        """Return the cut of a set; its excuse is the vertex that is most certainly visited."""
        inside = np.zeros(self._size, dtype=bool)
        inside[vertices] = True
        leaving = np.flatnonzero(inside[self._edges[:, 0]] != inside[self._edges[:, 1]])
        if self._problem.skips:
            surest = np.argmin(self._values[self._left + vertices])
            vertices = np.roll(vertices, -int(surest))
        return self._two("cut", vertices.tolist(), [*leaving, *(len(self._edges) + vertices)])

    def _candidates(self) -> Iterator[Ints]:
        """Yield sets of vertices with few edges around: components, then sides of minimum cuts."""
        parts = list(self._parts(_THIN))
        if parts:
            yield from parts
            return
        for threshold in THRESHOLDS:
            yield from self._parts(threshold)
        yield from self._minimum_cuts()

    def _parts(self, threshold: float) -> Iterator[Ints]:
        """Yield the components of the edges above a value that violate their cuts."""
        many = len(self._edges)
        values, ends = self._values[:many], self._values[many : self._left]
        count, part = components(self._size, self._edges[values > threshold])
        if count == 1 and not self._problem.paths:
            return
        around = np.bincount(part, ends, minlength=count)
        one, other = part[self._edges[:, 0]], part[self._edges[:, 1]]
        for side in (one, other):
            around += np.bincount(side, values * (one != other), minlength=count)
        visited = np.ones(count)
        if self._problem.skips:
            visited[:] = 0
            np.maximum.at(visited, part, 1 - self._values[self._left :])
        order = np.argsort(part, kind="stable")
        groups = np.split(order, np.cumsum(np.bincount(part, minlength=count))[:-1])
        for number in np.flatnonzero(around < 2 * visited - VIOLATED).tolist():
            yield groups[number]

    def _minimum_cuts(self) -> Iterator[Ints]:
        """Yield the sides of a Gomory-Hu tree, edges of value 1 being contracted.

        Ends are edges to one more node, if there are any.
        """
        many = len(self._edges)
        values, ends = self._values[:many], self._values[many : self._left]
        nodes, part = components(self._size, self._edges[values > 1 - _THIN])
        if nodes > MOST_NODES:
            return
        outside = bool((ends > _THIN).any())
        tails, heads = part[self._edges].T.tolist()
        inner = zip(tails, heads, values.tolist(), strict=True)
        outer = zip(part.tolist(), ends.tolist(), strict=True)
        edges = [*inner, *((own, nodes, width) for own, width in outer)]
        for side in cheap_sides(nodes + outside, edges, nodes - 1 + outside):
            inside = np.isin(part, list(side))
            if not outside and 2 * inside.sum() > self._size:
                inside = ~inside  # a smaller set has fewer ends to satisfy its row with
            if self._problem.paths or not inside.all():
                yield np.flatnonzero(inside)
