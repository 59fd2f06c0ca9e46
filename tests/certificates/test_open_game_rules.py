"""The rules of the real game in its verifier: those of the package, and questions it refuses."""

import json
import random
from collections import Counter
from dataclasses import asdict
from typing import Any

import pytest

from tests.support.drawing import drawn, games, large_games
from tests.support.tables import table
from uno_csp.certificates.open_games import text_of
from uno_csp.formats import question_to_dict
from uno_csp.open_game import Rules
from uno_csp.open_game.deck import FIELD, FIELD_BITS
from uno_csp.questions.open_game import OpenGame, start_of
from uno_csp.verifier.reading import Refused
from uno_csp.verifier.real_games import Game, State, walk


def stated(instance: OpenGame) -> Any:
    """Return a question with all of its rules, as a certificate has it."""
    return json.loads(json.dumps({**question_to_dict(instance), "rules": asdict(instance.rules)}))


def test_games_go_on_alike_in_the_verifier_and_the_package() -> None:
    """The same turns lead to the same players, directions, hands and ends."""
    rng, ends = random.Random(40), Counter[str]()
    for instance in (*drawn(games(), 120), *drawn(large_games(), 30)):
        game, position = start_of(instance)
        referee = Game(stated(instance))
        at = referee.start
        for _ in range(60):
            ours = {text_of(move): outcome for move, outcome in game.moves(position)}
            theirs = dict(referee.turns(at))
            assert {*ours} == {*theirs}, instance
            text = rng.choice(sorted(ours))
            outcome, after = ours[text], theirs[text]
            if isinstance(outcome, int):
                assert after == (None if outcome < 0 else outcome), instance
                ends["nobody" if outcome < 0 else "won"] += 1
                break
            assert isinstance(after, State)
            place = (after.player, after.direction, after.passes)
            assert place == (outcome.player, outcome.direction, outcome.passes), instance
            held = [
                sum((hand & FIELD[kind]) >> FIELD_BITS * kind for kind in range(54))
                for hand in outcome.hands
            ]
            assert [len(hand) for hand in after.hands] == held, instance
            position, at = outcome, after
    assert ends["nobody"] > 3
    assert ends["won"] > 50


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
