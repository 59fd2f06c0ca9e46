"""Plays by the fragments that they leave of the classes met so far (Knuth's Simpath, with sums).

The classes of kinds are met one by one. A play cut down to the classes met falls into *fragments*.
Of an end of a fragment it matters only which classes still to come match it, its *type*; ends of
equal types are exchanged freely, so a state is the number of fragments of each pair of types. The
states are few where the order of the classes keeps the types few, as for cards along a path, a
tree or a narrow grid, whatever their number. Numbers are exact integers.

A class of ``s`` cards that is met is split into ``j`` runs in Lah's number of ways, and each run
is put between two fragments, beside one, or alone. A run has two directions, so every play is
counted twice for each run; the factors ``2 ** (s - j)`` make the excess ``2 ** cards`` for all.
"""

import random
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from math import comb, factorial, prod
from operator import or_
from typing import TypeAlias, TypeVar

from uno_csp.counting.arborescences import TooMany
from uno_csp.counting.exact import draw
from uno_csp.counting.kinds import Classes, Kinds, classes_of
from uno_csp.graph_tools.mate_tables import narrow_order
from uno_csp.graph_tools.pieces import Near
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions.cards import Card

MOST_MOVES = 2_000_000  # maximum number of moves from a state to another
MOST_TYPES = 10  # maximum number of types of ends; with more, moves are too many as a rule
FIRST_MOVES = 200_000  # maximum number of moves to count the plays by their first cards
GREEDY_CLASSES = 200  # number of classes up to which a greedy order is tried, too
DEAD = 0  # the type of an end that no class to come matches: an end of the play

Pair: TypeAlias = tuple[int, int]
State: TypeAlias = tuple[tuple[Pair, int], ...]
"""The number of fragments of each pair of types, in order."""

Move: TypeAlias = tuple[tuple[Pair, int], ...]
"""The neighbour of a run: the types of a fragment, and that of its other end."""

Ways: TypeAlias = dict[State, int]
Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True)
class _Step:
    """The change of the ends when a class is met."""

    # the class, and its number of cards
    number: int
    size: int
    runs: int  # maximum number of runs of the class
    takes: frozenset[int]  # the types that match the class
    renamed: tuple[int, ...]  # the types afterwards; the last is that of the ends of the class
    rooms: tuple[int, ...]  # for each type afterwards, the number of cards to come that match it
    left: int  # number of cards to come

    @property
    def fresh(self) -> int:
        """The type of the ends of the class until all its runs are placed."""
        return len(self.renamed) - 1

    def factor(self, runs: int) -> int:
        """Return in how many ways the cards of the class form some runs."""
        size = self.size
        lah = factorial(size) * comb(size - 1, runs - 1) // factorial(runs)
        return lah << (size - runs)

    def after(self, state: State) -> State | None:
        """Return the state once all runs are placed; None if it leads to no play."""
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


