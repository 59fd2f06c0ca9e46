"""Disjoint sets (union-find) with path halving."""

from collections.abc import Iterable


class DisjointSets:
    """A partition of 0..size-1, initially into singletons.

    >>> sets = DisjointSets(3)
    >>> sets.unite(0, 2)
    True
    >>> sets.find(0) == sets.find(2), sets.find(0) == sets.find(1)
    (True, False)
    """

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def find(self, element: int) -> int:
        """Return the representative of the element's set."""
        parent = self._parent
        while parent[element] != element:
            parent[element] = parent[parent[element]]
            element = parent[element]
        return element

    def unite_all(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Unite the sets of each pair; ``find`` is inlined, since there may be a million pairs."""
        parent = self._parent
        for first, second in pairs:
            one, other = first, second
            while parent[one] != one:
                parent[one] = one = parent[parent[one]]
            while parent[other] != other:
                parent[other] = other = parent[parent[other]]
            parent[one] = other

    def groups(self, elements: Iterable[int]) -> list[list[int]]:
        """Return the sets of some elements, in the order of their first ones."""
        found: dict[int, list[int]] = {}
        for element in elements:
            found.setdefault(self.find(element), []).append(element)
        return list(found.values())

    def unite(self, first: int, second: int) -> bool:
        """Unite the sets of two elements; return False if they are one already."""
        one, other = self.find(first), self.find(second)
        self._parent[one] = other
        return one != other
