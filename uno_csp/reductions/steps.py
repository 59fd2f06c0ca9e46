"""Results of reduction steps, and the lift after dropping cards."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from uno_csp.questions import Instance, Uno1
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card, apart, has_many_hubs, piled, some_wild


@dataclass(frozen=True, slots=True)
class Decided:
    """The answer found by a step: a witness (of a yes or of an optimum), or None for a no."""

    witness: Witness | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reduced:
    """An equivalent instance that is smaller or simpler, and the lift of its witnesses.

    ``cost`` is what the lift adds to the objective.
    """

    instance: Instance
    lift: Callable[[Witness], Witness]
    cost: int = 0


def play_beside(beside: Mapping[Card, Sequence[Card]]) -> Callable[[Witness], Witness]:
    """Return the lift after dropping cards: play them right after the first copy of their key."""

    def lift(witness: Witness) -> Witness:
        """Return the witness with the dropped cards inserted."""
        waiting = dict(beside)
        lifted: list[Card] = []
        for card in witness.sequence or ():
            lifted.append(card)
            lifted.extend(waiting.pop(card, ()))
        return replace(witness, sequence=tuple(lifted))

    return lift


class PlainHand(NamedTuple):
    """The plain cards of a hand, its universal wild cards, and ``after`` unless it is universal."""

    question: Uno1
    plain: tuple[Card, ...]
    wilds: Sequence[Card]
    piled: tuple[Card, ...]

    @property
    def everything(self) -> tuple[Card, ...]:
        """The plain cards and the card on the pile."""
        return self.plain + self.piled


def plain_hand(instance: Instance) -> PlainHand | None:
    """Return the cards of a ``uno-1`` apart.

    None for other questions, for cards on many hubs, and if one, with that on the pile, is wild in
    some coordinates, but not universal.
    """
    if not isinstance(instance, Uno1) or has_many_hubs(instance.dimension, instance.at_least):
        return None
    plain, wilds = apart(instance.cards, instance.at_least)
    found = PlainHand(instance, tuple(plain), wilds, piled(instance.after, instance.at_least))
    return None if some_wild(found.everything) else found


def wild_joints(count: int) -> str:
    """Return how many sequences wild cards join, in words; nothing without any."""
    if count < 2:
        return "and one wild card joins only two" * count
    return f"and {count} wild cards join only {count + 1}"


StepResult: TypeAlias = Decided | Reduced
