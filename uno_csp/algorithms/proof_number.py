"""The open game by proof-number search: who wins, what every first move leads to, and a line.

A search decides whether player 1 can force a win. If it finds that she cannot, but not whether the
others or nobody can, another search decides that. Then the winner's move is written down for every
position that can arise, if these are few, with one line of best play.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from uno_csp.modeling import STOPPED, Algorithm, Finding
from uno_csp.open_game.moves import NOBODY
from uno_csp.open_game.positions import Game, Move, Outcome, Position
from uno_csp.open_game.search import MOST_POSITIONS, Unfinished, WinSearch
from uno_csp.open_game.telling import line_to_dict, move_to_dict, position_to_dict
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.open_game import Goal, OpenGame, start_of

SPARE_S = 0.1  # seconds before the deadline at which the search stops, to leave time for its result

MOST_FOR_OTHERS = 300_000
"""Positions, beyond those of player 1's search, for distinguishing "nobody" from "the others".

This and the next limit are :data:`COMPILED` times as large for a compiled search.
"""

MOST_FOR_MOVES = 50_000
"""Further positions of each search for the strategy and for what every first move leads to."""

COMPILED = 100
"""A compiled search looks at some forty times as many positions a second, and needs fewer."""

MOST_WRITTEN = 1000  # maximum number of positions of a strategy that is written down


class ProofNumber(Algorithm[OpenGame]):
    """The open game, exactly, by depth-first proof-number search with a transposition table."""

    name = "proof-number"
    takes = (OpenGame,)

    def __init__(self, most: int = MOST_POSITIONS) -> None:
        self.most = most

    def declines(self, instance: OpenGame) -> str | None:
        """Return a reason for goals other than ``win``."""
        return None if instance.goal is Goal.WIN else "it takes only the goal 'win'"

    def run_until(self, instance: OpenGame, deadline: Deadline) -> Finding:
        """Return who wins, or what is known at the deadline."""
        return Solving(*start_of(instance), self.most, deadline).finding()


class Solving:
    """Two searches from one position, and the results read off their tables."""

    def __init__(self, game: Game, start: Position, most: int, deadline: Deadline = NEVER) -> None:
        self.game, self.start, self.most = game, start, most
        self.first, self.others = (
            WinSearch(game, side, start, deadline.shifted(-SPARE_S))
            for side in ({0}, set(range(1, game.players)))
        )
        self._scale = COMPILED if self.first.compilable else 1

    def finding(self) -> Finding:
        """Return the answer, or what is known when a table is full or the time is up."""
        wins = self._wins(self.first, self.most)
        if wins is None:
            return Finding(Status.UNKNOWN, reason=self._say_why(), stats=self._stats())
        others: bool | None = self.first.known_to_lose(self.start)
        if not wins and not others:  # nobody, or the others
            others = self._wins(self.others, self.first.positions + self._further(MOST_FOR_OTHERS))
        status = Status.SATISFIABLE if wins else Status.UNSATISFIABLE
        if not wins and others is None:
            reason = "it is not known whether the others can force a win"
            return Finding(status, reason=reason, stats=self._stats())
        winner = 0 if wins else 1
        if not wins and not others:
            winner = NOBODY
        try:
            strategy = self._strategy(winner)
        except Unfinished:
            reason = "the winner is proved, but no line of play was found in time"
            return Finding(status, reason=reason, stats=self._stats())
        return Finding(status, Witness(strategy=strategy), stats=self._stats())

    def _wins(self, search: WinSearch, most: int) -> bool | None:
        """Return True if a side can force a win; None if a limit is reached first."""
        search.most = most
        try:
            return search.wins(self.start)
        except Unfinished:
            return None

    def _further(self, positions: int) -> int:
        """Return a limit for this kind of search; beyond ``positions`` it is at most ``most``."""
        return min(self._scale * positions, max(self.most, positions))

    def _say_why(self) -> str:
        """Return the reason of an UNKNOWN answer."""
        reason = f"more than {self.most:,} positions; the search gave up"
        if self.first.positions < self.most:
            reason = STOPPED
        why = self.first.uncompiled
        return f"{reason}; the search was not compiled: {why}" if why else reason

    def _stats(self) -> Mapping[str, Any]:
        return {"positions": self.first.positions + self.others.positions}

    def _leads_to(self, outcome: Outcome) -> int | str | None:
        """Return who can force a win after a first move; "unknown" if a limit is reached."""
        try:
            if self.first.wins(outcome):
                return 1
            return self._name(1 if self._others_win(outcome) else NOBODY)
        except Unfinished:
            return "unknown"

    def _others_win(self, outcome: Outcome) -> bool:
        """Return True if the others can force a win by one of them."""
        known = self.others.known_to_win(outcome)
        if known is not None:
            return known
        if self.first.wins(outcome):
            return False
        return self.first.known_to_lose(outcome) or self.others.wins(outcome)

    def _seen_to_win(self, first: bool, outcome: Outcome) -> bool | None:
        """Return True or False if a table decides whether a side wins, else None."""
        if first:
            return self.first.known_to_win(outcome)
        return self.first.known_to_lose(outcome) or self.others.known_to_win(outcome)

    def _name(self, winner: int) -> int | str | None:
        """Return a winner, counted from 1; "others" for a coalition; None for nobody."""
        if winner == NOBODY:
            return None
        if winner == 0:
            return 1
        return 2 if self.game.players == 2 else "others"

    def _strategy(self, winner: int) -> dict[str, Any]:
        """Return who wins, a line, the winner's moves, and what each first move leads to."""
        self._allow_more()
        try:
            positions = self._positions(winner)
        except Unfinished:
            positions = None
            self._allow_more()
        line = line_to_dict(self.game, self.start, self._line(winner))
        moves = [  # last, because a first move may use up the limit
            {**move_to_dict(move), "leads_to": self._leads_to(outcome)}
            for move, outcome in self.game.moves(self.start)
        ]
        return {
            "kind": "opening" if positions is None else "positions",
            "winner": self._name(winner),
            "moves": moves,
            **line,
            **({} if positions is None else {"positions": positions}),
        }

    def _allow_more(self) -> None:
        """Let both searches look at further positions."""
        for search in (self.first, self.others):
            search.most = search.positions + self._further(MOST_FOR_MOVES)

    def _best(self, position: Position, winner: int) -> tuple[Move, Outcome]:
        """Return a best move for the player to move; known positions are tried first."""
        mine = position.player == 0
        moves = self.game.moves(position)
        if winner != NOBODY and (winner == 0) != mine:
            return moves[0]
        # A win of one's own, or, if nobody can force one, no win of the other side.
        first, wanted = (mine, True) if winner != NOBODY else (not mine, False)
        return self._choice(moves, first, wanted)

    def _choice(
        self, moves: Sequence[tuple[Move, Outcome]], first: bool, wanted: bool
    ) -> tuple[Move, Outcome]:
        """Return a move after which a side can force a win (``wanted``), or cannot.

        Moves whose result is known are tried first.
        """
        for each in moves:
            if self._seen_to_win(first, each[1]) is wanted:
                return each
        wins = self.first.wins if first else self._others_win
        return next(each for each in moves if wins(each[1]) is wanted)

    def _line(self, winner: int) -> list[tuple[Move, Outcome]]:
        """Return a game of best play."""
        line = [self._best(self.start, winner)]
        while isinstance(line[-1][1], tuple):
            line.append(self._best(line[-1][1], winner))
        return line

    def _positions(self, winner: int) -> list[dict[str, Any]] | None:
        """Return the winner's move in all positions that can arise; None if there are too many.

        If nobody can force a win, these are the moves of those who stop player 1.
        """
        waiting, seen, found = [self.start], {self.start}, list[dict[str, Any]]()
        while waiting:
            position = waiting.pop()
            moves = self.game.moves(position)
            if (position.player == 0) == (winner == 0):
                chosen = self._choice(moves, winner in (0, NOBODY), winner != NOBODY)
                moves = [chosen]
                found.append({**position_to_dict(position), **move_to_dict(chosen[0])})
                if len(found) > MOST_WRITTEN:
                    return None
            for _, outcome in moves:
                if isinstance(outcome, tuple) and outcome not in seen:
                    seen.add(outcome)
                    waiting.append(outcome)
        return found


ALGORITHM = ProofNumber()
