"""``tree-search``: information set Monte Carlo tree search, with a new deal in every iteration."""

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from uno_csp.agents.players._dealing import Dealing, Look
from uno_csp.processes.deadline import Deadline

if TYPE_CHECKING:
    from uno_csp.agents.arrays import Arranged

MOST_WORK = 200_000  # maximum number of iterations: the tree has to be kept


class TreeSearch(Dealing):
    """Search a tree of moves that all deals share (Cowling, Powley and Whitehouse 2012)."""

    name: ClassVar[str] = "tree-search"
    about: ClassVar[str] = "information set Monte Carlo tree search, with a new deal each time"
    own_work: ClassVar[int] = 20_000
    at_once: ClassVar[int] = 256
    by_tries: ClassVar[bool] = True

    def _begin(self, found: "Arranged", deadline: Deadline) -> Look:
        from uno_csp.agents.arrays import empty_tree

        del deadline
        self._work = min(self._work, MOST_WORK)
        return partial(found.search, empty_tree(self._work))


AGENT = TreeSearch
