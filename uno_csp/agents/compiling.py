"""Compilation of what the agents and the search of open games run in machine code."""

from functools import cache

from uno_csp.agents.views import view_of
from uno_csp.algorithms import annealing
from uno_csp.algorithms.stepping import GameState
from uno_csp.errors import BackendUnavailable
from uno_csp.open_game import winning
from uno_csp.open_game.compiling import alone, have_kept
from uno_csp.questions.open_game import dealt

WHAT = "what the agents compute (once, about 20 s)"  # human-readable name of the compiled code


@cache
def why_uncompiled() -> str:
    """Compile all of it unless that is done; return why that cannot be, or ""."""
    try:
        from uno_csp.agents.compiled import compare, search
        from uno_csp.open_game.compiled import copy_into, run
    except ImportError as error:
        raise BackendUnavailable(
            f"the agents need numba, which cannot be loaded: {error}"
        ) from None
    return have_kept((run, copy_into, compare, search), __name__, WHAT)


def prepare(lifeline: int | None = None) -> None:
    """Compile all of it, and what plays cooperative deals, unless that has been done.

    With a lifeline, it is done for another process, and ends with that.
    """
    winning.prepare(lifeline)
    annealing.prepare(lifeline)
    from uno_csp.agents.arrays import arranged, empty_tree
    from uno_csp.agents.compiled import search
    from uno_csp.agents.knowledge import Beliefs

    with alone(search):
        found = arranged(view_of(GameState(dealt((2, 2), seed=1))), Beliefs.LIKELY, 1)
        found.compare(1)
        found.search(empty_tree(1), 1)
        found.deal()
