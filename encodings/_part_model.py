"""Model of a part of a hub graph by its table: exactly one row is chosen."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import TypeAlias, TypeVar

from uno_csp.hub_graph import ABSENT, ANCHORED, BLOCK, ODD, Row
from uno_csp.modeling import Model

KeyT = TypeVar("KeyT", bound=Hashable)

Term: TypeAlias = tuple[int, int]
"""A weight and a literal."""


class PartModel:
    """The variables and constraints of one table; hubs are indices into its scope.

    Parameters
    ----------
    visited
        For each hub of the scope, the literal for "it is visited".
    rows
        The rows of the table.

    Attributes
    ----------
    taken
        For each row, the variable for "it is chosen"; exactly one is true.
    """

    def __init__(self, model: Model, visited: Sequence[int], rows: Sequence[Row]) -> None:
        self._model = model
        self._rows = rows
        self.taken = list(model.new_vars(len(rows)))
        self._known: dict[frozenset[int], int] = {}
        model.exactly(self.taken, 1)
        for place, literal in enumerate(visited):
            present = self._rows_where(place, lambda at: at != ABSENT)
            self._require_equal(literal, present)
            self._known.setdefault(present, literal)

    def odd(self) -> dict[int, int]:
        """Return, for each hub that can be odd, the literal for "it is odd".

        A hub is odd if an odd number of walked cards of the part end there.
        """
        odd = {}
        for place in range(len(self._rows[0][0])):
            rows = self._rows_where(place, _is_odd)
            if rows:
                odd[place] = self._any_of(rows)
        return odd

    def links(self, *, anchored: bool) -> dict[tuple[int, int, int], int]:
        """Return the literals of the edges by which the part connects hubs, by (hub, hub, weight).

        Together with :meth:`anchors`, the weights at a hub add up to its parity. Edges of anchored
        blocks are included only if ``anchored`` is true.
        """
        rows: defaultdict[tuple[int, int, int], set[int]] = defaultdict(set)
        for index, (places, _) in enumerate(self._rows):
            for block in _blocks(places):
                holds = bool(places[block[0]] & ANCHORED)
                if holds and not anchored:
                    continue
                count = 0
                for one, other in pairwise(block):
                    count += _is_odd(places[one])
                    rows[one, other, 1 if count % 2 and not holds else 2].add(index)
        return self._literals(rows)

    def anchors(self) -> dict[tuple[int, int], int]:
        """Return the literals of anchors by (hub, weight): weight 1 if the hub is odd, else 2."""
        rows: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for index, (places, _) in enumerate(self._rows):
            for place, at in enumerate(places):
                if at != ABSENT and at & ANCHORED:
                    rows[place, 1 if at & ODD else 2].add(index)
        return self._literals(rows)

    def out_of_reach(self) -> Iterable[int]:
        """Return the literal for "a trail in the part visits no hub of its scope", if any."""
        rows = frozenset(
            index
            for index, (places, (ends, _)) in enumerate(self._rows)
            if ends and all(place == ABSENT for place in places)
        )
        return [self._any_of(rows)] if rows else []

    def covers(self) -> list[tuple[int, ...]]:
        """Return all minimum-size sets of hubs such that every row visits a hub of the set."""
        scope = range(len(self._rows[0][0]))
        for size in range(1, len(scope) + 1):
            found = [
                cover
                for cover in combinations(scope, size)
                if all(any(row[0][place] != ABSENT for place in cover) for row in self._rows)
            ]
            if found:
                return found
        return []

    def ends(self) -> list[Term]:
        """Return the number of ends that the chosen row costs, as a weighted sum."""
        return self._terms(0)

    def left_out_terms(self) -> list[Term]:
        """Return the number of cards that the chosen row leaves out, as a weighted sum."""
        return self._terms(1)

    def _terms(self, which: int) -> list[Term]:
        rows: defaultdict[int, set[int]] = defaultdict(set)
        for index, (_, cost) in enumerate(self._rows):
            if cost[which]:
                rows[cost[which]].add(index)
        return list(self._literals(rows).items())

    def _rows_where(self, hub: int, holds: Callable[[int], bool]) -> frozenset[int]:
        """Return the indices of the rows whose place (state) at a hub satisfies ``holds``."""
        return frozenset(index for index, row in enumerate(self._rows) if holds(row[0][hub]))

    def _literals(self, rows: Mapping[KeyT, Iterable[int]]) -> dict[KeyT, int]:
        return {key: self._any_of(frozenset(several)) for key, several in rows.items()}

    def _any_of(self, rows: frozenset[int]) -> int:
        """Return a literal that is true if and only if one of the rows is chosen."""
        if len(rows) == 1:
            return self.taken[next(iter(rows))]
        if rows not in self._known:
            self._known[rows] = self._model.new_var()
            self._require_equal(self._known[rows], rows)
        return self._known[rows]

    def _require_equal(self, literal: int, rows: Iterable[int]) -> None:
        """Require that the literal is true if and only if one of the rows is chosen."""
        self._model.exactly([*(self.taken[index] for index in sorted(rows)), -literal], 1)


def _is_odd(place: int) -> bool:
    return place != ABSENT and bool(place & ODD)


def _blocks(places: Sequence[int]) -> Iterable[list[int]]:
    """Return the hubs of each block."""
    blocks: defaultdict[int, list[int]] = defaultdict(list)
    for index, place in enumerate(places):
        if place != ABSENT:
            blocks[place // BLOCK].append(index)
    return blocks.values()
