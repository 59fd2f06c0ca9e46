"""``play-outs``: play the choices out in the same random deals, most often those that matter."""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from uno_csp.agents.players._dealing import Dealing
from uno_csp.processes.deadline import Deadline

if TYPE_CHECKING:
    from uno_csp.agents.arrays import Arranged
    from uno_csp.agents.estimating import Wins


class PlayOuts(Dealing):
    """Try every choice in the same deals, all players going on by the policy."""

    name: ClassVar[str] = "play-outs"
    about: ClassVar[str] = "plays every choice out in the same deals, most often the best ones"
    policy: ClassVar[str] = (
        "all players play if they can: wild cards last, action cards before numbers (above all if "
        "the next player has one or two cards), symbols that the hand has once, and colours that "
        "it has again and of which few other cards are left"
    )
    own_work: ClassVar[int] = 20_000

    def _exact(self, found: "Arranged") -> list[float] | None:
        from uno_csp.agents.estimating import count_wins

        return count_wins(found)

    def _results(
        self, found: "Arranged", deadline: Deadline, go_on: Callable[[int], bool]
    ) -> "Wins":
        from uno_csp.agents.estimating import halve

        del deadline
        return halve(found, self._work, go_on)
