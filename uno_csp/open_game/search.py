"""Winner of the open game, by depth-first proof-number search.

A position is proved for a player who can force a win, an empty hand first, against all play of the
others. The search always continues at the child with the smallest proof or disproof number (Allis
1994), depth first with a transposition table (Nagai 2002), and raises the limit of a child a little
more than it has to (the 1 + epsilon trick of Pawlewicz and Lew 2007). A game has no cycles, since
cards are only drawn and played, so table entries do not depend on the path to a position.
"""

from collections.abc import Collection
from typing import cast

from uno_csp.open_game.positions import NOBODY, Game, Outcome, Position
from uno_csp.processes.deadline import NEVER

INFINITE = 10**9
"""Proof number of what is disproved: the others can force a win by one of them."""

UNWON = INFINITE - 1
"""Proof number of what is disproved, if perhaps nobody can force a win."""

MOST_POSITIONS = 4_000_000
"""Maximum number of positions in the table, since nothing is evicted from it."""


class Unfinished(Exception):
    """The search reached its maximum number of positions or its deadline."""


class ProofNumberSearch:
    """Search for a proof that a coalition of players can force a win by one of them.

    It raises Unfinished when its table has more than ``most`` positions, and at the deadline. The
    table is kept, so a later call continues the search.
    """

    def __init__(self, game: Game, players: Collection[int]) -> None:
        self.game = game
        self.players = frozenset(players)
        self._mine = sorted(self.players)
        self._theirs = [who for who in range(game.players) if who not in self.players]
        self.known: dict[Position, tuple[int, int]] = {}
        self.most = MOST_POSITIONS
        self.deadline = NEVER

    def known_to_win(self, outcome: Outcome) -> bool | None:
        """Return True or False if the table already decides whether the players win, else None."""
        proof, disproof = self._look(outcome)
        return None if proof and disproof else not proof

    def known_to_lose(self, outcome: Outcome) -> bool:
        """Return True if the table proves that the others can force a win by one of them."""
        return self._look(outcome) == (INFINITE, 0)

    def wins(self, start: Outcome) -> bool:
        """Return True if the players can force a win by one of them from a position."""
        proof, _ = self._look(start)
        while proof not in (0, UNWON, INFINITE):
            self._expand(cast("Position", start), INFINITE, INFINITE)
            proof, _ = self._look(start)
        return proof == 0

    def _look(self, outcome: Outcome) -> tuple[int, int]:
        """Return the proof and disproof numbers of a position, or of an ended game.

        A new position starts with the sizes of the smallest hand of the players (proof) and of
        the others (disproof).
        """
        if isinstance(outcome, int):
            if outcome in self.players:
                return 0, INFINITE
            return (UNWON if outcome == NOBODY else INFINITE), 0
        found = self.known.get(outcome)
        if found is None:
            sizes = [hand.bit_count() for hand in outcome.hands]  # approximate card counts
            return min([sizes[who] for who in self._mine]), min(
                [sizes[who] for who in self._theirs]
            )
        return found

    def _expand(self, position: Position, proof_limit: int, disproof_limit: int) -> None:
        """Search below a position until its proof or disproof number reaches its limit."""
        outcomes = [outcome for _, outcome in self.game.moves(position)]
        mine = position.player in self.players
        known = self.known
        if len(known) > min(self.most, MOST_POSITIONS) or self.deadline.expired:
            raise Unfinished
        side = 0 if mine else 1
        while True:
            looks = [self._look(outcome) for outcome in outcomes]
            chosen = [look[side] for look in looks]
            least = min(chosen)
            rest = _combined([look[1 - side] for look in looks])
            proof, disproof = (least, rest) if mine else (rest, least)
            decided = not proof or not disproof
            if decided or proof >= proof_limit or disproof >= disproof_limit:
                known[position] = proof, disproof
                return
            best = chosen.index(least)
            chosen[best] = INFINITE
            second = min(chosen)
            relaxed_limit = second + second // 4 + 1
            more = looks[best][1 - side] - rest
            following = cast("Position", outcomes[best])
            if mine:
                self._expand(following, min(proof_limit, relaxed_limit), disproof_limit + more)
            else:
                self._expand(following, proof_limit + more, min(disproof_limit, relaxed_limit))


def _combined(numbers: list[int]) -> int:
    """Combine the numbers of all children: the maximum, plus one for each other undecided child.

    A sum would count positions shared by several children repeatedly; here most are shared.
    """
    most = max(numbers)
    if most in (0, UNWON, INFINITE):
        return most
    return min(most + sum(map(bool, numbers)) - 1, UNWON - 1)
