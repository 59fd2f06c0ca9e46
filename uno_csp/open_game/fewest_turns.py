"""Fewest turns in which player 1 can win if everybody helps her: best-first search (A*).

Positions are expanded in the order of a lower bound on the length of a game through them: the turns
so far, plus a lower bound on the turns still needed. The first game found is therefore a shortest
one, and a search that stops early still gives a lower bound.
Source: Hart, Nilsson and Raphael 1968; the estimate is admissible and consistent, so that no
position is expanded twice.
"""

from collections import defaultdict
from dataclasses import dataclass

from uno_csp.open_game.deck import count_cards
from uno_csp.open_game.positions import Game, Move, Outcome, Position, counts
from uno_csp.processes.deadline import NEVER, Deadline

MOST_POSITIONS = 2_000_000
"""Maximum number of positions in the table; the search stops there and evicts none."""


@dataclass(frozen=True, slots=True)
class Fewest:
    """Result of a search: the game found, if any, and a lower bound on the turns of every game.

    ``bound`` is None if it is proved that player 1 cannot win. If a game was found, it is the
    number of its turns that count.
    """

    line: tuple[tuple[Move, Outcome], ...] | None
    bound: int | None
    positions: int


class FewestTurns:
    """One A* search.

    Parameters
    ----------
    game, start
        The rules with the draw pile, and the first position.
    haste
        Weight of the estimate (weighted A*). With 1 the game found is a shortest one; with more, a
        game is found sooner, but need not be a shortest one.
    most, deadline
        Number of positions that are kept, and when the search ends.
    """

    def __init__(
        self,
        game: Game,
        start: Position,
        *,
        haste: int = 1,
        most: int = MOST_POSITIONS,
        deadline: Deadline = NEVER,
    ) -> None:
        self.game = game
        self.start = start
        self.haste = haste
        self.most = most
        self.deadline = deadline
        self._turns = {start: 0}
        self._from: dict[Position, tuple[Position, Move]] = {}
        self._waiting: defaultdict[int, defaultdict[int, list[Position]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self._won: dict[int, tuple[Position, Move]] = {}

    def run(self) -> Fewest:
        """Search until a game is found or excluded, the table is full or the time is up."""
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
            turns = max(self._waiting[least])  # the deepest first: nearest to an end
            position = self._take(least, turns)
            if self._turns[position] == turns:
                self._expand(position, turns, least)
            if len(self._turns) > self.most or self.deadline.expired:
                return Fewest(None, -(-least // self.haste), len(self._turns))
        return Fewest(None, None, len(self._turns))

    def _take(self, value: int, turns: int) -> Position:
        """Remove and return an open position with this estimated total and these turns so far."""
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
        """Return the game that ends with a move in position ``last``."""
        line: list[tuple[Move, Outcome]] = [(move, 0)]
        while last != self.start:
            before, move = self._from[last]
            line.append((move, last))
            last = before
        return tuple(reversed(line))


def turns_needed(position: Position, players: int) -> int:
    """Return a lower bound on the turns until player 1 has no card left.

    She plays one card per turn. With three or more players somebody else has a turn between two of
    hers; with two players the other one can be skipped every time.
    """
    own = count_cards(position.hands[0])
    following = (position.player + position.direction) % players
    # A lost turn does not count; with three or more players another one may follow before hers.
    lost = position.pending and (players == 2 or following == 0)
    waits = position.player != 0 and not lost
    return own + waits if players == 2 else 2 * own - 1 + waits
