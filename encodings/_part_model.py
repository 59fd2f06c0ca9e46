"""Model of a part of a hub graph by its table: exactly one state is chosen."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import TypeAlias, TypeVar

from uno_csp.hub_graph.tables import ABSENT, ANCHORED, BLOCK, ODD, State
from uno_csp.modeling import Model

KeyT = TypeVar("KeyT", bound=Hashable)

Term: TypeAlias = tuple[int, int]  # a weight and a literal


class PartModel:
    """The variables and constraints of one table; hubs are indices into its scope.

    ``visited`` has for each hub of the scope the literal for "it is visited", and ``taken`` for
    each state of the table the variable for "it is chosen"; exactly one is true.
    """

    def __init__(self, model: Model, visited: Sequence[int], states: Sequence[State]) -> None:
        self._model = model
        self._states = states
        self.taken = list(model.new_vars(len(states)))
        self._known: dict[frozenset[int], int] = {}
        model.exactly(self.taken, 1)
        for place, literal in enumerate(visited):
            present = self._states_where(place, lambda at: at != ABSENT)
            self._require_equal(literal, present)
            self._known.setdefault(present, literal)

    def odd(self) -> dict[int, int]:
        """Return, for each hub that can be odd, the literal for "it is odd".

        A hub is odd if an odd number of trail edges of the part end there.
        """
        odd = {}
        for place in range(len(self._states[0][0])):
            states = self._states_where(place, _is_odd)
            if states:
                odd[place] = self._any_of(states)
        return odd

    def links(self, *, anchored: bool) -> dict[tuple[int, int, int], int]:
        """Return the literals of the edges by which the part connects hubs, by (hub, hub, weight).

        Together with :meth:`anchors`, the weights at a hub add up to its parity. Edges of anchored
        blocks are included only if ``anchored`` is true.
        """
        states: defaultdict[tuple[int, int, int], set[int]] = defaultdict(set)
        for index, (places, _) in enumerate(self._states):
            for block in _blocks(places):
                holds = bool(places[block[0]] & ANCHORED)
                if holds and not anchored:
                    continue
                count = 0
                for one, other in pairwise(block):
                    count += _is_odd(places[one])
                    states[one, other, 1 if count % 2 and not holds else 2].add(index)
        return self._literals(states)

    def anchors(self) -> dict[tuple[int, int], int]:
        """Return the literals of anchors by (hub, weight): weight 1 if the hub is odd, else 2."""
        states: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for index, (places, _) in enumerate(self._states):
            for place, at in enumerate(places):
                if at != ABSENT and at & ANCHORED:
                    states[place, 1 if at & ODD else 2].add(index)
        return self._literals(states)

    def out_of_reach(self) -> Iterable[int]:
        """Return the literal for "a trail in the part visits no hub of its scope", if any."""
        states = frozenset(
            index
            for index, (places, (ends, _)) in enumerate(self._states)
            if ends and all(place == ABSENT for place in places)
        )
        return [self._any_of(states)] if states else []

    def covers(self) -> list[tuple[int, ...]]:
        """Return all minimum-size sets of hubs such that every state visits a hub of the set."""
        scope = range(len(self._states[0][0]))
        for size in range(1, len(scope) + 1):
            found = [
                cover
                for cover in combinations(scope, size)
                if all(any(state[0][place] != ABSENT for place in cover) for state in self._states)
            ]
            if found:
                return found
        return []

    def ends(self) -> list[Term]:
        """Return the number of ends that the chosen state costs, as a weighted sum."""
        return self._terms(0)

    def left_out_terms(self) -> list[Term]:
        """Return the number of cards that the chosen state leaves out, as a weighted sum."""
        return self._terms(1)

    def _terms(self, which: int) -> list[Term]:
        states: defaultdict[int, set[int]] = defaultdict(set)
        for index, (_, cost) in enumerate(self._states):
            if cost[which]:
                states[cost[which]].add(index)
        return list(self._literals(states).items())

    def _states_where(self, hub: int, holds: Callable[[int], bool]) -> frozenset[int]:
        """Return the indices of the states whose place at a hub satisfies ``holds``."""
        return frozenset(index for index, state in enumerate(self._states) if holds(state[0][hub]))

    def _literals(self, states: Mapping[KeyT, Iterable[int]]) -> dict[KeyT, int]:
        return {key: self._any_of(frozenset(several)) for key, several in states.items()}

    def _any_of(self, states: frozenset[int]) -> int:
        """Return a literal that is true if and only if one of the states is chosen."""
        if len(states) == 1:
            return self.taken[next(iter(states))]
        if states not in self._known:
            self._known[states] = self._model.new_var()
            self._require_equal(self._known[states], states)
        return self._known[states]

    def _require_equal(self, literal: int, states: Iterable[int]) -> None:
        """Require that the literal is true if and only if one of the states is chosen."""
        self._model.exactly([*(self.taken[index] for index in sorted(states)), -literal], 1)


def _is_odd(place: int) -> bool:
    return place != ABSENT and bool(place & ODD)


def _blocks(places: Sequence[int]) -> Iterable[list[int]]:
    """Return the hubs of each block."""
    blocks: defaultdict[int, list[int]] = defaultdict(list)
    for index, place in enumerate(places):
        if place != ABSENT:
            blocks[place // BLOCK].append(index)
    return blocks.values()
