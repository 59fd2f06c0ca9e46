"""How sure one can be of a share that was counted."""

import math

_Z = 1.959964
"""So many standard deviations around the mean have 95 % of a normal distribution."""


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927), which is also right for few tries.

    >>> low, high = wilson(9, 10)
    >>> round(low, 2), round(high, 2)
    (0.6, 0.98)
    """
    share = hits / tries
    middle = (share + _Z**2 / (2 * tries)) / (1 + _Z**2 / tries)
    spread = math.sqrt(share * (1 - share) / tries + _Z**2 / (4 * tries**2))
    spread *= _Z / (1 + _Z**2 / tries)
    return max(0.0, middle - spread), min(1.0, middle + spread)
