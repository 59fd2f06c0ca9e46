"""Strategies of open games: they force what the answer claims, whatever the other side does."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.support.drawing import drawn, games
from tests.support.tables import table
from uno_csp import Answer, check, next_move, parse, solve
from uno_csp.algorithms.proof_number import ALGORITHM
from uno_csp.open_game.moves import NOBODY
from uno_csp.open_game.positions import Position
from uno_csp.open_game.telling import move_to_dict, position_to_dict
from uno_csp.questions.answers import Witness
from uno_csp.questions.open_game import OpenGame, start_of


def ends(instance: OpenGame, answer: Answer) -> set[int]:
    """All ends of the game if one side follows the strategy: winners from 0, or ``NOBODY``."""
    game, start = start_of(instance)
    winner = (answer.strategy or {})["winner"]
    found, seen, waiting = set[int](), {start}, [start]
    while waiting:
        position = waiting.pop()
        moves = game.moves(position)
        if (position.player == 0) == (winner == 1):
            chosen = dict(next_move(answer, position_to_dict(position)))
            moves = [each for each in moves if move_to_dict(each[0]) == chosen]
            assert len(moves) == 1, (instance, position)
        for _, outcome in moves:
            if not isinstance(outcome, Position):
                found.add(outcome)
            elif outcome not in seen:
                seen.add(outcome)
                waiting.append(outcome)
    return found


def forced(instance: OpenGame, answer: Answer) -> bool:
    """True if the strategy forces what the answer claims; ``next_move`` is asked everywhere."""
    winner, found = (answer.strategy or {})["winner"], ends(instance, answer)
    if winner == 1:
        return found == {0}
    return 0 not in found and (winner is None or NOBODY not in found)


def test_strategies_force_what_they_claim() -> None:
    claimed = set[object]()
    for instance in drawn(games(), 60):
        found = ALGORITHM.run(instance)
        if found.witness is None:
            continue  # a large game, of which too little is known
        answer = Answer(instance.question, found.status, found.witness)
        strategy = answer.strategy or {}
        if strategy.get("kind") != "positions" or len(strategy["positions"]) > 200:
            continue
        claimed.add(strategy["winner"])
        assert forced(instance, answer), instance
    assert claimed == {1, 2, "others", None}


GAMES: Mapping[str, Mapping[str, Any]] = table("open_game", "strategies")


@pytest.mark.parametrize("name", GAMES)
def test_strategies_of_special_games(name: str) -> None:
    instance = parse({"question": "open-game", "draw": [], **GAMES[name]})
    assert isinstance(instance, OpenGame)
    answer = solve(instance)
    assert (answer.strategy or {})["kind"] == "positions"
    assert not check(instance, answer)
    assert forced(instance, answer)


def test_a_strategy_that_only_stops_player_1_is_no_win() -> None:
    """If player 2 names red, nobody can go on; the referee does not take that for a win."""
    instance = parse({"question": "open-game", "draw": [], **next(iter(GAMES.values()))})
    answer = solve(instance)
    strategy = answer.to_dict()["strategy"]
    assert strategy["winner"] == 2
    first = {**strategy["positions"][0], "names": "red"}
    after = {**first, "hands": [["Y2"], ["Y+2"]], "colour": "red", "symbol": "+4", "passes": 0}
    second = {key: after[key] for key in after if key not in ("lays", "names")}
    strategy["positions"] = [first, second]
    (violation,) = check(instance, replace(answer, witness=Witness(strategy=strategy)))
    assert violation.message == "after line 2, turn '0' is won by nobody"
