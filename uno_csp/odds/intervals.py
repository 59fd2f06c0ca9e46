"""Confidence intervals of observed proportions and means."""

import math

_Z = 1.959964  # half-width, in standard deviations, of the central 95 % of a normal distribution


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
