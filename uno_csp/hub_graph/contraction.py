"""Dense parts of a hub graph, each of which counts as one hub.

A set of hubs that cards connect by two spanning trees without a common card is *dense*: the two
hubs of a double card, or nearly everything when there are four times as many cards as hubs.

*A dense part may shrink to one hub.* Take any trails. If they visit none of its hubs, nothing
changes. Otherwise forget what they walk inside it and let T be its hubs where an odd number of
other walked cards ends, but for one of them if their number is odd. Walk all of the first tree,
and in the second one the paths that make exactly T odd inside (a T-join: each edge of the tree with
an odd number of wanted changes beyond it). Now all hubs of the part are connected, and none is odd
but the one left out, which is the parity of the shrunk hub. Components that meet the part became
one; no component has more odd hubs than those that were put together; and the sum of
max(2, odd hubs) over components did not grow. All cards with a hub in the part can be played, so
this holds for ``uno-1``, ``fill-in`` and ``longest``, for any number of sequences, whether they
are open or closed; a hub of the part is missed only where all are. Conversely, what trails do on
the shrunk graph is lifted in the same way. Only cards of the hand count, not those of a supply.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from uno_csp.array_graphs import Ints, components, spanning_tree
from uno_csp.hub_graph.shrinking import Contraction

ATTEMPTS = 3
"""So often spanning trees are drawn anew until some part is found to have two."""

FEWEST_EDGES = 4
"""With fewer edges, none of them double, no part is dense."""


def contract(size: int, pairs: Sequence[Sequence[int]]) -> Contraction:
    """Find dense parts, as large as the heuristic gets.

    Parameters
    ----------
    size
        The number of hubs.
    pairs
        The hubs of each card of the hand that lies on two.
    """
    flat = chain.from_iterable(pairs)
    edges = np.fromiter(flat, np.int64, 2 * len(pairs)).reshape(-1, 2)
    part = np.arange(size, dtype=np.int64)
    count = size
    trees: tuple[list[Ints], list[Ints]] = ([], [])
    drawing = np.random.default_rng(0)
    while True:
        ends = part[edges]
        across = np.flatnonzero(ends[:, 0] != ends[:, 1])
        found = _doubled(count, ends[across])
        if found is None:
            found = _twice_spanned(count, ends[across], drawing)
        if found is None:
            break
        joined, first, second = found
        trees[0].append(across[first])
        trees[1].append(across[second])
        part = joined[part]
        count = int(joined.max()) + 1
    first, second = _together(trees[0]), _together(trees[1])
    _require_trees(part, count, edges, (first, second))
    ends = part[edges]
    within = ends[:, 0] == ends[:, 1]
    counts = np.bincount(ends[within, 0], minlength=1)
    inside = {own: int(counts[own]) for own in np.flatnonzero(counts).tolist()}
    left = np.flatnonzero(~within).tolist()
    return Contraction(part.tolist(), count, left, inside, first.tolist(), second.tolist())


def _together(pieces: list[Ints]) -> Ints:
    return np.concatenate(pieces) if pieces else np.empty(0, dtype=np.int64)


def _require_trees(part: Ints, count: int, edges: Ints, trees: tuple[Ints, Ints]) -> None:
    """Two spanning trees of every part without a common edge are the proof that it may shrink."""
    size = len(part)
    for tree in trees:
        spanned, labels = components(size, edges[tree])
        assert len(tree) == size - count == size - spanned  # noqa: S101
        assert len(np.unique(labels * size + part)) == spanned  # noqa: S101
    assert not np.intersect1d(*trees).size  # noqa: S101


_Found = tuple[Ints, Ints, Ints]
"""For each node the part it is in, and the edges of the two trees."""


def _doubled(size: int, edges: Ints) -> _Found | None:
    """Nodes that double edges connect."""
    order, begins = _parallel(size, edges)
    if len(begins) == len(edges):
        return None
    many = np.flatnonzero(np.diff(np.append(begins, len(edges))) > 1)
    one, other = order[begins[many]], order[begins[many] + 1]
    tree = spanning_tree(size, edges[one], np.arange(len(one)))
    joined = components(size, edges[one])[1]
    return joined, one[tree], other[tree]


def _parallel(size: int, edges: Ints) -> tuple[Ints, Ints]:
    """The edges in an order in which those with the same ends follow one another, and where."""
    keys = edges.min(axis=1) * size + edges.max(axis=1) if len(edges) else edges[:, 0]
    order = np.argsort(keys, kind="stable").astype(np.int64)
    changes = np.flatnonzero(np.diff(keys[order])) + 1
    return order, np.concatenate(([0], changes)).astype(np.int64)[: len(edges)]


def _twice_spanned(size: int, edges: Ints, drawing: np.random.Generator) -> _Found | None:
    """Parts of a graph without double edges that two spanning trees connect.

    A tree is drawn, another one of what is left, and nodes are put apart that one of the two does
    not connect within the part they are in, until nothing changes. Edges between nodes of high
    degree come first, so that those of low degree become leaves.
    """
    if len(edges) < FEWEST_EDGES:
        return None
    degree = np.bincount(edges.ravel(), minlength=size)
    rank = degree.max() - degree[edges].min(axis=1)
    for _ in range(ATTEMPTS):
        first = spanning_tree(size, edges, rank * len(edges) + drawing.permutation(len(edges)))
        left = np.setdiff1d(np.arange(len(edges)), first, assume_unique=True)
        second = left[
            spanning_tree(
                size, edges[left], rank[left] * len(edges) + drawing.permutation(len(left))
            )
        ]
        labels = np.zeros(size, dtype=np.int64)
        parts = 1
        while True:
            for tree in (second, first):
                now, labels = components(size, edges[_within(labels, edges, tree)])
            if now == parts:
                break
            parts = now
        if parts < size:
            return labels, _within(labels, edges, first), _within(labels, edges, second)
    return None


def _within(labels: Ints, edges: Ints, tree: Ints) -> Ints:
    """The edges of a tree whose ends have the same label."""
    kept: Ints = tree[labels[edges[tree, 0]] == labels[edges[tree, 1]]]
    return kept
