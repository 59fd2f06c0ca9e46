"""An Eulerian circuit through hundreds of thousands of edges, in bulk.

At every node the ends of edges are paired, which makes circuits. Where two of them meet at a node,
exchanging their pairs there makes one of both; a spanning forest of what meets what tells where to
do so, until one is left (Hierholzer 1873, with all detours at once).
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from uno_csp.array_graphs import Ints, components, spanning_tree


def eulerian_circuit(edges: Sequence[tuple[int, int, int]], start: int) -> list[tuple[int, int]]:
    """Every edge once: labels and the nodes they lead to; every node is even, and all connected.

    Parameters
    ----------
    edges
        Two nodes, which are numbered from -1, and a label for each.
    start
        Where the circuit begins and ends.
    """
    table = np.fromiter(chain.from_iterable(edges), np.int64, 3 * len(edges)).reshape(-1, 3)
    at = table[:, :2].ravel()  # the node of each end; those of edge e are 2e and 2e + 1
    other = _paired(at).tolist()
    first = end = int(np.flatnonzero(at == start)[0])
    reached = []
    while True:
        reached.append(end ^ 1)
        end = other[end ^ 1]
        if end == first:
            break
    assert len(reached) == len(edges)  # noqa: S101
    ends = np.array(reached)
    return list(zip(table[ends // 2, 2].tolist(), at[ends].tolist(), strict=True))


def _paired(at: Ints) -> Ints:
    """For each end of an edge the end by which the one circuit goes on."""
    order = np.argsort(at, kind="stable")
    one, other = order[::2], order[1::2]
    count, circuit = components(len(at) // 2, np.stack((one, other), axis=1) // 2)
    at_pair, own = at[one], circuit[one // 2]
    meets = np.flatnonzero((at_pair[1:] == at_pair[:-1]) & (own[1:] != own[:-1]))
    joins = np.zeros(len(one), dtype=bool)
    joins[meets[_forest(count, own[meets], own[meets + 1])]] = True
    # A run of pairs, each joined with the next, goes from pair to pair and back to its first.
    places = np.arange(len(one))
    begins = np.maximum.accumulate(np.where(np.append(True, ~joins[:-1]), places, 0))
    following = one[np.where(joins, places + 1, begins)]
    paired = np.empty(len(at), dtype=np.int64)
    paired[other], paired[following] = following, other
    return paired


def _forest(count: int, first: Ints, second: Ints) -> Ints:
    """Which of some links between circuits make a spanning forest, by index."""
    keys = np.minimum(first, second) * count + np.maximum(first, second)
    _, chosen = np.unique(keys, return_index=True)
    links = np.stack((first[chosen], second[chosen]), axis=1)
    forest: Ints = chosen[spanning_tree(count, links, np.arange(len(chosen)))]
    return forest
