"""``uno-1``: whether the whole hand can be discarded."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Unpack

from uno_csp.questions.cards import GivenCard, GivenHand
from uno_csp.questions.instance import Common, OneHand


@dataclass(frozen=True, slots=True)
class Uno1(OneHand):
    """Decide whether the whole hand can be discarded in one feasible sequence.

    The paper's Uno-1, in D dimensions.
    """

    question: ClassVar[str] = "uno-1"
    title: ClassVar[str] = "Can the whole hand be discarded?"
    yes: ClassVar[str] = "the whole hand can be discarded"
    no: ClassVar[str] = "the whole hand cannot be discarded"
    names_are_free: ClassVar[bool] = True

    if TYPE_CHECKING:

        def __init__(
            self, cards: GivenHand, *, after: GivenCard | None = None, **common: Unpack[Common]
        ) -> None: ...
