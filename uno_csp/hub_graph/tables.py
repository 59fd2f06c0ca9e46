"""Tables: exactly what a part of a hub graph can offer at the few hubs it shares with the rest.

Take a part of the graph that meets the rest only at the hubs of its *scope*. Of the trails inside,
the rest needs to know only this (a *state*): which hubs of the scope are visited; at which of them
an odd number of trail edges of the part ends; which of them the part connects (a *block*); and
whether each block is *anchored*, that is, contains an odd vertex outside the scope. A state also
has its costs: the *ends* (odd vertices outside the scope, and two for each closed trail that does
not reach the scope), and the number of cards left out.

The rules are those of a dynamic program over tree decompositions (Lampis, Makino, Mitsou and Uno,
"On the edge Hamiltonian path problem and edge dominating trails", for treewidth). States of two
parts are joined if they agree on visits: parities add up, blocks that share a hub are merged. A hub
in no other part is forgotten: if it is odd it costs one end and anchors its block; a block that
loses its last hub without an anchor is a closed trail, which costs two. The ends of a hand are
twice the number of its sequences (see ``hub-trail``).

Different parts often have equal tables, so each table is stored once, and operations are cached.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from uno_csp.graph_tools.disjoint_sets import DisjointSets

ABSENT = -1  # the place of a hub that is not visited

ODD, ANCHORED, BLOCK = 1, 2, 4
"""The place of a visited hub is ``BLOCK * block + ANCHORED * anchored + ODD * odd``."""

LOOP = 0  # the place of a visited hub in block 0, neither odd nor in an anchored block

MANY_STATES = 80
"""Maximum number of states with equal visits and parities that are compared with one another."""

_NONE = -1

Places: TypeAlias = tuple[int, ...]
"""The place of each hub of a scope; blocks are numbered in the order of their first hubs."""

StateCost: TypeAlias = tuple[int, int]  # number of ends, and of cards left out

State: TypeAlias = tuple[Places, StateCost]


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """States of one scope; of states with the same places none costs more than another in both."""

    states: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Lowered:
    """A table (None if it has no state), less the cards that every state leaves out.

    If ends are unlimited, their minimum was subtracted too. Otherwise they are kept, so that each
    table shows which of its states exceed the limit.
    """

    table: Table | None
    ends: int
    left_out: int


@dataclass(slots=True)
class Tables:
    """Makes tables, and caches them; ``work`` is the number of pairs of states joined so far."""

    most_ends: int | None  # maximum number of ends of a useful state; None if there is no limit
    work: int = 0
    _known: dict[tuple[State, ...], Table] = field(default_factory=dict)
    _joined: dict[tuple[Table, Table, Places], Lowered] = field(default_factory=dict)
    _forgotten: dict[tuple[Table, int], Lowered] = field(default_factory=dict)
    _split: dict[tuple[Table, Table, Places, State], tuple[State, State]] = field(
        default_factory=dict
    )
    _recalled: dict[tuple[Table, int, State], State] = field(default_factory=dict)

    def make(self, states: Iterable[State]) -> Lowered:
        """Return the table of the given states, without dominated ones."""
        kept = _drop_dominated([state for state in states if self._may_serve(state)])
        if not kept:
            return Lowered(None, 0, 0)
        ends = 0 if self.most_ends is not None else min(cost[0] for _, cost in kept)
        left_out = min(cost[1] for _, cost in kept)
        lowered = tuple(sorted((places, (e - ends, p - left_out)) for places, (e, p) in kept))
        return Lowered(self._known.setdefault(lowered, Table(lowered)), ends, left_out)

    def join(self, first: Table, second: Table, at: Places) -> Lowered:
        """Return the table of two parts together.

        ``at`` has for each hub of the second scope its index in the common one, which begins with
        the first scope.
        """
        key = (first, second, at)
        if key not in self._joined:
            states = [state for state, _, _ in _pairs(first, second, at)]
            self.work += len(states)
            self._joined[key] = self.make(states)
        return self._joined[key]

    def forget(self, table: Table, index: int) -> Lowered:
        """Return the table of a part after forgetting a hub that is in no other part."""
        key = (table, index)
        if key not in self._forgotten:
            self._forgotten[key] = self.make(_without(state, index) for state in table.states)
        return self._forgotten[key]

    def split(self, first: Table, second: Table, at: Places, state: State) -> tuple[State, State]:
        """Return the states of two tables that a state of :meth:`join` is made of."""
        key = (first, second, at, state)
        if key not in self._split:
            lowered = self.join(first, second, at)
            raw = _add_costs(state, lowered)
            self._split[key] = next(
                (one, other) for both, one, other in _pairs(first, second, at) if both == raw
            )
        return self._split[key]

    def recall(self, table: Table, index: int, state: State) -> State:
        """Return the state of a table that a state of :meth:`forget` is made of."""
        key = (table, index, state)
        if key not in self._recalled:
            raw = _add_costs(state, self.forget(table, index))
            self._recalled[key] = next(
                source for source in table.states if _without(source, index) == raw
            )
        return self._recalled[key]

    def _may_serve(self, state: State) -> bool:
        """Return True if a state can be part of a choice within the maximum number of ends.

        If hubs are visited and no block is anchored, two more ends will be needed.
        """
        if self.most_ends is None:
            return True
        places, (ends, _) = state
        visited = [place for place in places if place != ABSENT]
        loose = bool(visited) and not any(place & ANCHORED for place in visited)
        return ends + 2 * loose <= self.most_ends


def edge_states(left_out: int | None) -> list[State]:
    """Return the states of a card on two hubs: a trail edge, dominated by one hub, or left out.

    ``left_out`` is the number of its copies, None if they must not be left out.
    """
    states: list[State] = [
        ((LOOP, ABSENT), (0, 0)),
        ((ABSENT, LOOP), (0, 0)),
        ((LOOP, BLOCK), (0, 0)),
        ((ODD, ODD), (0, 0)),
    ]
    return states if left_out is None else [*states, ((ABSENT, ABSENT), (0, left_out))]


def loop_states(left_out: int | None) -> list[State]:
    """Return the states of cards on one hub alone: it is visited, or they are left out.

    ``left_out`` is their number, None if they must not be left out.
    """
    states: list[State] = [((LOOP,), (0, 0))]
    return states if left_out is None else [*states, ((ABSENT,), (0, left_out))]


def pile_states(hubs: int) -> list[State]:
    """Return the states of the pile: left through one of its hubs, or a sequence of its own.

    It costs one end, as an odd vertex, or two, as a closed trail.
    """
    states: list[State] = []
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
            states.append((tuple(places), (2 if start is None else 1, 0)))
    return states


def _add_costs(state: State, lowered: Lowered) -> State:
    places, (ends, left_out) = state
    return places, (ends + lowered.ends, left_out + lowered.left_out)


def _pairs(first: Table, second: Table, at: Places) -> Iterable[tuple[State, State, State]]:
    """Yield every state of both parts together, with the two states it is made of."""
    known = len(first.states[0][0])
    common = [(index, place) for index, place in enumerate(at) if place < known]
    fitting: defaultdict[tuple[bool, ...], list[State]] = defaultdict(list)
    for state in second.states:
        fitting[tuple(state[0][index] == ABSENT for index, _ in common)].append(state)
    for state in first.states:
        places, (ends, left_out) = state
        for other in fitting.get(tuple(places[place] == ABSENT for _, place in common), ()):
            cost = (ends + other[1][0], left_out + other[1][1])
            yield (_unite_places(places, other[0], at), cost), state, other


@lru_cache(1 << 18)
def _unite_places(first: Places, second: Places, at: Places) -> Places:
    """Return the places that result from joining two states that agree on visits."""
    size = max(len(first), 1 + max(at, default=-1))
    block = [_NONE] * size
    odd = [0] * size
    above = 1 + max((place // BLOCK for place in first), default=-1)
    blocks = above + 1 + max((place // BLOCK for place in second), default=-1)
    sets, anchored = DisjointSets(blocks), [False] * blocks
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
                sets.unite(block[index], own)
    hold = {sets.find(own) for own, holds in enumerate(anchored) if holds}
    number: dict[int, int] = {}
    united = []
    for own, parity in zip(block, odd, strict=True):
        if own == _NONE:
            united.append(ABSENT)
            continue
        top = sets.find(own)
        united.append(
            BLOCK * number.setdefault(top, len(number)) + ANCHORED * (top in hold) + parity
        )
    return tuple(united)


def _without(state: State, index: int) -> State:
    """Return a state after a hub is forgotten."""
    places, (ends, left_out) = state
    rest, more = _drop(places, index)
    return rest, (ends + more, left_out)


@lru_cache(1 << 18)
def _drop(places: Places, index: int) -> tuple[Places, int]:
    """Return the places of the other hubs after forgetting one, and the ends that this costs."""
    place = places[index]
    rest = places[:index] + places[index + 1 :]
    if place == ABSENT:
        return _renumber(rest), 0
    block, odd = place // BLOCK, place & ODD
    anchored = bool(place & (ANCHORED | ODD))
    if not any(other // BLOCK == block for other in rest if other != ABSENT):
        return _renumber(rest), odd + (0 if anchored else 2)
    if anchored:
        rest = tuple(
            other | ANCHORED if other != ABSENT and other // BLOCK == block else other
            for other in rest
        )
    return _renumber(rest), odd


def _renumber(places: Places) -> Places:
    number: dict[int, int] = {}
    return tuple(
        place
        if place == ABSENT
        else BLOCK * number.setdefault(place // BLOCK, len(number)) + place % BLOCK
        for place in places
    )


def _drop_dominated(states: Sequence[State]) -> list[State]:
    """Return the states without dominated ones, which another state can replace at no higher cost.

    *Proof.* Let states R and S agree on visits and parities. Let the b blocks of R become j when
    hubs are united that share a block of R or of S; let a of these j be anchored in S but not in R.
    If R replaces S, every hub keeps its parity, and at most b - j + a more of the final components
    are closed trails: the blocks of R can fall into at most b - j more pieces, and a component that
    loses its anchor may become closed. So R costs at most 2(b - j + a) ends more than it states. If
    that is no more than what S costs, with no more cards left out, S is not needed.
    """
    least: dict[Places, list[StateCost]] = defaultdict(list)
    for places, cost in sorted(set(states), key=lambda state: state[1]):
        cheapest = least[places]
        if not cheapest or cost[1] < cheapest[-1][1]:
            cheapest.append(cost)
    alike: dict[Places, list[State]] = defaultdict(list)
    for places, several in least.items():
        kind = tuple(place if place == ABSENT else place & ODD for place in places)
        alike[kind] += [(places, cost) for cost in several]
    kept: list[State] = []
    for group in alike.values():
        kept += group if len(group) > MANY_STATES else _best_of(group)
    return kept


def _best_of(group: list[State]) -> list[State]:
    """Return the states of a group that none of the others dominates."""
    group.sort(key=lambda state: (state[1], state[0]))
    kept: list[State] = []
    for state in group:
        if not any(_stands_in(other, state) for other in kept):
            kept = [other for other in kept if not _stands_in(state, other)]
            kept.append(state)
    return kept


def _stands_in(one: State, other: State) -> bool:
    """Return True if the one state can always replace the other."""
    (places, (ends, left_out)), (others, (more, dearer)) = one, other
    return left_out <= dearer and ends <= more and ends + _handicap(places, others) <= more


@lru_cache(1 << 18)
def _handicap(places: Places, others: Places) -> int:
    """Return how many more ends ``places`` may finally cost if they replace ``others``."""
    shift = 1 + max(place // BLOCK for place in (*places, 0))
    sets = DisjointSets(shift + 1 + max(place // BLOCK for place in (*others, 0)))
    for place, other in zip(places, others, strict=True):
        if place != ABSENT:
            sets.unite(place // BLOCK, other // BLOCK + shift)
    blocks = {place // BLOCK for place in places if place != ABSENT}
    united = {sets.find(block) for block in blocks}
    own = {sets.find(place // BLOCK) for place in places if place != ABSENT and place & ANCHORED}
    lost = {
        sets.find(other // BLOCK + shift)
        for other in others
        if other != ABSENT and other & ANCHORED
    } - own
    return 2 * (len(blocks) - len(united) + len(lost))
