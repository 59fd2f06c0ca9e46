"""Winner of the open game: the search in Python at first, then the compiled one.

Both searches answer the same. The compiled one looks at some forty times as many positions in a
second, and needs fewer, but Numba has to be loaded, and on its first use to compile it, so the
first searches of a process are done without it. Where Numba cannot be used, games are searched in
Python only.
"""

from collections.abc import Collection
from functools import cache, cached_property
from typing import TYPE_CHECKING

from uno_csp.open_game.compiling import alone, end_with_parent, have_kept
from uno_csp.open_game.deck import ONE, count_cards
from uno_csp.open_game.positions import Game, Outcome, Position
from uno_csp.open_game.rules import Rules
from uno_csp.open_game.search import ProofNumberSearch, Unfinished
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.processes.pausing import pause, paused_s

if TYPE_CHECKING:
    from uno_csp.open_game.compiled_search import CompiledSearch

SHORT = 4_000
"""Number of positions after which a process loads the compiled search: a third of a second's work.

Loading takes a second.
"""

MOST_CARDS = 2_000
"""Maximum number of cards, times players, of a game for the compiled search: it sets up a path."""

WHAT = "the search of the open game (once, about 20 s)"
"""Human-readable name of the compiled code."""

MOST_POSITIONS = 200_000_000
"""Maximum number of positions that are searched."""


class WinSearch:
    """Search for a proof that a coalition of players can force a win by one of them."""

    in_python = 0
    """Number of positions of compilable games that this process has searched in Python."""

    def __init__(
        self,
        game: Game,
        players: Collection[int],
        start: Position,
        deadline: Deadline = NEVER,
    ) -> None:
        self.most = MOST_POSITIONS
        self._game, self._players, self._start = game, players, start
        self._deadline = deadline
        self._short = ProofNumberSearch(game, players)
        self._short.deadline = deadline
        self._long: CompiledSearch | None = None
        self._paused_s = paused_s()
        self.uncompiled = ""

    @cached_property
    def compilable(self) -> bool:
        """True if the compiled search can do this game."""
        cards = len(self._game.draw) + sum(map(count_cards, self._start.hands))
        return cards * self._game.players <= MOST_CARDS

    @property
    def positions(self) -> int:
        """Number of positions searched."""
        return len(self._short.known) + (self._long.positions if self._long is not None else 0)

    def known_to_win(self, outcome: Outcome) -> bool | None:
        """Return True or False if a table already decides whether the players win, else None."""
        known = self._short.known_to_win(outcome)
        if known is None and self._long is not None:
            return self._long.known_to_win(outcome)
        return known

    def known_to_lose(self, outcome: Outcome) -> bool:
        """Return True if a table proves that the others can force a win by one of them."""
        long = self._long
        return self._short.known_to_lose(outcome) or (
            long is not None and long.known_to_lose(outcome)
        )

    def wins(self, start: Outcome) -> bool:
        """Return True if the players can force a win by one of them from a position.

        Raises
        ------
        Unfinished
            If more positions than ``most`` were searched, or the deadline has passed.
        """
        self._move_deadline()
        if self._long is None:
            decided = self._wins_shortly(start)
            if decided is not None:
                return decided
            self._long = self.compiled()
        known = self.known_to_win(start)
        if known is None:
            known = self._long.wins(start, self.most)
        if known is None:
            raise Unfinished
        return known

    def _wins_shortly(self, start: Outcome) -> bool | None:
        """Return what the search in Python finds; None if the compiled one has to do it."""
        short, before = self._short, len(self._short.known)
        short.most = self.most
        # A search within few positions is the same in every process, also after others.
        compilable = self.most > SHORT and self.compilable
        if compilable:
            short.most = min(self.most, before + SHORT - WinSearch.in_python)
        try:
            return short.wins(start)
        except Unfinished:
            if not compilable or self._deadline.expired or self.positions > self.most:
                raise
        finally:
            if compilable:
                WinSearch.in_python += len(short.known) - before
        self.uncompiled = why_uncompiled()
        self._move_deadline()
        if not self.uncompiled:
            return None
        short.most = self.most
        return short.wins(start)

    def _move_deadline(self) -> None:
        """Move the deadline by the pauses since then, in this search or in another one."""
        before, self._paused_s = self._paused_s, paused_s()
        self._deadline = self._deadline.shifted(self._paused_s - before)
        self._short.deadline = self._deadline

    def compiled(self) -> "CompiledSearch":
        """Return a compiled search of the same game."""
        from uno_csp.open_game.compiled_search import CompiledSearch

        return CompiledSearch(self._game, self._players, self._start, self._deadline)


@cache
def why_uncompiled() -> str:
    """Have the search compiled, unless that has been done; return why that cannot be, or ""."""
    try:
        from uno_csp.open_game.compiled import copy_into, run
    except ImportError as error:
        with pause(f"not compiled: {WHAT}: {error}"):
            return str(error)
    return have_kept((run, copy_into), __name__, WHAT)


def prepare(lifeline: int | None = None) -> None:
    """Compile the search, unless that has been done; with a lifeline, for another process."""
    if lifeline is not None:
        end_with_parent(lifeline)
    # Both cards of a hand can be played, because what is forced is not searched; the first
    # position is counted before the search begins, so a limit of 1 compiles nothing.
    from uno_csp.open_game.compiled import run

    start = Position((ONE[0] + ONE[1], ONE[2]), 0, 2, 0, 0, 1, 0, 0)
    with alone(run):
        search = WinSearch(Game(Rules(), (), 2), {0}, start).compiled()
        search.grow()
        search.wins(start, 2)
