"""Winner of the open game: proof-number search, in plain Python at first, then as machine code.

Both run the same code. Machine code looks at some forty times as many positions in a second, but
Numba has to be loaded, which takes a second, and on its first use to compile it. Where Numba cannot
be used, games are searched in plain Python only.
"""

from collections import defaultdict
from collections.abc import Collection
from functools import cache, partial
from typing import Any, cast

from uno_csp.open_game.compiling import Compilation, machine_code
from uno_csp.open_game.deck import ONE, count_cards, unpack
from uno_csp.open_game.moves import MOST_MOVES, NOBODY
from uno_csp.open_game.positions import Game, Outcome, Position
from uno_csp.open_game.proof_numbers import (
    INFINITE,
    UNWON,
    Stack,
    Table,
    copy_into,
    known,
    push,
    run,
)
from uno_csp.open_game.rules import Rules
from uno_csp.open_game.states import as_arrays, fill, narrow, zeros
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.processes.pausing import paused_s

SHORT = 2_000  # number of positions of a search in plain Python, after which it loads machine code

MOST_CARDS = 2_000
"""Maximum number of cards, times players, of a game for machine code: it sets up a path."""

MOST_POSITIONS = 200_000_000  # maximum number of positions that are searched

FEWEST_SLOTS, FEWEST_PLAIN_SLOTS, MOST_PLAIN_SLOTS = 1 << 16, 1 << 11, 1 << 20
"""Numbers of slots of a new table of machine code, and of the tables of plain Python."""

TABLE_BYTES = 256 << 20
"""Maximum size of a table of machine code; if a game needs a second search, that has its own."""

AT_ONCE, PLAIN_AT_ONCE = 10_000, 100  # numbers of expansions between two looks at the deadline


class Unfinished(Exception):
    """The search reached its maximum number of positions or its deadline."""


