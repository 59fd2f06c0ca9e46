"""Advice: the choices in the order in which an agent prefers them, and what it saw of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from uno_csp.agents.views import Turn
from uno_csp.odds.intervals import wilson

OnDeal: TypeAlias = Callable[[int, int], None]  # called with the numbers of deals done and wanted


@dataclass(frozen=True, slots=True)
class Prospect:
    """The results of one move in the sampled deals.

    Parameters
    ----------
    move
        The move as in an answer to ``open-game``: ``lays`` and ``names``, or ``draws``.
    deals, wins
        Number of deals in which the outcome of the move is known, and number of those it wins.
    low, high
        The 95 % confidence interval (Wilson) of the share of all deals in which it wins.
    """

    move: Mapping[str, Any]
    deals: int
    wins: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of deals the move wins."""
        return self.wins / self.deals if self.deals else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the results as a JSON-ready mapping."""
        return {**asdict(self), "share": self.share}


@dataclass(frozen=True, slots=True)
class Advice:
    """The moves, best first, with the number of sampled deals and of those with a result."""

    moves: tuple[Prospect, ...]
    deals: int
    solved: int

    def to_dict(self) -> dict[str, Any]:
        """Return the advice as a JSON-ready mapping."""
        moves = [each.to_dict() for each in self.moves]
        return {"deals": self.deals, "solved": self.solved, "moves": moves}


def ranked(
    turns: Sequence[Turn], tried: Sequence[int], wins: Sequence[int], by_tries: bool = False
) -> tuple[Prospect, ...]:
    """Return the choices with their results, the best first: by tries, or by the share of wins."""
    found = [
        Prospect(turn, count, won, *(wilson(won, count) if count else (0.0, 1.0)))
        for turn, count, won in zip(turns, tried, wins, strict=True)
    ]
    found.sort(key=lambda each: (-each.deals if by_tries else 0, -each.share, str(each.move)))
    return tuple(found)
