"""What a reduction step returns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from uno_csp.cards import Card
from uno_csp.instances import Instance


@dataclass(frozen=True, slots=True)
class Decided:
    """The step found the answer: a sequence for yes, None and a reason for no."""

    by: str
    sequence: tuple[Card, ...] | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reduced:
    """A smaller equivalent instance.

    ``beside`` has the dropped cards, by a card that stays: the way back is to play them right
    after the first copy of that card.
    """

    instance: Instance
    beside: Mapping[Card, Sequence[Card]]

    def lift(self, sequence: tuple[Card, ...]) -> tuple[Card, ...]:
        """A sequence for the smaller instance, with the dropped cards played again."""
        waiting = dict(self.beside)
        lifted: list[Card] = []
        for card in sequence:
            lifted.append(card)
            lifted.extend(waiting.pop(card, ()))
        return tuple(lifted)


Outcome: TypeAlias = Decided | Reduced
