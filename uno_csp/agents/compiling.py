"""Compilation of what the agents and the search of open games run in machine code."""

from pathlib import Path

from uno_csp.agents.players import AGENTS
from uno_csp.agents.views import view_of
from uno_csp.algorithms.stepping import GameState
from uno_csp.open_game import winning
from uno_csp.questions.open_game import dealt

COMPILED = ("compiled.search-*.nbi", "compiled.compare-*.nbi")
"""Names of the files in Numba's cache that list the play-outs and the tree search."""


def is_compiled() -> bool:
    """Return True if Numba has all of it in the package's cache; this does not load Numba."""
    folder = Path(__file__).parent / "__pycache__"
    return winning.is_compiled() and all(any(folder.glob(name)) for name in COMPILED)


def prepare() -> None:
    """Compile all of it, unless that has been done."""
    winning.prepare()
    view = view_of(GameState(dealt((2, 2), seed=1)))
    for name in ("play-outs", "tree-search"):
        AGENTS[name](work=1).advise(view)
