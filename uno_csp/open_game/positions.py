"""Positions of the open game, and the moves in them.

A move is a whole turn: cards drawn, then a card played or none, and the colour named with it. Since
the order of the draw pile is known, drawing tells a player nothing new.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from uno_csp.open_game.deck import (
    DRAW_FOUR,
    DRAW_TWO,
    FIELD,
    FIELD_BITS,
    ONE,
    REVERSE,
    SKIP,
    WILD,
    count_cards,
    unpacked,
)
from uno_csp.open_game.rules import (
    Draw,
    Drawn,
    FirstCard,
    LastCard,
    PlusFour,
    Rules,
    Stacking,
)

NOBODY = -1
"""The winner when all players pass in a row."""

NO_SYMBOL, FOUR = 13, 14
"""Symbols of a top card without a symbol to match, and of a wild draw four."""

SKIPPED = -1
"""``pending`` of a player who is skipped unless they pass the skip on."""


CARD_BITS = FIELD_BITS * len(ONE)
CARDS = (1 << CARD_BITS) - 1
"""Bit mask of a packed hand."""


class Position(NamedTuple):
    """State of the game; players are numbered from 0, ``direction`` is 1 or -1.

    ``pending`` is the number of cards that the player to move has to draw, or :data:`SKIPPED`;
    ``at`` is the number of cards gone from the draw pile; ``passes`` is the number of passes in a
    row. After a reshuffle ``stock`` holds the cards of the new draw pile, packed, and in the bits
    above them the number of reshuffles.
    """

    hands: tuple[int, ...]
    colour: int
    symbol: int
    at: int
    player: int
    direction: int
    pending: int
    passes: int
    stock: int = 0


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


Outcome: TypeAlias = Position | int
"""Result of a move: the next position, or the winner."""


class Game:
    """The legal moves, by the rules and one draw pile."""

    def __init__(
        self, rules: Rules, draw: Sequence[int], players: int, everything: int = 0
    ) -> None:
        """Set up the tables; ``everything`` is all cards of the game, packed, for reshuffles."""
        self.rules = rules
        self.draw = tuple(draw)
        self.everything = everything
        self.players = players
        self._candidates = [
            [_candidates(colour, symbol) for symbol in range(FOUR + 1)] for colour in range(4)
        ]
        self._of_colour = [sum(FIELD[13 * colour : 13 * colour + 13]) for colour in range(4)]
        self._numbers_last = rules.last_card is LastCard.NUMBER

    def moves(self, position: Position) -> list[tuple[Move, Outcome]]:
        """Return every legal move with its result; there is always at least one."""
        if position.pending:
            return [*self._answers(position), self._suffer(position)]
        hand = position.hands[position.player]
        found: list[tuple[Move, Outcome]] = []
        playable = self.playable(hand, position.colour, position.symbol)
        for kind in playable:
            found += self._lay(position, 0, kind, hand)
        if playable and self.rules.must_play:
            return found
        if self._can_draw(position):
            found += self._draw(self._refilled(position), hand)
        elif not playable:
            found.append(self._pass(position))
        return found

    def playable(self, hand: int, colour: int, symbol: int) -> list[int]:
        """Return the kinds of a hand that may be played."""
        found = [kind for kind in self._candidates[colour][symbol] if hand & FIELD[kind]]
        found = self._last_kinds(hand, found)
        if found and found[-1] == DRAW_FOUR and self._forbids_four(hand, colour, found):
            return found[:-1]
        return found

    def _forbids_four(self, hand: int, colour: int, playable: Sequence[int]) -> bool:
        """Return True if the rules forbid a +4, because of the hand or of other playable cards."""
        if self.rules.plus_four is PlusFour.LAST_RESORT:
            return len(playable) > 1
        return self.rules.plus_four is PlusFour.RESTRICTED and bool(hand & self._of_colour[colour])

    def _lay(
        self, position: Position, drawn: int, kind: int, hand: int
    ) -> Iterator[tuple[Move, Outcome]]:
        """Yield the moves that play a card; ``hand`` includes the ``drawn`` cards just drawn."""
        player = position.player
        left = hand - ONE[kind]
        if not left:
            yield Move(drawn, kind, None), player
            return
        hands = (*position.hands[:player], left, *position.hands[player + 1 :])
        at = position.at + drawn
        if kind < WILD:
            colour, symbol = divmod(kind, 13)
            yield Move(drawn, kind, None), self._after(position, hands, at, colour, symbol)
            return
        symbol = FOUR if kind == DRAW_FOUR else NO_SYMBOL
        for colour in range(4):
            yield Move(drawn, kind, colour), self._after(position, hands, at, colour, symbol)

    def turned_up(self, position: Position) -> Position:
        """Apply the effect of the turned-up card, as if the previous player, the dealer, played it.

        After a reverse the dealer begins.
        """
        dealer = (position.player - position.direction) % self.players
        dealt = position._replace(player=dealer)
        symbol = position.symbol
        no_draw = self.rules.first_card is FirstCard.NO_DRAW
        if self.rules.first_card is FirstCard.NONE or (no_draw and symbol == REVERSE):
            return position
        if no_draw and symbol == DRAW_TWO:
            return position._replace(symbol=NO_SYMBOL)
        if symbol == REVERSE:
            return dealt._replace(direction=-position.direction)
        if symbol == DRAW_TWO and self.rules.first_card is FirstCard.KEEP_TURN:
            hands, at, stock = self.give(position, 2)
            return position._replace(hands=hands, at=at, stock=stock, symbol=self._worn(symbol))
        return self._after(dealt, position.hands, position.at, position.colour, symbol)

    def _after(
        self, position: Position, hands: tuple[int, ...], at: int, colour: int, symbol: int
    ) -> Position:
        """Return the position after a card was played and had its effect."""
        players, direction, rules = self.players, position.direction, self.rules
        stock = position.stock
        following = (position.player + direction) % players
        pending = 0
        if symbol < SKIP or symbol == NO_SYMBOL:
            pass
        elif symbol == SKIP:
            if rules.skip_answered_by_skip:
                pending = SKIPPED
            else:
                following = (following + direction) % players
                symbol = self._worn(symbol)
        elif symbol == REVERSE:
            direction = -direction
            following = (position.player + direction) % players
            if players == 2 and rules.reverse_skips:
                following = position.player
        else:
            count = 2 if symbol == DRAW_TWO else 4
            if rules.stacking is not Stacking.NONE:
                pending = max(position.pending, 0) + count
            else:
                laid = Position(hands, colour, symbol, at, following, direction, 0, 0, stock)
                hands, at, stock = self.give(laid, count)
                following = (following + direction) % players
                symbol = self._worn(symbol)
        return Position(hands, colour, symbol, at, following, direction, pending, 0, stock)

    def _worn(self, symbol: int) -> int:
        """Return the symbol left to match on a card that has had its effect."""
        return NO_SYMBOL if self.rules.effects_wear_off else symbol

    def give(self, position: Position, count: int) -> tuple[tuple[int, ...], int, int]:
        """Return hands, at and stock after the player to move drew ``count`` cards, or all left."""
        hands, at, player = position.hands, position.at, position.player
        cards = self.pile(position)[at : at + count]
        own = hands[player]
        for kind in cards:
            own += ONE[kind]
        hands, at = (*hands[:player], own, *hands[player + 1 :]), at + len(cards)
        missing = count - len(cards)
        drawn = position._replace(hands=hands, at=at)
        if not missing or not self._can_draw(drawn):
            return hands, at, position.stock
        return self.give(self._refilled(drawn), missing)

    def pile(self, position: Position) -> Sequence[int]:
        """Return the draw pile, including the cards already drawn."""
        if not position.stock:
            return self.draw
        return unpacked(position.stock & CARDS)

    def _can_draw(self, position: Position) -> bool:
        """Return True if a card can be drawn, if necessary after a reshuffle."""
        if not position.stock and position.at < len(self.draw):
            return True
        if position.at < len(self.pile(position)):
            return True
        done = position.stock >> CARD_BITS
        return done < self.rules.reshuffles and self._under(position) > 0

    def refilled(self, position: Position) -> Position:
        """Return the position, after a reshuffle if the draw pile is empty and may be filled."""
        return self._refilled(position) if self._can_draw(position) else position

    def _refilled(self, position: Position) -> Position:
        """Return the position, after a reshuffle if its draw pile is used up."""
        if position.at < len(self.pile(position)):
            return position
        done = (position.stock >> CARD_BITS) + 1
        return position._replace(at=0, stock=done << CARD_BITS | self._under(position))

    def _under(self, position: Position) -> int:
        """Return the played cards under the top one, packed, when the draw pile is used up."""
        symbol = position.symbol
        top = 13 * position.colour + symbol
        if symbol >= NO_SYMBOL:
            top = DRAW_FOUR if symbol == FOUR else WILD
        return self.everything - sum(position.hands) - ONE[top]

    def _answers(self, position: Position) -> Iterator[tuple[Move, Outcome]]:
        """Yield the moves that pass on a pending skip or number of cards to draw."""
        hand = position.hands[position.player]
        if position.pending == SKIPPED:
            kinds = [13 * colour + SKIP for colour in range(4)]
        else:
            twos = [13 * colour + DRAW_TWO for colour in range(4)]
            both = self.rules.stacking is Stacking.DRAWS
            kinds = [*(twos if position.symbol == DRAW_TWO else [])]
            kinds += [DRAW_FOUR] if both or position.symbol == FOUR else []
        allowed = self._last_kinds(hand, kinds)
        for kind in allowed:
            if hand & FIELD[kind]:
                yield from self._lay(position, 0, kind, hand)

    def _last_kinds(self, hand: int, kinds: list[int]) -> list[int]:
        """Return the kinds without those that the rules forbid as the last card of the hand."""
        alone = self._numbers_last and hand in _ALONE
        return [kind for kind in kinds if kind < WILD and kind % 13 < SKIP] if alone else kinds

    def _suffer(self, position: Position) -> tuple[Move, Outcome]:
        """Return the move that accepts a skip, or draws the pending cards and misses the turn."""
        before = count_cards(position.hands[position.player])
        hands, at, stock = self.give(position, max(position.pending, 0))
        symbol = self._worn(position.symbol)
        following = (position.player + position.direction) % self.players
        after = position._replace(
            hands=hands, symbol=symbol, at=at, player=following, pending=0, passes=0, stock=stock
        )
        return Move(count_cards(hands[position.player]) - before, None, None), after

    def _draw(self, position: Position, hand: int) -> Iterator[tuple[Move, Outcome]]:
        """Yield the moves that draw, and then play the drawn card or keep it."""
        rules, drawn, kind, pile = self.rules, 0, -1, self.pile(position)
        while position.at + drawn < len(pile):
            kind = pile[position.at + drawn]
            hand += ONE[kind]
            drawn += 1
            can = kind in self.playable(hand, position.colour, position.symbol)
            if rules.drawn_by_colour and kind < WILD and kind // 13 != position.colour:
                can = False
            if can or rules.draw is Draw.ONE:
                break
        if can and rules.play_drawn is not Drawn.NEVER:
            yield from self._lay(position, drawn, kind, hand)
            if rules.play_drawn is Drawn.MUST:
                return
        player = position.player
        hands = (*position.hands[:player], hand, *position.hands[player + 1 :])
        following = (player + position.direction) % self.players
        yield (
            Move(drawn, None, None),
            position._replace(hands=hands, at=position.at + drawn, player=following, passes=0),
        )

    def _pass(self, position: Position) -> tuple[Move, Outcome]:
        passes = position.passes + 1
        if passes == self.players:
            return Move(0, None, None), NOBODY
        following = (position.player + position.direction) % self.players
        return Move(0, None, None), position._replace(player=following, passes=passes)


_ALONE = frozenset(ONE)
"""The packed hands of one card."""


def _candidates(colour: int, symbol: int) -> list[int]:
    """Return the kinds that match by colour or symbol, then the wild ones, the draw four last."""
    same = range(13 * colour, 13 * colour + 13)
    alike = [13 * other + symbol for other in range(4) if other != colour and symbol < NO_SYMBOL]
    return [*same, *alike, WILD, DRAW_FOUR]
