"""States of an open game: moves against the referee, the end, questions, and what is refused."""

import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawing import games, large_games
from tests.support.examples import examples
from tests.support.open_games import game
from tests.support.tables import table
from uno_csp import GameState, InstanceError, NotAccepted, analyse, parse, solve
from uno_csp.checker.open_game import _state, _turn, game_of
from uno_csp.open_game import PRESETS
from uno_csp.questions.open_game import OpenGame, dealt
from uno_csp.verifier.real_games import State

GAME = game("R5 R7/B7", "R1")


@examples(40)
@given(games(most_cards=7, most_drawn=20) | large_games(), st.data())
def test_a_game_is_played_to_its_end(instance: OpenGame, data: st.DataObject) -> None:
    """In every position the referee has the same state, the same moves, and what follows."""
    referee = game_of(instance)
    state, table = GameState(instance), referee.start
    while True:
        following = dict(referee.turns(table))
        legal = {_turn(move): move for move in state.legal_moves()}
        assert legal.keys() == following.keys()
        assert state.player == table.player + 1
        assert _state(state.to_dict() or {}).key() == table.key()
        key = data.draw(st.sampled_from(sorted(legal)))
        state, then = state.play(legal[key]), following[key]
        assert {key: state.turns[-1][key] for key in legal[key]} == legal[key]
        if not isinstance(then, State):
            break
        table = then
    assert state.winner == (None if then is None else then + 1)
    ended = (state.over, state.player, state.legal_moves(), state.to_dict())
    assert ended == (True, None, [], None)
    said = analyse(instance, state.turns)
    assert (said["winner"], said["score"]) == (state.winner, state.score)


@examples(3)
@given(st.integers(0, 10**6), st.data())
def test_a_state_is_a_question(deal: int, data: st.DataObject) -> None:
    state = GameState(dealt((4, 4), deal))
    while not state.over:
        try:
            again = GameState(state.question())
        except NotAccepted as error:
            assert "no question begins with" in str(error)
        else:
            assert again.legal_moves() == state.legal_moves()
            assert again.question() == state.question()
        state = state.play(data.draw(st.sampled_from(state.legal_moves())))
    with pytest.raises(NotAccepted, match="the game is over"):
        state.question()


def test_moves_of_an_analysis_are_played() -> None:
    state = GameState(GAME)
    move = analyse(GAME)["moves"][0]
    assert "leads_to" in move
    assert analyse(GAME, [move])["position"] == state.play(move).to_dict()
    answer = solve(GAME)
    assert answer.strategy is not None
    for play in answer.strategy["plays"]:
        state = state.play(play)
    assert (state.winner, state.score) == (1, answer.strategy["score"])


def test_states_are_values() -> None:
    state, other = (GameState(replace(GAME)).play({"lays": "R5"}) for _ in range(2))
    assert state == other == pickle.loads(pickle.dumps(state))  # noqa: S301
    assert {state, other} == {state} != {GameState(GAME)}
    assert repr(state) == "GameState(player 2 to move, 1 turn)"
    assert state != "GameState(player 2 to move, 1 turn)"


def test_what_is_not_legal_is_refused() -> None:
    state = GameState(GAME)
    with pytest.raises(InstanceError, match=r"turn: \{.*G5.*\} is not legal; legal: .*R7"):
        state.play({"lays": "G5"})
    with pytest.raises(NotAccepted, match="turn: 5 is not allowed; expected a turn with draws"):
        state.play(5)  # type: ignore[arg-type]
    ended = state.play({"lays": "R5"}).play({"draws": 0}).play({"lays": "R7"})
    with pytest.raises(InstanceError, match="turn: the game is over"):
        ended.play({"draws": 1})
    with pytest.raises(InstanceError, match="open-game"):
        GameState(parse({"question": "uno-1", "cards": ["R5"]}))  # type: ignore[arg-type]
    reshuffled = replace(dealt((3, 3), 1), rules=replace(PRESETS["printed-2003"]), turned_up=False)
    following = GameState(reshuffled)
    following = following.play(following.legal_moves()[0])
    with pytest.raises(NotAccepted, match="may be shuffled again"):
        following.question()


def test_a_card_that_has_had_its_effect_begins_a_question() -> None:
    """All wild cards are in a hand, so none can stand for the skip on the pile."""
    rules = {"preset": "unocard", "skip_answered_by_skip": False}
    state = GameState(game("RS R3 R4/W W W W Y5", "R7", "Y1", rules=rules)).play({"lays": "RS"})
    assert state.question().after == ("red", "skip")
    assert GameState(state.question()).legal_moves() == state.legal_moves()


@pytest.mark.parametrize("limit", [{"most": -1}, {"time_limit_s": 0}, {"time_limit_s": -1.0}])
def test_limits_of_an_analysis_are_checked(limit: dict[str, Any]) -> None:
    with pytest.raises(NotAccepted, match="not"):
        analyse(GAME, **limit)


@pytest.mark.parametrize(("turn", "said"), table("open_game", "bad turns"))
def test_a_turn_is_of_the_player_to_move(turn: dict[str, Any], said: str) -> None:
    with pytest.raises(InstanceError) as caught:
        analyse(GAME, [turn])
    assert str(caught.value).startswith(said)
