"""Hubs are forgotten one by one, those with the fewest neighbours first, and leave tables behind.

This is bucket elimination (Dechter 1999) over :mod:`~uno_csp.hub_graph.tables`: all parts that a
hub is in are joined, and the hub, being in no other, is forgotten. Trees that hang off, chains and
whatever else hangs on two or three hubs becomes one exact table each, in time linear in the number
of hubs. When every hub can be forgotten within some number of neighbours (the *width* of this
order), nothing is left to search.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from uno_csp.hub_graph.tables import (
    Places,
    Row,
    Table,
    Tables,
    edge_rows,
    loop_rows,
    pile_rows,
)

Scope: TypeAlias = tuple[int, ...]
"""The hubs that tie a part to the rest."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What a card and a hub weigh in a model, in rows of tables."""

    card: int
    hub: int


@dataclass(eq=False, slots=True)
class Part:
    """A part of the graph, and what it can offer.

    Parameters
    ----------
    scope, table
        The hubs that tie it to the rest, and its rows, the places of which follow the scope.
    ends, price
        What it takes beside what its rows say.
    card
        The index of the card that is all of it.
    loops
        The number of cards that are all of it and lie on its hub alone.
    is_pile
        Whether it is the pile.
    forgotten, members
        The hub that was forgotten last, and the parts that were joined at it.
    weight
        About the number of rows that a model of it has, as is better for it.
    whole
        Whether that is by its own table; else by its members.
    """

    scope: Scope
    table: Table
    ends: int = 0
    price: int = 0
    card: int | None = None
    loops: int = 0
    is_pile: bool = False
    forgotten: int | None = None
    members: tuple["Part", ...] = ()
    weight: int = 0
    whole: bool = True

    @property
    def is_hub(self) -> bool:
        """Whether it is nothing but a hub with the cards on it alone."""
        return not self.members and self.card is None and not self.is_pile


class Infeasible(Exception):
    """Some part can offer nothing within the ends there may be."""


