"""Positions of the open game, and the moves in them.

A move is a whole turn: cards drawn, then a card laid, with the colour named, or none. The order of
the draw pile being known, nothing is decided between the two that could not be decided before.
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
"""Who wins when all pass in a row."""

NO_SYMBOL, FOUR = 13, 14
"""What lies on the pile has no symbol any more, or it is a wild draw four."""

SKIPPED = -1
"""The next player is skipped unless the skip is handed on."""


CARD_BITS = FIELD_BITS * len(ONE)
CARDS = (1 << CARD_BITS) - 1
"""The bits of a packed hand."""


class Position(NamedTuple):
    """What matters for the rest of the game; players and directions as numbers, from 0 on.

    ``pending`` is how many cards the player to move has to draw, or :data:`SKIPPED`; ``at`` is how
    many cards of the draw pile are gone; ``passes`` is how many have passed in a row. When the pile
    was made anew, ``stock`` holds its cards, packed, and in the bits above them how many times.
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
    """A turn: how many cards are drawn, the kind that is laid, and the colour then named."""

    drawn: int
    kind: int | None
    colour: int | None


def counts(position: Position, move: Move) -> bool:
    """Return True unless a turn is lost to a skip, or to cards that have to be drawn.

    So the number of turns of a game is the same whether a player may answer such a card or not.
    """
    return not position.pending or move.kind is not None


Outcome: TypeAlias = Position | int
"""What follows a move: a position, or who wins."""


class Game:
    """The rules for one draw pile."""

    def __init__(
        self, rules: Rules, draw: Sequence[int], players: int, everything: int = 0
    ) -> None:
        """Keep the rules; ``everything`` is all cards of the game, packed, for piles made anew."""
        self.rules = rules
        self.draw = tuple(draw)
        self._everything = everything
        self.players = players
        self._candidates = [
            [_candidates(colour, symbol) for symbol in range(FOUR + 1)] for colour in range(4)
        ]
        self._of_colour = [sum(FIELD[13 * colour : 13 * colour + 13]) for colour in range(4)]
        self._free_four = rules.plus_four is PlusFour.FREE
        self._numbers_last = rules.last_card is LastCard.NUMBER

    def moves(self, position: Position) -> list[tuple[Move, Outcome]]:
        """Every legal move with what follows; there is always one."""
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
        """The kinds of a hand that may be laid."""
        found = [kind for kind in self._candidates[colour][symbol] if hand & FIELD[kind]]
        if found and found[-1] == DRAW_FOUR:
            restricted = not self._free_four and hand & self._of_colour[colour]
            found = found[:-1] if restricted else found
        return self._last_kinds(hand, found)

    def _lay(
        self, position: Position, drawn: int, kind: int, hand: int
    ) -> Iterator[tuple[Move, Outcome]]:
        """Lay a card of a hand from which so many cards have just been drawn."""
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
        """Give the card that was turned up its effect, as if the player before had laid it.

        After a reverse that player, the dealer, begins.
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
        return self._after(dealt, position.hands, position.at, position.colour, symbol)

    def _after(
        self, position: Position, hands: tuple[int, ...], at: int, colour: int, symbol: int
    ) -> Position:
        """The effect of a card that was laid."""
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
            if players == 2:
                following = position.player
        else:
            count = 2 if symbol == DRAW_TWO else 4
            if rules.stacking is not Stacking.NONE:
                pending = max(position.pending, 0) + count
            else:
                laid = Position(hands, colour, symbol, at, following, direction, 0, 0, stock)
                hands, at, stock = self._give(laid, count)
                following = (following + direction) % players
                symbol = self._worn(symbol)
        return Position(hands, colour, symbol, at, following, direction, pending, 0, stock)

    def _worn(self, symbol: int) -> int:
        """What is left to match of a card that has had its effect."""
        return NO_SYMBOL if self.rules.effects_wear_off else symbol

    def _give(self, position: Position, count: int) -> tuple[tuple[int, ...], int, int]:
        """Let the player to move draw cards, or as many as there are: hands, at and stock then."""
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
        return self._give(self._refilled(drawn), missing)

    def pile(self, position: Position) -> Sequence[int]:
        """Return the draw pile, with the cards of it that are gone."""
        if not position.stock:
            return self.draw
        return unpacked(position.stock & CARDS)

    def _can_draw(self, position: Position) -> bool:
        """Return True if a card can be drawn, if need be from a pile that is made anew."""
        if not position.stock and position.at < len(self.draw):
            return True
        if position.at < len(self.pile(position)):
            return True
        done = position.stock >> CARD_BITS
        return done < self.rules.reshuffles and self._under(position) > 0

    def _refilled(self, position: Position) -> Position:
        """The position with a pile to draw from: the cards laid, but for the top one, in order."""
        if position.at < len(self.pile(position)):
            return position
        done = (position.stock >> CARD_BITS) + 1
        return position._replace(at=0, stock=done << CARD_BITS | self._under(position))

    def _under(self, position: Position) -> int:
        """The cards under the top one, when the draw pile is used up."""
        symbol = position.symbol
        top = 13 * position.colour + symbol
        if symbol >= NO_SYMBOL:
            top = DRAW_FOUR if symbol == FOUR else WILD
        return self._everything - sum(position.hands) - ONE[top]

    def _answers(self, position: Position) -> Iterator[tuple[Move, Outcome]]:
        """Hand a skip on, or a sum of cards to draw."""
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
        """Those of some kinds that may be laid, if the hand is down to one card."""
        alone = self._numbers_last and hand in _ALONE
        return [kind for kind in kinds if kind < WILD and kind % 13 < SKIP] if alone else kinds

    def _suffer(self, position: Position) -> tuple[Move, Outcome]:
        """Be skipped, or draw the sum and miss the turn."""
        before = count_cards(position.hands[position.player])
        hands, at, stock = self._give(position, max(position.pending, 0))
        symbol = self._worn(position.symbol)
        following = (position.player + position.direction) % self.players
        after = position._replace(
            hands=hands, symbol=symbol, at=at, player=following, pending=0, passes=0, stock=stock
        )
        return Move(count_cards(hands[position.player]) - before, None, None), after

    def _draw(self, position: Position, hand: int) -> Iterator[tuple[Move, Outcome]]:
        """Draw, and play the card or keep it."""
        rules, drawn, kind, pile = self.rules, 0, -1, self.pile(position)
        while position.at + drawn < len(pile):
            kind = pile[position.at + drawn]
            hand += ONE[kind]
            drawn += 1
            can = kind in self.playable(hand, position.colour, position.symbol)
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
"""The hands of one card."""


def _candidates(colour: int, symbol: int) -> list[int]:
    """The kinds that match by colour or symbol, and the wild ones, the draw four last."""
    same = range(13 * colour, 13 * colour + 13)
    alike = [13 * other + symbol for other in range(4) if other != colour and symbol < NO_SYMBOL]
    return [*same, *alike, WILD, DRAW_FOUR]
