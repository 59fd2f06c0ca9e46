"""Bounds on the optimisation questions that need no solver."""

from uno_csp.instances import FillIn, Instance, Longest


def known_bound(instance: Instance) -> int | None:
    """What can be proved of the objective at once: at least that much, or at most (longest)."""
    if isinstance(instance, Longest):
        return len(instance.cards)
    return 0 if isinstance(instance, FillIn) else None
