"""``open-game``: who wins real UNO, with all cards open."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, SupportsIndex, Unpack

from pydantic import BeforeValidator, Field, InstanceOf, Strict, WithJsonSchema
from typing_extensions import TypeAliasType

from uno_csp.errors import InstanceError, meant
from uno_csp.open_game import PRESETS, SWITCHES, Rules, kind_of
from uno_csp.open_game.deck import (
    COLOURS,
    DRAW_FOUR,
    DRAW_TWO,
    MOST_DECKS,
    SKIP,
    code_of,
    deck,
    pack,
)
from uno_csp.open_game.deck import WILD as WILD_KINDS
from uno_csp.open_game.moves import NO_SYMBOL, symbol_of
from uno_csp.open_game.positions import Game, Position
from uno_csp.open_game.rules import DEFAULT, FORMER_NAMES, MOST_RESHUFFLES, FirstCard, Stacking
from uno_csp.questions import codes
from uno_csp.questions.answers import Answer, Status
from uno_csp.questions.arguments import listed, plain_value
from uno_csp.questions.cards import WILD, Card, GivenCard, GivenHand, GivenHands, Hand
from uno_csp.questions.fields import CARD_SCHEMA, PLAIN, Allowed, Held, NotNull, card_lists
from uno_csp.questions.given_cards import WANTED
from uno_csp.questions.instance import Common, HandsOfPlayers, require_no_empty_hand
from uno_csp.questions.wording import counted, describe, shown

if TYPE_CHECKING:
    import numpy as np

MOST_PLAYERS = 10
_CARD = "a card is a code of the official deck: R, Y, G or B with 0-9, S, R or +2; or W; or +4"
_LIST, _CODE = CARD_SCHEMA["anyOf"]
OfficialCard = TypeAliasType(
    "OfficialCard",
    Annotated[Card, WithJsonSchema({"anyOf": [_CODE, {**_LIST, "minItems": 2, "maxItems": 2}]})],
)


def card_of(kind: int) -> Card:
    """Return the card of a kind: (colour, symbol), with ``*`` as the colour of a wild card.

    >>> card_of(5), card_of(10), card_of(53)
    (('red', 5), ('red', 'skip'), ('*', '+4'))
    """
    if kind >= WILD_KINDS:
        return (WILD, "wild" if kind == WILD_KINDS else "+4")
    return codes.card_of_code(code_of(kind))


KINDS: Mapping[Card, int] = {card_of(kind): kind for kind in range(54)}  # the kind of each card


def official_card(raw: object, place: str) -> Card:
    """Convert a code, or two attributes, to a card of the official deck.

    Raises InstanceError if it is no such card; the message names the place.

    >>> official_card("b+2", "hand[0]")
    ('blue', '+2')
    """
    raw, kind = listed(plain_value(raw)), None
    if isinstance(raw, str):
        kind = kind_of(codes.canonical(raw) or raw)
    elif isinstance(raw, list | tuple):
        values = tuple(map(plain_value, raw))
        kind = KINDS.get(values) if all(type(each) in (int, str) for each in values) else None
    if kind is None:
        raise InstanceError(f"{place}: {shown(raw)} is not allowed; {_CARD}")
    return card_of(kind)


def rules_of(raw: object) -> Rules:
    """Convert a preset's name, or an object of switches, to rules; or raise InstanceError."""
    try:
        return _rules(raw)
    except ValueError as error:
        raise InstanceError(f"rules: {error}") from None


def _rules(raw: Any) -> Rules:
    """Convert the name of a preset, or an object of switches, to rules."""
    names = ", ".join(PRESETS)
    if isinstance(raw, Rules):
        return raw
    if not isinstance(raw, str | Mapping):
        raise ValueError(f"{shown(raw)} is not allowed; expected a name ({names}) or an object")
    place, switches = ("", {"preset": raw}) if isinstance(raw, str) else ("preset: ", dict(raw))
    preset = switches.pop("preset", DEFAULT)
    preset = FORMER_NAMES.get(preset, preset) if isinstance(preset, str) else preset
    if not isinstance(preset, str) or preset not in PRESETS:
        raise ValueError(f"{place}{shown(preset)} is not allowed; there are: {names}")
    chosen: dict[str, Any] = {}
    for each in fields(Rules):
        if each.name in switches:
            chosen[each.name] = _switch(each.name, each.default, switches.pop(each.name))
    if switches:
        unknown = next(iter(switches))
        near = meant(unknown, SWITCHES) if isinstance(unknown, str) else ""
        listed = ", ".join(SWITCHES)
        raise ValueError(f"{shown(unknown)} is not a switch; {near}there are: {listed}")
    return replace(PRESETS[preset], **chosen)


