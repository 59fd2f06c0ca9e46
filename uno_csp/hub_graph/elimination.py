"""Elimination of hubs into tables, one by one in min-degree order.

This is bucket elimination (Dechter 1999) over :mod:`~uno_csp.hub_graph.tables`: all parts that
contain a hub are joined; no other part then contains the hub, and it is forgotten. Pendant trees,
chains and subgraphs attached at two or three hubs become one exact table each, in time linear in
the number of hubs. If no hub has too many neighbours when it is forgotten (the maximum is the
*width* of the order), nothing is left to search.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from uno_csp.graph_tools.mate_tables import eliminate
from uno_csp.hub_graph.tables import (
    Places,
    State,
    Table,
    Tables,
    edge_states,
    loop_states,
    pile_states,
)

Scope: TypeAlias = tuple[int, ...]  # the hubs that a part shares with the rest of the graph


@dataclass(frozen=True, slots=True)
class Weights:
    """Costs of a card and of a hub in a model, in table states."""

    card: int
    hub: int


@dataclass(eq=False, slots=True)
class Part:
    """A part of the graph with its table."""

    # the hubs it shares with the rest of the graph, and its states, with places in scope order
    scope: Scope
    table: Table
    # constant costs to be added to those of each state
    ends: int = 0
    left_out: int = 0
    card: int | None = None  # index of the card, if the part is a single card
    loops: int = 0  # number of cards that lie on no other hub, if the part is a single hub
    is_pile: bool = False  # True if the part is the pile
    # the hub that was forgotten to make the part, and the parts that were joined at that hub
    forgotten: int | None = None
    members: tuple["Part", ...] = ()
    weight: int = 0  # estimated size of its model, in table states
    whole: bool = True  # True if the part is modelled by its own table, False if by its members

    @property
    def size(self) -> int:
        """The number of cards in the part."""
        waiting, count = [self], 0
        while waiting:
            part = waiting.pop()
            count += part.loops + (part.card is not None)
            waiting += part.members
        return count

    @property
    def is_hub(self) -> bool:
        """True if the part is a single hub, with the cards that lie on no other hub."""
        return not self.members and self.card is None and not self.is_pile


class Infeasible(Exception):
    """Raised if a table has no state within the maximum number of ends."""


@dataclass(slots=True)
class Elimination:
    """A graph of parts whose hubs are forgotten one by one."""

    tables: Tables  # creates and caches the tables
    missing: bool  # True if cards may be left out (`longest`); their number is minimised
    # costs that decide whether a part is modelled by its own table or by its members
    weights: Weights
    _parts: dict[int, dict[Part, None]] = field(default_factory=dict)
    _near: dict[int, set[int]] = field(default_factory=dict)
    _done: list[Part] = field(default_factory=list)

    def add_hubs(self, count: int, loops: Mapping[int, int]) -> None:
        """Add hubs 0, 1, ...; ``loops`` has the number of cards that lie on that hub only."""
        self._near = {hub: set() for hub in range(count)}
        self._parts = {hub: {} for hub in range(count)}
        for hub in range(count):
            cards = loops.get(hub, 0)
            left_out = cards if self.missing or not cards else None
            part = self._elementary((hub,), loop_states(left_out))
            part.loops = cards
            self._add(part)

    def add_cards(self, cards: Iterable[tuple[int, Scope]]) -> None:
        """Add cards on two hubs, as pairs of index and hubs."""
        states = edge_states(1 if self.missing else None)
        for card, scope in cards:
            part = self._elementary(scope, states)
            part.card, part.weight = card, self.weights.card
            self._add(part)

    def add_pile(self, hubs: Scope) -> None:
        """Add the pile, with the hubs by which a card can follow it."""
        part = self._elementary(hubs, pile_states(len(hubs)))
        part.is_pile = True
        self._add(part)

    def forget(self, most: int, most_work: float, keep: Iterable[int] = ()) -> None:
        """Forget every hub with at most ``most`` neighbours, fewest first, except those to keep.

        Stop early once more than ``most_work`` pairs of states have been joined. Raises Infeasible
        if no state of some table is left.
        """
        for hub, _ in eliminate(self._near, most, frozenset(keep)):
            self._forget(hub)
            if self.tables.work > most_work:
                break

    def parts(self) -> list[Part]:
        """Return the remaining parts; those with an empty scope are joined into one."""
        found = list(dict.fromkeys(part for at in self._parts.values() for part in at))
        return [*self._join_done(), *found]

    def lightest(self) -> list[Part]:
        """Return the remaining parts, replaced by their members where that makes the model smaller.

        The hubs that were forgotten to make the replaced parts are back in the model.
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

    def _join_done(self) -> list[Part]:
        if len(self._done) > 1:
            joined = self._join(self._done)
            self._done = [replace(joined, members=tuple(self._done))]
        return self._done

    def _elementary(self, scope: Scope, states: Sequence[State]) -> Part:
        lowered = self.tables.make(states)
        if lowered.table is None:
            raise Infeasible
        return Part(scope, lowered.table, lowered.ends, lowered.left_out)

    def _add(self, part: Part) -> None:
        if not part.scope:
            self._done.append(part)
        for hub in part.scope:
            self._parts[hub][part] = None
            self._near[hub].update(other for other in part.scope if other != hub)

    def _forget(self, hub: int) -> None:
        """Join the parts of a hub, and forget the hub."""
        members = sorted(self._parts.pop(hub), key=lambda part: len(part.scope))
        joined = self._join(members)
        index = joined.scope.index(hub)
        lowered = self.tables.forget(joined.table, index)
        if lowered.table is None:
            raise Infeasible
        scope = joined.scope[:index] + joined.scope[index + 1 :]
        for part in members:
            for other in part.scope:
                if other != hub:
                    del self._parts[other][part]
        members_weight = self.weights.hub + sum(part.weight for part in members)
        states = len(lowered.table.states)
        # A part with at most one hub in its scope is never better split into its members.
        whole = len(scope) <= 1 or states <= members_weight
        self._add(
            Part(
                scope,
                lowered.table,
                joined.ends + lowered.ends,
                joined.left_out + lowered.left_out,
                forgotten=hub,
                members=tuple(members),
                weight=states if whole else members_weight,
                whole=whole,
            )
        )

    def _join(self, members: Sequence[Part]) -> Part:
        first = members[0]
        scope, table = first.scope, first.table
        ends, left_out = first.ends, first.left_out
        for part in members[1:]:
            scope, at = _common(scope, part.scope)
            lowered = self.tables.join(table, part.table, at)
            if lowered.table is None:
                raise Infeasible
            table = lowered.table
            ends += part.ends + lowered.ends
            left_out += part.left_out + lowered.left_out
        return Part(scope, table, ends, left_out)

    def lift(self, part: Part, state: State) -> Iterator[tuple[Part, Places]]:
        """Yield the elementary parts of a part, with the places of each for one of its states."""
        waiting = [(part, state)]
        while waiting:
            whole, chosen = waiting.pop()
            if not whole.members:
                yield whole, chosen[0]
                continue
            waiting += zip(whole.members, self._recall(whole, chosen), strict=True)

    def _recall(self, part: Part, state: State) -> list[State]:
        """Return the members' states from which a state of the part was made."""
        members = part.members
        stages: list[tuple[Scope, Table, Places]] = [(members[0].scope, members[0].table, ())]
        for member in members[1:]:
            scope, at = _common(stages[-1][0], member.scope)
            table = self.tables.join(stages[-1][1], member.table, at).table
            assert table is not None  # noqa: S101
            stages.append((scope, table, at))
        scope, table, _ = stages[-1]
        if part.forgotten is not None:
            state = self.tables.recall(table, scope.index(part.forgotten), state)
        states: list[State] = []
        for index in range(len(members) - 1, 0, -1):
            state, own = self.tables.split(
                stages[index - 1][1], members[index].table, stages[index][2], state
            )
            states.append(own)
        return [state, *states[::-1]]


def _common(scope: Scope, other: Scope) -> tuple[Scope, Places]:
    """Return the union of two scopes, and the index in it of each hub of the second."""
    joined = scope + tuple(hub for hub in other if hub not in scope)
    return joined, tuple(joined.index(hub) for hub in other)


def order_width(size: int, scopes: Iterable[Scope], most: int) -> int:
    """Return the width of the min-degree order, or any number above ``most`` if it exceeds that.

    ``size`` is the number of hubs; those of a scope are pairwise neighbours.
    """
    near: dict[int, set[int]] = {hub: set() for hub in range(size)}
    for scope in scopes:
        for hub in scope:
            near[hub].update(other for other in scope if other != hub)
    width = max((len(others) for _, others in eliminate(near, most)), default=0)
    return min(map(len, near.values()), default=width)
