"""Results of reduction steps, and the lift after dropping cards."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from uno_csp.questions import Instance
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card, is_universal


@dataclass(frozen=True, slots=True)
class Decided:
    """The answer found by a step: a witness (of a yes or of an optimum), or None for a no."""

    by: str
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


def played_beside(beside: Mapping[Card, Sequence[Card]]) -> Callable[[Witness], Witness]:
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


def with_pile(cards: Sequence[Card], after: Card | None, at_least: int) -> tuple[Card, ...]:
    """Return the cards and the card on the pile, unless that one is universal."""
    piled = () if after is None or is_universal(after, at_least) else (after,)
    return (*cards, *piled) if piled else tuple(cards)


StepResult: TypeAlias = Decided | Reduced
