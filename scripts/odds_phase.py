"""Solve random hands of growing size around the phase transition from NO to YES."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from uno_csp.families.random_hands import random_hand, threshold
from uno_csp.pipeline import solve
from uno_csp.questions import Uno1
from uno_csp.questions.answers import Status

VALUES = (30, 100, 300, 1000, 3000)
HANDS = 120
FEWER = {3000: 5}
"""Divisor of the number of hands, by number of values, where solving takes longest."""
STEP = 0.25
BELOW, ABOVE = 1.25, 1.25
"""Range of the points around the expected transition; like ``STEP``, in cards per value."""

LIMIT_S = 60.0  # time limit per hand in seconds; beyond it the hand counts as unanswered


def sizes(values: int) -> list[int]:
    """Return the hand sizes to draw for a number of colours and the same number of numbers."""
    middle = threshold(2 * values) / values
    first = math.ceil((middle - BELOW) / STEP)
    last = math.floor((middle + ABOVE) / STEP)
    return [round(values * STEP * step) for step in range(first, last + 1)]


def count_point(values: int, cards: int, hands: int) -> list[int]:
    """Count YES, NO and unanswered hands of the family ``random``, seeds from 0 on."""
    seeds = range(math.ceil(hands / FEWER.get(values, 1)))
    return by_answer(answered(values, cards, seed) for seed in seeds)


def by_answer(answers: Iterable[Status]) -> list[int]:
    """Count YES, NO and UNKNOWN."""
    found = Counter(answers)
    return [found[s] for s in (Status.SATISFIABLE, Status.UNSATISFIABLE, Status.UNKNOWN)]


def answered(values: int, cards: int, seed: int) -> Status:
    """Return the answer of one hand; the sequence of a YES is checked."""
    question = Uno1(random_hand(values, values, cards, seed=seed).instance.cards)
    found = solve(question, method="hub-trail", backend="cadical195", time_limit_s=LIMIT_S)
    return found.status


@dataclass(frozen=True, slots=True)
class Change:
    """The middle of the transition in cards per value, its error, and its width from 10 to 90 %."""

    middle: float
    error: float
    width: float


def find_change(values: int, points: Mapping[int, Sequence[int]]) -> Change:
    """Fit a logistic curve to the shares, weighted by their standard errors."""
    import numpy as np
    from scipy.optimize import curve_fit
    from scipy.special import expit

    places, shares, errors = [], [], []
    for cards, (yes, no, _) in points.items():
        answers = yes + no + 2
        share = (yes + 1) / answers  # add one of each, so that no error is zero
        places.append(cards / values)
        shares.append(share)
        errors.append(math.sqrt(share * (1 - share) / answers))
    found, spread = curve_fit(
        lambda place, middle, scale: expit((place - middle) / scale),
        places,
        shares,
        p0=(float(np.mean(places)), 0.5),
        sigma=errors,
        absolute_sigma=True,
    )
    middle, scale = map(float, found)
    return Change(middle, math.sqrt(spread[0][0]), 2 * math.log(9) * abs(scale))