class _Engine:
    """The arrays of a search, and the functions that work on them: plain or ``fast``."""

    def __init__(self, game: Game, players: Collection[int], start: Position, fast: bool) -> None:
        kinds = [*game.draw, *(kind for hand in start.hands for kind in unpack(hand))]
        setup = game.setup._replace(side=[int(who in players) for who in range(game.players)])
        self.fast, self._narrow = fast, narrow(setup, kinds) if fast else setup
        self._setup = as_arrays(self._narrow) if fast else setup
        self._width = self._narrow.words + 1
        self.table = self._new_table(FEWEST_SLOTS if fast else FEWEST_PLAIN_SLOTS)
        fitting = 1 << (TABLE_BYTES // (8 * (self._width + 1))).bit_length() >> 1
        self._most_slots = max(FEWEST_SLOTS, fitting) if fast else MOST_PLAIN_SLOTS
        most_cards = len(kinds) * (1 + game.rules.reshuffles)
        self._stack = self._new_stack((4 + game.players) * most_cards + 50)
        functions = _as_machine_code() if fast else FUNCTIONS
        self._known, self._push, self._run, self._copy_into = functions

    def _new_table(self, slots: int) -> Table:
        new = partial(zeros, fast=self.fast)
        return Table(new(slots * self._width), new(slots), new(1))

    def _new_stack(self, depths: int) -> Stack:
        new = partial(zeros, fast=self.fast)

        def levels(*shape: int) -> Any:
            """Return zeros of a shape for each depth; in plain Python, when they are needed."""
            return new(depths, *shape) if self.fast else defaultdict(partial(new, *shape))

        length = len(self._setup.spare)
        return Stack(
            state=new(length),
            states=levels(length),
            children=levels(MOST_MOVES, length),
            winners=levels(MOST_MOVES),
            labels=new(MOST_MOVES),
            numbers=levels(MOST_MOVES, 2),
            sizes=new(depths),
            chosen=new(depths),
            limits=levels(2),
            begun=new(depths),
            counters=new(2),
        )

    @property
    def positions(self) -> int:
        """Number of positions expanded, repeatedly if their entry was replaced."""
        return int(self._stack.counters[1])

    def numbers(self, position: Position) -> tuple[int, int]:
        """Return the proof and disproof numbers that are known; 0 and 0 if none are."""
        proof, disproof = self._known(self._setup, self.table, self._row(position))
        return int(proof), int(disproof)

    def _row(self, position: Position) -> Any:
        """Return a position as a state."""
        row = [0] * len(self._setup.spare)
        fill(self._narrow, row, (*position.hands, position.stock), position.numbers)
        return as_arrays(row) if self.fast else row

    def search(self, position: Position, most: int, deadline: Deadline) -> None:
        """Search until a position is decided, to a number of expansions or a deadline."""
        if self.positions >= most or deadline.expired:
            return
        self._stack.state[:] = self._row(position)
        self._known(self._setup, self.table, self._stack.state)  # what is forced is played
        self._stack.counters[0] = -1
        self._push(self._setup, self.table, self._stack, INFINITE, INFINITE)
        at_once = AT_ONCE if self.fast else PLAIN_AT_ONCE
        while self.positions < most and not deadline.expired:
            if 2 * self.table.used[0] > len(self.table.values):
                self.grow()
            budget = min(at_once, most - self.positions)
            if self._run(self._setup, self.table, self._stack, budget):
                return

    def grow(self) -> None:
        """Make the table larger if it may be."""
        slots = len(self.table.values)
        if slots < self._most_slots:
            larger = self._new_table(min(4 * slots, self._most_slots))
            self._copy_into(self._setup, self.table, larger)
            self.table = larger


class WinSearch:
    """Search for a proof that a coalition of players can force a win by one of them."""

    def __init__(
        self, game: Game, players: Collection[int], start: Position, deadline: Deadline = NEVER
    ) -> None:
        self.most = MOST_POSITIONS
        self.players = frozenset(players)
        self.uncompiled = ""  # why the search could not be compiled
        self._game, self._start, self._deadline = game, start, deadline
        self._paused_s = paused_s()
        self._engine = _Engine(game, players, start, fast=False)
        self._in_python = 0  # positions searched before the machine code was loaded
        cards = len(game.draw) + sum(map(count_cards, start.hands))
        self.compilable = cards * game.players <= MOST_CARDS

    @property
    def positions(self) -> int:
        """Number of positions searched."""
        return self._in_python + self._engine.positions

    def known_to_win(self, outcome: Outcome) -> bool | None:
        """Return True or False if it is known whether the players win, else None."""
        proof, disproof = self._numbers(outcome)
        return None if bool(proof) == bool(disproof) else not proof

    def known_to_lose(self, outcome: Outcome) -> bool:
        """Return True if it is proved that the others can force a win by one of them."""
        return self._numbers(outcome) == (INFINITE, 0)

    def _numbers(self, outcome: Outcome) -> tuple[int, int]:
        if isinstance(outcome, Position):
            return self._engine.numbers(outcome)
        if outcome in self.players:
            return 0, INFINITE
        return (UNWON if outcome == NOBODY else INFINITE), 0

    def wins(self, start: Outcome) -> bool:
        """Return True if the players can force a win by one of them from a position.

        Raises Unfinished after more positions than ``most``, or if the deadline has passed.
        """
        self._move_deadline()
        # A search within few positions is the same in every process, also after others.
        if self.compilable and self.most > SHORT and not (self._engine.fast or self.uncompiled):
            if not _as_machine_code.cache_info().currsize:
                self._search(start, SHORT)
            if self.known_to_win(start) is None and not self._deadline.expired:
                self._load()
        self._search(start, self.most)
        known = self.known_to_win(start)
        if known is None:
            raise Unfinished
        return known

    def _search(self, start: Outcome, most: int) -> None:
        """Search until a position is decided, or up to a number of positions in all."""
        if self.known_to_win(start) is None:
            position = cast("Position", start)
            self._engine.search(position, most - self._in_python, self._deadline)

    def _load(self) -> None:
        """Go on with machine code, from the beginning."""
        self.uncompiled = SEARCH.why_not()
        self._move_deadline()
        if not self.uncompiled:
            self._in_python = self._engine.positions
            self._engine = _Engine(self._game, self.players, self._start, fast=True)

    def _move_deadline(self) -> None:
        """Move the deadline by the pauses since then, in this search or in another one."""
        before, self._paused_s = self._paused_s, paused_s()
        self._deadline = self._deadline.shifted(self._paused_s - before)


def _warm_up() -> None:
    """Run a small search as machine code."""
    # Both cards of a hand can be played, because what is forced is not searched.
    start = Position((ONE[0] + ONE[1], ONE[2]), 0, 2, 0, 0, 1, 0, 0)
    engine = _Engine(Game(Rules(), (), 2), {0}, start, fast=True)
    engine.grow()
    engine.search(start, 2, NEVER)


FUNCTIONS = known, push, run, copy_into

SEARCH = Compilation(
    "the search of the open game (once, about 20 s)", __name__, FUNCTIONS, _warm_up
)
"""The functions that the search runs as machine code."""

prepare = SEARCH.prepare


@cache
def _as_machine_code() -> tuple[Any, ...]:
    """Return the functions of the search; Numba is loaded, unless that is done."""
    return tuple(map(machine_code, FUNCTIONS))
