"""``cooperative``: whether all players together can empty player 1's hand first."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Unpack

from uno_csp.errors import InstanceError
from uno_csp.questions.cards import GivenCard, GivenHands
from uno_csp.questions.fields import PileField
from uno_csp.questions.instance import Common, HandsOfPlayers, require_no_empty_hand


@dataclass(frozen=True, slots=True)
class Cooperative(HandsOfPlayers):
    """Decide whether all players together can empty player 1's hand before any other hand.

    The paper's Cooperative Uno-p. Turns go round, starting with player 1. A player with a matching
    card must play one; a player without is skipped, and the last card played still has to be
    matched.

    Parameters
    ----------
    after
        A card already on the discard pile, which the first card played must match.

    Raises
    ------
    InstanceError
        As for any question; or if there are no hands, or one is empty.
    """

    question: ClassVar[str] = "cooperative"
    title: ClassVar[str] = "Can we all help player 1?"
    yes: ClassVar[str] = "all together can empty player 1's hand first"
    no: ClassVar[str] = "all together cannot empty player 1's hand first"
    shows: ClassVar[tuple[str, ...]] = ("plays",)
    names_are_free: ClassVar[bool] = True

    after: PileField = field(default=None, kw_only=True)

    if TYPE_CHECKING:

        def __init__(
            self, hands: GivenHands, *, after: GivenCard | None = None, **common: Unpack[Common]
        ) -> None: ...

    def require_rules(self) -> None:
        """Raise unless there are hands and none is empty."""
        if not self.hands:
            raise InstanceError("hands: there are none; one for each player is needed")
        require_no_empty_hand(self.hands, "every player needs a card")
