"""``uno-1``: whether the whole hand can be discarded."""

from dataclasses import dataclass
from typing import ClassVar

from uno_csp.answers import Answer, Status
from uno_csp.questions.instance import OneHand


@dataclass(frozen=True, slots=True)
class Uno1(OneHand):
    """Whether the whole hand can be discarded in one feasible sequence.

    The paper's Uno-1, in D dimensions.
    """

    question: ClassVar[str] = "uno-1"
    title: ClassVar[str] = "Can the whole hand be discarded?"
    names_are_free: ClassVar[bool] = True

    def meaning(self, answer: Answer) -> str:
        """What an answer says, in a few words."""
        if answer.status is Status.UNKNOWN:
            return "no answer was found"
        can = "can" if answer.status is Status.SATISFIABLE else "cannot"
        return f"the whole hand {can} be discarded"


QUESTION = Uno1