def _switch(name: str, default: Any, value: object) -> object:
    """Return the value of one switch, converted to the type of its default."""
    kind: Any = type(default)
    value = plain_value(value)
    if kind is bool:
        fits, allowed = isinstance(value, bool), "true or false"
    elif kind is int:
        fits = type(value) is int and value in range(MOST_RESHUFFLES + 1)
        allowed = f"0 to {MOST_RESHUFFLES}"
    else:
        fits, allowed = isinstance(value, str) and value in list(kind), ", ".join(kind)
    if not fits:
        raise ValueError(f"{name}: {shown(value)} is not allowed; expected {allowed}")
    return kind(value)


_JsonRules = Annotated[
    InstanceOf[Rules],
    BeforeValidator(_rules),
    WithJsonSchema({"anyOf": [{"type": "string", "enum": list(PRESETS)}, {"type": "object"}]}),
]


class Goal(StrEnum):
    """Goal of the players: all against player 1, or all together for her."""

    WIN = "win"
    TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class OpenGame(HandsOfPlayers):
    """Decide whether player 1 can force an empty hand first, with all cards open.

    UNO with action cards and a draw pile of known order. With three or more players all others play
    against player 1. With the goal ``together`` all players help her, and the objective is the
    fewest turns until her hand is empty. A turn in which a player draws or passes counts; a turn
    lost to a skip, a +2 or a +4 does not.

    Parameters
    ----------
    hands
        One hand for each player, of cards of the official deck.
    after
        The card on top of the discard pile; its effect is over, unless it was turned up.
    turned_up
        Whether that card has just been turned up to begin the game, so that the rules may give it
        an effect on the player to move.
    colour
        The colour in force, required if that card is wild.
    draw
        The draw pile, the next card first.
    rules
        The name of a preset, or switches that override one: :data:`uno_csp.open_game.SWITCHES`.
    goal
        ``win``: against everybody; or ``together``: with everybody's help, in the fewest turns.
    to_move, direction
        The player to move, and the direction of play: 1 in the order of the hands, else -1.
    decks
        The number of decks that the cards come from.

    Raises
    ------
    InstanceError
        When there are too few or too many players, an empty hand, a card more often than the deck
        has it, or a wild card on the pile without a colour.
    """

    question: ClassVar[str] = "open-game"
    title: ClassVar[str] = "Who wins the real game, with open cards?"
    yes: ClassVar[str] = "player 1 can force a win"
    no: ClassVar[str] = "player 1 cannot force a win"
    shows: ClassVar[tuple[str, ...]] = ("strategy",)
    by_attributes: ClassVar[bool] = False
    how_played: ClassVar[str] = (
        "The real game: action cards have their effects and cards are drawn; all of them are open."
    )

    hands: Annotated[tuple[Hand, ...], NotNull(WANTED[2], list[list[OfficialCard]]), Held(2)]
    _: KW_ONLY
    # field() hides the default that a question without this key has
    after: Annotated[Card, NotNull(_CARD, OfficialCard), Held(0)] = field()
    colour: Annotated[
        Annotated[str, Field(pattern=f"^({'|'.join(COLOURS)})$")] | None,
        Allowed((f"expected {', '.join(COLOURS)}",)),
    ] = None
    draw: Annotated[Hand, NotNull(WANTED[1], list[OfficialCard]), Held(1)] = ()
    rules: Annotated[
        _JsonRules,
        Allowed(("expected a preset or an object of switches",)),
        Field(json_schema_extra={"default": DEFAULT}),
    ] = PRESETS[DEFAULT]
    goal: Annotated[Goal, Allowed(("expected win or together",))] = Goal.WIN
    to_move: Annotated[
        int, Strict(), Field(ge=1), PLAIN, Allowed(("expected the number of a player",))
    ] = 1
    direction: Annotated[int, Strict(), PLAIN, Allowed(("expected 1 or -1",))] = 1
    turned_up: Annotated[bool, Strict(), PLAIN, Allowed(("expected true or false",))] = False
    decks: Annotated[
        int, Strict(), Field(ge=1, le=MOST_DECKS), PLAIN, Allowed((f"expected 1 to {MOST_DECKS}",))
    ] = 1

    if TYPE_CHECKING:

        def __init__(  # noqa: PLR0913 (one for each field)
            self,
            hands: GivenHands,
            *,
            after: GivenCard,
            colour: str | None = None,
            draw: GivenHand = (),
            rules: Rules | str | Mapping[str, object] = PRESETS[DEFAULT],
            goal: Goal | str = Goal.WIN,
            to_move: SupportsIndex = 1,
            direction: SupportsIndex = 1,
            turned_up: bool | np.bool_ = False,
            decks: SupportsIndex = 1,
            **common: Unpack[Common],
        ) -> None: ...

    @staticmethod
    def read_card(given: object, place: str) -> Card:
        """Convert a value that a program passes to a card of the official deck."""
        return official_card(given, place)

    def require_rules(self) -> None:
        """Raise unless players, cards and colour are possible in this game."""
        count = len(self.hands)
        if not 2 <= count <= MOST_PLAYERS:
            raise InstanceError(f"hands: {counted(count, 'player')}; 2 to {MOST_PLAYERS} can play")
        require_no_empty_hand(self.hands, "the game is over")
        if self.at_least != 1:
            raise InstanceError("at_least: in the real game one attribute must agree")
        if self.to_move > count:
            raise InstanceError(f"to_move: there is no player {shown(self.to_move)}")
        if self.direction not in (1, -1):
            raise InstanceError(
                f"direction: {shown(self.direction)} is not allowed; expected 1 or -1"
            )
        if self.turned_up and self.after == card_of(DRAW_FOUR):
            raise InstanceError("turned_up: a wild +4 that is turned up goes back into the pile")
        self._require_colour()
        self._require_cards()

    def _require_colour(self) -> None:
        own = self.after[0]
        if own == WILD and self.colour is None:
            raise InstanceError(f"colour: missing; {describe_card(self.after)} has none of its own")
        if own not in (WILD, self.colour) and self.colour is not None:
            raise InstanceError(f"colour: {describe_card(self.after)} is {own}")

    def _require_cards(self) -> None:
        held = Counter({card: count * self.decks for card, count in _DECK.items()})
        for place, cards in card_lists(self):
            for index, card in enumerate(cards):
                held[card] -= 1
                if held[card] < 0:
                    where = place if place == "after" else f"{place}[{index}]"
                    most = _DECK[card] * self.decks
                    raise InstanceError(f"{where}: there are only {most} of {describe_card(card)}")

    @property
    def start_colour(self) -> str:
        """The colour in force."""
        return str(self.colour or self.after[0])

    @property
    def optimises(self) -> bool:
        """True if the question asks for the fewest turns."""
        return self.goal is Goal.TOGETHER

    def meaning(self, answer: Answer) -> str:
        """Return what an answer means, in a few words."""
        if self.optimises:
            return _fewest(answer)
        winner = (answer.strategy or {}).get("winner", 0)
        if answer.status is Status.UNSATISFIABLE and len(self.hands) == 2:
            return "nobody can force a win" if winner is None else "player 2 can force a win"
        return HandsOfPlayers.meaning(self, answer)


