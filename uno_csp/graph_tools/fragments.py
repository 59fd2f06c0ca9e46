"""Sequences by the fragments that they leave of classes met one by one (Simpath, with sums).

Items that match the same items are one class, and the classes are met one by one. A sequence cut
down to the classes met falls into *fragments*. Of an end of a fragment it matters only which
classes still to come match it, its *type*; ends of equal types are exchanged freely, so a state is
the number of fragments of each pair of types. The states are few where the order of the classes
keeps the types few, as for items along a path, a tree or a narrow grid, whatever their number.
Numbers are exact integers.

A class of ``s`` items that is met is split into ``j`` runs in Lah's number of ways, and each run
is put between two fragments, beside one, or alone. A run has two directions, so every sequence is
counted twice for each run; the factors ``2 ** (s - j)`` make the excess ``2 ** items`` for all.
"""

import random
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from math import comb, factorial, inf
from operator import or_
from typing import TypeAlias, TypeVar

from uno_csp.graph_tools.mate_tables import narrow_order
from uno_csp.graph_tools.pieces import Near

GREEDY_CLASSES = 200  # number of classes up to which a greedy order is tried, too
DEAD = 0  # the type of an end that no class to come matches: an end of the sequence
START = -1  # stands for what the sequence follows if only some classes may come first

Pair: TypeAlias = tuple[int, int]
State: TypeAlias = tuple[tuple[Pair, int], ...]
"""The number of fragments of each pair of types, in order."""

Move: TypeAlias = tuple[tuple[Pair, int], ...]
"""The neighbour of a run: the types of a fragment, and that of its other end."""

Ways: TypeAlias = dict[State, int]
Drawn = TypeVar("Drawn")


class TooMany(Exception):
    """A count takes more than it may; the message says of what, and how many are allowed."""


@dataclass(frozen=True, slots=True)
class Most:
    """The most types at a time, moves from a state to another, and states."""

    types: float = inf
    moves: float = inf
    states: float = inf


@dataclass(frozen=True, slots=True)
class _Step:
    """The change of the ends when a class is met."""

    number: int  # the class
    size: int  # its number of items
    runs: int  # maximum number of runs of the class
    takes: frozenset[int]  # the types that match the class
    renamed: tuple[int, ...]  # the types afterwards; the last is that of the ends of the class
    rooms: tuple[int, ...]  # for each type afterwards, the number of items to come that match it
    left: int  # number of items to come

    @property
    def fresh(self) -> int:
        """The type of the ends of the class until all its runs are placed."""
        return len(self.renamed) - 1

    def factor(self, runs: int) -> int:
        """Return in how many ways the items of the class form some runs."""
        size = self.size
        lah = factorial(size) * comb(size - 1, runs - 1) // factorial(runs)
        return lah << (size - runs)

    def after(self, state: State) -> State | None:
        """Return the state once all runs are placed; None if it leads to no sequence."""
        counts: defaultdict[Pair, int] = defaultdict(int)
        ends: defaultdict[int, int] = defaultdict(int)
        fragments = 0
        for (a, b), number in state:
            one, two = self.renamed[a], self.renamed[b]
            counts[(one, two) if one <= two else (two, one)] += number
            ends[one] += number
            ends[two] += number
            fragments += number
        dead = ends.pop(DEAD, 0)
        if dead > 2 or fragments > self.left + 1 or (self.left and (DEAD, DEAD) in counts):
            return None
        if any(number > 2 * self.rooms[each] + 2 - dead for each, number in ends.items()):
            return None
        return tuple(sorted(counts.items()))


