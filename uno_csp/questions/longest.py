"""``longest``: the maximum number of cards that can be discarded."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Unpack

from uno_csp.questions.answers import Answer, Status
from uno_csp.questions.cards import GivenCard, GivenHand
from uno_csp.questions.instance import Common, OneHand, Sense
from uno_csp.questions.wording import counted


@dataclass(frozen=True, slots=True)
class Longest(OneHand):
    """The maximum number of cards of the hand that one feasible sequence can discard."""

    question: ClassVar[str] = "longest"
    title: ClassVar[str] = "How many cards at most?"
    sense: ClassVar[Sense] = Sense.MAXIMISE
    whole: ClassVar[bool] = False
    names_are_free: ClassVar[bool] = True

    if TYPE_CHECKING:

        def __init__(
            self, cards: GivenHand, *, after: GivenCard | None = None, **common: Unpack[Common]
        ) -> None: ...

    def meaning(self, answer: Answer) -> str:
        """Return what an answer means, in a few words."""
        if answer.objective is None:
            return "no sequence was found"
        found = f"{counted(answer.objective, 'card')} can be discarded in one sequence"
        if answer.status is Status.OPTIMAL or answer.bound is None:
            return found
        return f"{found}, and no more than {answer.bound}"

    def why_best(self, value: int) -> str:
        """Return why a value that meets the bound by groups and dead ends is optimal."""
        del value
        return "which is every card of the hand"