def start_of(instance: OpenGame) -> tuple[Game, Position]:
    """Return the game of a question and its first position."""
    draw = [KINDS[card] for card in instance.draw]
    top = KINDS[instance.after]
    hands = tuple(pack([KINDS[card] for card in hand]) for hand in instance.hands)
    everything = sum(hands) + pack([*draw, top])
    game = Game(instance.rules, draw, len(instance.hands), everything)
    colour = COLOURS.index(instance.start_colour)
    first = instance.to_move - 1
    acts = instance.turned_up and instance.rules.first_card is not FirstCard.NONE
    symbol = top % 13 if acts and top < WILD_KINDS else start_symbol(top, instance.rules)
    start = Position(hands, colour, symbol, 0, first, instance.direction, 0, 0)
    return game, game.turned_up(start) if acts else start


def start_symbol(top: int, rules: Rules) -> int:
    """Return the symbol to match on a card, by its kind, whose effect is over."""
    symbol = symbol_of(top)
    worn = top >= WILD_KINDS or symbol in (SKIP, DRAW_TWO)
    return NO_SYMBOL if worn and rules.effects_wear_off else symbol


def _fewest(answer: Answer) -> str:
    """Return what an answer to the goal ``together`` means, in a few words."""
    if answer.status is Status.UNSATISFIABLE:
        return "player 1 cannot win, even with everybody's help"
    least = "" if answer.bound is None else f" at least {counted(answer.bound, 'turn')}"
    if answer.objective is None:
        return f"player 1 needs{least}" if least else "no line of play was found"
    verdict = f"player 1 can be out after {counted(answer.objective, 'turn')}"
    if answer.status is Status.OPTIMAL:
        return verdict
    return f"{verdict}; needs{least or ' at least one'}"


