"""Hamiltonian problems by dynamic programming over sets of vertices."""

from collections.abc import Sequence


class Paths:
    """All sets of vertices that some path visits, with the ends that such a path can have.

    Parameters
    ----------
    size
        Number of vertices, at most some 14.
    edges
        Pairs of vertices, numbered from 0.
    """

    def __init__(self, size: int, edges: Sequence[tuple[int, int]]) -> None:
        self.size = size
        self.near = [0] * size
        for one, other in edges:
            self.near[one] |= 1 << other
            self.near[other] |= 1 << one
        self.ends = self.ends_from(range(size))

    def ends_from(self, starts: Sequence[int]) -> list[int]:
        """For each set, the last vertices of paths that visit it and begin at one of ``starts``."""
        ends = [0] * (1 << self.size)
        for start in starts:
            ends[1 << start] = 1 << start
        for visited in range(1, 1 << self.size):
            if visited & (visited - 1):
                for last in range(self.size):
                    bit = 1 << last
                    if visited & bit and ends[visited ^ bit] & self.near[last]:
                        ends[visited] |= bit
        return ends

    @property
    def everything(self) -> int:
        """The set of all vertices."""
        return (1 << self.size) - 1

    def has_cycle(self) -> bool:
        """True if there is a Hamiltonian cycle."""
        last = self.ends_from([0])[self.everything]
        return self.size > 2 and bool(last & self.near[0])

    def has_path(self, source: int | None = None, target: int | None = None) -> bool:
        """True if there is a Hamiltonian path, with the given ends."""
        ends = self.ends if source is None else self.ends_from([source])
        last = ends[self.everything]
        return bool(last if target is None else last & 1 << target)

    def longest(self) -> int:
        """Number of vertices of a longest path."""
        return max(bin(visited).count("1") for visited, ends in enumerate(self.ends) if ends)

    def fewest(self) -> int:
        """Fewest paths that visit every vertex once together."""
        best = [self.size + 1] * (1 << self.size)
        best[0] = 0
        for visited in range(1, 1 << self.size):
            lowest, part = visited & -visited, visited
            while part:
                if part & lowest and self.ends[part]:
                    best[visited] = min(best[visited], 1 + best[visited ^ part])
                part = (part - 1) & visited
        return best[self.everything]
