"""Analysis of an open game in progress: who wins, and what each legal move leads to."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, SupportsFloat, SupportsIndex

from uno_csp.algorithms.proof_number import Solving
from uno_csp.algorithms.stepping import GameState
from uno_csp.errors import NotAccepted
from uno_csp.open_game.fewest_turns import Fewest, FewestTurns
from uno_csp.open_game.positions import Game, Outcome, Position, counts
from uno_csp.open_game.telling import line_to_dict, move_to_dict, position_to_dict
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import require_question
from uno_csp.questions.arguments import limit_of, plain_value, require_kind
from uno_csp.questions.open_game import Goal, OpenGame, effect_of_first_card
from uno_csp.questions.wording import shown

MOST_POSITIONS = 400_000
"""Maximum number of positions searched for one analysis; undecided results are "unknown"."""

Play = Mapping[str, Any]


def analyse(
    instance: OpenGame,
    plays: Sequence[Play] = (),
    *,
    most: SupportsIndex = MOST_POSITIONS,
    time_limit_s: SupportsFloat | None = None,
) -> dict[str, Any]:
    """Return who wins after some turns, what each legal move leads to, and a line of best play.

    Parameters
    ----------
    instance
        The game.
    plays
        Turns as in :attr:`uno_csp.Answer.strategy`: ``draws``, ``lays``, ``names``; ``player``
        may name the one to move, and ``leads_to`` is ignored.
    most, time_limit_s
        Limits on the positions searched and on time; results undecided by then are "unknown".

    Returns
    -------
    dict
        ``position`` as :func:`uno_csp.next_move` takes it, or None when the game is over;
        ``winner`` (1, 2, "others", None for nobody, "unknown"), ``moves``, ``plays`` and ``score``
        as in a strategy; ``turned_up`` says what the first card did. With the goal ``together`` the
        winner is 1 or None, and ``turns``, also of each move, is the least number of further turns
        until player 1 is out; None if she cannot be, or if it is not known.

    Raises
    ------
    InstanceError
        If a turn is not legal.
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
    positions = plain_value(most)
    require_kind("most", positions, int)
    if positions < 0:
        raise NotAccepted(f"most: {shown(positions)} is not allowed; expected 0 or more")
    limit_s = None if time_limit_s is None else limit_of("time_limit_s", time_limit_s)
    state = GameState(instance)
    for number, play in enumerate(plays):
        state = state.played(play, f"plays[{number}]")
    game, reached = state.game, state.outcome
    told: dict[str, Any] = {"turned_up": effect_of_first_card(instance)}
    if not isinstance(reached, tuple):
        ended = {"position": None, "winner": state.winner, "score": state.score}
        return {**told, **ended, "moves": [], "plays": []}
    deadline = Deadline.after(limit_s)
    if instance.goal is Goal.TOGETHER:
        return told | _together(game, reached, positions, deadline)
    finding = Solving(game, reached, positions, deadline).finding()
    found = told | {"position": position_to_dict(reached)}
    if finding.witness is None:
        moves = [{**move_to_dict(move), "leads_to": "unknown"} for move, _ in game.moves(reached)]
        return {**found, "winner": "unknown", "moves": moves, "plays": []}
    strategy = finding.witness.strategy or {}
    return {**found, **{key: strategy[key] for key in ("winner", "moves", "plays", "score")}}


def _winner(found: Fewest) -> int | str | None:
    """Return 1 if player 1 can be out, None if she cannot, and "unknown" else."""
    if found.line is not None:
        return 1
    return None if found.bound is None else "unknown"


def _together(game: Game, position: Position, most: int, deadline: Deadline) -> dict[str, Any]:
    """Return how soon player 1 can be out if all help her, and after each legal move."""
    moves = game.moves(position)
    found = [_fewest(game, outcome, most // len(moves), deadline) for _, outcome in moves]
    listed = [
        {
            **move_to_dict(move),
            "leads_to": _winner(each),
            "turns": None if each.line is None else counts(position, move) + (each.bound or 0),
        }
        for (move, _), each in zip(moves, found, strict=True)
    ]
    least, at = min(
        (math.inf if each["turns"] is None else each["turns"], at) for at, each in enumerate(listed)
    )
    answer: dict[str, Any] = {"position": position_to_dict(position), "moves": listed}
    answer |= {"plays": [], "turns": None}
    if least == math.inf:
        unknown = any(each["leads_to"] == "unknown" for each in listed)
        return {**answer, "winner": "unknown" if unknown else None}
    missing = [
        counts(position, move) + (each.bound or 0)
        for (move, _), each in zip(moves, found, strict=True)
        if each.line is None and each.bound is not None
    ]
    line = [moves[at], *(found[at].line or ())]
    sure = all(bound >= least for bound in missing)
    answer["turns"] = int(least) if sure else None
    return {**answer, "winner": 1, **line_to_dict(game, position, line)}


def _fewest(game: Game, outcome: Outcome, most: int, deadline: Deadline) -> Fewest:
    """Return the fewest turns after a move; the line is empty if player 1 has won with it."""
    if isinstance(outcome, tuple):
        return FewestTurns(game, outcome, most=most, deadline=deadline).run()
    return Fewest((), 0, 0, 0) if outcome == 0 else Fewest(None, None, None, 0)
