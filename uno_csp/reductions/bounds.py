"""Bounds for the optimisation questions, without a solver."""

from uno_csp.questions import FillIn, Instance, Longest
from uno_csp.questions.cards import apart, piled
from uno_csp.reductions.dead_ends import find_dead_ends


def trivial_bound(instance: Instance) -> int | None:
    """Return a bound on the objective that takes no time; None for a decision."""
    if isinstance(instance, Longest):
        return len(instance.cards)
    return 0 if isinstance(instance, FillIn) else None


def known_bound(instance: Instance) -> int | None:
    """Return a lower bound (``fill-in``) or an upper bound (``longest``) on the objective, or None.

    ``fill-in`` without a supply must join the sequences that the dead ends and the groups of a
    hand require, and each added card joins at most two of them.
    """
    if not isinstance(instance, FillIn) or instance.supply is not None:
        return trivial_bound(instance)
    k = instance.at_least
    found = find_dead_ends((*instance.cards, *piled(instance.after, k)), k)
    wild = len(apart(instance.cards, k)[1])
    return 0 if found is None else max(0, found.sequences - 1 - wild)
