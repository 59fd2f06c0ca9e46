"""An Eulerian circuit through hundreds of thousands of edges, computed with arrays.

At every node the edge ends are paired, which yields circuits. Where two circuits meet at a node,
exchanging partners there merges them. A spanning forest of the graph of meeting circuits selects
the exchanges that leave a single circuit (Hierholzer 1873, with all detours at once).
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from uno_csp.graph_tools.array_graphs import Ints, components, spanning_tree


def eulerian_circuit(edges: Sequence[tuple[int, int, int]], start: int) -> list[tuple[int, int]]:
    """Return an Eulerian circuit as (label, next node) pairs; the graph is even and connected.

    An edge has two nodes, numbered from -1, and a label. The circuit begins and ends at ``start``.
    """
    table = np.fromiter(chain.from_iterable(edges), np.int64, 3 * len(edges)).reshape(-1, 3)
    at = table[:, :2].ravel()  # the node of each end; edge e has the ends 2e and 2e + 1
    other = _pair_ends(at).tolist()
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


def _pair_ends(at: Ints) -> Ints:
    """Return for each edge end its partner: the end by which the single circuit continues."""
    order = np.argsort(at, kind="stable")
    one, other = order[::2], order[1::2]
    count, circuit = components(len(at) // 2, np.stack((one, other), axis=1) // 2)
    at_pair, own = at[one], circuit[one // 2]
    meets = np.flatnonzero((at_pair[1:] == at_pair[:-1]) & (own[1:] != own[:-1]))
    joins = np.zeros(len(one), dtype=bool)
    joins[meets[_forest(count, own[meets], own[meets + 1])]] = True
    # In a run of joined pairs each pair continues with the next, and the last with the first.
    places = np.arange(len(one))
    begins = np.maximum.accumulate(np.where(np.append(True, ~joins[:-1]), places, 0))
    following = one[np.where(joins, places + 1, begins)]
    paired = np.empty(len(at), dtype=np.int64)
    paired[other], paired[following] = following, other
    return paired


def _forest(count: int, first: Ints, second: Ints) -> Ints:
    """Return the indices of links between circuits that form a spanning forest."""
    keys = np.minimum(first, second) * count + np.maximum(first, second)
    _, chosen = np.unique(keys, return_index=True)
    links = np.stack((first[chosen], second[chosen]), axis=1)
    forest: Ints = chosen[spanning_tree(count, links, np.arange(len(chosen)))]
    return forest
