"""Orders of the vertices along a line, by lexicographic breadth-first search.

A graph is a *proper interval graph* if its vertices can be put in a row such that those next to any
two adjacent ones lie all around them: then three sweeps of the search find such a row (Corneil, A
simple 3-sweep LBFS algorithm for the recognition of unit interval graphs, 2004). It is a
Hamiltonian path if the graph is connected; its even places and the odd ones back are a Hamiltonian
cycle if the graph is 2-connected and has three vertices (Bertossi 1983).
"""

from collections.abc import Iterable, Sequence

from uno_csp.graph_tools.pieces import Near

SWEEPS = 3


def straight_walk(near: Near, *, closed: bool) -> list[int] | None:
    """Return a Hamiltonian path, or cycle, along the row of a proper interval graph.

    None if there is none along the row that the sweeps give for any other graph.
    """
    row: Sequence[int] = range(len(near))
    for _ in range(SWEEPS):
        row = lexicographic_sweep(near, row[::-1])
    walk = [*row[::2], *row[1::2][::-1]] if closed else list(row)
    after = walk[1:] + walk[:1] if closed else walk[1:]
    fits = all(other in near[vertex] for vertex, other in zip(walk, after, strict=False))
    return walk if fits else None


def lexicographic_sweep(near: Near, ties: Iterable[int]) -> list[int]:
    """Return the vertices in lexicographic breadth-first order; of equal ones the first in ties.

    It is linear (Habib, McConnell, Paul and Viennot 2000): the vertices that are left stand in a
    row of cells, and each one that is visited splits its neighbours off, to the front of theirs.
    """
    cells = _Cells(list(ties))
    beside: list[list[int]] = [[] for _ in near]
    for vertex in cells.members[0]:
        for other in near[vertex]:
            beside[other].append(vertex)
    order: list[int] = []
    while (visited := cells.take()) is not None:
        order.append(visited)
        cells.split(beside[visited])
    return order


class _Cells:
    """A row of cells that vertices are taken from, the first one first."""

    def __init__(self, members: list[int]) -> None:
        self.members = [members]  # a vertex that has been split off stays in its old cell
        self._cell = dict.fromkeys(members, 0)
        self._taken = [0]  # the number of members of each cell that were looked at
        self._before, self._after = [-1], [-1]  # the cells beside each; -1 for none
        self._first = 0

    def take(self) -> int | None:
        """Take the first vertex; None if none is left."""
        while self._first >= 0:
            cell = self._first
            for place in range(self._taken[cell], len(self.members[cell])):
                vertex = self.members[cell][place]
                if self._cell.get(vertex) == cell:
                    self._taken[cell] = place + 1
                    del self._cell[vertex]
                    return vertex
            self._first = self._after[cell]
        return None

    def split(self, vertices: Iterable[int]) -> None:
        """Move vertices that are left, in their order, to new cells before their cells."""
        made: dict[int, int] = {}
        for vertex in vertices:
            if (cell := self._cell.get(vertex)) is not None:
                if cell not in made:
                    made[cell] = self._insert_before(cell)
                self.members[made[cell]].append(vertex)
                self._cell[vertex] = made[cell]

    def _insert_before(self, cell: int) -> int:
        new, before = len(self.members), self._before[cell]
        self.members.append([])
        self._taken.append(0)
        self._before.append(before)
        self._after.append(cell)
        self._before[cell] = new
        if cell == self._first:
            self._first = new
        else:
            self._after[before] = new
        return new
