"""Plays by the fragments that they leave of the classes of kinds met so far.

:mod:`~uno_csp.graph_tools.fragments` has the states, which are few for cards along a path, a tree
or a narrow grid.
"""

import random
from functools import cached_property
from math import factorial, prod

from uno_csp.counting.kinds import Kinds, classes_of
from uno_csp.graph_tools.fragments import Fragments, Most, order_with_few_types
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions.cards import Card

MOST_MOVES = 2_000_000  # maximum number of moves from a state to another
MOST_TYPES = 10  # maximum number of types of ends; with more, moves are too many as a rule
FIRST_MOVES = 200_000  # maximum number of moves to count the plays by their first cards


class Frontier:
    """The plays of a hand's kinds; the states of all classes are ``kept`` for samples."""

    def __init__(
        self,
        kinds: Kinds,
        deadline: Deadline = NEVER,
        *,
        kept: bool = False,
        most_moves: int | None = None,
    ) -> None:
        self.kinds, self._deadline = kinds, deadline
        self.classes = classes_of(kinds)
        self._order = order_with_few_types(self.classes.near, MOST_TYPES, deadline.check)
        self._most = Most(MOST_TYPES, MOST_MOVES if most_moves is None else most_moves)
        every = len(self.classes.first) == len(self.classes.sizes)
        self._fragments = self._beginning_with(None if every else self.classes.first, kept=kept)

    def _beginning_with(self, classes: tuple[int, ...] | None, *, kept: bool = False) -> Fragments:
        """Return the fragments of the plays that begin with some classes, None for any."""
        items = [
            [kind for kind in members for _ in range(self.kinds.copies[kind])]
            for members in self.classes.members
        ]
        near, look = self.classes.near, self._deadline.check
        return Fragments(items, near, self._order, classes, most=self._most, kept=kept, look=look)

    @cached_property
    def total(self) -> int:
        """Number of plays; raise TooMany if the types or the moves are too many."""
        return self._fragments.total() // prod(map(factorial, self.kinds.copies))

    @property
    def first(self) -> dict[Card, int] | None:
        """For each kind, how many plays begin with it; None if that takes too many moves."""
        found = dict.fromkeys(self.kinds.cards, 0)
        if not self.total:
            return found
        if self._fragments.moves * len(self.classes.first) > FIRST_MOVES:
            return None
        equal = prod(map(factorial, self.kinds.copies))
        for each in self.classes.first:
            whole = self._beginning_with((each,)).total() // equal
            for kind in self.classes.members[each]:
                copies, size = self.kinds.copies[kind], self.classes.sizes[each]
                found[self.kinds.cards[kind]] = whole * copies // size
        return found

    def sample(self, rng: random.Random, number: int) -> list[tuple[Card, ...]]:
        """Draw plays, each with the same probability; ``total`` must be known and above 0."""
        drawn = self._fragments.sample(rng, number)
        return [tuple(self.kinds.cards[kind] for kind in play) for play in drawn]
