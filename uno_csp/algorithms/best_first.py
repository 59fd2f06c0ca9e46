"""The open game with everybody's help, by best-first search: the fewest turns to player 1's end."""

import math

from uno_csp.answers import Status, Witness
from uno_csp.modeling import STOPPED, Algorithm, Finding
from uno_csp.open_game.fewest_turns import MOST_POSITIONS, FewestTurns
from uno_csp.open_game.telling import line_to_dict
from uno_csp.questions.open_game import Goal, OpenGame, start_of

SPARE_S = 0.1
"""So long before its time the search ends, to tell what it found."""


class BestFirst(Algorithm[OpenGame]):
    """The fewest turns in which player 1 wins the open game with everybody's help, by A*."""

    name = "best-first"
    takes = (OpenGame,)
    preference = 2

    def declines(self, instance: OpenGame) -> str | None:
        """Players who are after their own good."""
        return None if instance.goal is Goal.TOGETHER else "it is for the goal together"

    def run(self, instance: OpenGame) -> Finding:
        """The fewest turns."""
        return self.run_until(instance, None)

    def run_until(self, instance: OpenGame, ends_at: float | None) -> Finding:
        """The fewest turns, or how many there are at least."""
        game, start = start_of(instance)
        until = math.inf if ends_at is None else ends_at - SPARE_S
        fewest = FewestTurns(game, start, most=MOST_POSITIONS, ends_at=until).run()
        stats = {"positions": fewest.positions}
        if fewest.bound is None:
            return Finding(Status.UNSATISFIABLE, stats=stats)
        if fewest.line is None:
            full = fewest.positions > MOST_POSITIONS
            gave_up = f"more than {MOST_POSITIONS:,} positions; the search gave up"
            reason = gave_up if full else STOPPED
            return Finding(Status.UNKNOWN, bound=fewest.bound, reason=reason, stats=stats)
        line = {"kind": "line", "winner": 1, **line_to_dict(game, start, fewest.line)}
        witness = Witness(objective=fewest.bound, strategy=line)
        return Finding(Status.OPTIMAL, witness, stats=stats)


ALGORITHM = BestFirst()