@dataclass(slots=True)
class Elimination:
    """A graph of parts.

    Parameters
    ----------
    tables
        Where tables are made.
    missing
        Whether cards may be left out (``longest``), at a price of one each.
    weights
        Decide whether a part is better whole or in its members.
    """

    tables: Tables
    missing: bool
    weights: Weights
    _parts: dict[int, dict[Part, None]] = field(default_factory=dict)
    _near: dict[int, set[int]] = field(default_factory=dict)
    _done: list[Part] = field(default_factory=list)

    def add_hubs(self, count: int, loops: Mapping[int, int]) -> None:
        """Hubs 0, 1, ... with the numbers of cards that lie on them alone."""
        self._near = {hub: set() for hub in range(count)}
        self._parts = {hub: {} for hub in range(count)}
        for hub in range(count):
            cards = loops.get(hub, 0)
            part = self._elementary((hub,), loop_rows(cards if self.missing or not cards else None))
            part.loops = cards
            self._add(part)

    def add_cards(self, cards: Iterable[tuple[int, Scope]]) -> None:
        """Cards on two hubs, by index."""
        rows = edge_rows(1 if self.missing else None)
        for card, scope in cards:
            part = self._elementary(scope, rows)
            part.card, part.weight = card, self.weights.card
            self._add(part)

    def add_pile(self, hubs: Scope) -> None:
        """The pile and the hubs it can be left through."""
        part = self._elementary(hubs, pile_rows(len(hubs)))
        part.is_pile = True
        self._add(part)

    def forget(self, most: int, most_work: float, keep: Iterable[int] = ()) -> None:
        """Forget every hub with at most so many neighbours, fewest first, but those to keep.

        It ends as well when more pairs of rows than ``most_work`` have been joined.

        Raises
        ------
        Infeasible
            When no row of some table is left.
        """
        kept = set(keep)
        queue = [(len(near), hub) for hub, near in self._near.items() if hub not in kept]
        heapq.heapify(queue)
        while queue and queue[0][0] <= most and self.tables.work <= most_work:
            degree, hub = heapq.heappop(queue)
            if hub not in self._near or degree != len(self._near[hub]):
                continue
            for other in self._forget(hub):
                if other not in kept:
                    heapq.heappush(queue, (len(self._near[other]), other))

    def parts(self) -> list[Part]:
        """What is left; parts without a scope as one."""
        found = list(dict.fromkeys(part for at in self._parts.values() for part in at))
        return [*self._joined_done(), *found]

    def lightest(self) -> list[Part]:
        """What is left, where parts whose members make a smaller model are put in their place.

        Hubs that were forgotten last in such parts are there again.
        """
        chosen: list[Part] = []
        waiting = self.parts()[::-1]
        while waiting:
            part = waiting.pop()
            if part.whole:
                chosen.append(part)
            else:
                waiting += part.members[::-1]
        return chosen

    def _joined_done(self) -> list[Part]:
        if len(self._done) > 1:
            joined = self._join(self._done)
            self._done = [replace(joined, members=tuple(self._done))]
        return self._done

    def _elementary(self, scope: Scope, rows: Sequence[Row]) -> Part:
        lowered = self.tables.table(rows)
        if lowered.table is None:
            raise Infeasible
        return Part(scope, lowered.table, lowered.ends, lowered.price)

    def _add(self, part: Part) -> None:
        if not part.scope:
            self._done.append(part)
        for hub in part.scope:
            self._parts[hub][part] = None
            self._near[hub].update(other for other in part.scope if other != hub)

    def _forget(self, hub: int) -> set[int]:
        """Join the parts of a hub and forget it; its neighbours."""
        members = sorted(self._parts.pop(hub), key=lambda part: len(part.scope))
        joined = self._join(members)
        index = joined.scope.index(hub)
        lowered = self.tables.forgotten(joined.table, index)
        if lowered.table is None:
            raise Infeasible
        scope = joined.scope[:index] + joined.scope[index + 1 :]
        for part in members:
            for other in part.scope:
                if other != hub:
                    del self._parts[other][part]
        near = _bypass(self._near, hub)
        apart = self.weights.hub + sum(part.weight for part in members)
        rows = len(lowered.table.rows)
        # A part that hangs on one hub, or none, is never better in pieces.
        whole = len(scope) <= 1 or rows <= apart
        self._add(
            Part(
                scope,
                lowered.table,
                joined.ends + lowered.ends,
                joined.price + lowered.price,
                forgotten=hub,
                members=tuple(members),
                weight=rows if whole else apart,
                whole=whole,
            )
        )
        return near

    def _join(self, members: Sequence[Part]) -> Part:
        first = members[0]
        scope, table = first.scope, first.table
        ends, price = first.ends, first.price
        for part in members[1:]:
            scope, at = _common(scope, part.scope)
            lowered = self.tables.joined(table, part.table, at)
            if lowered.table is None:
                raise Infeasible
            table = lowered.table
            ends += part.ends + lowered.ends
            price += part.price + lowered.price
        return Part(scope, table, ends, price)

    def lifted(self, part: Part, row: Row) -> Iterator[tuple[Part, Places]]:
        """The elementary parts of a part, each with the places of the row it has in a row of it."""
        waiting = [(part, row)]
        while waiting:
            whole, chosen = waiting.pop()
            if not whole.members:
                yield whole, chosen[0]
                continue
            waiting += zip(whole.members, self._recall(whole, chosen), strict=True)

    def _recall(self, part: Part, row: Row) -> list[Row]:
        """The rows of the members that a row comes from."""
        members = part.members
        stages: list[tuple[Scope, Table, Places]] = [(members[0].scope, members[0].table, ())]
        for member in members[1:]:
            scope, at = _common(stages[-1][0], member.scope)
            table = self.tables.joined(stages[-1][1], member.table, at).table
            assert table is not None  # noqa: S101
            stages.append((scope, table, at))
        scope, table, _ = stages[-1]
        if part.forgotten is not None:
            row = self.tables.recalled(table, scope.index(part.forgotten), row)
        rows: list[Row] = []
        for index in range(len(members) - 1, 0, -1):
            row, own = self.tables.split(
                stages[index - 1][1], members[index].table, stages[index][2], row
            )
            rows.append(own)
        return [row, *rows[::-1]]


def _common(scope: Scope, other: Scope) -> tuple[Scope, Places]:
    """A scope with the hubs of another, and where these are in it."""
    joined = scope + tuple(hub for hub in other if hub not in scope)
    return joined, tuple(joined.index(hub) for hub in other)


def _bypass(near: dict[int, set[int]], hub: int) -> set[int]:
    """Take a node out and connect its neighbours."""
    others = near.pop(hub)
    for other in others:
        near[other] |= others
        near[other] -= {other, hub}
    return others


def order_width(size: int, scopes: Iterable[Scope], most: int) -> int:
    """The width of the order of fewest neighbours, or more than ``most`` as soon as it goes beyond.

    Parameters
    ----------
    size
        The number of hubs.
    scopes
        Hubs that are neighbours of one another.
    """
    near: dict[int, set[int]] = {hub: set() for hub in range(size)}
    for scope in scopes:
        for hub in scope:
            near[hub].update(other for other in scope if other != hub)
    queue = [(len(others), hub) for hub, others in near.items()]
    heapq.heapify(queue)
    width = 0
    while queue and width <= most:
        degree, hub = heapq.heappop(queue)
        if hub in near and degree == len(near[hub]):
            width = max(width, degree)
            for other in _bypass(near, hub):
                heapq.heappush(queue, (len(near[other]), other))
    return width
