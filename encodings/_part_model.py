"""The model of a settled part of a hub graph: one of the rows of its table is taken."""

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
    """Writes the rows of one table; hubs are given by their place in its scope.

    Parameters
    ----------
    visited
        For each hub of the scope the literal saying that it is visited.
    rows
        The table.

    Attributes
    ----------
    taken
        For each row the variable saying that it is taken; exactly one is.
    """

    def __init__(self, model: Model, visited: Sequence[int], rows: Sequence[Row]) -> None:
        self._model = model
        self._rows = rows
        self.taken = list(model.new_vars(len(rows)))
        self._known: dict[frozenset[int], int] = {}
        model.exactly(self.taken, 1)
        for place, literal in enumerate(visited):
            present = self._where(place, lambda at: at != ABSENT)
            self._require_equal(literal, present)
            self._known.setdefault(present, literal)

    def odd(self) -> dict[int, int]:
        """For hubs the literal saying that an odd number of cards of the part ends there."""
        odd = {}
        for place in range(len(self._rows[0][0])):
            rows = self._where(place, _is_odd)
            if rows:
                odd[place] = self._any_of(rows)
        return odd

    def links(self, *, anchored: bool) -> dict[tuple[int, int, int], int]:
        """Pairs of hubs with a weight: the literal saying that the part joins them so often.

        With the anchors the weights at a hub add up to its parity. Blocks that are anchored are
        among them only if asked for.
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
        """Hubs of anchored blocks, with 1 if the hub is odd, else 2: the literal saying so."""
        rows: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for index, (places, _) in enumerate(self._rows):
            for place, at in enumerate(places):
                if at != ABSENT and at & ANCHORED:
                    rows[place, 1 if at & ODD else 2].add(index)
        return self._literals(rows)

    def out_of_reach(self) -> Iterable[int]:
        """The literal saying that a trail runs in the part and none of its scope is visited."""
        rows = frozenset(
            index
            for index, (places, (ends, _)) in enumerate(self._rows)
            if ends and all(place == ABSENT for place in places)
        )
        return [self._any_of(rows)] if rows else []

    def covers(self) -> list[tuple[int, ...]]:
        """Smallest sets of hubs of which every row visits one."""
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
        """The ends that the rows take."""
        return self._terms(0)

    def prices(self) -> list[Term]:
        """The cards that the rows leave out."""
        return self._terms(1)

    def _terms(self, which: int) -> list[Term]:
        rows: defaultdict[int, set[int]] = defaultdict(set)
        for index, (_, takes) in enumerate(self._rows):
            if takes[which]:
                rows[takes[which]].add(index)
        return list(self._literals(rows).items())

    def _where(self, hub: int, holds: Callable[[int], bool]) -> frozenset[int]:
        """The rows with such a place at a hub."""
        return frozenset(index for index, row in enumerate(self._rows) if holds(row[0][hub]))

    def _literals(self, rows: Mapping[KeyT, Iterable[int]]) -> dict[KeyT, int]:
        return {key: self._any_of(frozenset(several)) for key, several in rows.items()}

    def _any_of(self, rows: frozenset[int]) -> int:
        """A literal that is true when one of some rows is taken."""
        if len(rows) == 1:
            return self.taken[next(iter(rows))]
        if rows not in self._known:
            self._known[rows] = self._model.new_var()
            self._require_equal(self._known[rows], rows)
        return self._known[rows]

    def _require_equal(self, literal: int, rows: Iterable[int]) -> None:
        """The literal is true when one of some rows is taken, and only then."""
        self._model.exactly([*(self.taken[index] for index in sorted(rows)), -literal], 1)


def _is_odd(place: int) -> bool:
    return place != ABSENT and bool(place & ODD)


def _blocks(places: Sequence[int]) -> Iterable[list[int]]:
    """The hubs of each block."""
    blocks: defaultdict[int, list[int]] = defaultdict(list)
    for index, place in enumerate(places):
        if place != ABSENT:
            blocks[place // BLOCK].append(index)
    return blocks.values()
