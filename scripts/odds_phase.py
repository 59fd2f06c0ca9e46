"""Random hands of growing size, around where the answer turns from no to yes."""

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uno_csp.answers import Answer, Status
from uno_csp.checker import check
from uno_csp.families.random_hands import random_hand, threshold
from uno_csp.pipeline.options import Options
from uno_csp.pipeline.stages import Task, run
from uno_csp.questions import Uno1

VALUES = (30, 100, 300, 1000, 3000)
HANDS = 120
FEWER = {3000: 5}
"""Where a hand takes longest, one in so many of the others is drawn."""
STEP = 0.25
BELOW, ABOVE = 1.25, 1.25
"""Cards a value: how far apart the points are, and how far they go on both sides."""

LIMIT_S = 60.0
"""For a hand; the loop of cuts ends there, and the hand is told as not answered."""


def sizes(values: int) -> list[int]:
    """The sizes of the hands that are drawn from so many colours and as many numbers."""
    middle = threshold(2 * values) / values
    first = math.ceil((middle - BELOW) / STEP)
    last = math.floor((middle + ABOVE) / STEP)
    return [round(values * STEP * step) for step in range(first, last + 1)]


def count_point(values: int, cards: int, hands: int) -> list[int]:
    """How many hands are a yes, a no, not answered; seeds from 0 on, as the family ``random``."""
    seeds = range(math.ceil(hands / FEWER.get(values, 1)))
    found = Counter(answered(values, cards, seed) for seed in seeds)
    return [found[s] for s in (Status.SATISFIABLE, Status.UNSATISFIABLE, Status.UNKNOWN)]


def answered(values: int, cards: int, seed: int) -> Status:
    """Whether one hand can be discarded, in this process; a yes is checked.

    Raises
    ------
    AssertionError
        If the checker refuses it.
    """
    drawn = random_hand(values, values, cards, seed=seed).instance
    question = Uno1(drawn.cards)
    options = Options(method="hub-trail", backend="cadical195")
    solved = run(Task(question, options, time.time() + LIMIT_S, reduce_first=True))
    if solved.witness is not None:
        claim = Answer(question.question, solved.status, solved.witness)
        if check(question, claim):
            raise AssertionError(f"{values} values, {cards} cards, {seed=}: refused")
    return solved.status


@dataclass(frozen=True, slots=True)
class Change:
    """Where the answer turns: the cards a value at which half of the hands are a yes.

    ``error`` is the standard error of that, and ``width`` is how many cards a value lie between a
    tenth and nine tenths.
    """

    middle: float
    error: float
    width: float


def find_change(values: int, points: Mapping[int, Sequence[int]]) -> Change:
    """The logistic curve nearest to the shares, each of which weighs as much as it is sure."""
    import numpy as np
    from scipy.optimize import curve_fit
    from scipy.special import expit

    places, shares, errors = [], [], []
    for cards, (yes, no, _) in points.items():
        answers = yes + no + 2
        share = (yes + 1) / answers  # one more of each, so that no point is wholly sure
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
