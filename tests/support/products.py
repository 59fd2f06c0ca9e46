"""Combinations of choices: a quick run takes enough that every two choices meet once."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from allpairspy import AllPairs

from uno_csp.methods import find_backend

ADAPTERS = ("cadical195", "minicard", "kissat404", "cms", "cp-sat", "highs", "cbc", "clingo")
ONE_OF_EACH_ADAPTER = tuple(
    name for name in (*ADAPTERS, "dimacs:kissat") if find_backend(name).available()
)
"""Backends that answer all questions; the others of an adapter have the contract of all."""


def combined(*choices: Sequence[Any]) -> list[Any]:
    """Return all combinations for ``parametrize``; those without a new pair are slow."""
    pairs = {tuple(each) for each in AllPairs([list(each) for each in choices])}
    return [
        pytest.param(*each, marks=() if each in pairs else pytest.mark.slow)
        for each in product(*choices)
    ]


def spread(every: int, *choices: Sequence[Any]) -> list[Any]:
    """Return all combinations; one in ``every`` is quick, and each choice is in some of these."""
    places = product(*map(range, map(len, choices)))
    return [
        pytest.param(*each, marks=() if sum(at) % every == 0 else pytest.mark.slow)
        for at, each in zip(places, product(*choices), strict=True)
    ]
