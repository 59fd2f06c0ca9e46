"""Perfect matchings of bipartite graphs, by the algorithm of Hopcroft and Karp (1973).

The graph is square, and dense: the columns that a row may have are the bits of an integer. So a
step over all columns is a few operations on integers, which for a hundred rows is faster than the
sparse matrices of SciPy are made, and the same on any version of it.
"""

from collections.abc import Sequence


def perfect_matching(rows: Sequence[int]) -> list[int] | None:
    """Return a column for each row, all different, of those in its bit mask; None if none fits.

    >>> perfect_matching([0b011, 0b001, 0b110])
    [1, 0, 2]
    >>> perfect_matching([0b011, 0b001, 0b011]) is None
    True
    """
    found = Matching(rows)
    while found.unmatched:
        layers = found.layers()
        if layers is None:
            return None
        for row in found.unmatched[:]:
            found.augment(row, layers)
    return found.columns


class Matching:
    """A matching of rows with columns, which begins with the first free column of each row."""

    def __init__(self, rows: Sequence[int]) -> None:
        self._rows = rows
        self._row_of = [-1] * len(rows)
        self.columns = [-1] * len(rows)  # the column of each row; -1 without one
        self.unmatched: list[int] = []
        free = (1 << len(rows)) - 1
        for row, allowed in enumerate(rows):
            fits = allowed & free
            if fits:
                column = (fits & -fits).bit_length() - 1
                self.columns[row], self._row_of[column] = column, row
                free ^= 1 << column
            else:
                self.unmatched.append(row)
        self._free = free  # the columns without a row

    def _match(self, row: int, column: int) -> None:
        self.columns[row], self._row_of[column] = column, row
        self._free &= ~(1 << column)

    def layers(self) -> list[int] | None:
        """Return the columns that alternating paths from unmatched rows reach first, by length.

        The last of them are free, the others are not; None if no path reaches a free column.
        """
        found: list[int] = []
        left, rows = (1 << len(self._rows)) - 1, self.unmatched
        while rows:
            reached = 0
            for row in rows:
                reached |= self._rows[row]
            reached &= left
            if reached & self._free:
                return [*found, reached & self._free]
            found.append(reached)
            left &= ~reached
            rows = [self._row_of[column] for column in _places(reached)]
        return None

    def augment(self, start: int, layers: list[int]) -> None:
        """Match an unmatched row along a path through the layers, if there is one.

        The columns that were tried are taken from the layers: no other path needs them.
        """
        path = [(start, -1)]  # each row, and the column by which it was reached
        while path:
            row, at = path[-1][0], len(path) - 1
            fits = self._rows[row] & layers[at]
            if not fits:
                path.pop()
                continue
            last = at == len(layers) - 1
            column = ((fits & -fits) if last else fits).bit_length() - 1
            layers[at] &= ~(1 << column)
            if last:
                break
            path.append((self._row_of[column], column))
        if path:
            self.unmatched.remove(start)
            for row, before in reversed(path):
                self._match(row, column)
                column = before


def _places(bits: int) -> list[int]:
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
