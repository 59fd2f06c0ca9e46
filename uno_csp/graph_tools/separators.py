"""Separators: few vertices without which a graph falls into many components.

Of r paths that visit all vertices, t removed vertices leave r + t pieces at most, and each piece
lies in one component; of a cycle they leave t pieces (Chvátal 1973).
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain

from uno_csp.graph_tools.pieces import Near, biconnected, components, smaller_side

MOST_TRIES, MOST_STEPS = 6, 600_000
"""Maximum number of independent sets that are tried, and of vertices and edges in all of them."""


def best_separator(
    near: Near, ends: Collection[int] = (), expired: Callable[[], bool] = bool
) -> tuple[int, list[int]]:
    """Return a number of paths that is needed to visit all vertices, and vertices that show it.

    They are the components that are left, less the vertices removed, and more the given ends among
    these. Tried are no vertex, the given ends, the smaller side of a bipartite graph, the
    neighbours of independent sets of vertices of small degree, and cut vertices. The graph is
    connected.
    """
    best = 0, list[int]()
    for candidate in _candidates(near, ends):
        count, removed = _improve(near, candidate)
        # A graph that stays in one piece needs a path, whatever was removed.
        if count > 1:
            value = count - len(removed) + len(set(removed).intersection(ends))
            best = max(best, (value, removed))
        if expired():
            break
    return best


def _candidates(near: Near, ends: Collection[int]) -> Iterator[list[int]]:
    """Yield sets of vertices that may leave many components."""
    yield list(ends)
    yield from _cut_vertices(near)
    side = smaller_side(near)
    if side is not None:
        yield side
    tries = 1 + min(MOST_TRIES, MOST_STEPS // (len(near) + sum(map(len, near))))
    for seed in range(tries):
        yield _around_independent(near, random.Random(seed))


def _cut_vertices(near: Near) -> list[list[int]]:
    """Return the vertex that is in most blocks, and all that are in several, if there are any."""
    blocks = Counter(chain.from_iterable(biconnected(near)))
    cuts = [vertex for vertex, count in blocks.most_common() if count > 1]
    return [cuts[:1], cuts] if cuts else []


def _around_independent(near: Near, rng: random.Random) -> list[int]:
    """Return the neighbours of an independent set, built by smallest degree among the rest."""
    degree = list(map(len, near))
    decided = bytearray(len(near))
    waiting: list[list[int]] = [[] for _ in range(max(degree) + 1)]
    vertices = list(range(len(near)))
    rng.shuffle(vertices)
    for vertex in vertices:
        waiting[degree[vertex]].append(vertex)
    removed: list[int] = []
    chosen, best, length, lowest = 0, 0, 0, 0
    while lowest < len(waiting):
        if not waiting[lowest]:
            lowest += 1
            continue
        vertex = waiting[lowest].pop()
        if decided[vertex] or degree[vertex] != lowest:
            continue
        decided[vertex] = 1
        chosen += 1
        around = [other for other in near[vertex] if not decided[other]]
        for other in around:
            decided[other] = 1
        removed += around
        for other in around:
            for third in near[other]:
                if not decided[third]:
                    degree[third] -= 1
                    waiting[degree[third]].append(third)
                    lowest = min(lowest, degree[third])
        if chosen - len(removed) >= best:
            best, length = chosen - len(removed), len(removed)
    return removed[:length]


def _improve(near: Near, removed: Sequence[int]) -> tuple[int, list[int]]:
    """Put back the removed vertices beside one component at most; count the components."""
    component = [-1] * len(near)
    parts = components(near, removed)
    for number, members in enumerate(parts):
        for vertex in members:
            component[vertex] = number
    count, kept = len(parts), []
    for vertex in removed:
        beside = {component[other] for other in near[vertex]} - {-1}
        if len(beside) > 1:
            kept.append(vertex)
        elif beside:
            component[vertex] = beside.pop()
        else:
            component[vertex] = len(near) + vertex
            count += 1
    return count, kept
