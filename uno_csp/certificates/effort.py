"""The effort of the search for a proof so far."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Effort(NamedTuple):
    """The cases of a bound, and the conflicts of a refutation, of one group of cards."""

    cases: int = 0
    conflicts: int = 0


EffortListener: TypeAlias = Callable[[Effort], None]


def unheard(_effort: Effort) -> None:
    """Drop an effort: the default listener does nothing."""
