"""Tables: what a part of a hub graph can offer at the few hubs that tie it to the rest, exactly.

Take a part of the graph that meets the rest only at the hubs of its *scope*. Whatever trails do
inside, the rest needs to know just this (a *row*): which hubs of the scope are visited; at which of
them an odd number of walked cards of the part ends; which of them the part connects; and for each
of these *blocks* whether it is *anchored*, that is, holds an odd hub that is not in the scope.
Beside it stands what it takes: the *ends* (odd hubs out of scope, and two for each closed trail out
of reach of the scope), and the *price* (cards that are left out).

The rules of a dynamic program over tree decompositions follow (Lampis, Makino, Mitsou and Uno, "On
the edge Hamiltonian path problem and edge dominating trails", for treewidth). Two parts are joined
where they agree about visits: parities add, blocks that share a hub unite. A hub that no other part
has is forgotten: if it is odd it costs one end and anchors its block; a block that loses its last
hub without an anchor is a closed trail, which costs two. The ends of a hand are twice the number of
its sequences (see ``hub-trail``).

Different parts often look alike, so every table is kept once and every operation is done once.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

ABSENT = -1
"""The place of a hub that is not visited."""

ODD, ANCHORED, BLOCK = 1, 2, 4
"""The place of a visited hub is ``BLOCK * block + ANCHORED * anchored + ODD * odd``."""

LOOP = 0
"""The place of a visited hub of which nothing else is said."""

MANY_ROWS = 80
"""More rows alike in visits and parities are not compared with one another."""

_NONE = -1

Places: TypeAlias = tuple[int, ...]
"""For each hub of a scope its place; blocks are numbered in the order of their first hubs."""

Takes: TypeAlias = tuple[int, int]
"""Ends and price."""

Row: TypeAlias = tuple[Places, Takes]


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """Rows of one scope; of rows with the same places none takes more than another in both."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Lowered:
    """A table whose least price was taken out; None if it has no row.

    So were the least ends where there is no limit to them. Where there is, they are kept, so that
    each table shows which of its rows cannot serve.
    """

    table: Table | None
    ends: int
    price: int


@dataclass(slots=True)
class Tables:
    """Makes tables, each of them once.

    Parameters
    ----------
    most_ends
        Rows that take more ends than this serve nothing; None where there is no limit.

    Attributes
    ----------
    work
        The pairs of rows that were joined.
    """

    most_ends: int | None
    work: int = 0
    _known: dict[tuple[Row, ...], Table] = field(default_factory=dict)
    _joined: dict[tuple[Table, Table, Places], Lowered] = field(default_factory=dict)
    _forgotten: dict[tuple[Table, int], Lowered] = field(default_factory=dict)
    _split: dict[tuple[Table, Table, Places, Row], tuple[Row, Row]] = field(default_factory=dict)
    _recalled: dict[tuple[Table, int, Row], Row] = field(default_factory=dict)

    def table(self, rows: Iterable[Row]) -> Lowered:
        """The table of these rows without those that another one makes useless."""
        kept = _undominated([row for row in rows if self._may_serve(row)])
        if not kept:
            return Lowered(None, 0, 0)
        ends = 0 if self.most_ends is not None else min(takes[0] for _, takes in kept)
        price = min(takes[1] for _, takes in kept)
        lowered = tuple(sorted((places, (e - ends, p - price)) for places, (e, p) in kept))
        return Lowered(self._known.setdefault(lowered, Table(lowered)), ends, price)

    def joined(self, first: Table, second: Table, at: Places) -> Lowered:
        """Both parts together.

        ``at`` has for each hub of the second scope its index in the common one, which begins with
        the first scope.
        """
        key = (first, second, at)
        if key not in self._joined:
            rows = [row for row, _, _ in _pairs(first, second, at)]
            self.work += len(rows)
            self._joined[key] = self.table(rows)
        return self._joined[key]

    def forgotten(self, table: Table, index: int) -> Lowered:
        """The part without a hub that no other part has."""
        key = (table, index)
        if key not in self._forgotten:
            self._forgotten[key] = self.table(_without(row, index) for row in table.rows)
        return self._forgotten[key]

    def split(self, first: Table, second: Table, at: Places, row: Row) -> tuple[Row, Row]:
        """The rows of two tables that a row of :meth:`joined` is made of."""
        key = (first, second, at, row)
        if key not in self._split:
            lowered = self.joined(first, second, at)
            raw = _raised(row, lowered)
            self._split[key] = next(
                (one, other) for both, one, other in _pairs(first, second, at) if both == raw
            )
        return self._split[key]

    def recalled(self, table: Table, index: int, row: Row) -> Row:
        """The row of a table that a row of :meth:`forgotten` is made of."""
        key = (table, index, row)
        if key not in self._recalled:
            raw = _raised(row, self.forgotten(table, index))
            self._recalled[key] = next(
                source for source in table.rows if _without(source, index) == raw
            )
        return self._recalled[key]

    def _may_serve(self, row: Row) -> bool:
        """Whether a row can be part of what stays within the ends there may be.

        What is visited and not anchored anywhere will take two ends more.
        """
        if self.most_ends is None:
            return True
        places, (ends, _) = row
        visited = [place for place in places if place != ABSENT]
        loose = bool(visited) and not any(place & ANCHORED for place in visited)
        return ends + 2 * loose <= self.most_ends


