"""Analysis of an open game in progress: who wins, and what each legal move leads to."""

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from uno_csp.algorithms.proof_number import Solving, deep
from uno_csp.errors import InstanceError
from uno_csp.open_game.positions import NOBODY, Game, Outcome, Position
from uno_csp.open_game.telling import move_to_dict, position_to_dict
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import require_question
from uno_csp.questions.arguments import require_kind
from uno_csp.questions.open_game import Goal, OpenGame, start_of
from uno_csp.questions.wording import shown

MOST_POSITIONS = 400_000
"""Maximum number of positions searched for one analysis; undecided results are "unknown"."""

Play = Mapping[str, Any]


def analyse(
    instance: OpenGame,
    plays: Sequence[Play] = (),
    *,
    most: int = MOST_POSITIONS,
    time_limit_s: float | None = None,
) -> dict[str, Any]:
    """Return who wins after some turns, what each legal move leads to, and a line of best play.

    Parameters
    ----------
    instance
        The game, with goal ``win``.
    plays
        Turns as in :attr:`uno_csp.Answer.strategy`: ``draws``, ``lays``, ``names``; ``player`` is
        ignored.
    most, time_limit_s
        Limits on the positions searched and on time; results undecided by then are "unknown".

    Returns
    -------
    dict
        ``position`` as :func:`uno_csp.next_move` takes it, or None when the game is over;
        ``winner`` (1, 2, "others", None for nobody, "unknown"), ``moves``, ``plays`` and ``score``
        as in a strategy.

    Raises
    ------
    InstanceError
        If the goal is not ``win``, or a turn is not legal.

    Examples
    --------
    >>> from uno_csp import parse
    >>> game = parse({"question": "open-game", "hands": [["R5", "R7"], ["B7"]], "after": "R1"})
    >>> [(move["lays"], move["leads_to"]) for move in analyse(game)["moves"]]
    [('R5', 1), ('R7', 2)]
    """
    require_question(instance, OpenGame)
    require_kind("plays", plays, list | tuple, "a list of turns")
    require_kind("most", most, int)
    if time_limit_s is not None:
        require_kind("time_limit_s", time_limit_s, Real)
    if instance.goal is not Goal.WIN:
        raise InstanceError("goal: only games with the goal 'win' can be analysed")
    game, start = start_of(instance)
    reached = _after(game, start, plays)
    if not isinstance(reached, tuple):
        winner = None if reached == NOBODY else reached + 1
        return {"position": None, "winner": winner, "moves": [], "plays": []}
    deadline = Deadline.after(time_limit_s)
    with deep(instance.size * (1 + instance.rules.reshuffles)):
        finding = Solving(game, reached, most, deadline).finding()
    found: dict[str, Any] = {"position": position_to_dict(reached)}
    if finding.witness is None:
        moves = [{**move_to_dict(move), "leads_to": "unknown"} for move, _ in game.moves(reached)]
        return {**found, "winner": "unknown", "moves": moves, "plays": []}
    strategy = finding.witness.strategy or {}
    return {**found, **{key: strategy[key] for key in ("winner", "moves", "plays", "score")}}


def _after(game: Game, position: Position, plays: Sequence[Play]) -> Outcome:
    """Return the outcome after some turns."""
    outcome: Outcome = position
    for number, play in enumerate(plays):
        if not isinstance(outcome, tuple):
            raise InstanceError(f"plays[{number}]: the game is over")
        legal = [(move_to_dict(move), then) for move, then in game.moves(outcome)]
        require_kind(f"plays[{number}]", play, Mapping, "a turn with draws and lays")
        turn = {key: value for key, value in play.items() if key != "player"}
        following = next((then for move, then in legal if move == turn), None)
        if following is None:
            listed = ", ".join(shown(move) for move, _ in legal)
            raise InstanceError(f"plays[{number}]: {shown(turn)} is not legal; legal: {listed}")
        outcome = following
    return outcome
