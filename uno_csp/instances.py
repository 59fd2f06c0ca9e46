"""The questions one may ask, as frozen values.

A question type holds what is asked and nothing of how it is answered. Constructing one checks the
rules that tie its parts together (equal numbers of attributes, the range of ``at_least``), so an
instance that exists is well-formed; the types of single values are the parser's business.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, TypeAlias

from uno_csp.cards import WILD, Card
from uno_csp.errors import InstanceError

MAX_DIMENSION = 64
"""The largest number of attributes a card may have."""


@dataclass(frozen=True, slots=True)
class Uno1:
    """Whether the whole hand can be discarded in one feasible sequence.

    The paper's Uno-1, in D dimensions.

    Parameters
    ----------
    cards
        The hand, a multiset of cards with equally many attributes.
    at_least
        In how many coordinates neighbours must agree (k).
    after
        A card already on the discard pile, which the first card played must match.
    name, comment
        For people; they change no answer.

    Raises
    ------
    InstanceError
        When cards differ in their number of attributes or ``at_least`` is out of range.
    """

    question: ClassVar[str] = "uno-1"

    cards: tuple[Card, ...]
    at_least: int = 1
    after: Card | None = None
    name: str = ""
    comment: str = ""

    def __post_init__(self) -> None:
        places = [(f"cards[{i}]", card) for i, card in enumerate(self.cards)]
        if self.after is not None:
            places.append(("after", self.after))
        _require_well_formed(places, self.at_least)

    @property
    def dimension(self) -> int:
        """The number of attributes of a card; 0 when there is no card to tell."""
        shown = self.cards[0] if self.cards else self.after
        return 0 if shown is None else len(shown)


Instance: TypeAlias = Uno1
"""Any question this package can be asked."""

QUESTIONS: Mapping[str, type[Instance]] = MappingProxyType({Uno1.question: Uno1})
"""The question types by the name they have in files."""


def _require_well_formed(places: Sequence[tuple[str, Card]], at_least: int) -> None:
    if at_least < 1:
        raise InstanceError(f"at_least: {at_least} is not allowed; it must be 1 or more")
    if not places:
        return
    first_place, first = places[0]
    dimension = len(first)
    if not 1 <= dimension <= MAX_DIMENSION:
        raise InstanceError(
            f"{first_place}: a card has 1 to {MAX_DIMENSION} attributes, this one has {dimension}"
        )
    for place, card in places:
        if len(card) != dimension:
            raise InstanceError(
                f"{place}: {len(card)} attributes where {first_place} has {dimension}; "
                "all cards must have equally many"
            )
    if at_least > dimension:
        raise InstanceError(
            f"at_least: {at_least} is more than the {dimension} attributes of a card; "
            f"allowed are 1 to {dimension}"
        )


def describe(card: Card) -> str:
    """A card in a person's words, for reasons and messages.

    >>> describe(("red", 5)), describe(("*", "*"))
    ('red 5', 'wild')
    """
    if all(value == WILD for value in card):
        return "wild"
    return " ".join(map(str, card))
