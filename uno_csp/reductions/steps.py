"""What a reduction step returns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from uno_csp.answers import Witness
from uno_csp.cards import Card, is_universal
from uno_csp.questions import Instance


@dataclass(frozen=True, slots=True)
class Decided:
    """The step found the answer: a witness (of a yes or of an optimum), or None for a no."""

    by: str
    witness: Witness | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reduced:
    """An equivalent instance that is smaller or simpler, and the way back for its witnesses."""

    instance: Instance
    lift: Callable[[Witness], Witness]


def played_beside(beside: Mapping[Card, Sequence[Card]]) -> Callable[[Witness], Witness]:
    """The way back after dropping cards: play them right after the first copy of their key."""

    def lift(witness: Witness) -> Witness:
        """The witness with the dropped cards played again."""
        waiting = dict(beside)
        lifted: list[Card] = []
        for card in witness.sequence or ():
            lifted.append(card)
            lifted.extend(waiting.pop(card, ()))
        return replace(witness, sequence=tuple(lifted))

    return lift


def with_pile(cards: Sequence[Card], after: Card | None, at_least: int) -> tuple[Card, ...]:
    """The cards with the one on the pile, unless that matches everything."""
    piled = () if after is None or is_universal(after, at_least) else (after,)
    return (*cards, *piled) if piled else tuple(cards)


StepResult: TypeAlias = Decided | Reduced
