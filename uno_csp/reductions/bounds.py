"""Bounds on the optimisation questions that need no solver."""

from uno_csp.cards import apart
from uno_csp.questions import FillIn, Instance, Longest
from uno_csp.reductions.dead_ends import find_dead_ends
from uno_csp.reductions.steps import with_pile


def known_bound(instance: Instance) -> int | None:
    """What can be proved of the objective at once: at least that much, or at most (longest).

    ``fill-in`` without a supply joins as many sequences as the dead ends and the groups of a hand
    need; in a chain of added cards each of them joins two more at most.
    """
    if isinstance(instance, Longest):
        return len(instance.cards)
    if not isinstance(instance, FillIn):
        return None
    if instance.supply is not None:
        return 0
    k = instance.at_least
    found = find_dead_ends(with_pile(instance.cards, instance.after, k), k)
    wild = len(apart(instance.cards, k)[1])
    return 0 if found is None else max(0, found.sequences - 1 - wild)
