"""Compilation of all that runs as machine code, for a server that starts."""

from uno_csp.agents.arrays import PLAY_OUTS
from uno_csp.algorithms._annealed_plays import ANNEALING
from uno_csp.open_game.search import SEARCH


def prepare(lifeline: int | None = None) -> None:
    """Compile it, unless that has been done; with a lifeline, for another process."""
    for each in (SEARCH, ANNEALING, PLAY_OUTS):
        each.prepare(lifeline)
