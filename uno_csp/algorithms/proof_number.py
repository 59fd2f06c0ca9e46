"""The open game by proof-number search: who wins, what every first move leads to, and a line.

Player 1's question is asked first, then that of the others, so that "nobody can force it" is told
from "the others can". The moves of who wins are then written down for every position that can come
up, if these are few, and the line in which the others hold out is one of them.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from uno_csp.answers import Status, Witness
from uno_csp.modeling import STOPPED, Algorithm, Finding
from uno_csp.open_game.positions import NOBODY, Game, Move, Outcome, Position
from uno_csp.open_game.search import MOST_POSITIONS, Search, Unfinished
from uno_csp.open_game.telling import line_to_dict, move_to_dict, position_to_dict
from uno_csp.questions.open_game import Goal, OpenGame, start_of

FOR_A_START = 200_000
"""So many positions are looked at for player 1's question, before that of the others is asked."""

SPARE_S = 0.1
"""So long before its time the search ends, to tell what it found."""

MOST_FOR_OTHERS = 300_000
"""So many more than for player 1 are looked at to tell "nobody" from "the others"."""

MOST_FOR_MOVES = 50_000
"""So many more positions are looked at to tell what every first move leads to."""

MOST_WRITTEN = 1000
"""A strategy of more positions is not written down."""


class ProofNumber(Algorithm[OpenGame]):
    """The open game, exactly, by depth-first proof-number search with a table of positions."""

    name = "proof-number"
    takes = (OpenGame,)
    preference = 1

    def __init__(self, most: int = MOST_POSITIONS) -> None:
        self.most = most

    def declines(self, instance: OpenGame) -> str | None:
        """Players who help one another."""
        return None if instance.goal is Goal.WIN else "it is for the goal win"

    def run(self, instance: OpenGame) -> Finding:
        """Who wins."""
        return self.run_until(instance, None)

    def run_until(self, instance: OpenGame, ends_at: float | None) -> Finding:
        """Who wins, or what is known of it in time."""
        with deep(instance.size * (1 + instance.rules.reshuffles)):
            return Solving(*start_of(instance), self.most, ends_at).finding()


@contextmanager
def deep(cards: int) -> Iterator[None]:
    """Room for a recursion as deep as the game can be long: each card is drawn and laid once."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 1000 + 20 * cards))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class Solving:
    """One position: two searches, and what is read off their tables."""

    def __init__(
        self, game: Game, start: Position, most: int, ends_at: float | None = None
    ) -> None:
        self.game, self.start, self.most = game, start, most
        self.first = Search(self.game, {0})
        self.others = Search(self.game, set(range(1, self.game.players)))
        if ends_at is not None:
            self.first.ends_at = self.others.ends_at = ends_at - SPARE_S

    def finding(self) -> Finding:
        """The answer, with as much as is known when a table is full or the time is up."""
        first_look = min(FOR_A_START, self.most)
        wins, others = self._wins(self.first, first_look), None
        if wins is None:  # perhaps the others' win is easier to find
            others = self._wins(self.others, first_look)
            wins = False if others else self._wins(self.first, self.most)
        if wins is None:
            return Finding(Status.UNKNOWN, reason=self._known(others), stats=self._stats())
        if not wins and others is None:
            others = self._wins(self.others, len(self.first.known) + MOST_FOR_OTHERS)
        status = Status.SATISFIABLE if wins else Status.UNSATISFIABLE
        if not wins and others is None:
            reason = "whether the others can force to win themselves is not known"
            return Finding(status, reason=reason, stats=self._stats())
        winner = 0 if wins else 1 if others else NOBODY
        try:
            strategy = self._strategy(winner)
        except Unfinished:
            reason = "who wins is certain; a line of play was not found in time"
            return Finding(status, reason=reason, stats=self._stats())
        return Finding(status, Witness(strategy=strategy), stats=self._stats())

    def _wins(self, search: Search, most: int) -> bool | None:
        """Whether a side can force to win; None where that takes longer."""
        search.most = most
        try:
            return search.wins(self.start)
        except Unfinished:
            return None

    def _known(self, others: bool | None) -> str:
        """What is known where it is not known whether player 1 wins."""
        full = len(self.first.known) > self.most
        gave_up = f"more than {self.most:,} positions; the search gave up"
        told = [gave_up if full else STOPPED]
        told += ["the others cannot force to win themselves"] if others is False else []
        return "; ".join(told)

    def _stats(self) -> Mapping[str, Any]:
        return {"positions": len(self.first.known) + len(self.others.known)}

    def _leads_to(self, outcome: Outcome) -> int | str | None:
        """Who can force to win after a first move; that it is not known, where that takes long."""
        try:
            if self.first.wins(outcome):
                return 1
            return self._name(1 if self.others.wins(outcome) else NOBODY)
        except Unfinished:
            return "unknown"

    def _name(self, winner: int) -> int | str | None:
        """A winner, counted from 1; of several others it is not told which; None for nobody."""
        if winner == NOBODY:
            return None
        return 1 if winner == 0 else 2 if self.game.players == 2 else "others"

    def _strategy(self, winner: int) -> dict[str, Any]:
        """Who wins, a line, the positions of who wins, and what each first move leads to."""
        for search in (self.first, self.others):
            search.most = len(search.known) + MOST_FOR_MOVES
        positions = self._positions(winner == 0)
        moves = [
            {**move_to_dict(move), "leads_to": self._leads_to(outcome)}
            for move, outcome in self.game.moves(self.start)
        ]
        return {
            "kind": "opening" if positions is None else "positions",
            "winner": self._name(winner),
            "moves": moves,
            **line_to_dict(self.game, self.start, self._line(winner)),
            **({} if positions is None else {"positions": positions}),
        }

    def _best(self, position: Position, winner: int) -> tuple[Move, Outcome]:
        """A move that keeps what there is to be had; what is known already comes first."""
        mine = position.player == 0
        own, foreign = (self.first, self.others) if mine else (self.others, self.first)
        moves = self.game.moves(position)
        if winner == NOBODY:
            moves.sort(key=lambda each: foreign.known_to_win(each[1]) is not False)
            return next(each for each in moves if not foreign.wins(each[1]))
        if (winner == 0) == mine:
            moves.sort(key=lambda each: own.known_to_win(each[1]) is not True)
            return next(each for each in moves if own.wins(each[1]))
        return moves[0]

    def _line(self, winner: int) -> list[tuple[Move, Outcome]]:
        """A game of best play."""
        line = [self._best(self.start, winner)]
        while isinstance(line[-1][1], tuple):
            line.append(self._best(line[-1][1], winner))
        return line

    def _positions(self, wins: bool) -> list[dict[str, Any]] | None:
        """For each position that can come up the move of player 1, or of those who stop her."""
        waiting, seen, found = [self.start], {self.start}, list[dict[str, Any]]()
        while waiting:
            position = waiting.pop()
            moves = self.game.moves(position)
            if (position.player == 0) == wins:
                moves.sort(key=lambda each: self.first.known_to_win(each[1]) is not wins)
                moves = [next(each for each in moves if self.first.wins(each[1]) == wins)]
                found.append({**position_to_dict(position), **move_to_dict(moves[0][0])})
                if len(found) > MOST_WRITTEN:
                    return None
            for _, outcome in moves:
                if isinstance(outcome, tuple) and outcome not in seen:
                    seen.add(outcome)
                    waiting.append(outcome)
        return found


ALGORITHM = ProofNumber()
