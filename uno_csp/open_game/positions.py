"""Positions of the open game, and the moves in them, for people and programs.

Searches work on states (:mod:`uno_csp.open_game.states`), by the same rules.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, cast

from uno_csp.open_game.deck import DRAW_TWO, REVERSE, WILD, summary, unpack
from uno_csp.open_game.moves import (
    DRAWN,
    MOST_MOVES,
    NO_SYMBOL,
    NOTHING,
    UNDECIDED,
    Moves,
    draws_of,
    give,
    moves,
    refill,
    symbol_of,
    take,
    take_effect,
)
from uno_csp.open_game.rules import FirstCard, Rules
from uno_csp.open_game.states import COLOUR, FIELDS, SYMBOL, add, setup_of


class Position(NamedTuple):
    """State of the game; players are numbered from 0, ``direction`` is 1 or -1.

    ``pending`` is the number of cards that the player to move has to draw, or
    :data:`uno_csp.open_game.moves.SKIPPED`; ``at`` is the number of cards gone from the draw pile;
    ``passes`` is the number of passes in a row. After ``filled`` reshuffles ``stock`` holds the
    cards that are left of the new draw pile, packed as the hands.
    """

    hands: tuple[int, ...]
    colour: int
    symbol: int
    at: int
    player: int
    direction: int
    pending: int
    passes: int
    filled: int = 0
    stock: int = 0

    @property
    def numbers(self) -> tuple[int, ...]:
        """The fields besides the cards, in the order of a state."""
        return cast("tuple[int, ...]", self[1:-1])


class Move(NamedTuple):
    """A turn: number of cards drawn, kind of the card played, and colour named with it."""

    drawn: int
    kind: int | None
    colour: int | None


def counts(position: Position, move: Move) -> bool:
    """Return True unless the turn is lost to a skip, a +2 or a +4.

    So the number of turns of a game does not depend on whether such a card may be answered.
    """
    return not position.pending or move.kind is not None


Outcome: TypeAlias = Position | int  # result of a move: the next position, or the winner
Line: TypeAlias = tuple[tuple[Move, Outcome], ...]  # a game: its moves, and what each leads to


class Game:
    """The legal moves, by the rules and one draw pile."""

    def __init__(
        self, rules: Rules, draw: Sequence[int], players: int, everything: int = 0
    ) -> None:
        """Set up the tables; ``everything`` is all cards of the game, packed, for reshuffles."""
        self.rules = rules
        self.draw = tuple(draw)
        self.players = players
        self.setup = setup_of(rules, draw, players, everything)
        self.room = Moves(
            [self.setup.spare[:] for _ in range(MOST_MOVES)], [0] * MOST_MOVES, [0] * MOST_MOVES
        )

    def state(self, position: Position) -> list[int]:
        """Return a position as a state."""
        hands = (*position.hands, position.stock)
        sizes, kinds = zip(*map(summary, hands), strict=True)
        return [*hands, *position.numbers, *sizes, *kinds]

    def position(self, state: Sequence[int]) -> Position:
        """Return a state as a position."""
        players = self.players
        fields = state[players + 1 : players + 1 + FIELDS]
        return Position._make((tuple(state[:players]), *fields, state[players]))

    def moves(self, position: Position) -> list[tuple[Move, Outcome]]:
        """Return every legal move with its result; there is always at least one."""
        player, found = position.player, list[tuple[Move, Outcome]]()
        before = summary(position.hands[player])[0]
        size = self.setup.words + FIELDS + player
        for at in range(moves(self.setup, self.state(position), self.room)):
            child, winner = self.room.children[at], self.room.winners[at]
            kind, colour = divmod(self.room.labels[at] % DRAWN, 4)
            laid, over = kind < NOTHING // 4, winner != UNDECIDED
            drawn = child[size] + (laid and not over) - before
            named = colour if kind >= WILD and laid and not over else None
            move = Move(drawn, kind if laid else None, named)
            found.append((move, winner if over else self.position(child)))
        return found

    def line(self, states: Sequence[Sequence[int]]) -> Line:
        """Return the game of some states that player 1 then wins."""
        positions = list(map(self.position, states))
        made = list[tuple[Move, Outcome]]()
        for before, after in zip(positions, [*positions[1:], 0], strict=True):
            made.append(next(each for each in self.moves(before) if each[1] == after))
        return tuple(made)

    def turned_up(self, position: Position) -> Position:
        """Apply the effect of the turned-up card, as if the previous player, the dealer, played it.

        After a reverse the dealer begins.
        """
        dealer = (position.player - position.direction) % self.players
        dealt, symbol = position._replace(player=dealer), position.symbol
        how = self.rules.first_card
        if how is FirstCard.NONE or (how is FirstCard.NO_DRAW and symbol == REVERSE):
            return position
        if how is FirstCard.NO_DRAW and symbol == DRAW_TWO:
            return position._replace(symbol=NO_SYMBOL)
        if symbol == REVERSE:
            return dealt._replace(direction=-position.direction)
        if how is FirstCard.KEEP_TURN and symbol == DRAW_TWO:
            state = self.state(position)
            give(self.setup, state, position.player, 2)
            worn = NO_SYMBOL if self.rules.effects_wear_off else symbol
            return self.position(state)._replace(symbol=worn)
        state = self.state(dealt)
        take_effect(self.setup, state, position.colour, symbol)
        return self.position(state)

    def refilled(self, position: Position) -> Position:
        """Return the position, after a reshuffle if the draw pile is empty and may be filled."""
        state = self.state(position)
        refill(self.setup, state)
        return self.position(state)

    def pile(self, position: Position) -> list[int]:
        """Return the cards of the draw pile."""
        return [*self.draw[position.at :], *unpack(position.stock)]

    def hands_at_end(self, position: Position, move: Move) -> tuple[int, ...]:
        """Return the hands after the last card; a last +2 or +4 may make the next player draw."""
        setup, state, player = self.setup, self.state(position), position.player
        if move.drawn:
            refill(setup, state)
            for _ in range(move.drawn):
                take(setup, state, player)
        kind = cast("int", move.kind)
        add(setup, state, player, kind, -1)
        symbol = symbol_of(kind)
        state[setup.words + COLOUR], state[setup.words + SYMBOL] = kind // 13 % 4, symbol
        if self.rules.last_draws and draws_of(symbol):
            following = (player + position.direction) % self.players
            give(setup, state, following, draws_of(symbol) + max(position.pending, 0))
        return self.position(state).hands
