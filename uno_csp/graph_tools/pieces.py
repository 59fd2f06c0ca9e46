"""Pieces of a graph that is given by its lists of neighbours: components, sides, blocks, leaves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

Near: TypeAlias = Sequence[Sequence[int]]
"""The neighbours of each vertex; vertices are numbered from 0."""

LIKE_A_TREE = 0.9
"""Minimum share of walks of up to three steps that end on different vertices in a random graph."""


def components(near: Near, removed: Iterable[int] = ()) -> list[list[int]]:
    """Return the vertices, in order, of each component that is left without some vertices.

    >>> components([[1], [0, 2], [1]], removed=[1])
    [[0], [2]]
    """
    seen = bytearray(len(near))
    for vertex in removed:
        seen[vertex] = 1
    found = []
    for root in range(len(near)):
        if seen[root]:
            continue
        seen[root] = 1
        reached = [root]
        for vertex in reached:
            for other in near[vertex]:
                if not seen[other]:
                    seen[other] = 1
                    reached.append(other)
        found.append(sorted(reached))
    return found


def induced(near: Near, vertices: Sequence[int]) -> Near:
    """Return the neighbours within vertices given in order, numbered by their places there."""
    if len(vertices) == len(near):
        return near
    place = {vertex: number for number, vertex in enumerate(vertices)}
    return [[place[other] for other in near[vertex] if other in place] for vertex in vertices]


def smaller_side(near: Near) -> list[int] | None:
    """Return the smaller side of a connected bipartite graph; None if the graph is not bipartite.

    >>> smaller_side([[1, 2, 3], [0], [0], [0]])
    [0]
    """
    import rustworkx

    side: dict[int, int] | None = rustworkx.two_color(_library_graph(near))
    if side is None:
        return None
    smaller = int(2 * sum(side.values()) < len(near))
    return [vertex for vertex in range(len(near)) if side[vertex] == smaller]


def _library_graph(near: Near) -> Any:
    """Return a graph of rustworkx."""
    import rustworkx

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(near)))
    edges = ((one, other) for one, others in enumerate(near) for other in others if one < other)
    graph.add_edges_from_no_data(list(edges))
    return graph


def biconnected(near: Near) -> list[set[int]]:
    """Return the vertices of each block: the largest parts that no vertex cuts.

    A vertex without neighbours is in none.
    """
    import rustworkx

    graph = _library_graph(near)
    found: dict[int, set[int]] = {}
    for edge, block in rustworkx.biconnected_components(graph).items():
        found.setdefault(block, set()).update(edge)
    return [found[block] for block in sorted(found)]


def two_core(near: Near) -> list[int]:
    """Return the vertices that are left after vertices with one neighbour leave again and again."""
    degree = list(map(len, near))
    gone = [vertex for vertex, count in enumerate(degree) if count < 2]
    for vertex in gone:
        for other in near[vertex]:
            degree[other] -= 1
            if degree[other] == 1:
                gone.append(other)
    return sorted(set(range(len(near))).difference(gone))


def double_sweep(near: Near) -> list[int]:
    """Return a longest path of a tree: from a vertex farthest from any to one farthest from it."""
    before, last = [-1] * len(near), 0
    for _ in range(2):
        root, before[last] = last, last
        reached = [root]
        for vertex in reached:
            for other in near[vertex]:
                if other != before[vertex]:
                    before[other] = vertex
                    reached.append(other)
        last = reached[-1]
    path = [last]
    while path[-1] != root:
        path.append(before[path[-1]])
    return path


@dataclass(frozen=True, slots=True)
class Stripped:
    """Edges that some smallest cover by paths has, and the vertices that are left."""

    edges: list[tuple[int, int]]  # one for each leaf that was stripped
    left: list[int]  # vertices that may have edges between them in such a cover
    ended: list[int]  # those of them that end one of its paths so far, and may have one more edge


def strip_leaves(near: Near) -> Stripped:
    """Choose the edges of leaves, one after the other: some smallest cover by paths has them.

    If such a cover lacks the edge of a leaf, its neighbour has two others, one of which can be
    exchanged for it. A neighbour with two chosen edges leaves, which makes other leaves; so a tree
    is covered in linear time.
    """
    room = [2] * len(near)
    degree = list(map(len, near))
    gone = bytearray(len(near))
    edges = []
    leaves = [vertex for vertex, count in enumerate(degree) if count < 2]
    for leaf in leaves:
        if gone[leaf]:
            continue
        gone[leaf] = 1
        if not degree[leaf]:
            continue
        other = next(vertex for vertex in near[leaf] if not gone[vertex])
        edges.append((leaf, other))
        room[other] -= 1
        gone[other] = not room[other]
        for vertex in near[other] if gone[other] else (other,):
            degree[vertex] -= 1
            if degree[vertex] < 2:
                leaves.append(vertex)
    left = [vertex for vertex in range(len(near)) if not gone[vertex]]
    return Stripped(edges, left, [vertex for vertex in left if room[vertex] == 1])


def paths_of(vertices: Iterable[int], edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the paths that edges form; vertices without any are paths of their own.

    >>> paths_of(range(4), [(2, 0), (0, 3)])
    [[1], [2, 0, 3]]
    """
    beside: dict[int, list[int]] = {vertex: [] for vertex in vertices}
    for one, other in edges:
        beside[one].append(other)
        beside[other].append(one)
    paths, seen = [], set[int]()
    for start, others in beside.items():
        if start in seen or len(others) > 1:
            continue
        path, before = [start], -1
        while ahead := [vertex for vertex in beside[path[-1]] if vertex != before]:
            before = path[-1]
            path.append(ahead[0])
        seen.add(path[-1])
        paths.append(path)
    return paths


def parted(path: Iterable[int], size: int) -> list[list[int]]:
    """Return the parts of a path between its vertices from ``size`` on, which join them.

    >>> parted([7, 2, 0, 8, 9, 1], 5)
    [[2, 0], [1]]
    """
    runs = groupby(path, key=lambda vertex: vertex < size)
    return [list(part) for inside, part in runs if inside]


def has_short_cycles(near: Near) -> bool:
    """Return True if there are more cycles of up to six vertices than in a random graph."""
    walks = reached = 0
    for start in range(0, len(near), 1 + len(near) // 100):  # a hundred of them or fewer
        ball, ends = {start}, [(start, start)]
        for _ in range(3):
            ends = [
                (other, last) for last, before in ends for other in near[last] if other != before
            ]
            walks += len(ends)
            ball.update(vertex for vertex, _ in ends)
        reached += len(ball) - 1
    return reached < LIKE_A_TREE * walks
