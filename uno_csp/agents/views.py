"""What a seat sees of a game: its own hand, the pile, numbers of cards, and the turns so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from typing import Any, NamedTuple, TypeAlias

from uno_csp.algorithms.stepping import GameState
from uno_csp.errors import NotAccepted
from uno_csp.open_game.deck import COLOURS, DRAW_FOUR, ONE, WILD, code_of, pack, summary, unpack
from uno_csp.open_game.moves import FOUR, NO_SYMBOL, SKIPPED
from uno_csp.open_game.positions import Game, Move, Outcome, Position
from uno_csp.open_game.rules import Rules
from uno_csp.open_game.telling import SHOWN, move_to_dict

Turn: TypeAlias = Mapping[str, Any]  # `draws`, and maybe `lays` and `names`, as in an answer
DRAW: Turn = {"draws": 1}  # the choice to draw, for any card and, with some rules, several


class Event(NamedTuple):
    """A turn as everybody sees it."""

    before: Position  # the position before it, without the hands
    # the number of cards of each player before and after it
    counts: tuple[int, ...]
    after: tuple[int, ...]
    move: Move  # the number of cards drawn, the kind of the card played, and the colour named


@dataclass(frozen=True, slots=True)
class View:
    """The view of the player to move, and the choices."""

    # the position before the turn, with the player's own hand; the other hands are empty
    position: Position
    counts: tuple[int, ...]  # the number of cards of each player
    unseen: tuple[int, ...]  # the kinds of the cards in other hands and in the draw pile, in order
    pile: int  # the number of cards in the draw pile
    rules: Rules  # the rules
    # what the player can choose from, in the order of the legal moves; before a card is drawn, all
    # moves that draw are the last one, `DRAW`
    choices: tuple[Turn, ...]
    # the kinds of the cards that the player has just drawn and has to decide about; they still
    # count as cards of the pile, and as unseen. Empty at the beginning of a turn.
    drawn: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()  # the turns so far; none if they are not known
    # how many times the draw pile may still be replaced, and the kinds of the cards played, without
    # the top one, which are then shuffled; none if it may not
    reshuffles: int = 0
    under: tuple[int, ...] = ()

    @property
    def player(self) -> int:
        """The player to move, counted from 1."""
        return self.position.player + 1

    @property
    def hand(self) -> list[str]:
        """The codes of the player's cards, those just drawn last."""
        kinds = [*unpack(self.position.hands[self.position.player]), *self.drawn]
        return list(map(code_of, kinds))

    @property
    def hidden(self) -> list[int]:
        """The kinds of the unseen cards, without those just drawn."""
        left = list(self.unseen)
        for kind in self.drawn:
            left.remove(kind)
        return left

    @property
    def everything(self) -> int:
        """All cards of the game, packed: those of a reshuffle, the top one, and the others."""
        position = self.position
        return position.hands[position.player] + pack([*self.unseen, *self.under, top_of(position)])

    @property
    def colour(self) -> str:
        """The colour in force."""
        return COLOURS[self.position.colour]

    @property
    def symbol(self) -> str | None:
        """The symbol to match; None if there is none."""
        return SHOWN.get(self.position.symbol)

    @property
    def pending(self) -> int | str:
        """The number of cards that the player has to draw, or ``skip``, unless it is passed on."""
        return "skip" if self.position.pending == SKIPPED else self.position.pending


def top_of(position: Position) -> int:
    """Return the kind of the card on the pile, in a game in which it keeps its symbol."""
    if position.symbol < NO_SYMBOL:
        return 13 * position.colour + position.symbol
    return DRAW_FOUR if position.symbol == FOUR else WILD


def choices_of(moves: Sequence[Move], pending: bool, drawn: bool) -> tuple[Turn, ...]:
    """Return what a player chooses from among moves, before or after a card is drawn."""
    if pending or not any(move.drawn for move in moves):
        return tuple(map(move_to_dict, moves))
    if drawn:
        return tuple(move_to_dict(move) for move in moves if move.drawn)
    return (*(move_to_dict(move) for move in moves if not move.drawn), DRAW)


def view_of_seat(
    position: Position,
    counts: Sequence[int],
    unseen: Sequence[int],
    rules: Rules,
    under: Sequence[int] = (),
) -> View:
    """Return what the player to move sees if the turns so far are not known.

    ``under`` has the cards played, without the top one.
    """
    hidden = tuple(sorted(unseen))
    pile = max(0, len(hidden) - sum(counts) + counts[position.player])
    cards = position.hands[position.player] + pack([*under, top_of(position)])
    game = Game(rules, hidden[:pile], len(counts), cards)
    moves = [move for move, _ in game.moves(position)]
    choices = choices_of(moves, False, False)
    played = tuple(sorted(under)) if rules.reshuffles else ()
    return View(
        position,
        tuple(counts),
        hidden,
        pile,
        rules,
        choices,
        reshuffles=rules.reshuffles,
        under=played,
    )


def view_of(state: GameState, drawn: bool = False) -> View:
    """Return what the player to move sees; raise NotAccepted if the game is over."""
    position = state.outcome
    if isinstance(position, int):
        raise NotAccepted("the game is over")
    own = position.player
    ready = state.game.refilled(position) if drawn else position
    reshuffles = state.game.rules.reshuffles - ready.filled
    pile = state.game.pile(ready)
    others = [hand for at, hand in enumerate(position.hands) if at != own]
    moves = [move for move, _ in state.successors()]
    count = next((move.drawn for move in moves if move.drawn), 0) if drawn else 0
    return View(
        position=seen_by(own, position),
        counts=counts_of(position),
        unseen=tuple(sorted([*pile, *(kind for hand in others for kind in unpack(hand))])),
        pile=len(pile),
        rules=state.game.rules,
        choices=choices_of(moves, bool(position.pending), drawn),
        drawn=tuple(pile[:count]),
        events=tuple(_event(*turn) for turn in state.history),
        reshuffles=reshuffles,
        under=_under(state.game, ready) if reshuffles else (),
    )


def _under(game: Game, position: Position) -> tuple[int, ...]:
    """Return the kinds of the cards played, without the top one."""
    elsewhere = sum(position.hands) + pack([*game.pile(position), top_of(position)])
    everything = sum(map(mul, game.setup.cards, ONE))
    return tuple(unpack(everything - elsewhere))


def seen_by(own: int, position: Position) -> Position:
    """Return a position without the other hands and the place in the draw pile."""
    hands = tuple(hand if at == own else 0 for at, hand in enumerate(position.hands))
    return position._replace(hands=hands, at=0, filled=0, stock=0)


def counts_of(position: Position) -> tuple[int, ...]:
    """Return the number of cards of each player."""
    return tuple(summary(hand)[0] for hand in position.hands)


@lru_cache(maxsize=4096)
def _event(before: Position, move: Move, outcome: Outcome) -> Event:
    counts = counts_of(before)
    after = counts if isinstance(outcome, int) else counts_of(outcome)
    return Event(seen_by(-1, before), counts, after, move)
