"""Statistics beside the PAR-2 score: means that few long runs do not rule, and intervals."""

import math
import random
from collections.abc import Sequence
from statistics import fmean

SHIFT_S = 1.0
"""Seconds added to each time before the geometric mean, so that those near zero count little."""

RESAMPLES, SEED = 1000, 1  # number of samples of the bootstrap, and their seed


def shifted_geometric_mean(seconds: Sequence[float]) -> float | None:
    """Return the geometric mean of times with a shift, as benchmarks of optimisers have it.

    None for no times. (Achterberg, Constraint Integer Programming, 2007, section A.3.)

    >>> shifted_geometric_mean([0.0, 3.0])
    1.0
    """
    if not seconds:
        return None
    return math.exp(fmean(math.log(each + SHIFT_S) for each in seconds)) - SHIFT_S


def bootstrap_interval(seconds: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of the mean (Efron 1979); None for no times."""
    if not seconds:
        return None
    draw = random.Random(SEED)  # no secret
    means = sorted(fmean(draw.choices(seconds, k=len(seconds))) for _ in range(RESAMPLES))
    outside = RESAMPLES // 40
    return means[outside], means[-outside - 1]
