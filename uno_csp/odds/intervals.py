"""Confidence intervals of observed proportions and means."""

import math

_Z = 1.959964  # half-width, in standard deviations, of the central 95 % of a normal distribution
_Z_CHOSEN = 2.241403  # and of the central 97.5 %


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """Return the 95 % interval of a proportion (Wilson 1927), which also holds for few trials.

    >>> low, high = wilson(9, 10)
    >>> round(low, 2), round(high, 2)
    (0.6, 0.98)
    """
    share = hits / tries
    middle = (share + _Z**2 / (2 * tries)) / (1 + _Z**2 / tries)
    spread = math.sqrt(share * (1 - share) / tries + _Z**2 / (4 * tries**2))
    spread *= _Z / (1 + _Z**2 / tries)
    low = max(0.0, middle - spread) if hits else 0.0
    return low, min(1.0, middle + spread) if hits < tries else 1.0


def paired(better: int, worse: int, pairs: int, chosen: bool = False) -> tuple[float, float]:
    """Return the 95 % interval of a difference of proportions (Bonett and Price 2012).

    Of the ``pairs`` of trials, ``better`` succeed in the first only, ``worse`` in the second only.
    If the first was ``chosen`` among several because it succeeded more often in these trials, its
    lead looks too large, and the interval is that of 97.5 %.

    >>> low, high = paired(30, 10, 100)
    >>> round(low, 2), round(high, 2)
    (0.08, 0.31)
    """
    more, less = (better + 1) / (pairs + 2), (worse + 1) / (pairs + 2)
    middle = more - less
    spread = math.sqrt((more + less - middle**2) / (pairs + 2))
    spread *= _Z_CHOSEN if chosen else _Z
    return max(-1.0, middle - spread), min(1.0, middle + spread)