def dealt(
    sizes: Sequence[int], seed: int, rules: Rules = PRESETS[DEFAULT], decks: int = 1
) -> OpenGame:
    """Return a game dealt from a shuffled deck: hands, a card turned up, and the draw pile.

    If the rules give the first card no effect, the first number is turned up, and the cards before
    it stay in the draw pile. Else it is the next card: a wild +4 is shuffled back into the pile,
    and by UnoCard's rules every wild card is put under it. By the texts the first player names the
    colour of a wild card, here the one of most cards in the hand; in RLCard it is drawn by lot.

    Raises InstanceError when the deck has too few cards, or there are too few or too many players.

    >>> game = dealt((7, 7), seed=3)
    >>> len(game.draw), game.after
    (93, ('green', 2))
    """
    cards, rng = deck() * decks, random.Random(seed)
    if sum(sizes) >= len(cards) or min(sizes, default=0) < 1:
        raise InstanceError(f"cards: {list(sizes)} cannot be dealt from {len(cards)} cards")
    rng.shuffle(cards)
    hands = []
    for size in sizes:
        hands.append(tuple(map(card_of, cards[:size])))
        del cards[:size]
    try:
        after = card_of(_turn_up(cards, rules.first_card, rng))
    except IndexError:
        raise InstanceError(
            f"cards: with {list(sizes)} dealt no card is left that can be turned up"
        ) from None
    colour = None
    if after[0] == WILD:
        by_lot = rules.first_card is FirstCard.KEEP_TURN
        colour = rng.choice(COLOURS) if by_lot else most_frequent_colour(hands[0])
    name = f"{'+'.join(map(str, sizes))} cards dealt, seed {seed}"
    return OpenGame(
        tuple(hands),
        after=after,
        colour=colour,
        draw=tuple(map(card_of, cards)),
        rules=rules,
        decks=decks,
        turned_up=rules.first_card is not FirstCard.NONE,
        name=name,
    )


def _turn_up(cards: list[int], how: FirstCard, rng: random.Random) -> int:
    """Take the card that is turned up from a shuffled pile; raise IndexError if there is none."""
    if how is FirstCard.NONE:
        numbers = [at for at, kind in enumerate(cards) if kind < WILD_KINDS and kind % 13 < SKIP]
        return cards.pop(numbers[0])
    refused = range(WILD_KINDS if how is FirstCard.NO_DRAW else DRAW_FOUR, DRAW_FOUR + 1)
    if {*cards} <= {*refused}:
        raise IndexError
    while cards[0] in refused:
        if how is FirstCard.NO_DRAW:
            cards.append(cards.pop(0))
        else:
            rng.shuffle(cards)
    return cards.pop(0)


def most_frequent_colour(hand: Hand) -> str:
    """Return the colour of which a hand has most cards; of equals the first one.

    >>> most_frequent_colour((("green", 5), ("*", "wild"), ("green", 6), ("red", 5)))
    'green'
    """
    held = Counter(card[0] for card in hand)
    return max(COLOURS, key=held.__getitem__)


def effect_of_first_card(instance: OpenGame) -> str:
    """Return what the card that was turned up did, in a sentence; empty if it did nothing.

    It stays a sentence if "you" takes the place of a player.

    >>> game = OpenGame((("R5",), ("B5",)), after="Y+2", draw=("R1", "R2"),
    ...                 rules="classic", turned_up=True)
    >>> effect_of_first_card(game)
    'Yellow +2 was turned up: player 1 drew 2 cards and missed the turn.'
    """
    how, card = instance.rules.first_card, instance.after
    if not instance.turned_up or how is FirstCard.NONE or type(card[1]) is int:
        return ""
    name = describe_card(card)
    effect = _effect(instance, str(card[1]))
    return f"{name[0].upper()}{name[1:]} was turned up: {effect}."


def _effect(instance: OpenGame, symbol: str) -> str:
    rules, players = instance.rules, len(instance.hands)
    how, player = rules.first_card, f"player {instance.to_move}"
    dealer = (instance.to_move - 1 - instance.direction) % players + 1
    cards = counted(min(2, len(instance.draw)), "card")
    if symbol == "wild":
        by_lot, colour = how is FirstCard.KEEP_TURN, instance.colour
        return f"{colour} was drawn by lot" if by_lot else f"{player} named {colour}"
    if how is FirstCard.NO_DRAW and symbol != "skip":
        return "only its colour counts" if symbol == "+2" else "it has no effect"
    if symbol == "reverse":
        return f"play begins with player {dealer}, the dealer, and goes the other way"
    if symbol == "skip":
        waits = rules.skip_answered_by_skip
        answer = f"{player} must play a skip or miss the turn"
        return answer if waits else f"{player} missed the turn"
    if how is FirstCard.KEEP_TURN:
        return f"{player} drew {cards} and kept the turn"
    if rules.stacking is not Stacking.NONE:
        return f"{player} must answer it, or draw {cards} and miss the turn"
    return f"{player} drew {cards} and missed the turn"


def describe_card(card: Card) -> str:
    """Return a card in words.

    >>> describe_card(("*", "+4")), describe_card(("red", 5))
    ('wild +4', 'red 5')
    """
    if card == (WILD, "wild"):
        return "wild"
    return f"wild {card[1]}" if card[0] == WILD else describe(card)


_DECK = Counter(card_of(kind) for kind in deck())
