"""Analysis of an open game in progress: who wins, and what each legal move leads to."""

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from uno_csp.algorithms.proof_number import Solving, deep
from uno_csp.algorithms.stepping import GameState
from uno_csp.errors import InstanceError, NotAccepted
from uno_csp.open_game.telling import move_to_dict, position_to_dict
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import require_question
from uno_csp.questions.arguments import require_kind
from uno_csp.questions.open_game import Goal, OpenGame

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
        Turns as in :attr:`uno_csp.Answer.strategy`: ``draws``, ``lays``, ``names``; ``player`` and
        ``leads_to`` are ignored.
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
    NotAccepted
        If a limit is not allowed.

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
    if most < 0:
        raise NotAccepted(f"most: {most} is not allowed; expected 0 or more")
    if time_limit_s is not None:
        require_kind("time_limit_s", time_limit_s, Real)
        if not 0 < time_limit_s < math.inf:
            raise NotAccepted(f"the time limit must be positive and finite, not {time_limit_s:g}")
    if instance.goal is not Goal.WIN:
        raise InstanceError("goal: only games with the goal 'win' can be analysed")
    state = GameState(instance)
    for number, play in enumerate(plays):
        state = state.played(play, f"plays[{number}]")
    game, reached = state.game, state.outcome
    if not isinstance(reached, tuple):
        ended = {"position": None, "winner": state.winner, "score": state.score}
        return {**ended, "moves": [], "plays": []}
    deadline = Deadline.after(time_limit_s)
    with deep(instance.size * (1 + instance.rules.reshuffles)):
        finding = Solving(game, reached, most, deadline).finding()
    found: dict[str, Any] = {"position": position_to_dict(reached)}
    if finding.witness is None:
        moves = [{**move_to_dict(move), "leads_to": "unknown"} for move, _ in game.moves(reached)]
        return {**found, "winner": "unknown", "moves": moves, "plays": []}
    strategy = finding.witness.strategy or {}
    return {**found, **{key: strategy[key] for key in ("winner", "moves", "plays", "score")}}