class Fragments:
    """The states of the sequences of all items, class by class, in an order of the classes.

    ``items`` has the items of each class, as numbers of 0 or more, ``near`` for each class those
    that match it, and itself. The classes ``begin`` may come first, all if it is None. ``total``
    raises TooMany above ``most``. The states of all classes are ``kept`` for samples. ``look`` is
    called now and then, and may raise an exception, such as at a time limit.
    """

    def __init__(
        self,
        items: Sequence[Sequence[int]],
        near: Near,
        order: Sequence[int],
        begin: Sequence[int] | None = None,
        *,
        most: Most = Most(),
        kept: bool = False,
        look: Callable[[], object] = lambda: None,
    ) -> None:
        self._items, self._begin = items, begin
        self._most, self._kept, self._look = most, kept, look
        self._steps: list[_Step] = []
        self.moves = self.states = 0
        self._types = 0  # the largest number of types at a time
        for step in _steps([*map(len, items)], near, order, begin):
            self._steps.append(step)
            self._types = max(self._types, len(step.rooms) - 1)
            if self._types > most.types:
                break
        self._stages: list[list[Ways]] = []

    def total(self) -> int:
        """Return the number of sequences; raise TooMany above a limit."""
        if not self._steps:
            return 1
        if self._types > self._most.types:
            types = f"{self._types} types, more than {self._most.types}"
            raise TooMany(f"the ends of fragments have {types}")
        states: Ways = {() if self._begin is None else (((DEAD, 1), 1),): 1}
        for step in self._steps:
            states = self._meet(step, states)
        whole = states.get((((DEAD, DEAD), 1),), 0) << (self._begin is None)
        return whole >> sum(map(len, self._items))

    def _add_states(self, number: int) -> None:
        self.states += number
        self._require_few(self.states, self._most.states, "states")

    @staticmethod
    def _require_few(number: int, most: float, what: str) -> None:
        if number > most:
            raise TooMany(f"more than {most} {what}")

    def _meet(self, step: _Step, states: Ways) -> Ways:
        """Return the states after a class is met."""
        found: defaultdict[State, int] = defaultdict(int)
        stages = [states]
        for runs in range(1, step.runs + 1):
            placed: defaultdict[State, int] = defaultdict(int)
            for state, ways in stages[-1].items():
                self._look()
                for times, following, _ in _place_run(state, step):
                    self.moves += 1
                    placed[following] += ways * times
                self._require_few(self.moves, self._most.moves, "moves from a state to another")
            self._add_states(len(placed))
            stages = [*stages, placed] if self._kept else [placed]
            factor = step.factor(runs)
            for state, ways in placed.items():
                self._look()
                after = step.after(state)
                if after is not None:
                    found[after] += ways * factor
        self._add_states(len(found))
        if self._kept:
            self._stages.append(stages)
        return found

    def sample(self, rng: random.Random, number: int) -> list[list[int]]:
        """Draw sequences, each with the same probability; ``total`` must be known and above 0."""
        states: list[State] = [(((DEAD, DEAD), 1),)] * number
        moves: list[list[list[Move]]] = [[] for _ in range(number)]
        for step, stages in zip(reversed(self._steps), reversed(self._stages), strict=True):
            states = self._back(step, stages, states, moves, rng)
        return [self._sequence(each[::-1], rng) for each in moves]

    def _back(
        self,
        step: _Step,
        stages: Sequence[Ways],
        states: Sequence[State],
        moves: Sequence[list[list[Move]]],
        rng: random.Random,
    ) -> list[State]:
        """Draw the states before a class was met, and append how its runs were placed."""
        wanted = set(states)
        ahead: defaultdict[State, list[tuple[int, tuple[int, State]]]] = defaultdict(list)
        for runs, placed in enumerate(stages[1:], 1):
            factor = step.factor(runs)
            for state, ways in placed.items():
                self._look()
                after = step.after(state)
                if after in wanted:
                    ahead[after].append((ways * factor, (runs, state)))
        drawn = [_draw(ahead[state], rng) for state in states]
        for each in moves:
            each.append([])
        for runs in range(len(stages) - 1, 0, -1):
            now = {state for number, state in drawn if number == runs}
            before = self._before(step, stages[runs - 1], now) if now else {}
            for at, (number, state) in enumerate(drawn):
                if number == runs:
                    earlier, move = _draw(before[state], rng)
                    drawn[at] = (runs - 1, earlier)
                    moves[at][-1].append(move)
        return [state for _, state in drawn]

    def _before(
        self, step: _Step, states: Ways, following: set[State]
    ) -> dict[State, list[tuple[int, tuple[State, Move]]]]:
        """Return for states the states and moves that lead there, with their ways."""
        found: dict[State, list[tuple[int, tuple[State, Move]]]] = {each: [] for each in following}
        for state, ways in states.items():
            self._look()
            for times, placed, move in _place_run(state, step):
                if placed in found:
                    found[placed].append((ways * times, (state, move)))
        return found

    def _sequence(self, moves: Sequence[Sequence[Move]], rng: random.Random) -> list[int]:
        """Draw a sequence whose runs were placed by these moves, the last of a class first."""
        fragments = [] if self._begin is None else [_Fragment(DEAD, 1, [START])]
        for step, placed in zip(self._steps, moves, strict=True):
            items = list(self._items[step.number])
            rng.shuffle(items)
            cuts = sorted(rng.sample(range(1, step.size), len(placed) - 1))
            for move, (low, high) in zip(
                reversed(placed), pairwise((0, *cuts, step.size)), strict=True
            ):
                run = _Fragment(step.fresh, step.fresh, items[low:high])
                for pair, other in move:
                    run = _take_out(fragments, pair, other, rng).before(run).turned()
                fragments.append(run)
            for each in fragments:
                each.head, each.tail = step.renamed[each.head], step.renamed[each.tail]
        items = fragments[0].items
        if items[-1] == START or (self._begin is None and rng.random() < 0.5):
            items = items[::-1]
        return [item for item in items if item != START]


