"""The compiled proof-number search of one game: arrays in and out, limits, and a growing table."""

from collections.abc import Collection
from functools import lru_cache, partial
from typing import cast

import numpy as np

from uno_csp.open_game.compiled import INFINITE, UNWON, Stack, Table, copy_into, known, push, run
from uno_csp.open_game.compiled_forced import settle
from uno_csp.open_game.compiled_moves import (
    MOST_MOVES,
    Array,
)
from uno_csp.open_game.compiled_states import hand_state, setup_of, state_of
from uno_csp.open_game.deck import unpacked
from uno_csp.open_game.positions import NOBODY, Game, Outcome, Position
from uno_csp.processes.deadline import NEVER, Deadline

FEWEST_SLOTS = 1 << 16
"""Number of slots of a new table."""

TABLE_BYTES = 256 << 20
"""Maximum size of the table, in bytes; if a game needs a second search, that has its own."""

HANDS_KEPT = 10_000
"""Maximum number of hands whose part of a state is kept."""

AT_ONCE = 10_000
"""Number of expansions between two looks at the deadline."""


class CompiledSearch:
    """Search for a proof that a coalition of players can force a win by one of them.

    As :class:`uno_csp.open_game.search.ProofNumberSearch`.
    """

    def __init__(
        self,
        game: Game,
        players: Collection[int],
        start: Position,
        deadline: Deadline = NEVER,
        table_bytes: int | None = None,
    ) -> None:
        self.players = frozenset(players)
        self._deadline = deadline
        self._setup = setup_of(game, self.players, start)
        self._part_of = lru_cache(HANDS_KEPT)(partial(hand_state, self._setup))
        entry = 8 * (self._setup.words + 2)
        fitting = (TABLE_BYTES if table_bytes is None else table_bytes) // entry
        self._most_slots = max(FEWEST_SLOTS, 1 << fitting.bit_length() >> 1)
        self._table = _table(FEWEST_SLOTS, self._setup.words)
        cards = len(game.draw) + sum(len(unpacked(hand)) for hand in start.hands)
        cards *= 1 + game.rules.reshuffles
        self._stack = _stack((4 + game.players) * cards + 50, len(self._setup.spare))

    @property
    def positions(self) -> int:
        """Number of positions expanded, repeatedly if their entry was replaced."""
        return int(self._stack.counters[1])

    def known_to_win(self, outcome: Outcome) -> bool | None:
        """Return True or False if the table already decides whether the players win, else None."""
        proof, disproof = self._numbers(outcome)
        return None if bool(proof) == bool(disproof) else not proof

    def known_to_lose(self, outcome: Outcome) -> bool:
        """Return True if the table proves that the others can force a win by one of them."""
        return self._numbers(outcome) == (INFINITE, 0)

    def _numbers(self, outcome: Outcome) -> tuple[int, int]:
        """Return the proof and disproof numbers that are known; 0 and 0 if none are."""
        if isinstance(outcome, int):
            if outcome in self.players:
                return 0, INFINITE
            return (UNWON if outcome == NOBODY else INFINITE), 0
        return known(self._setup, self._table, self._state_of(outcome))

    def _state_of(self, position: Position) -> Array:
        """Return a position as a state; hands recur, since a turn changes one of them."""
        return state_of(self._setup, position, self._part_of)

    def wins(self, start: Outcome, most: int) -> bool | None:
        """Return True if the players can force a win by one of them from a position.

        None if more positions than ``most`` have been expanded, or at the deadline.
        """
        decided = self.known_to_win(start)
        if decided is not None:
            return decided
        state = self._state_of(cast("Position", start))
        settle(self._setup, state)
        self._stack.states[0] = state
        self._stack.counters[0] = -1
        push(self._setup, self._table, self._stack, INFINITE, INFINITE)
        while self.positions < most and not self._deadline.expired:
            if 2 * self._table.used[0] > len(self._table.values):
                self.grow()
            budget = min(AT_ONCE, most - self.positions)
            if run(self._setup, self._table, self._stack, budget):
                return self.known_to_win(start)
        return None

    def grow(self) -> None:
        """Make the table larger if it may be."""
        slots = len(self._table.values)
        if slots < self._most_slots:
            larger = _table(min(4 * slots, self._most_slots), self._setup.words)
            copy_into(self._table, larger)
            self._table = larger


def _table(slots: int, words: int) -> Table:
    return Table(
        np.zeros((slots, words + 1), dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


def _stack(depths: int, length: int) -> Stack:
    """Return the arrays of the path."""
    return Stack(
        state=np.zeros(length, dtype=np.int64),
        states=np.zeros((depths, length), dtype=np.int64),
        children=np.zeros((depths, MOST_MOVES, length), dtype=np.int64),
        winners=np.zeros((depths, MOST_MOVES), dtype=np.int64),
        labels=np.zeros(MOST_MOVES, dtype=np.int64),
        numbers=np.zeros((depths, MOST_MOVES, 2), dtype=np.int64),
        sizes=np.zeros(depths, dtype=np.int64),
        chosen=np.zeros(depths, dtype=np.int64),
        limits=np.zeros((depths, 2), dtype=np.int64),
        begun=np.zeros(depths, dtype=np.int64),
        counters=np.zeros(2, dtype=np.int64),
    )
