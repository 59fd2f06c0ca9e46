"""Short Hamiltonian paths of a matrix of lengths, and bounds on them by trees with prices."""

from collections.abc import Sequence

import numpy as np

from uno_csp.graph_tools.pieces import Near, components, induced
from uno_csp.graph_tools.rotations import Sought, rotated
from uno_csp.hub_graph.chain_search import Ints, best_order
from uno_csp.processes.deadline import Deadline

STEPS_PER_VERTEX, STEPS_PER_EDGE = 50, 5
"""Neighbours that the rotations look at: per vertex, and per edge of length 0."""

KICKS = 3000  # number of random changes to the order of the vertices

MOST_TREES, COMPARISONS = 300, 40_000_000
"""Maximum number of trees, and of the pairs of vertices that they compare."""

PATIENCE = 10  # number of trees without a better bound after which the steps become shorter
UNIT = 1000  # a length of 1 in the unit of the prices


def short_path(
    lengths: Ints, first: int | None, bound: int, deadline: Deadline
) -> tuple[list[int], int]:
    """Return a short path through all vertices, and a lower bound on the length of any.

    ``lengths`` is a symmetric matrix of integers, 0 or more; ``first`` the vertex at which the path
    has to begin, if there is one; ``bound`` a lower bound that is known.
    """
    begin = [] if first is None else [first]
    pieces = _pieces(lengths, [v for v in range(len(lengths)) if v != first], deadline)
    path = _in_order(lengths, pieces, begin, bound, len(pieces))
    length = int(lengths[path[:-1], path[1:]].sum())
    if length > bound and not deadline.expired:
        bound = max(bound, tree_bound(lengths, first, length, deadline))
    if length > bound and not deadline.expired:
        path = _in_order(lengths, [[vertex] for vertex in path[len(begin) :]], begin, bound)
    return path, bound


def _pieces(lengths: Ints, vertices: Sequence[int], deadline: Deadline) -> list[list[int]]:
    """Return paths of length 0 through some vertices, each as long as rotations find."""
    zero = lengths[np.ix_(vertices, vertices)] == 0
    np.fill_diagonal(zero, val=False)
    near: Near = [np.flatnonzero(row).tolist() for row in zero]
    pieces = []
    waiting = components(near)
    while waiting:
        part = waiting.pop()
        own = induced(near, part)
        steps = STEPS_PER_VERTEX * len(part) + STEPS_PER_EDGE * sum(map(len, own))
        _, path = rotated(own, Sought(), 0, steps, lambda: deadline.expired)
        pieces.append([vertices[part[place]] for place in path])
        visited = set(path)
        waiting += [[part[at] for at in rest] for rest in components(own, visited)]
    return pieces


def _in_order(
    lengths: Ints,
    pieces: Sequence[Sequence[int]],
    begin: Sequence[int],
    bound: int,
    kicks: int = KICKS,
) -> list[int]:
    """Return the path that joins pieces in the best order and directions that are found."""
    ends = [end for piece in pieces for end in (piece[0], piece[-1])] + [*begin]
    order = best_order(lengths[np.ix_(ends, ends)], len(pieces), bound, kicks)
    path = [*begin]
    for end in order.tolist():
        path += pieces[end // 2][:: -1 if end % 2 else 1]
    return path


def tree_bound(lengths: Ints, first: int | None, length: int, deadline: Deadline) -> int:
    """Return a lower bound on the length of a path, by subgradient steps from prices of 0.

    With a price for each vertex that is added to the lengths of its edges, a path from s to t is
    longer by twice the sum of the prices, but for those of s and t. So a tree's length, less that,
    is a bound, with the two ends whose prices are least. A path of that ``length`` is known.
    """
    size = len(lengths)
    prices = np.zeros(size, dtype=np.int64)
    best, idle, scale = 0, 0, 1.0
    for _ in range(min(MOST_TREES, 1 + COMPARISONS // size**2)):
        total, degrees = _spanning_tree(UNIT * lengths + prices[:, None] + prices)
        ends = _cheapest_ends(prices, first)
        value = total - int(2 * prices.sum() - prices[ends].sum())
        idle = 0 if value > best else idle + 1
        best = max(best, value)
        bound = -(-best // UNIT)
        degrees[ends] += 1
        slope = degrees - 2
        if bound >= length or not slope.any() or deadline.expired:
            break
        if idle == PATIENCE:
            idle, scale = 0, scale / 2
        prices += np.rint(scale * (UNIT * length - value) / (slope**2).sum() * slope).astype(int)
    return bound


def _cheapest_ends(prices: Ints, first: int | None) -> list[int]:
    """Return the two ends of a path whose prices are least."""
    one, other = np.argsort(prices, kind="stable")[:2].tolist()
    if first is None:
        return [one, other]
    return [first, other if one == first else one]


def _spanning_tree(lengths: Ints) -> tuple[int, Ints]:
    """Return the length of a minimum spanning tree, and the degrees of its vertices (Prim 1957)."""
    size = len(lengths)
    degrees = np.zeros(size, dtype=np.int64)
    far = np.iinfo(np.int64).max
    distance, parent = lengths[0].copy(), np.zeros(size, dtype=np.int64)
    outside = np.ones(size, dtype=bool)
    outside[0], distance[0], total = False, far, 0
    for _ in range(size - 1):
        vertex = int(distance.argmin())
        total += int(distance[vertex])
        degrees[[vertex, parent[vertex]]] += 1
        outside[vertex], distance[vertex] = False, far
        row = lengths[vertex]
        nearer = outside & (row < distance)
        distance[nearer] = row[nearer]
        parent[nearer] = vertex
    return total, degrees
