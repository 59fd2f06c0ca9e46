"""The open game with goal ``together``, by a beam and best-first search."""

from uno_csp.algorithms.proof_number import SPARE_S
from uno_csp.modeling import STOPPED, Algorithm, Finding, ReportFinding
from uno_csp.open_game.fewest_turns import MOST_POSITIONS, FewestTurns, games_of_beams
from uno_csp.open_game.positions import Game, Line, Position
from uno_csp.open_game.telling import line_to_dict
from uno_csp.processes.deadline import Deadline
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.open_game import Goal, OpenGame, start_of


class BestFirst(Algorithm[OpenGame]):
    """The fewest turns in which player 1 wins the open game with goal ``together``, by A*."""

    name = "best-first"
    takes = (OpenGame,)

    def declines(self, instance: OpenGame) -> str | None:
        """Return a reason for goals other than ``together``."""
        return None if instance.goal is Goal.TOGETHER else "it takes only the goal 'together'"

    def run_until(self, instance: OpenGame, deadline: Deadline) -> Finding:
        """Return the fewest turns, or the best game found and a bound if the search is stopped."""
        return self.run_reporting(instance, deadline, lambda _known: None)

    def run_reporting(
        self, instance: OpenGame, deadline: Deadline, report: ReportFinding
    ) -> Finding:
        """Report the games of the beams, then each bound."""
        game, start = start_of(instance)
        ending = deadline.shifted(-SPARE_S)
        known = witness = None
        for known in games_of_beams(game, start, ending):
            witness = _witness(game, start, *known)
            report(Finding(Status.UNKNOWN, witness))
        fewest = FewestTurns(
            game,
            start,
            known=known,
            most=MOST_POSITIONS,
            deadline=ending,
            on_bound=lambda bound: report(Finding(Status.UNKNOWN, bound=bound)),
        ).run()
        stats = {"positions": fewest.positions}
        if fewest.bound is None:
            return Finding(Status.UNSATISFIABLE, stats=stats)
        if fewest.line is not None and fewest.turns is not None:
            witness = _witness(game, start, fewest.line, fewest.turns)
        if fewest.turns == fewest.bound:
            return Finding(Status.OPTIMAL, witness, stats=stats)
        full = fewest.positions > MOST_POSITIONS
        gave_up = f"more than {MOST_POSITIONS:,} positions; the search gave up"
        reason = gave_up if full else STOPPED
        return Finding(Status.UNKNOWN, witness, reason, stats, fewest.bound)


def _witness(game: Game, start: Position, line: Line, turns: int) -> Witness:
    strategy = {"kind": "line", "winner": 1, **line_to_dict(game, start, line)}
    return Witness(objective=turns, strategy=strategy)


ALGORITHM = BestFirst()
