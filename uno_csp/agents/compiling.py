"""Compilation of what the agents and the search of open games run in machine code."""

from functools import cache

from uno_csp.algorithms import annealing
from uno_csp.errors import BackendUnavailable
from uno_csp.open_game import winning
from uno_csp.open_game.compiling import have_kept, is_kept

WHAT = "the play-outs of the agents (once, about 10 s)"  # human-readable name


def is_compiled() -> bool:
    """Return True if the machine code of the agents is kept."""
    from uno_csp.agents.compiled import deal_all, play_deals

    return is_kept(deal_all) and is_kept(play_deals)


@cache
def why_uncompiled() -> str:
    """Compile what the agents run, unless that is done; return why that cannot be, or ""."""
    try:
        from uno_csp.agents.compiled import deal_all, play_deals
    except ImportError as error:
        raise BackendUnavailable(
            f"the agents need numba, which cannot be loaded: {error}"
        ) from None
    return have_kept((deal_all, play_deals), "uno_csp.agents.arrays", WHAT)


def prepare(lifeline: int | None = None) -> None:
    """Compile all of it, and what plays cooperative deals, unless that has been done.

    With a lifeline, it is done for another process, and ends with that.
    """
    from uno_csp.agents import arrays

    winning.prepare(lifeline)
    annealing.prepare(lifeline)
    arrays.prepare(lifeline)
