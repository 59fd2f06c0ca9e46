"""Winner of the open game: the search in Python at first, then the compiled one.

Both searches answer the same. The compiled one looks at some forty times as many positions in a
second, and needs fewer, but Numba has to be loaded, and on its first use to compile it, so the
first searches of a process are done without it. Games with reshuffles are searched in Python only.
"""

from collections.abc import Collection
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uno_csp.open_game.deck import ONE, count_cards
from uno_csp.open_game.positions import Game, Outcome, Position
from uno_csp.open_game.rules import Rules
from uno_csp.open_game.search import ProofNumberSearch, Unfinished
from uno_csp.processes.deadline import NEVER, Deadline

if TYPE_CHECKING:
    from uno_csp.open_game.compiled_search import CompiledSearch

SHORT = 10_000
"""Number of positions after which a process loads the compiled search: half a second's work.

Loading takes a second.
"""

MOST_CARDS = 2_000
"""Maximum number of cards, times players, of a game for the compiled search: it sets up a path."""

MOST_POSITIONS = 200_000_000
"""Maximum number of positions that are searched."""

COMPILING_S = 60.0
"""Seconds that have to be left for a search to be compiled, if it has not been before."""

COMPILED = "compiled.run-*.nbi"
"""Name of the file in Numba's cache that lists the compiled search."""


class WinSearch:
    """Search for a proof that a coalition of players can force a win by one of them.

    Parameters
    ----------
    game, players
        The game and the coalition.
    start
        The first position; all positions that are searched follow it.
    deadline
        When the search ends.
    """

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

    @cached_property
    def compilable(self) -> bool:
        """True if the compiled search can do this game."""
        cards = len(self._game.draw) + sum(map(count_cards, self._start.hands))
        return (
            not self._game.rules.reshuffles
            and cards * self._game.players <= MOST_CARDS
            and find_spec("numba") is not None
        )

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
        if is_compiled() or self._deadline.left_s >= COMPILING_S:
            return None
        short.most = self.most
        return short.wins(start)

    def compiled(self) -> "CompiledSearch":
        """Return a compiled search of the same game."""
        from uno_csp.open_game.compiled_search import CompiledSearch

        return CompiledSearch(self._game, self._players, self._start, self._deadline)


@cache
def is_compiled() -> bool:
    """Return True if Numba has the compiled search in its cache."""
    if find_spec("numba") is None:
        return False
    if any((Path(__file__).parent / "__pycache__").glob(COMPILED)):  # without loading Numba
        return True
    from uno_csp.open_game import compiled

    dispatcher: Any = compiled.run
    folder = dispatcher.stats.cache_path
    return folder is not None and any(Path(folder).glob(COMPILED))


def prepare() -> None:
    """Compile the search, unless that has been done."""
    if find_spec("numba") is not None and not is_compiled():
        # Both cards of a hand can be played, because what is forced is not searched; the first
        # position is counted before the search begins, so a limit of 1 compiles nothing.
        start = Position((ONE[0] + ONE[1], ONE[2]), 0, 2, 0, 0, 1, 0, 0)
        WinSearch(Game(Rules(), (), 2), {0}, start).compiled().wins(start, 2)
        is_compiled.cache_clear()
