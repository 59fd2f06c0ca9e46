"""Collapsible subgraphs of a hub graph, each of which can be shrunk to one hub.

A set of hubs is *collapsible* if cards connect it by two edge-disjoint spanning trees: the two hubs
of a double card, or nearly the whole graph if there are four times as many cards as hubs.

*A collapsible subgraph may shrink to one hub.* Take any trails. If they visit none of its hubs,
nothing changes. Otherwise discard their edges inside the part, and let T be its hubs at which an
odd number of other trail edges end, without one of them if their number is odd. Walk the whole
first tree, and those edges of the second tree that together with the first make exactly T odd
inside (a T-join: the edges with an odd number of hubs beyond them that need a change of parity).
Now all hubs of the part are connected, and only the hub left out of T, if any, is odd; this is the
parity of the shrunk hub. Components that met the part have become one; it has no more odd vertices
than they had together; and the sum of max(2, odd vertices) over components has not grown. All cards
with a hub in the part can be played, so this holds for ``uno-1``, ``fill-in`` and ``longest``, for
any number of sequences, open or closed; a hub of the part is missed only if all its hubs are.
Conversely, trails on the shrunk graph are lifted in the same way. Only cards of the hand count, not
those of a supply.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from uno_csp.graph_tools.array_graphs import Ints, components, spanning_tree
from uno_csp.hub_graph.shrinking import Contraction

ATTEMPTS = 3  # number of pairs of random spanning trees tried before the search ends
FEWEST_EDGES = 4  # in a graph with fewer edges, none of them double, no subgraph is collapsible


def contract(size: int, pairs: Sequence[Sequence[int]]) -> Contraction:
    """Find collapsible subgraphs by a heuristic that aims at large ones."""
    flat = chain.from_iterable(pairs)
    edges = np.fromiter(flat, np.int64, 2 * len(pairs)).reshape(-1, 2)
    part = np.arange(size, dtype=np.int64)
    count = size
    trees: tuple[list[Ints], list[Ints]] = ([], [])
    drawing = np.random.default_rng(0)
    while True:
        ends = part[edges]
        across = np.flatnonzero(ends[:, 0] != ends[:, 1])
        found = _find_doubled(count, ends[across])
        if found is None:
            found = _find_twice_spanned(count, ends[across], drawing)
        if found is None:
            break
        joined, first, second = found
        trees[0].append(across[first])
        trees[1].append(across[second])
        part = joined[part]
        count = int(joined.max()) + 1
    first, second = _concatenate(trees[0]), _concatenate(trees[1])
    _require_trees(part, count, edges, (first, second))
    ends = part[edges]
    within = ends[:, 0] == ends[:, 1]
    counts = np.bincount(ends[within, 0], minlength=1)
    inside = {own: int(counts[own]) for own in np.flatnonzero(counts).tolist()}
    left = np.flatnonzero(~within).tolist()
    return Contraction(part.tolist(), count, left, inside, first.tolist(), second.tolist())


def _concatenate(pieces: list[Ints]) -> Ints:
    return np.concatenate(pieces) if pieces else np.empty(0, dtype=np.int64)


def _require_trees(part: Ints, count: int, edges: Ints, trees: tuple[Ints, Ints]) -> None:
    """Assert that every part has two edge-disjoint spanning trees, which prove it collapsible."""
    size = len(part)
    for tree in trees:
        spanned, labels = components(size, edges[tree])
        assert len(tree) == size - count == size - spanned  # noqa: S101
        assert len(np.unique(labels * size + part)) == spanned  # noqa: S101
    assert not np.intersect1d(*trees).size  # noqa: S101


_Found = tuple[Ints, Ints, Ints]  # for each node the part it is in, and the edges of the two trees


def _find_doubled(size: int, edges: Ints) -> _Found | None:
    """Return the parts that double edges connect; None if no edge is double."""
    order, begins = _sort_by_ends(size, edges)
    if len(begins) == len(edges):
        return None
    many = np.flatnonzero(np.diff(np.append(begins, len(edges))) > 1)
    one, other = order[begins[many]], order[begins[many] + 1]
    tree = spanning_tree(size, edges[one], np.arange(len(one)))
    joined = components(size, edges[one])[1]
    return joined, one[tree], other[tree]


def _sort_by_ends(size: int, edges: Ints) -> tuple[Ints, Ints]:
    """Return the edges sorted by their ends, and where each group of parallel edges begins."""
    keys = edges.min(axis=1) * size + edges.max(axis=1) if len(edges) else edges[:, 0]
    order = np.argsort(keys, kind="stable").astype(np.int64)
    changes = np.flatnonzero(np.diff(keys[order])) + 1
    return order, np.concatenate(([0], changes)).astype(np.int64)[: len(edges)]


def _find_twice_spanned(size: int, edges: Ints, drawing: np.random.Generator) -> _Found | None:
    """Return collapsible subgraphs of a graph without double edges; None if none is found.

    Draw a random spanning tree, and another one from the other edges. Split the parts that one of
    the two trees does not connect, until nothing changes. Edges between nodes of high degree are
    preferred, so that nodes of low degree become leaves.
    """
    if len(edges) < FEWEST_EDGES:
        return None
    degree = np.bincount(edges.ravel(), minlength=size)
    rank = degree.max() - degree[edges].min(axis=1)
    for _ in range(ATTEMPTS):
        first = spanning_tree(size, edges, rank * len(edges) + drawing.permutation(len(edges)))
        left = np.setdiff1d(np.arange(len(edges)), first, assume_unique=True)
        order = rank[left] * len(edges) + drawing.permutation(len(left))
        second = left[spanning_tree(size, edges[left], order)]
        labels = np.zeros(size, dtype=np.int64)
        parts = 1
        while True:
            for tree in (second, first):
                now, labels = components(size, edges[_keep_within(labels, edges, tree)])
            if now == parts:
                break
            parts = now
        if parts < size:
            return labels, _keep_within(labels, edges, first), _keep_within(labels, edges, second)
    return None


def _keep_within(labels: Ints, edges: Ints, tree: Ints) -> Ints:
    """Return the edges of a tree whose ends have the same label."""
    kept: Ints = tree[labels[edges[tree, 0]] == labels[edges[tree, 1]]]
    return kept
