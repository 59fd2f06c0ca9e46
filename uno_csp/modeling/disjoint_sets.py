"""Disjoint sets with path halving: which things hang together."""


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

    def unite(self, first: int, second: int) -> None:
        """Make one set of two."""
        self._parent[self.find(first)] = self.find(second)
