"""Advice: the choices, the best one first, with the share of the deals that each of them wins."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from uno_csp.agents.views import Turn
from uno_csp.errors import NotAccepted
from uno_csp.odds.intervals import paired, wilson
from uno_csp.open_game.deck import kind_of
from uno_csp.questions.arguments import plain_value, require_kind
from uno_csp.questions.open_game import card_of, describe_card
from uno_csp.questions.wording import shown

OnDeal: TypeAlias = Callable[[int, int], None]  # called with the numbers of deals done and wanted

FEWEST_DEALS = 200  # number of deals below which no share is given
MOST_DEALS = 100_000  # maximum number of deals of an advice or a review


def require_deals(given: Any) -> int:
    """Return a number of deals as an integer; raise NotAccepted if it is out of range."""
    deals = plain_value(given)
    require_kind("deals", deals, int)
    if not FEWEST_DEALS <= deals <= MOST_DEALS:
        raise NotAccepted(
            f"deals: {shown(deals)} is not allowed; expected from {FEWEST_DEALS} to {MOST_DEALS}"
        )
    return int(deals)


@dataclass(frozen=True, slots=True)
class Prospect:
    """The results of one move in the deals.

    Parameters
    ----------
    move
        The move as in an answer to ``open-game``: ``lays`` and ``names``, or ``draws``.
    deals
        Number of random deals in which the move was played out; 0 if all deals were counted.
    share, low, high
        The share of them that it wins, and the 95 % confidence interval (Wilson) of the share of
        all deals; None if there are fewer than 200.
    behind, behind_low, behind_high
        How much lower the share is than that of the best move in the same deals, and the 95 %
        confidence interval of this difference (Bonett and Price).
    equal
        True if the move cannot be told from the best one.
    """

    move: Mapping[str, Any]
    deals: int
    share: float | None = None
    low: float | None = None
    high: float | None = None
    behind: float | None = None
    behind_low: float | None = None
    behind_high: float | None = None
    equal: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the results as a JSON-ready mapping."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Advice:
    """The moves, best first, with the number of deals, and whether these are all there are.

    ``policy`` says how all players go on after the move.
    """

    moves: tuple[Prospect, ...]
    deals: int
    exact: bool
    policy: str

    @property
    def words(self) -> str:
        """The advice in a sentence."""
        return best_words(self.moves)

    def to_dict(self) -> dict[str, Any]:
        """Return the advice as a JSON-ready mapping."""
        moves = [each.to_dict() for each in self.moves]
        return {
            "deals": self.deals,
            "exact": self.exact,
            "policy": self.policy,
            "words": self.words,
            "moves": moves,
        }


OnFirst: TypeAlias = Callable[[Advice], None]  # called with advice from few deals


def turn_words(turn: Turn) -> str:
    """Return a turn in words.

    >>> turn_words({"draws": 0, "lays": "W", "names": "red"}), turn_words({"draws": 1})
    ('wild, naming red', 'draw')
    """
    kind = kind_of(turn.get("lays", ""))
    if kind is None:
        return "draw" if turn["draws"] else "miss the turn"
    naming = f", naming {turn['names']}" if "names" in turn else ""
    return describe_card(card_of(kind)) + naming


def best_words(moves: Sequence[Prospect]) -> str:
    """Return which moves are best, in a sentence; empty if there are none."""
    if len(moves) > 1 and moves[0].share is None:
        return "Too few deals to compare the moves."
    equal = [turn_words(each.move) for each in moves if each.equal]
    if len(equal) < 2:
        return f"Best: {equal[0]}." if equal else ""
    several = f"{', '.join(equal[:-1])} and {equal[-1]}"
    how = "cannot be told apart: they are" if moves[0].deals else "are exactly"
    return f"{several} {how} equally good."


def shares_of(wins: NDArray[np.int8]) -> list[float]:
    """Return the share of its deals that each choice wins; see :func:`rank_estimated`."""
    tried, won = (wins >= 0).sum(axis=1), (wins > 0).sum(axis=1)
    return [float(share) for share in won / np.maximum(tried, 1)]


def rank_estimated(turns: Sequence[Turn], wins: NDArray[np.int8]) -> tuple[Prospect, ...]:
    """Return the choices by their shares; ``wins`` has 1, 0 or -1 (not played) for each deal."""
    tried = [int(count) for count in (wins >= 0).sum(axis=1)]
    won = [int(count) for count in (wins > 0).sum(axis=1)]
    places = range(len(turns))
    best = max(places, key=lambda at: won[at] / max(tried[at], 1))

    def prospect(at: int) -> Prospect:
        if tried[at] < FEWEST_DEALS:
            return Prospect(turns[at], tried[at], equal=at == best)
        pairs = (wins[at] >= 0) & (wins[best] >= 0)
        better = int((wins[best] > wins[at])[pairs].sum())
        worse = int((wins[at] > wins[best])[pairs].sum())
        count = int(pairs.sum())
        early = count < tried[best]  # out before the last round
        low, high = paired(better, worse, count, early) if at != best else (0.0, 0.0)
        return Prospect(
            turns[at],
            tried[at],
            won[at] / tried[at],
            *wilson(won[at], tried[at]),
            (better - worse) / count,
            low,
            high,
            equal=low <= 0,
        )

    order = sorted(places, key=lambda at: (-won[at] / max(tried[at], 1), at))
    return tuple(prospect(at) for at in order)


def rank_exact(turns: Sequence[Turn], shares: Sequence[float]) -> tuple[Prospect, ...]:
    """Return the choices by their exact shares."""
    best = max(shares)
    found = []
    for turn, share in sorted(zip(turns, shares, strict=True), key=lambda each: -each[1]):
        behind = best - share
        equal = behind < 1e-9
        found.append(Prospect(turn, 0, share, share, share, behind, behind, behind, equal))
    return tuple(found)
