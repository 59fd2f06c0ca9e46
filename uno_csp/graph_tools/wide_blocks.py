"""Path covers and longest paths of graphs with blocks that are too wide for tables.

Such a block is relaxed to a complete graph. Let x of its vertices with neighbours in other blocks,
its *doors*, have one edge in it, and the others two or none. If it has two vertices inside, which
are in no other block, max(1, x / 2) paths, rounded up, visit these doors and all that is inside, no
matter how many these are; and which ends belong to the same path does not matter, since blocks
meet in a tree. So two of the vertices inside are left, one of which has the weight of all others,
and tables sum up the relaxed graph. Its optimum is a bound, which is attained if each block has
such paths as the relaxed solution has there. Rotations look for these.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise

from uno_csp.graph_tools.mate_tables import Edge, Effort, elimination_order, most_edges
from uno_csp.graph_tools.pieces import Near, biconnected, induced, parted
from uno_csp.graph_tools.rotations import Sought

NARROW = 4  # largest degree of an eliminated vertex of a block that is not relaxed
TWINS = 2  # number of vertices inside a wide block that are left in the relaxed graph
Rotate = Callable[[Near, Sought], tuple[bool, list[int]]]  # looks for a path through all vertices


@dataclass(frozen=True, slots=True)
class _Wide:
    """A wide block: its vertices, those that are in other blocks or given ends, and the rest."""

    vertices: set[int]
    doors: list[int]
    inside: list[int]

    @property
    def twins(self) -> list[int]:
        """The vertices inside that are left in the relaxed graph; the first has the weight."""
        return self.inside[:TWINS]

    @property
    def spare(self) -> list[int]:
        """The vertices that are left out of the relaxed graph."""
        return self.inside[TWINS:]

    @property
    def size(self) -> int:
        """The number of its vertices in the relaxed graph, where all of them are adjacent."""
        return len(self.twins) + len(self.doors)


def relaxed_edges(
    near: Near, *, single: bool, ended: Collection[int], effort: Effort, rotate: Rotate
) -> tuple[int | None, list[Edge] | None]:
    """Return a bound on the number of edges that form paths, and edges that attain it.

    The parameters are those of :func:`~uno_csp.graph_tools.mate_tables.most_edges`, and ``rotate``
    looks for paths. The bound is None if the graph is too wide, and the edges if none were found.
    """
    blocks = [] if effort.expired() else biconnected(near)
    times = Counter(chain.from_iterable(blocks))
    wide: list[_Wide] = []
    for block in blocks if len(blocks) > 1 else ():
        members = sorted(block)
        if effort.expired():
            return None, None
        if elimination_order(induced(near, members), NARROW, effort.expired) is None:
            doors = {v for v in members if times[v] > 1 or v in ended}
            wide.append(_Wide(block, sorted(doors), sorted(block - doors)))
    if not wide or effort.expired() or any(each.size > effort.width + 1 for each in wide):
        return None, None
    vertices, relaxed = _relax(near, wide)
    weight = dict.fromkeys(vertices, 1)
    for each in wide:
        for first in each.twins[:1]:
            weight[first] += len(each.spare)
    _, found = most_edges(
        relaxed,
        single=single,
        most_cost=2 * len(near),
        ended=[place for place, vertex in enumerate(vertices) if vertex in ended],
        effort=effort,
        weight=[weight[vertex] for vertex in vertices],
    )
    if found is None:
        return None, None
    chosen = [(vertices[one], vertices[other]) for one, other in found]
    used = {vertex for edge in chosen for vertex in edge}
    more = sum(weight[v] - 1 for v in (used if single else vertices))
    return len(chosen) + more, _lift(near, wide, chosen, single, set(ended), rotate)


def _relax(near: Near, wide: Sequence[_Wide]) -> tuple[list[int], Near]:
    """Return the vertices of the relaxed graph, and the places of their neighbours there."""
    gone = {v for block in wide for v in block.spare}
    vertices = [v for v in range(len(near)) if v not in gone]
    beside = {v: set(near[v]) - gone for v in vertices}
    for block in wide:
        for one, other in combinations(block.twins + block.doors, 2):
            beside[one].add(other)
            beside[other].add(one)
    place = {v: number for number, v in enumerate(vertices)}
    return vertices, [[place[other] for other in sorted(beside[v])] for v in vertices]


def _lift(
    near: Near,
    wide: Sequence[_Wide],
    chosen: Sequence[Edge],
    single: bool,
    ended: set[int],
    rotate: Rotate,
) -> list[Edge] | None:
    """Return edges of the graph instead of the relaxed ones; None if rotations do not find them."""
    degree = Counter(chain.from_iterable(chosen))
    edges = set(chosen)
    for block in wide:
        own = [edge for edge in chosen if block.vertices.issuperset(edge)]
        edges.difference_update(own)
        if single and not own:
            continue
        inner = Counter(chain.from_iterable(own))
        members = [*block.inside, *(door for door in block.doors if inner[door])]
        ends = [
            door for door in block.doors if inner[door] == 1 and (degree[door] > 1 or door in ended)
        ]
        segments = len(set(inner).union(block.twins)) - len(own)
        paths = _segments(near, sorted(members), ends, 1 if single else segments, rotate)
        if paths is None:
            return None
        edges.update(chain.from_iterable(map(pairwise, paths)))
    return list(edges)


def _segments(
    near: Near, members: list[int], ends: Sequence[int], count: int, rotate: Rotate
) -> list[list[int]] | None:
    """Return paths through all members of a block, some of which have to be ends of paths.

    A path through all, with further vertices that join the paths: each given end has a neighbour of
    its own, which leads to these.
    """
    place = {vertex: number for number, vertex in enumerate(members)}
    around = [list(others) for others in induced(near, members)]
    size, inner = len(members), [place[end] for end in ends]
    tails: list[int] = []
    if count > 1 or len(ends) > 2:
        tails = list(range(size, size + len(ends)))
        around += [[end] for end in inner]
        for end, tail in zip(inner, tails, strict=True):
            around[end].append(tail)
        free = [number for number in range(size) if number not in inner]
        beside = tails + (free if len(ends) < 2 * count else [])
        for _ in range(count - 1):
            for other in beside:
                around[other].append(len(around))
            around.append(list(beside))
    first, last = [*(tails or inner), None, None][:2]
    if tails and len(tails) < 2 * count:
        last = None
    found, path = rotate(around, Sought(False, first, last))
    if not found:
        return None
    paths = [[members[number] for number in part] for part in parted(path, size)]
    outer = {vertex for each in paths for vertex in (each[0], each[-1])}
    return paths if len(paths) == count and outer.issuperset(ends) else None
