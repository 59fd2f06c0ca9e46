"""What a person who plays knows of a game: the seat of player 1, who is to move."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

from uno_csp.agents.views import View, view_of_seat
from uno_csp.errors import NotAccepted
from uno_csp.open_game import PRESETS, Rules
from uno_csp.open_game.deck import COLOURS, deck, pack
from uno_csp.open_game.positions import Position
from uno_csp.open_game.rules import DEFAULT
from uno_csp.questions.arguments import iterated, plain_value
from uno_csp.questions.cards import Card, GivenCard, GivenHand, Hand
from uno_csp.questions.fields import validated
from uno_csp.questions.given_cards import normalised
from uno_csp.questions.open_game import (
    KINDS,
    MOST_PLAYERS,
    OpenGame,
    card_of,
    describe_card,
    start_symbol,
)
from uno_csp.questions.wording import shown


@dataclass(frozen=True, slots=True)
class Seat:
    """Knowledge of player 1, who is to move, about the game.

    Parameters
    ----------
    hand, after, colour
        Player 1's hand, the card on the pile, and the colour in force if that card is wild. Cards
        are written as in ``open-game``.
    others
        Number of cards each other player holds, in order of turns.
    seen
        Cards that are known to be in no hand and not in the draw pile: those played before. If the
        rules allow it, they become the draw pile when it is used up.
    rules
        The rules.

    Raises
    ------
    NotAccepted
        If the deck does not have that many cards, or there are too many players.
    InstanceError
        If a card, the colour or the rules are invalid.
    """

    hand: Hand
    after: Card
    others: tuple[int, ...]
    colour: str | None = None
    seen: Hand = ()
    rules: Rules = PRESETS[DEFAULT]

    if TYPE_CHECKING:

        def __init__(
            self,
            hand: GivenHand,
            after: GivenCard,
            others: Iterable[SupportsIndex],
            colour: str | None = None,
            seen: GivenHand = (),
            rules: Rules | str | Mapping[str, object] = PRESETS[DEFAULT],
        ) -> None: ...

    def __post_init__(self) -> None:
        for name, depth in (("hand", 1), ("after", 0), ("seen", 1)):
            given = getattr(self, name)
            object.__setattr__(self, name, normalised(given, depth, name, OpenGame.read_card))
        object.__setattr__(self, "rules", validated(OpenGame, "rules", self.rules))
        if self.colour is not None:
            object.__setattr__(self, "colour", validated(OpenGame, "colour", self.colour))
        raw: Any = self.others
        others = [*map(plain_value, raw)] if iterated(raw) else raw
        if not isinstance(others, list) or {*map(type, others)} - {int}:
            raise NotAccepted(
                f"others: {shown(others)} is not allowed; expected a list of integers"
            )
        object.__setattr__(self, "others", tuple(others))
        if len(self.others) >= MOST_PLAYERS:
            most = MOST_PLAYERS - 1
            raise NotAccepted(
                f"others: {len(self.others)} players are too many; at most {most} can play"
            )
        count = len(self.hidden)
        if not self.others or min(self.others) < 1 or sum(self.others) > count:
            raise NotAccepted(
                f"others: {list(self.others)} is not allowed; each player holds at least one of "
                f"the {count} hidden cards"
            )

    @property
    def hidden(self) -> list[Card]:
        """The cards whose place is unknown: another hand or the draw pile."""
        whole, given = Counter(map(card_of, deck())), Counter([*self.hand, self.after, *self.seen])
        for card in given - whole:
            copies = f"{given[card]} copies of {describe_card(card)}"
            raise NotAccepted(
                f"hand, after, seen: {copies} are not allowed; the deck has {whole[card]}"
            )
        return sorted((whole - given).elements(), key=str)

    def view(self) -> View:
        """Return what player 1 sees; the turns before are not known.

        Raises
        ------
        InstanceError
            If the card on the pile is wild and no colour is given, or another one than its own is.
        """
        hidden = self.hidden
        counts = (len(self.hand), *self.others)
        game = OpenGame((self.hand, tuple(hidden[:1])), after=self.after, colour=self.colour)
        colour = COLOURS.index(game.start_colour)
        symbol = start_symbol(KINDS[self.after], self.rules)
        hands = (pack([KINDS[card] for card in self.hand]), *[0] * len(self.others))
        position = Position(hands, colour, symbol, 0, 0, 1, 0, 0)
        unseen, seen = ([KINDS[card] for card in cards] for cards in (hidden, self.seen))
        return view_of_seat(position, counts, unseen, self.rules, seen)
