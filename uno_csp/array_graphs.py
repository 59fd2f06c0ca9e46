"""Graphs of many edges as arrays: an edge is a row with its two nodes, numbered from 0.

numpy and scipy take a while to load, so only what deals with large graphs imports this.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

Ints: TypeAlias = NDArray[np.int64]


def components(size: int, edges: Ints) -> tuple[int, Ints]:
    """How many components a graph with so many nodes has, and the one each node is in."""
    matrix = csr_matrix(
        (np.ones(len(edges), dtype=np.int8), (edges[:, 0], edges[:, 1])), shape=(size, size)
    )
    count, labels = connected_components(matrix, directed=False)
    return int(count), labels.astype(np.int64)


def spanning_tree(size: int, edges: Ints, order: Ints) -> Ints:
    """The edges of a spanning forest, as indices; those with a small number come first.

    There are no double edges, and no two have the same number.
    """
    place = np.empty(len(edges), dtype=np.int64)
    place[np.argsort(order)] = np.arange(1, len(edges) + 1)
    matrix = csr_matrix((place.astype(np.float64), (edges[:, 0], edges[:, 1])), shape=(size, size))
    chosen = minimum_spanning_tree(matrix).data.astype(np.int64)
    back = np.empty(len(edges) + 1, dtype=np.int64)
    back[place] = np.arange(len(edges))
    tree: Ints = back[chosen]
    return tree