@dataclass(slots=True)
class _Fragment:
    """A fragment of a sequence: the types of its ends, and its items."""

    head: int
    tail: int
    items: list[int]

    def turned(self) -> "_Fragment":
        """Return the fragment in the other direction."""
        return _Fragment(self.tail, self.head, self.items[::-1])

    def before(self, other: "_Fragment") -> "_Fragment":
        """Return this fragment, followed by another one."""
        return _Fragment(self.head, other.tail, self.items + other.items)


def _take_out(fragments: list[_Fragment], pair: Pair, other: int, rng: random.Random) -> _Fragment:
    """Take out a fragment with two types of ends, drawn at random, that begins with ``other``."""
    fitting = [at for at, each in enumerate(fragments) if {each.head, each.tail} == {*pair}]
    found = fragments.pop(rng.choice(fitting))
    alike = pair[0] == pair[1]
    if found.head != other or (alike and rng.random() < 0.5):
        return found.turned()
    return found


def draw(weights: Sequence[int], rng: random.Random) -> int:
    """Return an index, drawn with probabilities proportional to the weights."""
    at = rng.randrange(sum(weights))
    for index, weight in enumerate(weights):
        if at < weight:
            return index
        at -= weight
    raise AssertionError("the weights add up to more")


def _draw(weighted: Sequence[tuple[int, Drawn]], rng: random.Random) -> Drawn:
    """Return what is drawn with probabilities proportional to the weights."""
    return weighted[draw([weight for weight, _ in weighted], rng)][1]


def _place_run(state: State, step: _Step) -> Iterator[tuple[int, State, Move]]:
    """Yield the states after one more run of a class, in how many ways, and by what move."""
    takes, fresh = step.takes, step.fresh
    yield 1, _with(state, fresh, fresh), ()
    for one, rest, pair, end in _ends(state, takes):
        yield 2 * one, _with(rest, fresh, end), ((pair, end),)
        for two, last, other, far in _ends(rest, takes):
            yield one * two, _with(last, end, far), ((pair, end), (other, far))


def _ends(state: State, takes: frozenset[int]) -> Iterator[tuple[int, State, Pair, int]]:
    """Yield the ends that a run may be put beside: their number, the other fragments, the types."""
    for at, (pair, number) in enumerate(state):
        a, b = pair
        if a in takes or b in takes:
            fewer = ((pair, number - 1),) if number > 1 else ()
            rest = (*state[:at], *fewer, *state[at + 1 :])
            if a in takes:
                yield number << (a == b), rest, pair, b
            if b in takes and a != b:
                yield number, rest, pair, a


