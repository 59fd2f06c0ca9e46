"""The rules as data: switches, where each comes from, and presets of them.

The sources are four descriptions of the game: the classic rules (a description of the original game
and its two-handed play), an encyclopedia's article, the rules of a free program called UnoCard, and
the printed rules of 2003. They differ, and every way they differ is a switch.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Drawn(StrEnum):
    """What becomes of a drawn card that can be played."""

    MUST = "must"
    MAY = "may"
    NEVER = "never"


class Stacking(StrEnum):
    """What a card that makes the next player draw can be answered with."""

    NONE = "none"
    SAME = "same"
    DRAWS = "draws"


class Draw(StrEnum):
    """How many cards one draws who does not play."""

    ONE = "one"
    UNTIL_PLAYABLE = "until-playable"


class LastCard(StrEnum):
    """Which card may be the last one."""

    ANY = "any"
    NUMBER = "number"


class PlusFour(StrEnum):
    """When a wild draw four may be played."""

    RESTRICTED = "restricted"
    FREE = "free"


class FirstCard(StrEnum):
    """Effect of the card that is turned up to begin the game."""

    NONE = "none"
    EFFECT = "effect"
    NO_DRAW = "no-draw"


MOST_RESHUFFLES = 3

DEFAULT = "nobody-skips"
"""The preset that stands when no rules are given."""

FORMER_NAMES: Mapping[str, str] = MappingProxyType({"official": DEFAULT})
"""Names of presets in older files, and what they are called now."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One value for each switch; those of ``nobody-skips`` when left out. See :data:`SWITCHES`."""

    must_play: bool = True
    play_drawn: Drawn = Drawn.MUST
    plus_four: PlusFour = PlusFour.RESTRICTED
    stacking: Stacking = Stacking.NONE
    last_card: LastCard = LastCard.ANY
    skip_answered_by_skip: bool = False
    effects_wear_off: bool = False
    draw: Draw = Draw.ONE
    first_card: FirstCard = FirstCard.NONE
    last_draws: bool = False
    reshuffles: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.reshuffles <= MOST_RESHUFFLES:
            raise ValueError(f"reshuffles: 0 to {MOST_RESHUFFLES} are allowed")
        if self.reshuffles and (self.effects_wear_off or self.first_card is FirstCard.NO_DRAW):
            raise ValueError("reshuffles: not where a card on the pile loses its symbol")


SWITCHES: Mapping[str, str] = MappingProxyType(
    {
        "must_play": "who can play must, as the paper assumes that nobody skips intentionally; all "
        "four texts let one draw instead",
        "play_drawn": "a drawn card that can be played is played (classic rules), may be (printed "
        "rules, encyclopedia, UnoCard), or never is until the next turn",
        "plus_four": "+4 only without a card of the colour in force (classic and printed rules, "
        "encyclopedia), or at any time (UnoCard)",
        "stacking": "nothing answers a draw card (classic rules: stacking is not allowed), the "
        "same one does and the sum is drawn (the house rule 'Progressive UNO' of the printed "
        "rules' program), or any draw card but +2 on +4 does (UnoCard)",
        "last_card": "any card may be the last one, or only a number (UnoCard)",
        "skip_answered_by_skip": "a skip takes the next player's turn at once, or can be handed on "
        "with a skip of one's own (UnoCard)",
        "effects_wear_off": "when a skip or a draw card has had its effect, only its colour is "
        "left to match (UnoCard), or its symbol too (all others)",
        "draw": "who does not play draws one card (all rules), or until one can be played",
        "first_card": "what is turned up to begin the game has no effect, or has it on the first "
        "player (classic and printed rules, encyclopedia), or has it but for a +2, of which only "
        "the colour counts, and a reverse (UnoCard); only for a card that is said to be turned up",
        "last_draws": "a last +2 or +4 makes the next player draw before points are counted "
        "(printed rules, encyclopedia), or not",
        "reshuffles": "how many times a draw pile that is used up is made of the cards laid so "
        "far, but for the top one, when a card has to be drawn: any number of times (printed "
        f"rules, encyclopedia), of which 0 to {MOST_RESHUFFLES} can be asked for here; since all "
        "cards are open the order is stated, red before yellow, green, blue and wild cards, each "
        "from 0 to 9, skip, reverse, +2",
    }
)
"""What each switch decides, and whose rule is which."""

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
    }
)
"""The rules that have a name: the four texts as they stand, and three of our own.

``nobody-skips`` is the paper's assumption, ``free-draw`` the same without it, and ``stacking`` has
the house rule "Progressive UNO" of the program that comes with the printed rules.
"""
