"""Separators: few vertices without which a graph falls into many components.

Of r paths that visit all vertices, t removed vertices leave r + t pieces at most, and each piece
lies in one component; of a cycle they leave t pieces (Chvátal 1973).
"""

import random
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain

from uno_csp.graph_tools.pieces import Near, biconnected, components, smaller_side

MOST_TRIES, MOST_STEPS = 6, 600_000
"""Maximum number of independent sets that are tried, and of vertices and edges in all of them."""


def best_separator(near: Near, ends: Collection[int] = ()) -> tuple[int, list[int]]:
    """Return a number of paths that is needed to visit all vertices, and vertices that show it.

    They are the components that are left, less the vertices removed, and more the given ends among
    these. Tried are no vertex, the smaller side of a bipartite graph, and the neighbours of
    independent sets of vertices of small degree, and cut vertices. The graph is connected.
    """
    tried: list[list[int]] = [[]]
    if (side := smaller_side(near)) is not None:
        tried.append(side)
    blocks = Counter(chain.from_iterable(biconnected(near)))
    if cuts := [vertex for vertex, count in blocks.most_common() if count > 1]:
        tried += [cuts[:1], cuts]
    size = len(near) + sum(map(len, near))
    tries = min(MOST_TRIES, 1 + MOST_STEPS // size)
    tried += [_around_independent(near, random.Random(seed)) for seed in range(tries)]
    best = 0, list[int]()
    for removed in tried:
        improved = _improved(near, removed)
        for each in (removed, improved):
            count = len(components(near, each))
            value = count - len(each) + len(set(each).intersection(ends))
            # A graph that stays in one piece needs a path, whatever was removed.
            if count > 1 and value > best[0]:
                best = value, each
    return best


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


def _improved(near: Near, removed: Sequence[int]) -> list[int]:
    """Return the removed vertices without those beside one component at most."""
    component = [-1] * len(near)
    for number, members in enumerate(components(near, removed)):
        for vertex in members:
            component[vertex] = number
    kept = []
    for vertex in removed:
        beside = {component[other] for other in near[vertex]} - {-1}
        if len(beside) > 1:
            kept.append(vertex)
        else:
            component[vertex] = beside.pop() if beside else len(near) + vertex
    return kept
