"""Depth-first search of the open game: a short one, for wins that the right order of moves finds.

Moves that shorten the own side's hands, and that keep the turn, come first; the first move that
decides a position ends it. Decided positions go into the table of a proof-number search, which goes
on where this search gives up: from the outset it is the better one for most games, but where a win
needs few cards of a long game, it looks at many positions that make no difference.
"""

from collections.abc import Sequence

from uno_csp.open_game.deck import count_cards
from uno_csp.open_game.positions import Outcome, Position
from uno_csp.open_game.search import INFINITE, ProofNumberSearch, Unfinished

PER_CARD, KEPT_TURN = 10, 5
"""Weights of the order: of a card of the own side, against one of the other, and of the turn."""


class DepthFirst:
    """A search for at most some positions, which decides positions in the table of another one.

    A position cannot recur on a path, since cards are only drawn and played, and reshuffles are
    counted in it.
    """

    def __init__(self, search: ProofNumberSearch, most: int) -> None:
        self._search, self._left = search, most
        self._mine = sorted(search.players)
        self._theirs = [who for who in range(search.game.players) if who not in search.players]

    def decide(self, start: Outcome) -> None:
        """Decide a position in the table, unless that takes too many positions."""
        self._proof(start)

    def _proof(self, outcome: Outcome) -> int:
        """Return the proof number of a decided position: 0, UNWON or INFINITE.

        Raises
        ------
        Unfinished
            At the limit of positions or the deadline.
        """
        search = self._search
        proof, disproof = search.look(outcome)
        if not proof or not disproof:
            return proof
        position = outcome
        assert isinstance(position, Position)  # noqa: S101
        if not self._left or search.deadline.expired:
            raise Unfinished
        self._left -= 1
        mine = position.player in search.players
        proof = INFINITE if mine else 0
        for following in self._ordered(position, mine):
            value = self._proof(following)
            proof = min(proof, value) if mine else max(proof, value)
            if (proof == 0) == mine:
                break
        search.known[position] = proof, 0 if proof else INFINITE
        return proof

    def _ordered(self, position: Position, mine: bool) -> Sequence[Outcome]:
        """Return the results of all moves, the most promising for the player to move first."""
        own, other = (self._mine, self._theirs) if mine else (self._theirs, self._mine)

        def rank(outcome: Outcome) -> int:
            if isinstance(outcome, int):
                return -INFINITE if outcome in own else INFINITE
            sizes = [count_cards(hand) for hand in outcome.hands]
            kept = KEPT_TURN if outcome.player == position.player else 0
            return (
                PER_CARD * min(sizes[who] for who in own) - min(sizes[who] for who in other) - kept
            )

        return sorted([outcome for _, outcome in self._search.game.moves(position)], key=rank)
