"""Large graphs as arrays: each row is an edge, given by its two nodes, numbered from 0.

numpy and scipy load slowly, so only modules that handle large graphs import this one.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

Ints: TypeAlias = NDArray[np.int64]


def components(size: int, edges: Ints) -> tuple[int, Ints]:
    """Return the number of components of a graph with ``size`` nodes, and the component of each."""
    matrix = csr_matrix(
        (np.ones(len(edges), dtype=np.int8), (edges[:, 0], edges[:, 1])), shape=(size, size)
    )
    count, labels = connected_components(matrix, directed=False)
    return int(count), labels.astype(np.int64)


def spanning_tree(size: int, edges: Ints, order: Ints) -> Ints:
    """Return the edges of a minimum spanning forest, as indices.

    ``order`` has the weight of each edge; weights are distinct, and no edges are parallel.
    """
    place = np.empty(len(edges), dtype=np.int64)
    place[np.argsort(order)] = np.arange(1, len(edges) + 1)
    matrix = csr_matrix((place.astype(np.float64), (edges[:, 0], edges[:, 1])), shape=(size, size))
    chosen = minimum_spanning_tree(matrix).data.astype(np.int64)
    back = np.empty(len(edges) + 1, dtype=np.int64)
    back[place] = np.arange(len(edges))
    tree: Ints = back[chosen]
    return tree