def edge_rows(price: int | None) -> list[Row]:
    """A card on two hubs: walked between them, or a loop at one; or left out at its price."""
    rows: list[Row] = [
        ((LOOP, ABSENT), (0, 0)),
        ((ABSENT, LOOP), (0, 0)),
        ((LOOP, BLOCK), (0, 0)),
        ((ODD, ODD), (0, 0)),
    ]
    return rows if price is None else [*rows, ((ABSENT, ABSENT), (0, price))]


def loop_rows(price: int | None) -> list[Row]:
    """Cards on one hub only: it is visited, or they are left out at their price; 0 for no cards."""
    rows: list[Row] = [((LOOP,), (0, 0))]
    return rows if price is None else [*rows, ((ABSENT,), (0, price))]


def pile_rows(hubs: int) -> list[Row]:
    """The pile, left through one of its hubs or not: then it is a sequence of its own.

    It is an odd hub, or a closed trail of its own.
    """
    rows: list[Row] = []
    for visited in range(2**hubs):
        at = [index for index in range(hubs) if visited >> index & 1]
        for start in (None, *at):
            free = iter(range(hubs))
            places = [
                ABSENT
                if index not in at
                else BLOCK * next(free) + (ODD | ANCHORED) * (index == start)
                for index in range(hubs)
            ]
            rows.append((tuple(places), (2 if start is None else 1, 0)))
    return rows


def _raised(row: Row, lowered: Lowered) -> Row:
    places, (ends, price) = row
    return places, (ends + lowered.ends, price + lowered.price)


def _pairs(first: Table, second: Table, at: Places) -> Iterable[tuple[Row, Row, Row]]:
    """Every row of both together, with the two it comes from."""
    known = len(first.rows[0][0])
    common = [(index, place) for index, place in enumerate(at) if place < known]
    fitting: defaultdict[tuple[bool, ...], list[Row]] = defaultdict(list)
    for row in second.rows:
        fitting[tuple(row[0][index] == ABSENT for index, _ in common)].append(row)
    for row in first.rows:
        places, (ends, price) = row
        for other in fitting.get(tuple(places[place] == ABSENT for _, place in common), ()):
            takes = (ends + other[1][0], price + other[1][1])
            yield (_united(places, other[0], at), takes), row, other


