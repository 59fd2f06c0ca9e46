"""Who wins the open game, by proof-number search.

A position is proved for a player who can force to empty their hand first whatever the others do.
The search always goes on where the fewest positions are still to be proved, or to be disproved
(Allis 1994), depth first with a table of what is known (Nagai 2002), and holds on to a line a
little longer than it must (the 1 + epsilon trick of Pawlewicz and Lew 2007). A game has no cycles,
since cards are laid and drawn, so what the table says holds whatever way led there.
"""

import math
import time
from collections.abc import Collection
from typing import cast

from uno_csp.open_game.positions import Game, Outcome, Position

INFINITE = 10**9
MOST_POSITIONS = 4_000_000
"""The table keeps so many; the search gives up rather than forget."""


class Unfinished(Exception):
    """The search gave up."""


class Search:
    """The search whether some players together can force that one of them wins.

    It gives up when it knows more than ``most`` positions, and at the time ``ends_at``; it can be
    asked again, and goes on.
    """

    def __init__(self, game: Game, players: Collection[int]) -> None:
        self.game = game
        self.players = frozenset(players)
        self._mine = sorted(self.players)
        self._theirs = [who for who in range(game.players) if who not in self.players]
        self.known: dict[Position, tuple[int, int]] = {}
        self.most = MOST_POSITIONS
        self.ends_at = math.inf

    def known_to_win(self, outcome: Outcome) -> bool | None:
        """Whether it is known already that they win, or that they do not."""
        proof, disproof = self._look(outcome)
        return True if not proof else False if not disproof else None

    def wins(self, start: Outcome) -> bool:
        """Whether one of the players wins from a position.

        Raises
        ------
        Unfinished
            When the table has as many positions as it may, or it is time to end.
        """
        proof, _ = self._look(start)
        while proof not in (0, INFINITE):
            self._expand(cast("Position", start), INFINITE, INFINITE)
            proof, _ = self._look(start)
        return proof == 0

    def _look(self, outcome: Outcome) -> tuple[int, int]:
        """How many positions are at least to be proved, and disproved.

        Of a position that is new: as many as the side has cards that is the nearest to its goal.
        """
        if isinstance(outcome, int):
            return (0, INFINITE) if outcome in self.players else (INFINITE, 0)
        found = self.known.get(outcome)
        if found is None:
            sizes = [hand.bit_count() for hand in outcome.hands]  # nearly the numbers of cards
            return min([sizes[who] for who in self._mine]), min(
                [sizes[who] for who in self._theirs]
            )
        return found

    def _expand(self, position: Position, proof_limit: int, disproof_limit: int) -> None:
        """Search below a position until one of its numbers reaches its limit."""
        outcomes = [outcome for _, outcome in self.game.moves(position)]
        mine = position.player in self.players
        known = self.known
        if len(known) > self.most or time.time() > self.ends_at:
            raise Unfinished
        side = 0 if mine else 1
        while True:
            looks = [self._look(outcome) for outcome in outcomes]
            chosen = [look[side] for look in looks]
            least = min(chosen)
            rest = _together([look[1 - side] for look in looks])
            proof, disproof = (least, rest) if mine else (rest, least)
            if not proof or not disproof:
                known[position] = (INFINITE, 0) if proof else (0, INFINITE)
                return
            if proof >= proof_limit or disproof >= disproof_limit:
                known[position] = proof, disproof
                return
            best = chosen.index(least)
            chosen[best] = INFINITE
            second = min(chosen)
            patient = second + second // 4 + 1
            more = looks[best][1 - side] - rest
            following = cast("Position", outcomes[best])
            if mine:
                self._expand(following, min(proof_limit, patient), disproof_limit + more)
            else:
                self._expand(following, proof_limit + more, min(disproof_limit, patient))


def _together(numbers: list[int]) -> int:
    """What is to be shown of all: the most of one, and one for each other that is open.

    A sum would count what several share again and again, and here most positions are shared.
    """
    most = max(numbers)
    return min(most + sum(map(bool, numbers)) - 1, INFINITE) if most else 0
