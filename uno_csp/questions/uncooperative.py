"""``uncooperative``: who loses first when everybody plays for themselves."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, ClassVar, Unpack

from uno_csp.errors import InstanceError
from uno_csp.questions.answers import Answer, Status
from uno_csp.questions.cards import GivenCard, GivenHands
from uno_csp.questions.fields import Allowed, PileField
from uno_csp.questions.instance import Common, HandsOfPlayers, require_no_empty_hand


class Convention(StrEnum):
    """Rule that decides who loses uncooperative play."""

    LAST_MOVER = "last-mover"
    EMPTY_HAND_WINS = "empty-hand-wins"

    @property
    def rule(self) -> str:
        """Human-readable description."""
        if self is Convention.LAST_MOVER:
            return "a player who cannot discard loses, even with an empty hand"
        return "an empty hand wins and a player who cannot discard loses"


@dataclass(frozen=True, slots=True)
class Uncooperative(HandsOfPlayers):
    """Decide whether player 1 can avoid losing when everybody plays for themselves.

    The paper's Uncooperative Uno-p: the first player who cannot discard on their turn loses, and
    the game ends. Player 1 opens with any card, or with one that matches ``after``. With three or
    more players all others are assumed to play against player 1.

    Parameters
    ----------
    convention
        ``last-mover``: a player whose hand is empty on their turn loses. ``empty-hand-wins``: the
        first player to empty their hand wins at once, and all others lose.
    after
        A card already on the discard pile, which the first card played must match.

    Raises
    ------
    InstanceError
        As for any question; or if there are fewer than two hands, or one is empty and would have
        won already.
    """

    question: ClassVar[str] = "uncooperative"
    title: ClassVar[str] = "Who wins against everybody?"
    yes: ClassVar[str] = "player 1 can avoid losing"
    no: ClassVar[str] = "player 1 loses"
    shows: ClassVar[tuple[str, ...]] = ("strategy",)

    convention: Annotated[
        Convention, Allowed((f"expected {Convention.LAST_MOVER} or {Convention.EMPTY_HAND_WINS}",))
    ] = Convention.LAST_MOVER
    after: PileField = field(default=None, kw_only=True)

    if TYPE_CHECKING:

        def __init__(
            self,
            hands: GivenHands,
            convention: Convention | str = Convention.LAST_MOVER,
            *,
            after: GivenCard | None = None,
            **common: Unpack[Common],
        ) -> None: ...

    def require_rules(self) -> None:
        """Raise unless there are two hands or more, none empty under ``empty-hand-wins``."""
        if len(self.hands) < 2:
            raise InstanceError(f"hands: {len(self.hands)} is not enough; two or more are needed")
        if self.convention is Convention.EMPTY_HAND_WINS:
            require_no_empty_hand(self.hands, f"with {self.convention} it has won already")

    def loser(self, status: Status) -> int | None:
        """Return the first loser, or None if the status does not determine it."""
        if status is Status.UNSATISFIABLE:
            return 1
        return 2 if status is Status.SATISFIABLE and len(self.hands) == 2 else None

    def meaning(self, answer: Answer) -> str:
        """Return what an answer means, in a few words, with the convention it depends on."""
        verdict = HandsOfPlayers.meaning(self, answer)
        if answer.status is Status.UNKNOWN:
            return verdict
        if len(self.hands) == 2:
            verdict = f"player {1 if answer.status is Status.SATISFIABLE else 2} wins"
        return f"{verdict}, where {self.convention.rule}"
