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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import inf
from operator import itemgetter
from random import Random
from typing import TypeAlias

from uno_csp.open_game.moves import NOTHING, UNDECIDED, moves
from uno_csp.open_game.positions import Game, Line, Position
from uno_csp.open_game.states import DIRECTION, FIELDS, PENDING, PLAYER, Setup
from uno_csp.processes.deadline import NEVER, Deadline

MOST_POSITIONS = 2_000_000
"""Maximum number of positions in the table; the search stops there and evicts none."""

WIDTHS = (30, 200)
"""Numbers of positions kept after each move: of a first beam, and of one that may beat it."""

MOST_MOVES = 2000  # maximum number of moves of a game in a beam

State: TypeAlias = tuple[int, ...]


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


def games_of_beams(game: Game, start: Position, deadline: Deadline) -> Iterator[tuple[Line, int]]:
    """Yield shorter and shorter games that beams find, with their turns that count."""
    first = tuple(game.state(start))
    least = turns_needed(game.setup, first)
    best = inf
    for width in WIDTHS:
        found = _beam(game, first, width, deadline)
        if found is not None and found[1] < best:
            yield found
            best = found[1]
        if deadline.expired or best == least:
            break


def _following(game: Game, state: State) -> Iterator[tuple[State | None, int]]:
    """Yield each next state, None if player 1 has won, and whether its turn counts, as 0 or 1."""
    setup, to = game.setup, game.room
    lost = state[setup.words + PENDING] != 0
    for at in range(moves(setup, [*state], to)):
        counts = 0 if lost and to.labels[at] == NOTHING else 1
        if to.winners[at] == UNDECIDED:
            yield tuple(to.children[at]), counts
        elif to.winners[at] == 0:
            yield None, counts


_Step: TypeAlias = tuple[int, "_Step | None", State]
"""The turns so far that count, the step before, and the state that it leads to."""


def _beam(game: Game, start: State, width: int, deadline: Deadline) -> tuple[Line, int] | None:
    """Return a game found by a beam, and its turns that count."""
    random = Random(width)
    level: list[_Step] = [(0, None, start)]
    seen = {start}
    for _ in range(MOST_MOVES):
        following: dict[State, _Step] = {}
        won: list[tuple[int, _Step]] = []
        for step in level:
            if deadline.expired:
                return None
            for state, counts in _following(game, step[-1]):
                turns = step[0] + counts
                if state is None:
                    won.append((turns, step))
                elif state not in seen:
                    following.setdefault(state, (turns, step, state))
        if won:
            turns, last = min(won, key=itemgetter(0))
            return game.line(_read(last)), turns
        steps = list(following.values())
        costs = [step[0] + turns_needed(game.setup, step[-1]) + random.random() for step in steps]
        level = [steps[at] for at in nsmallest(width, range(len(steps)), key=costs.__getitem__)]
        seen.update(step[-1] for step in level)
    return None


def _read(last: _Step) -> list[State]:
    """Return the states of a game up to a step."""
    states: list[State] = []
    step: _Step | None = last
    while step is not None:
        _, step, state = step
        states.append(state)
    return states[::-1]


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
        on_bound: Callable[[int], None] = lambda _bound: None,
    ) -> None:
        self.game = game
        self.start = tuple(game.state(start))
        self.known = known
        self.most = most
        self.deadline = deadline
        self.on_bound = on_bound
        self._turns = {self.start: 0}
        self._from: dict[State, State] = {}
        self._waiting: defaultdict[int, defaultdict[int, list[State]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self._won: dict[int, tuple[State, int]] = {}

    def run(self) -> Fewest:
        """Search until a game is found or excluded, the table is full or the time is up."""
        least = turns_needed(self.game.setup, self.start)
        self.on_bound(least)
        self._push(self.start, least, 0)
        while self._waiting or self._won:
            if least in self._won:
                state, turns = self._won[least]
                return Fewest(self._line(state), turns, turns, len(self._turns))
            if least not in self._waiting:
                least += 1
                self.on_bound(least)
                continue
            turns = max(self._waiting[least])  # the deepest first: nearest to an end
            state = self._take(least, turns)
            if self._turns[state] == turns:
                self._expand(state, turns, least)
            if len(self._turns) > self.most or self.deadline.expired:
                return self._ended(least)
        return self._ended(None if self.known is None else self.known[1])

    def _ended(self, bound: int | None) -> Fewest:
        """Return the game that was known, with a bound."""
        line, turns = (None, None) if self.known is None else self.known
        return Fewest(line, turns, bound, len(self._turns))

    def _push(self, state: State, value: int, turns: int) -> None:
        """Let a state wait unless no game through it is shorter than the one known."""
        if self.known is None or value < self.known[1]:
            self._waiting[value][turns].append(state)

    def _take(self, value: int, turns: int) -> State:
        """Remove and return an open state with this estimated total and these turns so far."""
        level = self._waiting[value]
        state = level[turns].pop()
        if not level[turns]:
            del level[turns]
            if not level:
                del self._waiting[value]
        return state

    def _expand(self, state: State, turns: int, least: int) -> None:
        for following, counts in _following(self.game, state):
            after = turns + counts
            if following is None:
                if self.known is None or after < self.known[1]:
                    self._won.setdefault(max(after, least), (state, after))
            elif after < self._turns.get(following, after + 1):
                self._turns[following] = after
                self._from[following] = state
                value = after + turns_needed(self.game.setup, following)
                self._push(following, max(value, least), after)

    def _line(self, last: State) -> Line:
        """Return the game that ends after a state."""
        states = [last]
        while states[-1] != self.start:
            states.append(self._from[states[-1]])
        return self.game.line(states[::-1])


def turns_needed(setup: Setup, state: Sequence[int]) -> int:
    """Return a lower bound on the turns until player 1 has no card left.

    She plays one card per turn. With three or more players somebody else has a turn between two of
    hers; with two players the other one can be skipped every time.
    """
    w, players = setup.words, setup.players
    own, player = state[w + FIELDS], state[w + PLAYER]
    following = (player + state[w + DIRECTION]) % players
    # A lost turn does not count; with three or more players another one may follow before hers.
    lost = state[w + PENDING] and (players == 2 or following == 0)
    waits = player != 0 and not lost
    return own + waits if players == 2 else 2 * own - 1 + waits
