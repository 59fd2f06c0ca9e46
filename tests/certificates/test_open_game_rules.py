"""The rules of the real game in its verifier: those of the package, and questions it refuses."""

import json
from dataclasses import asdict
from typing import Any

import pytest

from tests.support.tables import table
from uno_csp.open_game import Rules
from uno_csp.verifier.reading import Refused
from uno_csp.verifier.real_games import Game, walk

GAME = {
    "hands": [[["red", 5]], [["blue", 7]]],
    "after": ["red", 1],
    "draw": [["green", 1]],
    "rules": json.loads(json.dumps(asdict(Rules()))),
}


@pytest.mark.parametrize(("changes", "said"), table("certificates", "no games"))
def test_games_that_are_none_are_refused(changes: dict[str, Any], said: str) -> None:
    assert Game(GAME).players == 2
    with pytest.raises(Refused, match=said):
        Game({**GAME, **changes})


@pytest.mark.parametrize("changes", table("certificates", "games of all sizes"))
def test_games_of_all_sizes_are_read(changes: dict[str, Any]) -> None:
    game = Game({**GAME, **changes})
    assert game.players == len({**GAME, **changes}["hands"])
    assert game.start.player == changes.get("to_move", 1) - 1


def test_a_rule_of_another_type_is_refused() -> None:
    for name, value in (("must_play", 1), ("reshuffles", False), ("reshuffles", 4), ("draw", "")):
        with pytest.raises(Refused, match=f"{name} is {value!r}"):
            Game({**GAME, "rules": {**GAME["rules"], name: value}})


def test_a_strategy_is_followed_line_by_line() -> None:
    game = Game({**GAME, "hands": [[["red", 5]], [["blue", 7]]], "draw": []})
    assert walk(game, True, iter(["0 r5"])) == (1, 1)
    for wins, lines, said in (
        (True, [], "line 1: None is not one of"),
        (True, ["0 b7"], "line 1: '0 b7' is not one of"),
        (True, ["0 r5", "0"], "more than 1 lines"),
        (False, [], "after line 0, turn '0 r5' is won by 1"),
    ):
        with pytest.raises(Refused, match=said):
            walk(game, wins, iter(lines))