class Frontier:
    """The states of the plays of a hand's kinds, class by class.

    ``types`` is the largest number of types at a time, from which the cost is known beforehand;
    ``order`` is the order of the classes. The states of all classes are ``kept`` for samples.
    """

    def __init__(
        self,
        kinds: Kinds,
        deadline: Deadline = NEVER,
        *,
        begin: Sequence[int] | None = None,
        order: Sequence[int] | None = None,
        kept: bool = False,
        most_moves: int | None = None,
    ) -> None:
        self.kinds, self.deadline = kinds, deadline
        self.classes = classes_of(kinds)
        if begin is None and len(self.classes.first) < len(self.classes.sizes):
            begin = self.classes.first
        self._begin = begin
        self.order = _order(self.classes, deadline) if order is None else order
        self.steps: list[_Step] = []
        self.types = 0
        for step in _steps(self.classes, self.order, self._begin):
            self.steps.append(step)
            self.types = max(self.types, len(step.rooms) - 1)
            if self.types > MOST_TYPES:
                break
        self.moves, self._kept = 0, kept
        self._most = MOST_MOVES if most_moves is None else most_moves
        self._stages: list[list[Ways]] = []

    @cached_property
    def total(self) -> int:
        """Number of plays; raise TooMany if the types or the moves are too many."""
        if not self.steps:
            return 1
        if self.types > MOST_TYPES:
            raise TooMany(f"the ends of fragments have {self.types} types, more than {MOST_TYPES}")
        states: Ways = {() if self._begin is None else (((DEAD, 1), 1),): 1}
        for step in self.steps:
            states = self._meet(step, states)
        whole = states.get((((DEAD, DEAD), 1),), 0) << (self._begin is None)
        return (whole >> sum(self.classes.sizes)) // prod(map(factorial, self.kinds.copies))

    @property
    def first(self) -> dict[Card, int] | None:
        """For each kind, how many plays begin with it; None if that takes too many moves."""
        if not self.total:
            return dict.fromkeys(self.kinds.cards, 0)
        if self.moves * len(self.classes.first) > FIRST_MOVES:
            return None
        found = dict.fromkeys(self.kinds.cards, 0)
        for each in self.classes.first:
            whole = Frontier(self.kinds, self.deadline, begin=(each,), order=self.order).total
            for kind in self.classes.members[each]:
                copies, size = self.kinds.copies[kind], self.classes.sizes[each]
                found[self.kinds.cards[kind]] = whole * copies // size
        return found

    def _meet(self, step: _Step, states: Ways) -> Ways:
        """Return the states after a class is met."""
        found: defaultdict[State, int] = defaultdict(int)
        stages = [states]
        for runs in range(1, step.runs + 1):
            placed: defaultdict[State, int] = defaultdict(int)
            for state, ways in stages[-1].items():
                self.deadline.check()
                for times, following, _ in _place_run(state, step):
                    self.moves += 1
                    placed[following] += ways * times
                if self.moves > self._most:
                    raise TooMany(f"more than {self._most} moves from a state to another")
            stages = [*stages, placed] if self._kept else [placed]
            factor = step.factor(runs)
            for state, ways in placed.items():
                self.deadline.check()
                after = step.after(state)
                if after is not None:
                    found[after] += ways * factor
        if self._kept:
            self._stages.append(stages)
        return found

    def sample(self, rng: random.Random, number: int) -> list[tuple[Card, ...]]:
        """Draw plays, each with the same probability; ``total`` must be known and above 0."""
        states: list[State] = [(((DEAD, DEAD), 1),)] * number
        moves: list[list[list[Move]]] = [[] for _ in range(number)]
        for step, stages in zip(reversed(self.steps), reversed(self._stages), strict=True):
            states = self._back(step, stages, states, moves, rng)
        return [self._play(each[::-1], rng) for each in moves]

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
                self.deadline.check()
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
            self.deadline.check()
            for times, placed, move in _place_run(state, step):
                if placed in found:
                    found[placed].append((ways * times, (state, move)))
        return found

    def _play(self, moves: Sequence[Sequence[Move]], rng: random.Random) -> tuple[Card, ...]:
        """Draw a play in which the runs were placed by these moves, the last of a class first."""
        fragments = [] if self._begin is None else [_Fragment(DEAD, 1, [-1])]
        for step, placed in zip(self.steps, moves, strict=True):
            members = self.classes.members[step.number]
            cards = [kind for kind in members for _ in range(self.kinds.copies[kind])]
            rng.shuffle(cards)
            cuts = sorted(rng.sample(range(1, step.size), len(placed) - 1))
            for move, (low, high) in zip(
                reversed(placed), pairwise((0, *cuts, step.size)), strict=True
            ):
                run = _Fragment(step.fresh, step.fresh, cards[low:high])
                for pair, other in move:
                    run = _take_out(fragments, pair, other, rng).before(run).turned()
                fragments.append(run)
            for each in fragments:
                each.head, each.tail = step.renamed[each.head], step.renamed[each.tail]
        cards = fragments[0].cards
        if cards[-1] == -1 or (self._begin is None and rng.random() < 0.5):
            cards = cards[::-1]
        return tuple(self.kinds.cards[kind] for kind in cards if kind >= 0)


