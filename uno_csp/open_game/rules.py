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


@dataclass(frozen=True, slots=True)
class Rules:
    """One value for each switch; those of ``official`` when left out. See :data:`SWITCHES`."""

    must_play: bool = True
    play_drawn: Drawn = Drawn.MUST
    plus_four: PlusFour = PlusFour.RESTRICTED
    stacking: Stacking = Stacking.NONE
    last_card: LastCard = LastCard.ANY
    skip_answered_by_skip: bool = False
    effects_wear_off: bool = False
    draw: Draw = Draw.ONE


SWITCHES: Mapping[str, str] = MappingProxyType(
    {
        "must_play": "who can play must, as the paper assumes that nobody skips intentionally; all "
        "four rules let one draw instead",
        "play_drawn": "a drawn card that can be played is played (classic rules), may be (printed "
        "rules, encyclopedia), or never is until the next turn",
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
    }
)
"""What each switch decides, and whose rule is which."""

PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        "official": Rules(),
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
        ),
    }
)
"""The rules that have a name."""
