"""Path covers and longest paths of graphs of small treewidth, by tables of mates.

The vertices are eliminated one by one, each time one of smallest degree, whose neighbours then
become adjacent to each other. A part of the graph that has been eliminated meets the rest in a few
vertices, its *bag*. Of a choice of edges in this part it matters only what it makes of the bag: a
vertex has no chosen edge, or two, or it ends a path, whose other end is another vertex of the bag,
its *mate*, or lies in the part. For each such state a table has the cheapest choice, so the work is
linear in the size of the graph (Arnborg and Proskurowski 1989; the mates are those of Knuth's
Simpath, The Art of Computer Programming 4A, 7.1.4).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import TypeAlias

from uno_csp.graph_tools.pieces import Near

Edge: TypeAlias = tuple[int, int]

FULL, ENDED = -1, -2
"""Of a vertex in a bag, where its mate would stand: it has two edges; the other end of its path has
left the bag. A vertex without edges is its own mate."""

State: TypeAlias = tuple[int, ...]
"""The mate of each vertex of the bag, then the number of ends of the single path that have left."""

Origin: TypeAlias = tuple[int, State, State | None]
"""The cost of a state, and the states that it came from."""

LOOK_EVERY = 4096  # number of eliminated vertices between two looks at the clock


@dataclass(slots=True)
class _Table:
    """The states of a bag, with the tables that they came from.

    Where there is one such table, ``edge`` may be the edge that was offered.
    """

    bag: tuple[int, ...]
    states: dict[State, Origin]
    above: tuple["_Table", ...] = ()
    edge: Edge | None = None


@dataclass(slots=True)
class Effort:
    """The effort allowed: the degree of an eliminated vertex, and the pairs of states joined.

    Tables are not kept to read edges from once as few as ``pairs - kept`` pairs were left.
    """

    width: int = 6
    pairs: int = 1_000_000
    kept: int | None = None
    expired: Callable[[], bool] = field(default=bool)
    fewest: int = field(init=False, default=-1)

    def __post_init__(self) -> None:
        if self.kept is not None:
            self.fewest = self.pairs - self.kept


def eliminate(
    near: dict[int, set[int]], most: int, kept: Collection[int] = ()
) -> Iterator[tuple[int, set[int]]]:
    """Remove the vertices of a graph in min-degree order, and yield each with its neighbours.

    They become adjacent to each other. The order ends when no vertex is left, besides those to be
    kept, that has at most ``most`` neighbours.
    """
    queue = [(len(others), vertex) for vertex, others in near.items() if vertex not in kept]
    heapify(queue)
    while queue and queue[0][0] <= most:
        degree, vertex = heappop(queue)
        if vertex not in near or degree != len(near[vertex]):
            continue
        others = near.pop(vertex)
        for other in others:
            near[other] |= others
            near[other] -= {other, vertex}
            if other not in kept:
                heappush(queue, (len(near[other]), other))
        yield vertex, others


def elimination_order(
    near: Near, width: int, expired: Callable[[], bool] = bool
) -> list[int] | None:
    """Return the vertices in min-degree order; None if one has more neighbours than ``width``.

    None as well if the time has expired before the order is complete.
    """
    left = {vertex: set(others) for vertex, others in enumerate(near)}
    order: list[int] = []
    for vertex, _ in eliminate(left, width):
        order.append(vertex)
        if len(order) % LOOK_EVERY == 0 and expired():
            return None
    return None if left else order


def most_edges(
    near: Near,
    *,
    single: bool,
    most_cost: int,
    ended: Sequence[int],
    effort: Effort,
    weight: Sequence[int] | None = None,
) -> tuple[bool, list[Edge] | None]:
    """Return the most edges that form paths, None if none do; False before it if that is open.

    It is open if the effort is too much. If the edges have to form a ``single`` path, it costs its
    ``weight``, 1 by default, to leave a vertex out; else it costs 1 to end a path, but for those in
    ``ended``, which end one and have at most one of the edges.
    """
    order = elimination_order(near, effort.width, effort.expired)
    if order is None:
        return False, None
    weights = [1] * len(near) if weight is None else weight
    tables = _Elimination(near, single, most_cost, frozenset(ended), effort, weights)
    roots = tables.run(order)
    if roots is None or any(not root.states for root in roots):
        return roots is not None, None
    return True, [edge for root in roots for edge in _read_edges(root)]


def narrow_order(near: Near) -> list[int]:
    """Return the vertices in an order of small width (reverse Cuthill and McKee 1969)."""
    order: list[int] = []
    seen: set[int] = set()
    for start in sorted(range(len(near)), key=lambda vertex: len(near[vertex])):
        if start not in seen:
            far = start
            for _ in range(2):
                far = _breadth_first(near, far, set())[-1]
            order += _breadth_first(near, far, seen)
    return order[::-1]


def _breadth_first(near: Near, start: int, seen: set[int]) -> list[int]:
    """Return the vertices reached from one, which are added to those seen."""
    order = [start]
    seen.add(start)
    for vertex in order:
        order += sorted(set(near[vertex]) - seen, key=lambda other: (len(near[other]), other))
        seen.update(near[vertex])
    return order


def width_along(near: Near, order: Sequence[int]) -> int:
    """Return the largest size of a bag if the vertices are eliminated in an order."""
    width, gone, bag = 0, set[int](), set[int]()
    for vertex in order:
        gone.add(vertex)
        bag = bag.union(near[vertex]) - gone
        width = max(width, len(bag) + 1)
    return width


def cover_along(
    near: Near, order: Sequence[int], most_ends: int, effort: Effort
) -> tuple[bool | None, list[Edge] | None]:
    """Return whether paths with few ends visit all vertices, and the edges of such paths.

    None instead of the first if the effort is too much, and of the second if there are none or the
    tables were not kept.
    """
    tables = _Elimination(near, False, most_ends, frozenset(), effort, ())
    roots = tables.run(order)
    if roots is None:
        return None, None
    least = [min((row[0] for row in root.states.values()), default=most_ends + 1) for root in roots]
    covered = sum(least) <= most_ends
    if not covered or not tables.kept:
        return covered, None
    return covered, [edge for root in roots for edge in _read_edges(root)]


@dataclass(slots=True)
class _Elimination:
    """The tables of the eliminated parts."""

    near: Near
    single: bool
    most: int
    ended: frozenset[int]
    effort: Effort
    weight: Sequence[int]

    @property
    def kept(self) -> bool:
        """True if tables are kept to read edges from."""
        return self.effort.pairs > self.effort.fewest

    def run(self, order: Sequence[int]) -> list[_Table] | None:
        """Return the last table of each component; None if the effort is too much."""
        at: list[list[_Table]] = [[] for _ in order]
        rank = {vertex: place for place, vertex in enumerate(order)}
        roots = []
        for place, vertex in enumerate(order):
            parts = sorted(at[vertex], key=lambda part: len(part.states))
            if parts and vertex not in self.ended:
                table = parts.pop()
            else:
                own = ENDED if vertex in self.ended else vertex
                table = _Table((vertex,), {(own, 0): (0, (), None)})
            for part in parts:
                table = self._join(table, part)
            for other in self.near[vertex]:
                if rank[other] > place:
                    table = self._add_edge(table, vertex, other)
            table = self._remove(table, vertex)
            if self.effort.pairs < 0 or self.effort.expired():
                return None
            if table.bag:
                at[min(table.bag, key=rank.__getitem__)].append(table)
            else:
                roots.append(table)
            at[vertex] = []
        return roots

    def _add_edge(self, table: _Table, one: int, other: int) -> _Table:
        """Return the table with an edge from a vertex of the bag, chosen or not."""
        extra = () if other in table.bag else (other,)
        bag = table.bag + extra
        place = {vertex: index for index, vertex in enumerate(bag)}
        at, to = place[one], place[other]
        without, chosen = (one, other, 0), (other, one, 0)
        self.effort.pairs -= 2 * len(table.states)
        states: dict[State, Origin] = {}
        for state, (cost, _, _) in table.states.items():
            base = (*state[:-1], *extra, state[-1]) if extra else state
            known = states.get(base)
            if known is None or cost < known[0]:
                states[base] = (cost, state, without)
            first, last = base[at], base[to]
            if first in (FULL, other) or last == FULL:  # it would close a cycle, or be a third edge
                continue
            mates = list(base)
            if first != one:
                mates[at] = FULL
            if last != other:
                mates[to] = FULL
            if first != ENDED:
                mates[place[first]] = last
            if last != ENDED:
                mates[place[last]] = first
            key = tuple(mates)
            known = states.get(key)
            if known is None or cost < known[0]:
                states[key] = (cost, state, chosen)
        edge = _Table(
            (one, other), {without: (0, (), None), chosen: (0, (), None)}, (), (one, other)
        )
        return _Table(bag, states, (table, edge) if self.kept else ())

    def _join(self, table: _Table, part: _Table) -> _Table:
        """Return the table of two parts together."""
        extra = tuple(vertex for vertex in part.bag if vertex not in table.bag)
        bag = table.bag + extra
        place = {vertex: index for index, vertex in enumerate(bag)}
        added = [
            (state, row[0], _moves(state, part.bag, place)) for state, row in part.states.items()
        ]
        self.effort.pairs -= len(added) * len(table.states)
        states: dict[State, Origin] = {}
        if self.effort.pairs < 0:
            return _Table(bag, states)
        most = self.most
        for state, (cost, _, _) in table.states.items():
            start, used = [*state[:-1], *extra], state[-1]
            for other, more, moves in added:
                total, left = cost + more, used + other[-1]
                if total > most or left > 2:
                    continue
                found = _merge(start, bag, moves)
                if found is None:
                    continue
                key = (*found, left)
                known = states.get(key)
                if known is None or total < known[0]:
                    states[key] = (total, state, other)
        return _Table(bag, states, (table, part) if self.kept else ())

    def _remove(self, table: _Table, vertex: int) -> _Table:
        """Return the table after a vertex has left its bag."""
        at, ends_at = table.bag.index(vertex), {FULL: 0, vertex: 2}
        bag = (*table.bag[:at], *table.bag[at + 1 :])
        states: dict[State, Origin] = {}
        for state, row in table.states.items():
            mate, used = state[at], state[-1]
            ends = ends_at.get(mate, 1)
            cost = row[0]
            if not self.single:
                cost += ends
            elif mate == vertex:  # it is left out
                cost += self.weight[vertex]
            else:
                used += ends
            if cost > self.most or used > 2:
                continue
            key = (*state[:at], *state[at + 1 : -1], used)
            if mate >= 0 and mate != vertex:  # its mate is in the bag, and loses it
                key = (*(ENDED if each == vertex else each for each in key[:-1]), used)
            known = states.get(key)
            if known is None or cost < known[0]:
                states[key] = (cost, state, None)
        return _Table(bag, states, (table,) if self.kept else ())


def _moves(state: State, bag: Sequence[int], place: dict[int, int]) -> list[Edge]:
    """Return the places of a state's vertices, each with its mate's place, FULL or ENDED."""
    return [
        (place[vertex], place.get(mate, mate))
        for vertex, mate in zip(bag, state, strict=False)
        if mate < 0 or mate > vertex
    ]


def _merge(start: list[int], bag: Sequence[int], moves: Iterable[Edge]) -> list[int] | None:
    """Return the mates after the paths of another part are added; None if they do not fit."""
    mates, place = start.copy(), bag.index
    for at, other in moves:
        first = mates[at]
        if other == FULL:
            if first != bag[at]:
                return None
            mates[at] = FULL
            continue
        last = ENDED if other == ENDED else mates[other]
        if FULL in (first, last) or (last != ENDED and first == bag[other]):
            return None
        if first != bag[at]:
            mates[at] = FULL
        if other != ENDED and last != bag[other]:
            mates[other] = FULL
        if first != ENDED:
            mates[place(first)] = last
        if last != ENDED:
            mates[place(last)] = first
    return mates


def _read_edges(root: _Table) -> Iterator[Edge]:
    """Yield the edges of the cheapest state of a table with an empty bag."""
    best = min(root.states, key=lambda state: root.states[state][0])
    waiting = [(root, best)]
    while waiting:
        table, state = waiting.pop()
        if table.edge is not None and state[0] == table.edge[1]:
            yield table.edge
        _, one, other = table.states[state]
        for above, before in zip(table.above, (one, other), strict=False):
            assert before is not None  # noqa: S101
            waiting.append((above, before))
