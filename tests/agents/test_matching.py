"""Perfect matchings of square bipartite graphs, compared with those of SciPy."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from uno_csp.agents.matching import Matching, perfect_matching


def bits_of(allowed: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]") -> list[int]:
    return [sum(1 << int(column) for column in np.flatnonzero(row)) for row in allowed]


@pytest.mark.parametrize("density", [0.05, 0.1, 0.2, 0.4])
def test_a_matching_is_perfect_if_there_is_one(density: float) -> None:
    """Of graphs of all sizes some have one, some have none."""
    rng, perfect = np.random.default_rng(int(100 * density)), 0
    for _ in range(300):
        size = int(rng.integers(1, 40))
        allowed = rng.random((size, size)) < density
        if rng.random() < 0.7:
            allowed |= np.eye(size, dtype=np.bool_)[rng.permutation(size)]
        found = perfect_matching(bits_of(allowed))
        expected = maximum_bipartite_matching(csr_array(allowed), perm_type="column")
        assert (found is None) == bool((expected < 0).any())
        if found is not None:
            perfect += 1
            assert sorted(found) == list(range(size))
            assert allowed[np.arange(size), found].all()
    assert 150 < perfect < 300


def test_rows_take_the_first_free_column_and_give_way_along_shortest_paths() -> None:
    """The order matters: deals begin with it."""
    rows = [0b0011, 0b1001, 0b0101, 0b0001]
    begun = Matching(rows)
    assert (begun.columns, begun.unmatched) == ([0, 3, 2, -1], [3])
    assert begun.layers() == [0b0001, 0b0010]
    assert perfect_matching(rows) == [1, 3, 2, 0]
