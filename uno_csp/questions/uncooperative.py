"""``uncooperative``: who loses first when everybody plays for themselves."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from uno_csp.answers import Answer, Status
from uno_csp.errors import InstanceError
from uno_csp.questions.fields import Allowed
from uno_csp.questions.instance import HandsOfPlayers


class Convention(StrEnum):
    """When uncooperative play is lost."""

    LAST_MOVER = "last-mover"
    EMPTY_HAND_WINS = "empty-hand-wins"


@dataclass(frozen=True, slots=True)
class Uncooperative(HandsOfPlayers):
    """Whether player 1 can avoid being the first loser when everybody plays for themselves.

    The paper's Uncooperative Uno-p: who cannot discard when it is their turn is the first loser,
    and the game ends. Player 1 opens with any card. For three or more players the others are taken
    to play against player 1.

    Parameters
    ----------
    convention
        ``last-mover``: an empty hand does not help whose turn it is. ``empty-hand-wins``, for two
        players: whoever empties their hand first wins at once.

    Raises
    ------
    InstanceError
        As for any question; or when there are fewer than two hands, or the convention is for
        two players with cards and these are not such.
    """

    question: ClassVar[str] = "uncooperative"
    title: ClassVar[str] = "Who wins against everybody?"
    yes: ClassVar[str] = "player 1 can avoid to lose first"
    no: ClassVar[str] = "player 1 loses first"
    shows: ClassVar[tuple[str, ...]] = ("strategy",)

    convention: Annotated[
        Convention, Allowed((f"{Convention.LAST_MOVER} and {Convention.EMPTY_HAND_WINS} are",))
    ] = Convention.LAST_MOVER

    def require_rules(self) -> None:
        """Hands enough, and such as the convention is for."""
        if len(self.hands) < 2:
            raise InstanceError(f"hands: {len(self.hands)} is not enough; two or more are needed")
        if self.convention is not Convention.EMPTY_HAND_WINS:
            return
        if len(self.hands) > 2:
            raise InstanceError(
                f"convention: {self.convention} is for two hands, not {len(self.hands)}"
            )
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
        """What an answer says, in a few words."""
        wins = answer.status is Status.SATISFIABLE and len(self.hands) == 2
        return "player 1 wins" if wins else HandsOfPlayers.meaning(self, answer)


QUESTION = Uncooperative