@dataclass(slots=True)
class _Fragment:
    """A fragment of a play: the types of its ends, and the kinds of its cards."""

    head: int
    tail: int
    cards: list[int]

    def turned(self) -> "_Fragment":
        """Return the fragment in the other direction."""
        return _Fragment(self.tail, self.head, self.cards[::-1])

    def before(self, other: "_Fragment") -> "_Fragment":
        """Return this fragment, followed by another one."""
        return _Fragment(self.head, other.tail, self.cards + other.cards)


def _take_out(fragments: list[_Fragment], pair: Pair, other: int, rng: random.Random) -> _Fragment:
    """Take out a fragment with two types of ends, drawn at random, that begins with ``other``."""
    fitting = [at for at, each in enumerate(fragments) if {each.head, each.tail} == {*pair}]
    found = fragments.pop(rng.choice(fitting))
    alike = pair[0] == pair[1]
    if found.head != other or (alike and rng.random() < 0.5):
        return found.turned()
    return found


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


def _steps(classes: Classes, order: Sequence[int], begin: Sequence[int] | None) -> Iterator[_Step]:
    """Yield how the ends change at each class; types are sets of classes to come, as bits."""
    near = [sum(1 << other for other in others) for others in classes.near]
    sizes, to_come, left = classes.sizes, (1 << len(order)) - 1, sum(classes.sizes)
    rooms = {0: 0}  # for each type, the number of cards to come that match it
    if begin is not None:
        rooms[sum(1 << each for each in begin)] = sum(sizes[each] for each in begin)
    for number in order:
        beside = begin is not None and number in begin
        others = sum(sizes[each] for each in classes.near[number]) - sizes[number]
        known = list(rooms)
        to_come &= ~(1 << number)
        left -= sizes[number]
        sets = [*(each & to_come for each in known), near[number] & to_come]
        fewer = {
            each & to_come: room - sizes[number] * (each >> number & 1)
            for each, room in rooms.items()
        }
        come = sum(sizes[each] for each in classes.near[number] if to_come >> each & 1)
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


def _order(classes: Classes, deadline: Deadline) -> Sequence[int]:
    """Return the classes in an order with few types of ends."""
    near = [[o for o in others if o != number] for number, others in enumerate(classes.near)]
    narrow = narrow_order(near)
    found: list[Sequence[int]] = [narrow, narrow[::-1]]
    if len(near) <= GREEDY_CLASSES:
        lonely = sorted(range(len(near)), key=lambda each: len(near[each]))[:6]
        starts = dict.fromkeys([*narrow[:1], *narrow[-1:], *lonely])
        found += [_greedy(near, start, deadline) for start in starts]
    return min(found, key=lambda order: _cost(near, order))


def _types(types: Iterable[int], mask: int, to_come: int) -> set[int]:
    """Return the types after a class is met, as sets of classes to come."""
    return {each & to_come for each in (*types, mask)} - {0}


def _greedy(near: Near, start: int, deadline: Deadline) -> list[int]:
    """Return an order in which each class makes as few types as possible; neighbours come first."""
    masks = [sum(1 << other for other in others) for others in near]
    left, types, order = set(range(len(near))), set[int](), [start]
    to_come = (1 << len(near)) - 1
    while True:
        deadline.check()
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


def _cost(near: Near, order: Sequence[int]) -> int:
    """Return a measure of the states of an order: the sum of powers of the numbers of types."""
    masks = [sum(1 << other for other in others) for others in near]
    to_come, types = (1 << len(near)) - 1, set[int]()
    total: int = 0
    for number in order:
        to_come ^= 1 << number
        types = _types(types, masks[number], to_come)
        total += 3 ** len(types)
        if len(types) > MOST_TYPES:
            return total * len(order)
    return total
