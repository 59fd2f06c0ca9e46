"""``fill-in``: the fewest or cheapest cards that make a hand playable."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, Self, SupportsIndex, Unpack

from uno_csp.errors import InstanceError
from uno_csp.questions.answers import Answer, Status
from uno_csp.questions.cards import Card, GivenCard, GivenHand, is_universal
from uno_csp.questions.fields import CostsField, SupplyField
from uno_csp.questions.instance import Arrange, Common, OneHand, Rename, Sense
from uno_csp.questions.wording import counted


@dataclass(frozen=True, slots=True)
class FillIn(OneHand):
    """The fewest, or cheapest, cards to add so that the whole hand can be discarded.

    Added cards take part in the sequence like the others, and one of them may come first.

    Parameters
    ----------
    supply
        The only cards that may be added, each as often as it is listed; None: any card without
        wild coordinates, any number of times.
    costs
        The cost of each card of the supply, 0 or more; None: 1 each. The objective is the sum.

    Raises
    ------
    InstanceError
        As for any question; or if costs are given without a supply, are not one for each of its
        cards, or are out of range.
    """

    question: ClassVar[str] = "fill-in"
    title: ClassVar[str] = "Which cards are missing?"
    sense: ClassVar[Sense] = Sense.MINIMISE
    shows: ClassVar[tuple[str, ...]] = ("sequence", "added")
    names_are_free: ClassVar[bool] = True

    supply: SupplyField = None
    costs: CostsField = None

    if TYPE_CHECKING:

        def __init__(
            self,
            cards: GivenHand,
            supply: GivenHand | None = None,
            costs: Iterable[SupportsIndex] | None = None,
            *,
            after: GivenCard | None = None,
            **common: Unpack[Common],
        ) -> None: ...

    def require_rules(self) -> None:
        """Raise unless costs, if given, are one for each card of the supply."""
        if self.costs is None:
            return
        if self.supply is None:
            raise InstanceError("costs: given without a supply, whose cards they are for")
        if len(self.costs) != len(self.supply):
            raise InstanceError(
                f"costs: {len(self.costs)} for {counted(len(self.supply), 'card')} in supply; "
                "there must be one for each"
            )

    @property
    def offers(self) -> tuple[tuple[Card, int], ...]:
        """The cards of the supply with their costs."""
        supply = self.supply or ()
        return tuple(zip(supply, self.costs or (1,) * len(supply), strict=True))

    def rearranged(self, rename: Rename, arrange: Arrange) -> Self:
        """Return the question with cards renamed and reordered; each cost stays with its card."""
        bare = replace(self, supply=None, costs=None)
        turned = OneHand.rearranged(bare, rename, arrange)
        if self.supply is None:
            return turned
        order = arrange(len(self.supply))
        supply = tuple(rename(self.supply[i]) for i in order)
        costs = None if self.costs is None else tuple(self.costs[i] for i in order)
        return replace(turned, supply=supply, costs=costs)

    def meaning(self, answer: Answer) -> str:
        """Return what an answer means, in a few words."""
        value, bound = answer.objective, answer.bound
        if answer.status is Status.UNSATISFIABLE:
            return "no cards that may be added make the hand playable"
        if value is None:
            return "no sequence was found"
        if self.costs is not None:
            found = f"cards at a cost of {value} make the hand playable"
        elif value == 0:
            return "the whole hand can be discarded; no card has to be added"
        else:
            makes = "makes" if value == 1 else "make"
            found = f"{counted(value, 'added card')} {makes} the hand playable"
        if answer.status is Status.OPTIMAL or bound is None:
            return found
        return f"{found}; lower bound {bound}"

    def why_best(self, value: int) -> str:
        """Return why a value that meets the bound by groups and dead ends is optimal."""
        if value == 0:
            return "and no cost is less than 0"
        piled = self.after is not None and not is_universal(self.after, self.at_least)
        return (
            f"and by its groups and dead ends the hand{' with the card on the pile' * piled} "
            f"splits into at least {value + 1} sequences, which take {counted(value, 'card')} "
            "to join"
        )


def cost_of(added: Iterable[Card], offers: Iterable[tuple[Card, int]]) -> int:
    """Return the cost of cards of a supply, the cheapest copies of each first."""
    costs: defaultdict[Card, list[int]] = defaultdict(list)
    for card, cost in sorted(offers, key=itemgetter(1), reverse=True):
        costs[card].append(cost)
    return sum(costs[card].pop() for card in added)
