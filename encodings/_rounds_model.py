"""Model of the open game over time: its variables, and the constraints beyond a single turn.

The constraints of a single turn are in :mod:`uno_csp.encodings._rounds_turn`; the variables are
documented in :mod:`uno_csp.encodings.rounds`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from uno_csp.modeling import Model, Objective
from uno_csp.open_game.deck import unpack
from uno_csp.open_game.moves import FOUR, SKIPPED, draws_of, symbol_of
from uno_csp.open_game.positions import Game, Position
from uno_csp.open_game.rules import Draw, Stacking

Rows = list[range]


@dataclass(frozen=True, slots=True)
class Horizon:
    """Constants of the model: the cards that can be laid, hands first, and the number of turns.

    ``owners`` has the player of each card of a hand, ``pile`` is the number of cards of the draw
    pile that can be drawn within the turns, and ``whole`` is true if these are all of it.
    """

    game: Game
    start: Position
    kinds: tuple[int, ...]
    owners: tuple[int, ...]
    pile: int
    whole: bool
    turns: int

    @property
    def players(self) -> int:
        """Number of players."""
        return self.game.players

    @property
    def stacks(self) -> bool:
        """True if draw cards can be stacked, so that sums of cards are owed."""
        return self.game.rules.stacking is not Stacking.NONE

    @property
    def sums(self) -> list[int]:
        """Possible debts of the player to move: 0, a number of cards, or ``SKIPPED``."""
        stacked = sum(map(draws, self.kinds)) if self.stacks else 0
        skips = [SKIPPED] if self.game.rules.skip_answered_by_skip else []
        return [0, *range(2, stacked + 1, 2), *skips]


def horizon(game: Game, start: Position, turns: int) -> Horizon:
    """Return the constants for games of at most ``turns`` turns."""
    hands = [unpack(hand) for hand in start.hands]
    held = [kind for hand in hands for kind in hand]
    owners = tuple(player for player, hand in enumerate(hands) for _ in hand)
    pile = len(game.draw)
    if game.rules.draw is Draw.ONE:
        pile = 0
        while pile != (more := _most_drawn(game, held, pile, turns)):
            pile = more
    kinds = (*held, *game.draw[:pile])
    return Horizon(
        game=game,
        start=start,
        kinds=kinds,
        owners=owners,
        pile=pile,
        whole=pile == len(game.draw),
        turns=turns,
    )


def _most_drawn(game: Game, held: Sequence[int], pile: int, turns: int) -> int:
    """Return an upper bound on the cards drawn: one per turn, and those that draw cards impose."""
    given = sum(draws(kind) for kind in (*held, *game.draw[:pile]))
    return min(turns + given, len(game.draw))


def draws(kind: int) -> int:
    """Return the number of cards that a card makes the next player draw.

    >>> draws(12), draws(53), draws(5)
    (2, 4, 0)
    """
    return draws_of(symbol_of(kind))


class Rounds:
    """The model and its variables by turn."""

    def __init__(self, table: Horizon) -> None:
        self.table = table
        self.model = Model()
        turns, cards = table.turns, len(table.kinds)
        new = self.model.new_vars
        self.mover = self._rows(turns + 1, table.players)
        self.forward = new(turns + 1)
        self.colour = self._rows(turns + 1, 4)
        self.symbol = self._rows(turns + 1, FOUR + 1)
        self.owed = self._rows(turns + 1, len(table.sums))
        self.before = self._rows(turns + 1, cards)
        self.gone = self._rows(turns + 1, table.pile)
        self.over = new(turns + 1)
        self.laid = self._rows(turns, cards)
        self.taken = self._rows(turns, table.pile)
        self.held = self._rows(turns, cards)
        self.plays, self.takes, self.plays_drawn = new(turns), new(turns), new(turns)
        self.passes, self.misses = new(turns), new(turns)
        self.owner = self._rows(table.pile, table.players)

    def _rows(self, count: int, length: int) -> Rows:
        return [self.model.new_vars(length) for _ in range(count)]

    def write_frame(self, least: int) -> None:
        """Write start, end and exactly-one constraints; ``least`` is a lower bound on turns."""
        model, turns, players = self.model, self.table.turns, self.table.players
        self._write_start()
        for t in range(turns + 1):
            for row in (self.mover[t], self.colour[t], self.symbol[t], self.owed[t]):
                self.one_of(row)
            row = self.gone[t]
            model.add_clauses((-row[j + 1], row[j]) for j in range(len(row) - 1))
        for row in self.owner:
            model.at_most(row, 1)
        for t in range(turns - players + 1):  # if all pass in a row nobody wins
            model.add_clause(*(-passed for passed in self.passes[t : t + players]))
        model.add_clauses([-over] for over in self.over[:least])
        model.add_clause(self.over[turns])
        count = [*self.plays, *self.takes, *self.passes]  # missed turns do not count
        model.objective = Objective([1] * len(count), count)

    def _write_start(self) -> None:
        start, add = self.table.start, self.model.add_clause
        add(self.mover[0][start.player])
        add(self.forward[0] if start.direction == 1 else -self.forward[0])
        add(self.colour[0][start.colour])
        add(self.symbol[0][start.symbol])
        add(self.owed[0][0])
        self.model.add_clauses([-var] for var in (*self.before[0], *self.gone[0]))

    def one_of(self, literals: Sequence[int]) -> None:
        """Require that exactly one of the literals is true."""
        self.model.add_clause(*literals)
        if len(literals) > 1:
            self.model.at_most(literals, 1)

    def same(self, left: int, right: int, *unless: int) -> None:
        """Require that two literals are equal, unless one of the others is true."""
        self.model.add_clauses([(-left, right, *unless), (left, -right, *unless)])

    def some(self, literals: Sequence[int]) -> int:
        """Return a literal for "at least one of these is true"."""
        found = self.model.new_var()
        self.model.add_clauses((-each, found) for each in literals)
        self.model.add_clause(-found, *literals)
        return found

    def both(self, left: int, right: int) -> int:
        """Return a literal for "both are true"."""
        return -self.some([-left, -right])

    def two(self, literals: Sequence[int]) -> int:
        """Return a literal for "at least two of these are true"."""
        seen, found = self.some([]), self.some([])
        for literal in literals:
            found = self.some([found, self.both(seen, literal)])
            seen = self.some([seen, literal])
        return found