@lru_cache(1 << 18)
def _united(first: Places, second: Places, at: Places) -> Places:
    """The places of two rows that agree about visits."""
    size = max(len(first), 1 + max(at, default=-1))
    block = [_NONE] * size
    odd = [0] * size
    above = 1 + max((place // BLOCK for place in first), default=-1)
    root = list(range(above + 1 + max((place // BLOCK for place in second), default=-1)))
    anchored = [False] * len(root)
    for places, where, shift in ((first, range(len(first)), 0), (second, at, above)):
        for place, index in zip(places, where, strict=True):
            if place == ABSENT:
                continue
            own = place // BLOCK + shift
            anchored[own] |= bool(place & ANCHORED)
            odd[index] ^= place & ODD
            if block[index] == _NONE:
                block[index] = own
            else:
                _unite(root, block[index], own)
    hold = {_root(root, own) for own in range(len(root)) if anchored[own]}
    number: dict[int, int] = {}
    united = []
    for own, parity in zip(block, odd, strict=True):
        if own == _NONE:
            united.append(ABSENT)
            continue
        top = _root(root, own)
        united.append(
            BLOCK * number.setdefault(top, len(number)) + ANCHORED * (top in hold) + parity
        )
    return tuple(united)


def _root(roots: list[int], block: int) -> int:
    while roots[block] != block:
        block = roots[block]
    return block


def _unite(roots: list[int], one: int, other: int) -> None:
    roots[_root(roots, other)] = _root(roots, one)


def _without(row: Row, index: int) -> Row:
    """A row after a hub is forgotten."""
    places, (ends, price) = row
    rest, more = _dropped(places, index)
    return rest, (ends + more, price)


@lru_cache(1 << 18)
def _dropped(places: Places, index: int) -> tuple[Places, int]:
    """The places of the other hubs, and the ends that forgetting one of them takes."""
    place = places[index]
    rest = places[:index] + places[index + 1 :]
    if place == ABSENT:
        return _renumbered(rest), 0
    block, odd = place // BLOCK, place & ODD
    anchored = bool(place & (ANCHORED | ODD))
    if not any(other // BLOCK == block for other in rest if other != ABSENT):
        return _renumbered(rest), odd + (0 if anchored else 2)
    if anchored:
        rest = tuple(
            other | ANCHORED if other != ABSENT and other // BLOCK == block else other
            for other in rest
        )
    return _renumbered(rest), odd


def _renumbered(places: Places) -> Places:
    number: dict[int, int] = {}
    return tuple(
        place
        if place == ABSENT
        else BLOCK * number.setdefault(place // BLOCK, len(number)) + place % BLOCK
        for place in places
    )


def _undominated(rows: Sequence[Row]) -> list[Row]:
    """The rows without those that another one can stand in for at no more of anything.

    *Proof.* Let two rows agree in visits and parities, and let b blocks of one fall into j when
    those hubs are united that are in a block of either; let a of these j be anchored in the other
    row and not in the one. With the one in the place of the other every hub has the parity it had,
    and of the components that are there in the end at most b - j + a more are closed trails: b - j
    is how many more pieces the blocks can fall into, and where a component loses its anchor it may
    become closed. So the one takes at most 2(b - j + a) ends more than its own say. If that is no
    more than what the other one takes, at no higher price, the other one is not needed.
    """
    least: dict[Places, list[Takes]] = defaultdict(list)
    for places, takes in sorted(set(rows), key=lambda row: row[1]):
        cheapest = least[places]
        if not cheapest or takes[1] < cheapest[-1][1]:
            cheapest.append(takes)
    alike: dict[Places, list[Row]] = defaultdict(list)
    for places, several in least.items():
        kind = tuple(place if place == ABSENT else place & ODD for place in places)
        alike[kind] += [(places, takes) for takes in several]
    kept: list[Row] = []
    for group in alike.values():
        kept += group if len(group) > MANY_ROWS else _best_of(group)
    return kept


def _best_of(group: list[Row]) -> list[Row]:
    """Each row is held against those that are kept, before and after it in the order of ends."""
    group.sort(key=lambda row: (row[1], row[0]))
    kept: list[Row] = []
    for row in group:
        if not any(_stands_in(other, row) for other in kept):
            kept = [other for other in kept if not _stands_in(row, other)]
            kept.append(row)
    return kept


def _stands_in(one: Row, other: Row) -> bool:
    """Whether the one row can always be in the place of the other."""
    (places, (ends, price)), (others, (more, dearer)) = one, other
    return price <= dearer and ends <= more and ends + _handicap(places, others) <= more


@lru_cache(1 << 18)
def _handicap(places: Places, others: Places) -> int:
    """How many ends the places may take more than the others in the end."""
    shift = 1 + max(place // BLOCK for place in (*places, 0))
    root = list(range(shift + 1 + max(place // BLOCK for place in (*others, 0))))
    for place, other in zip(places, others, strict=True):
        if place != ABSENT:
            _unite(root, place // BLOCK, other // BLOCK + shift)
    blocks = {place // BLOCK for place in places if place != ABSENT}
    united = {_root(root, block) for block in blocks}
    own = {_root(root, place // BLOCK) for place in places if place != ABSENT and place & ANCHORED}
    lost = {
        _root(root, other // BLOCK + shift)
        for other in others
        if other != ABSENT and other & ANCHORED
    } - own
    return 2 * (len(blocks) - len(united) + len(lost))
