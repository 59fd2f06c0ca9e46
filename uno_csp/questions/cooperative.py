"""``cooperative``: whether all together can help player 1."""

from dataclasses import dataclass, field
from typing import ClassVar

from uno_csp.errors import InstanceError
from uno_csp.questions.fields import PileField
from uno_csp.questions.instance import HandsOfPlayers


@dataclass(frozen=True, slots=True)
class Cooperative(HandsOfPlayers):
    """Whether all players together can empty player 1's hand before any other hand is empty.

    The paper's Cooperative Uno-p. Turns go round from player 1; who holds a matching card must
    play one, who holds none is skipped, and the card to match stays the last one played.

    Parameters
    ----------
    after
        A card already on the discard pile, which the first card played must match.

    Raises
    ------
    InstanceError
        As for any question; or when there is no hand, or an empty one.
    """

    question: ClassVar[str] = "cooperative"
    title: ClassVar[str] = "Can we all help player 1?"
    yes: ClassVar[str] = "all together can empty player 1's hand first"
    no: ClassVar[str] = "all together cannot empty player 1's hand first"
    shows: ClassVar[tuple[str, ...]] = ("plays",)
    names_are_free: ClassVar[bool] = True

    after: PileField = field(default=None, kw_only=True)

    def require_rules(self) -> None:
        """There are hands, and in each is a card."""
        if not self.hands:
            raise InstanceError("hands: there are none; one for each player is needed")
        for i, hand in enumerate(self.hands):
            if not hand:
                raise InstanceError(f"hands[{i}]: the hand is empty; every player needs a card")


QUESTION = Cooperative
