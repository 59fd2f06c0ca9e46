"""``uncooperative``: who loses first when everybody plays for themselves."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, ClassVar

from uno_csp.answers import Answer, Status
from uno_csp.errors import InstanceError
from uno_csp.questions.fields import Allowed, PileField
from uno_csp.questions.instance import HandsOfPlayers


class Convention(StrEnum):
    """When uncooperative play is lost."""

    LAST_MOVER = "last-mover"
    EMPTY_HAND_WINS = "empty-hand-wins"

    @property
    def rule(self) -> str:
        """What it says, for people."""
        if self is Convention.LAST_MOVER:
            return "who cannot discard loses, even with an empty hand"
        return "an empty hand wins and who cannot discard loses"


@dataclass(frozen=True, slots=True)
class Uncooperative(HandsOfPlayers):
    """Whether player 1 can avoid to lose when everybody plays for themselves.

    The paper's Uncooperative Uno-p: who cannot discard when it is their turn is the first loser,
    and the game ends. Player 1 opens, with any card or one that matches ``after``. For three or
    more players the others are taken to play against player 1.

    Parameters
    ----------
    convention
        ``last-mover``: an empty hand does not help whose turn it is. ``empty-hand-wins``: whoever
        empties their hand first wins at once, and all others have lost.
    after
        A card already on the discard pile, which the first card played must match.

    Raises
    ------
    InstanceError
        As for any question; or when there are fewer than two hands, or an empty one has won
        already.
    """

    question: ClassVar[str] = "uncooperative"
    title: ClassVar[str] = "Who wins against everybody?"
    yes: ClassVar[str] = "player 1 can avoid to lose"
    no: ClassVar[str] = "player 1 loses"
    shows: ClassVar[tuple[str, ...]] = ("strategy",)

    convention: Annotated[
        Convention, Allowed((f"{Convention.LAST_MOVER} and {Convention.EMPTY_HAND_WINS} are",))
    ] = Convention.LAST_MOVER
    after: PileField = field(default=None, kw_only=True)

    def require_rules(self) -> None:
        """Hands enough, and such as the convention is for."""
        if len(self.hands) < 2:
            raise InstanceError(f"hands: {len(self.hands)} is not enough; two or more are needed")
        if self.convention is not Convention.EMPTY_HAND_WINS:
            return
        for i, hand in enumerate(self.hands):
            if not hand:
                raise InstanceError(
                    f"hands[{i}]: the hand is empty; with {self.convention} it has won already"
                )

    def loser(self, status: Status) -> int | None:
        """The first loser, where the status leaves no doubt who that is."""
        if status is Status.UNSATISFIABLE:
            return 1
        return 2 if status is Status.SATISFIABLE and len(self.hands) == 2 else None

    def meaning(self, answer: Answer) -> str:
        """What an answer says, in a few words, with the convention it depends on."""
        told = HandsOfPlayers.meaning(self, answer)
        if answer.status is Status.UNKNOWN:
            return told
        if len(self.hands) == 2:
            told = f"player {1 if answer.status is Status.SATISFIABLE else 2} wins"
        return f"{told}, where {self.convention.rule}"


QUESTION = Uncooperative
