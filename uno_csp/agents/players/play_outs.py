"""``play-outs``: deal the hidden cards, play every choice out by the simple rule, count wins."""

from typing import TYPE_CHECKING, ClassVar

from uno_csp.agents.players._dealing import Dealing, Look
from uno_csp.processes.deadline import Deadline

if TYPE_CHECKING:
    from uno_csp.agents.arrays import Arranged


class PlayOuts(Dealing):
    """Try every choice in many deals, all players going on by the simple rule."""

    name: ClassVar[str] = "play-outs"
    about: ClassVar[str] = "tries every choice in random deals, all players going on by the rule"
    own_work: ClassVar[int] = 4_000
    at_once: ClassVar[int] = 32

    def _begin(self, found: "Arranged", deadline: Deadline) -> Look:
        del deadline
        return found.compare


AGENT = PlayOuts
