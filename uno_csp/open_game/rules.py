"""The rules as data: switches, their sources, and presets.

The sources are four descriptions of the game: the classic rules (a description of the original game
and its two-handed play), an encyclopedia's article, the rules of a free program called UnoCard, and
the printed rules of 2003. Every difference between them is a switch, and so is what the engine of
RLCard, a toolkit for learning to play, does differently.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Drawn(StrEnum):
    """Rule for a drawn card that fits: it must, may or may not be played at once."""

    MUST = "must"
    MAY = "may"
    NEVER = "never"


class Stacking(StrEnum):
    """Cards that can answer a +2 or +4: none, an equal one, or any draw card but +2 on +4."""

    NONE = "none"
    SAME = "same"
    DRAWS = "draws"


class Draw(StrEnum):
    """Number of cards drawn by a player who does not play."""

    ONE = "one"
    UNTIL_PLAYABLE = "until-playable"


class LastCard(StrEnum):
    """Kinds of cards that may be played last."""

    ANY = "any"
    NUMBER = "number"


class PlusFour(StrEnum):
    """Condition for playing a wild draw four."""

    RESTRICTED = "restricted"
    FREE = "free"
    LAST_RESORT = "last-resort"


class FirstCard(StrEnum):
    """Effect of the card that is turned up to begin the game."""

    NONE = "none"
    EFFECT = "effect"
    NO_DRAW = "no-draw"
    KEEP_TURN = "keep-turn"


MOST_RESHUFFLES = 3

DEFAULT = "nobody-skips"  # the preset used if no rules are given

FORMER_NAMES: Mapping[str, str] = MappingProxyType({"official": DEFAULT})
"""Former names of presets, found in older files, with their present names."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Values of the switches (:data:`SWITCHES`); the defaults are those of ``nobody-skips``."""

    must_play: bool = True
    play_drawn: Drawn = Drawn.MUST
    drawn_by_colour: bool = False
    plus_four: PlusFour = PlusFour.RESTRICTED
    stacking: Stacking = Stacking.NONE
    last_card: LastCard = LastCard.ANY
    skip_answered_by_skip: bool = False
    reverse_skips: bool = True
    effects_wear_off: bool = False
    draw: Draw = Draw.ONE
    first_card: FirstCard = FirstCard.NONE
    last_draws: bool = False
    reshuffles: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.reshuffles <= MOST_RESHUFFLES:
            raise ValueError(f"reshuffles: 0 to {MOST_RESHUFFLES} are allowed")
        if self.reshuffles and (self.effects_wear_off or self.first_card is FirstCard.NO_DRAW):
            raise ValueError("reshuffles: not allowed if a card on the pile loses its symbol")


SWITCHES: Mapping[str, str] = MappingProxyType(
    {
        "must_play": "a player who can play must, as the paper assumes that nobody skips "
        "intentionally; all four texts allow drawing instead",
        "play_drawn": "a drawn card that can be played must be played (classic rules), may be "
        "played (printed rules, encyclopedia, UnoCard), or must be kept until the next turn",
        "drawn_by_colour": "a drawn card can be played if it matches the colour or the symbol (all "
        "texts), or only if it matches the colour or is wild (the engine of RLCard)",
        "plus_four": "+4 only without a card of the colour in force (classic and printed rules, "
        "encyclopedia), at any time (UnoCard), or only if no other card can be played (RLCard)",
        "stacking": "a draw card cannot be answered (classic rules: stacking is not allowed), can "
        "be answered by an equal one, so that the sum is drawn (the house rule 'Progressive UNO' "
        "of the printed rules' program), or by any draw card but +2 on +4 (UnoCard)",
        "last_card": "any card may be the last one, or only a number (UnoCard)",
        "skip_answered_by_skip": "a skip takes the next player's turn at once, or can be passed on "
        "with a skip of one's own (UnoCard)",
        "reverse_skips": "a reverse is a skip between two players (all four texts), or does "
        "nothing there (RLCard)",
        "effects_wear_off": "when a skip or a draw card has had its effect, only its colour can be "
        "matched (UnoCard), or its symbol too (all others)",
        "draw": "a player who does not play draws one card (all rules), or draws until one can be "
        "played",
        "first_card": "the card turned up to begin the game has no effect, has its effect on the "
        "first player (classic and printed rules, encyclopedia), has it unless it is a reverse or "
        "a +2, of which only the colour counts (UnoCard), or has it, but whoever draws for a +2 "
        "keeps the turn (RLCard); only if 'turned_up' is set",
        "last_draws": "a last +2 or +4 makes the next player draw before points are counted "
        "(printed rules, encyclopedia), or not",
        "reshuffles": "how many times a used-up draw pile is replaced by the cards played so far, "
        "except the top one, when a card has to be drawn: any number of times (printed rules, "
        f"encyclopedia), here 0 to {MOST_RESHUFFLES}; since all cards are open, the new order is "
        "fixed: red, yellow, green, blue, wild, and in each colour 0 to 9, skip, reverse, +2",
    }
)
"""The decision of each switch, and the source of each of its values."""

_AS_PRINTED = Rules(
    must_play=False,
    play_drawn=Drawn.MAY,
    first_card=FirstCard.EFFECT,
    last_draws=True,
    reshuffles=1,
)

PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        DEFAULT: Rules(),
        "classic": Rules(must_play=False, first_card=FirstCard.EFFECT),
        "printed-2003": _AS_PRINTED,
        "encyclopedia": _AS_PRINTED,
        "free-draw": Rules(must_play=False, play_drawn=Drawn.MAY),
        "stacking": Rules(stacking=Stacking.SAME),
        "unocard": Rules(
            must_play=False,
            play_drawn=Drawn.MAY,
            plus_four=PlusFour.FREE,
            stacking=Stacking.DRAWS,
            last_card=LastCard.NUMBER,
            skip_answered_by_skip=True,
            effects_wear_off=True,
            first_card=FirstCard.NO_DRAW,
        ),
        "rlcard": Rules(
            drawn_by_colour=True,
            plus_four=PlusFour.LAST_RESORT,
            reverse_skips=False,
            first_card=FirstCard.KEEP_TURN,
        ),
    }
)
"""The named rules: the four texts, those of the engine of RLCard, and three of our own.

``nobody-skips`` is the paper's assumption, ``free-draw`` lifts it and lets a player keep a drawn
card, and ``stacking`` adds the house rule "Progressive UNO" of the printed rules' program.
"""
