"""Fewest turns in which player 1 can win if everybody helps her: a beam, then best-first search.

A beam search keeps the most promising positions after each move, and soon has a game, but proves
nothing. Best-first search (A*) then looks for a shorter one: positions are expanded in the order of
a lower bound on the length of a game through them, which is the turns so far, plus a lower bound on
the turns still needed. The first game found is therefore a shortest one, and a search that stops
early still gives a lower bound. Positions that lead to no fewer turns than the game of the beam has
are dropped.
Source: Hart, Nilsson and Raphael 1968; the estimate is admissible and consistent, so that no
position is expanded twice.
"""

from collections import defaultdict
from dataclasses import dataclass
from heapq import nsmallest
from operator import itemgetter
from random import Random
from typing import TypeAlias

from uno_csp.open_game.deck import count_cards
from uno_csp.open_game.positions import Game, Move, Outcome, Position, counts
from uno_csp.processes.deadline import NEVER, Deadline

MOST_POSITIONS = 2_000_000
"""Maximum number of positions in the table; the search stops there and evicts none."""


WIDTHS = (30, 200)
"""Numbers of positions kept after each move: of a first beam, and of one that may beat it."""

MOST_MOVES = 2000
"""Maximum number of moves of a game in a beam."""

Line: TypeAlias = tuple[tuple[Move, Outcome], ...]
"""A game: its moves, and what each leads to."""


@dataclass(frozen=True, slots=True)
class Fewest:
    """Result of a search: the game found, if any, and a lower bound on the turns of every game.

    ``turns`` is the number of turns of the game that count. ``bound`` is None if it is proved that
    player 1 cannot win.
    """

    line: Line | None
    turns: int | None
    bound: int | None
    positions: int


def shortest_of_beams(game: Game, start: Position, deadline: Deadline) -> tuple[Line, int] | None:
    """Return the shortest game that beams find, and its turns that count; None without one."""
    least = turns_needed(start, game.players)
    best: tuple[Line, int] | None = None
    for width in WIDTHS:
        found = _beam(game, start, width, deadline)
        if found is not None and (best is None or found[1] < best[1]):
            best = found
        if deadline.expired or (best is not None and best[1] == least):
            break
    return best


_Step: TypeAlias = tuple[int, "_Step | None", Move | None, Position]
"""The turns so far that count, the step before, and the move and position that it leads to."""


def _beam(game: Game, start: Position, width: int, deadline: Deadline) -> tuple[Line, int] | None:
    """Return a game found by a beam, and its turns that count."""
    random = Random(width)
    level: list[_Step] = [(0, None, None, start)]
    seen = {start}
    for _ in range(MOST_MOVES):
        following: dict[Position, _Step] = {}
        won: list[tuple[int, _Step, Move]] = []
        for step in level:
            if deadline.expired:
                return None
            position = step[-1]
            for move, outcome in game.moves(position):
                turns = step[0] + counts(position, move)
                if not isinstance(outcome, tuple):
                    won += [(turns, step, move)] if outcome == 0 else []
                elif outcome not in seen:
                    following.setdefault(outcome, (turns, step, move, outcome))
        if won:
            turns, step, move = min(won, key=itemgetter(0))
            return _read(step, move), turns
        costs = {
            position: step[0] + turns_needed(position, game.players) + random.random()
            for position, step in following.items()
        }
        kept = nsmallest(width, costs, key=costs.__getitem__)
        seen.update(kept)
        level = [following[position] for position in kept]
    return None


def _read(last: _Step, move: Move) -> Line:
    """Return the game that ends with a move after a step."""
    line: list[tuple[Move, Outcome]] = [(move, 0)]
    step: _Step | None = last
    while step is not None:
        _, before, made, position = step
        if made is not None:
            line.append((made, position))
        step = before
    return tuple(reversed(line))


class FewestTurns:
    """One A* search."""

    def __init__(
        self,
        game: Game,
        start: Position,
        *,
        known: tuple[Line, int] | None = None,
        most: int = MOST_POSITIONS,
        deadline: Deadline = NEVER,
    ) -> None:
        self.game = game
        self.start = start
        self.known = known
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
        least = turns_needed(self.start, self.game.players)
        self._push(self.start, least, 0)
        while self._waiting or self._won:
            if least in self._won:
                position, move = self._won[least]
                turns = self._turns[position] + counts(position, move)
                return Fewest(self._line(position, move), turns, turns, len(self._turns))
            if least not in self._waiting:
                least += 1
                continue
            turns = max(self._waiting[least])  # the deepest first: nearest to an end
            position = self._take(least, turns)
            if self._turns[position] == turns:
                self._expand(position, turns, least)
            if len(self._turns) > self.most or self.deadline.expired:
                return self._ended(least)
        return self._ended(None if self.known is None else self.known[1])

    def _ended(self, bound: int | None) -> Fewest:
        """Return the game that was known, with a bound."""
        line, turns = (None, None) if self.known is None else self.known
        return Fewest(line, turns, bound, len(self._turns))

    def _push(self, position: Position, value: int, turns: int) -> None:
        """Let a position wait unless no game through it is shorter than the one known."""
        if self.known is None or value < self.known[1]:
            self._waiting[value][turns].append(position)

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
                if outcome == 0 and (self.known is None or after < self.known[1]):
                    self._won.setdefault(max(after, least), (position, move))
            elif after < self._turns.get(outcome, after + 1):
                self._turns[outcome] = after
                self._from[outcome] = position, move
                value = after + turns_needed(outcome, self.game.players)
                self._push(outcome, max(value, least), after)

    def _line(self, last: Position, move: Move) -> Line:
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
