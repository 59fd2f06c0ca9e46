"""In how few turns player 1 can win if everybody helps her: a best-first search (A*).

Positions are looked at in the order of the fewest turns in which a game through them could end:
those it took to get there, and those it takes at least from there. The first game found is
therefore a shortest one, and where the search stops early, what it had reached is a lower bound.
Source: Hart, Nilsson and Raphael 1968; the estimate is below every true value and grows along a
line, so that no position is looked at twice.
"""

import math
import time
from collections import defaultdict
from dataclasses import dataclass

from uno_csp.open_game.deck import count_cards
from uno_csp.open_game.positions import Game, Move, Outcome, Position, counts

MOST_POSITIONS = 2_000_000
"""The table keeps so many; the search gives up rather than forget."""


@dataclass(frozen=True, slots=True)
class Fewest:
    """What a search found: a shortest game if there is one, and a bound on every game.

    ``bound`` is None where it is proved that player 1 never wins; of a game that was found it is
    the number of turns that count.
    """

    line: tuple[tuple[Move, Outcome], ...] | None
    bound: int | None
    positions: int


class FewestTurns:
    """One search.

    Parameters
    ----------
    game, start
        The rules with the draw pile, and where the game stands.
    haste
        With 1 the game found is a shortest one. With more, estimates count so much more: a game is
        found sooner, and there may be shorter ones.
    most, ends_at
        How many positions are kept, and until when (:func:`time.time`) the search goes on.
    """

    def __init__(
        self,
        game: Game,
        start: Position,
        *,
        haste: int = 1,
        most: int = MOST_POSITIONS,
        ends_at: float = math.inf,
    ) -> None:
        self.game = game
        self.start = start
        self.haste = haste
        self.most = most
        self.ends_at = ends_at
        self._turns = {start: 0}
        self._from: dict[Position, tuple[Position, Move]] = {}
        self._waiting: defaultdict[int, defaultdict[int, list[Position]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self._won: dict[int, tuple[Position, Move]] = {}

    def run(self) -> Fewest:
        """Search until the best game is known, the table is full or the time is up."""
        least = self.haste * turns_needed(self.start, self.game.players)
        self._waiting[least][0].append(self.start)
        while self._waiting or self._won:
            if least in self._won:
                position, move = self._won[least]
                turns = self._turns[position] + counts(position, move)
                return Fewest(self._line(position, move), turns, len(self._turns))
            if least not in self._waiting:
                least += 1
                continue
            turns = max(self._waiting[least])
            position = self._take(least, turns)
            if self._turns[position] == turns:
                self._expand(position, turns, least)
            if len(self._turns) > self.most or time.time() > self.ends_at:
                return Fewest(None, -(-least // self.haste), len(self._turns))
        return Fewest(None, None, len(self._turns))

    def _take(self, value: int, turns: int) -> Position:
        """One of the positions that wait; the furthest come first, being near an end."""
        level = self._waiting[value]
        position = level[turns].pop()
        if not level[turns]:
            del level[turns]
            if not level:
                del self._waiting[value]
        return position

    def _expand(self, position: Position, turns: int, least: int) -> None:
        for move, outcome in self.game.moves(position):
            after = turns + counts(position, move)
            if not isinstance(outcome, tuple):
                if outcome == 0:
                    self._won.setdefault(max(after, least), (position, move))
            elif after < self._turns.get(outcome, after + 1):
                self._turns[outcome] = after
                self._from[outcome] = position, move
                value = after + self.haste * turns_needed(outcome, self.game.players)
                self._waiting[max(value, least)][after].append(outcome)

    def _line(self, last: Position, move: Move) -> tuple[tuple[Move, Outcome], ...]:
        """The game that ends with a move."""
        line: list[tuple[Move, Outcome]] = [(move, 0)]
        while last != self.start:
            before, move = self._from[last]
            line.append((move, last))
            last = before
        return tuple(reversed(line))


def turns_needed(position: Position, players: int) -> int:
    """So many turns at least until player 1 has no card left.

    She lays one card a turn. With three or more players somebody else has a turn between two of
    hers; of two players one can be skipped again and again.
    """
    own = count_cards(position.hands[0])
    following = (position.player + position.direction) % players
    # A turn that is lost does not count; with three players somebody else's may come after it.
    lost = position.pending and (players == 2 or following == 0)
    waits = position.player != 0 and not lost
    return own + waits if players == 2 else 2 * own - 1 + waits
