"""Disjoint sets with path halving: which things hang together."""

from collections.abc import Iterable


class DisjointSets:
    """A partition of 0..size-1, at first into single elements.

    >>> sets = DisjointSets(3)
    >>> sets.unite(0, 2)
    >>> sets.find(0) == sets.find(2), sets.find(0) == sets.find(1)
    (True, False)
    """

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def find(self, element: int) -> int:
        """The element that stands for the set of this one."""
        parent = self._parent
        while parent[element] != element:
            parent[element] = parent[parent[element]]
            element = parent[element]
        return element

    def unite_all(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Make one set of the sets of each pair, as fast as can be: there may be a million."""
        parent = self._parent
        for first, second in pairs:
            one, other = first, second
            while parent[one] != one:
                parent[one] = one = parent[parent[one]]
            while parent[other] != other:
                parent[other] = other = parent[parent[other]]
            parent[one] = other

    def unite(self, first: int, second: int) -> None:
        """Make one set of two."""
        self._parent[self.find(first)] = self.find(second)