def _with(state: State, one: int, two: int) -> State:
    """Return a state with one more fragment."""
    pair = (one, two) if one <= two else (two, one)
    at = bisect_left(state, (pair, 0))
    if at < len(state) and state[at][0] == pair:
        return (*state[:at], (pair, state[at][1] + 1), *state[at + 1 :])
    return (*state[:at], (pair, 1), *state[at:])


def _steps(
    sizes: Sequence[int], near: Near, order: Sequence[int], begin: Sequence[int] | None
) -> Iterator[_Step]:
    """Yield how the ends change at each class; types are sets of classes to come, as bits."""
    masks = [sum(1 << other for other in others) for others in near]
    to_come, left = (1 << len(order)) - 1, sum(sizes)
    rooms = {0: 0}  # for each type, the number of items to come that match it
    if begin is not None:
        rooms[sum(1 << each for each in begin)] = sum(sizes[each] for each in begin)
    for number in order:
        beside = begin is not None and number in begin
        others = sum(sizes[each] for each in near[number]) - sizes[number]
        known = list(rooms)
        to_come &= ~(1 << number)
        left -= sizes[number]
        sets = [*(each & to_come for each in known), masks[number] & to_come]
        fewer = {
            each & to_come: room - sizes[number] * (each >> number & 1)
            for each, room in rooms.items()
        }
        come = sum(sizes[each] for each in near[number] if to_come >> each & 1)
        rooms = {0: 0, **fewer, sets[-1]: come}
        place = {each: at for at, each in enumerate(rooms)}
        yield _Step(
            number=number,
            size=sizes[number],
            runs=min(sizes[number], others + beside + 1),
            takes=frozenset(at for at, each in enumerate(known) if each >> number & 1),
            renamed=tuple(place[each] for each in sets),
            rooms=tuple(rooms.values()),
            left=left,
        )


def order_with_few_types(
    near: Near, most_types: int, look: Callable[[], object] = lambda: None
) -> Sequence[int]:
    """Return the classes in an order with few types of ends.

    ``near`` has for each class those that match it, and itself. With more types than the most, one
    order is not preferred to another by much.
    """
    others = [
        [other for other in several if other != number] for number, several in enumerate(near)
    ]
    narrow = narrow_order(others)
    found: list[Sequence[int]] = [narrow, narrow[::-1]]
    if len(others) <= GREEDY_CLASSES:
        lonely = sorted(range(len(others)), key=lambda each: len(others[each]))[:6]
        starts = dict.fromkeys([*narrow[:1], *narrow[-1:], *lonely])
        found += [_greedy(others, start, look) for start in starts]
    return min(found, key=lambda order: _cost(others, order, most_types))


def _types(types: Iterable[int], mask: int, to_come: int) -> set[int]:
    """Return the types after a class is met, as sets of classes to come."""
    return {each & to_come for each in (*types, mask)} - {0}


def _greedy(near: Near, start: int, look: Callable[[], object]) -> list[int]:
    """Return an order in which each class makes as few types as possible; neighbours come first."""
    masks = [sum(1 << other for other in others) for others in near]
    left, types, order = set(range(len(near))), set[int](), [start]
    to_come = (1 << len(near)) - 1
    while True:
        look()
        left.remove(order[-1])
        to_come ^= 1 << order[-1]
        types = _types(types, masks[order[-1]], to_come)
        if not left:
            return order
        ready = reduce(or_, types, 0) or to_come
        made = {
            number: _types(types, masks[number], to_come & ~(1 << number))
            for number in left
            if ready >> number & 1
        }
        order.append(min(made, key=lambda at: (len(made[at]), sum(map(int.bit_count, made[at])))))


def _cost(near: Near, order: Sequence[int], most_types: int) -> int:
    """Return a measure of the states of an order: the sum of powers of the numbers of types."""
    masks = [sum(1 << other for other in others) for others in near]
    to_come, types = (1 << len(near)) - 1, set[int]()
    total: int = 0
    for number in order:
        to_come ^= 1 << number
        types = _types(types, masks[number], to_come)
        total += 3 ** len(types)
        if len(types) > most_types:
            return total * len(order)
    return total
