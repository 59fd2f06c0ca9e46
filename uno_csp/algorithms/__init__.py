"""Special cases that need no solver, each an algorithm of its own.

An algorithm is asked for by name like an encoding, and needs no backend. A module offers one as
``ALGORITHM``.

A *strategy* is data: a mapping whose ``kind`` is

``matching``
    ``open`` is the card player 1 opens with (absent for player 2) and ``pairs`` are (card of player
    1, card of player 2): answer every card with its partner.
``positions``
    ``positions`` lists ``player``, ``last``, ``hands`` (what everybody holds, in any order) and the
    card to ``play`` there; every position that can come up against the strategy is in it.
``opening``
    Only the card to ``open`` with; all positions would be too many.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from uno_csp.instances import Instance, Witness

__all__ = ["Algorithm", "Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What an algorithm established: yes, no, or None when it gave up, with the reason."""

    answer: bool | None
    witness: Witness | None = None
    reason: str = ""
    stats: Mapping[str, Any] = field(default_factory=dict)


class Algorithm(Protocol):
    """A special case by name."""

    @property
    def name(self) -> str:
        """The name it is asked for by."""

    def accepts(self, instance: Instance) -> str | None:
        """None, or why this algorithm does not take the instance."""

    def run(self, instance: Instance) -> Finding:
        """The answer."""
