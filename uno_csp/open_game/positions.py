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
    ONE,
    REVERSE,
    SKIP,
    WILD,
)
from uno_csp.open_game.rules import Draw, Drawn, LastCard, PlusFour, Rules, Stacking

NOBODY = -1
"""Who wins when all pass in a row."""

NO_SYMBOL, FOUR = 13, 14
"""What lies on the pile has no symbol any more, or it is a wild draw four."""

SKIPPED = -1
"""The next player is skipped unless the skip is handed on."""


class Position(NamedTuple):
    """What matters for the rest of the game; players and directions as numbers, from 0 on.

    ``pending`` is how many cards the player to move has to draw, or :data:`SKIPPED`; ``at`` is how
    many cards of the draw pile are gone; ``passes`` is how many have passed in a row.
    """

    hands: tuple[int, ...]
    colour: int
    symbol: int
    at: int
    player: int
    direction: int
    pending: int
    passes: int


class Move(NamedTuple):
    """A turn: how many cards are drawn, the kind that is laid, and the colour then named."""

    drawn: int
    kind: int | None
    colour: int | None


Outcome: TypeAlias = Position | int
"""What follows a move: a position, or who wins."""


class Game:
    """The rules for one draw pile."""

    def __init__(self, rules: Rules, draw: Sequence[int], players: int) -> None:
        self.rules = rules
        self.draw = tuple(draw)
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
        if position.at < len(self.draw):
            found += self._draw(position, hand)
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

    def _after(
        self, position: Position, hands: tuple[int, ...], at: int, colour: int, symbol: int
    ) -> Position:
        """The effect of a card that was laid."""
        players, direction, rules = self.players, position.direction, self.rules
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
                hands, at = self._give(hands, at, following, count)
                following = (following + direction) % players
                symbol = self._worn(symbol)
        return Position(hands, colour, symbol, at, following, direction, pending, 0)

    def _worn(self, symbol: int) -> int:
        """What is left to match of a card that has had its effect."""
        return NO_SYMBOL if self.rules.effects_wear_off else symbol

    def _give(
        self, hands: tuple[int, ...], at: int, player: int, count: int
    ) -> tuple[tuple[int, ...], int]:
        """Let a player draw so many cards, or as many as there are."""
        cards = self.draw[at : at + count]
        own = hands[player]
        for kind in cards:
            own += ONE[kind]
        return (*hands[:player], own, *hands[player + 1 :]), at + len(cards)

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
        hands, at, count = position.hands, position.at, max(position.pending, 0)
        hands, at = self._give(hands, at, position.player, count)
        symbol = self._worn(position.symbol)
        following = (position.player + position.direction) % self.players
        after = Position(hands, position.colour, symbol, at, following, position.direction, 0, 0)
        return Move(at - position.at, None, None), after

    def _draw(self, position: Position, hand: int) -> Iterator[tuple[Move, Outcome]]:
        """Draw, and play the card or keep it."""
        rules, drawn, kind = self.rules, 0, -1
        while position.at + drawn < len(self.draw):
            kind = self.draw[position.at + drawn]
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
