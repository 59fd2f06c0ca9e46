"""Reviews: what each turn gave away, from the seat of the player who moved."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.support.drawing import drawn, games
from tests.support.open_games import game, minimax
from tests.support.running import answered, refused
from tests.support.tables import table
from uno_csp import GameState, InstanceError, NotAccepted
from uno_csp.agents.players import AGENTS
from uno_csp.agents.playing import play_game
from uno_csp.agents.reviewing import Mark, Reviewed, Worth, review, review_turn
from uno_csp.formats import question_to_dict
from uno_csp.questions.open_game import OpenGame, dealt


def exact(instance: OpenGame, player: int) -> Worth | None:
    """The value of a position to a player, by complete search; None if it takes long."""
    found = minimax(instance, 20_000, player)
    if found is None:
        return None
    return Worth.WINS if found[0] else Worth.LOSES if found[1] else Worth.OPEN


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("count", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_three_players_are_reviewed_from_their_own_seats(count: int) -> None:
    """Before and after each turn, against all others together."""
    three = (
        each
        for each in drawn(games(most_cards=4, most_drawn=3), 40 * count)
        if len(each.hands) == 3
    )
    compared = {1: 0, 2: 0, 3: 0}
    for number, given in enumerate(islice(three, count)):
        state = GameState(given)
        agents = [AGENTS["random"](seed=number + at) for at in range(3)]
        turns = play_game(state, agents, 8).turns
        for each in review(given, turns, deals=200):
            before = GameState(given)
            for turn in turns[: each.turn - 1]:
                before = before.play(turn)
            compared[each.player] += agrees(before, each)
    assert sum(compared.values()) >= count / 4
    assert min(compared.values()) >= count // 20


def agrees(before: GameState, found: Reviewed) -> bool:
    """Compare a review with the truth; return False if that is not known."""
    after = before.play(found.move)
    try:
        could = exact(before.question(), found.player - 1)
        did = None if after.over else exact(after.question(), found.player - 1)
    except NotAccepted:  # no question begins with a pending card or a pass
        return False
    if found.mark is Mark.ONLY:
        return False
    if after.over and after.winner is not None:
        did = Worth.WINS if after.winner == found.player else Worth.LOSES
    for said, true in ((found.could, could), (found.did, did)):
        assert said is None or true is None or said is true
    if could is not None and did is not None and found.could is not None and could is not did:
        assert found.mark is Mark.MISTAKE
    return found.could is not None and could is not None


def test_who_throws_the_game_away_is_told() -> None:
    """Player 2 has a last card that fits, and draws instead."""
    given = game("R5 R6/R7/B1 B2", "R1", "Y1 Y2", rules="free-draw")
    turns: list[dict[str, Any]] = [{"lays": "R5"}, {"draws": 1}]
    last, first = review(given, turns)
    assert (last.turn, last.player, last.mark) == (2, 2, Mark.MISTAKE)
    assert last.could is Worth.WINS
    assert "against all others together" in last.words
    assert first.player == 1


def test_turns_that_are_not_solved_are_estimated() -> None:
    """With a whole draw pile and a player who draws although it need not."""
    game = dealt((7, 7, 7), 3)
    end = play_game(GameState(game), [AGENTS["rule"](seed=at) for at in range(3)], 30)
    found = list(review(game, end.turns, deals=500))
    assert [each.turn for each in found] == list(range(len(end.turns), 0, -1))
    open_ = [each for each in found if each.could is None and each.mark is not Mark.ONLY]
    assert len(open_) > 1
    for each in open_:
        assert each.before is not None
        assert each.after is not None
        assert each.lost is not None
        assert 0 <= each.lost <= 1
        assert (each.mark is Mark.GOOD) == (each.lost < 0.05)
        assert f"{each.after:.0%}" in each.words


def test_a_review_can_be_stopped_and_asked_for_one_turn() -> None:
    game = dealt((7, 7), 3)
    end = play_game(GameState(game), [AGENTS["rule"](seed=at) for at in range(2)], 12)
    first = next(review(game, end.turns, deals=300))
    assert first == review_turn(game, end.turns, deals=300)
    assert first.to_dict()["turn"] == len(end.turns)
    with pytest.raises(NotAccepted, match="plays: there is no turn to review"):
        review_turn(game, ())
    with pytest.raises(InstanceError, match=r"plays\[1\]"):
        review_turn(game, [end.turns[0], {"lays": "X"}])


def test_a_review_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(json.dumps(question_to_dict(game("R5 R7/B7", "R1"))))
    plays = tmp_path / "plays.json"
    asked = ("review", str(tmp_path / "game.json"), str(plays))
    for text in ('[{"lays": "R7"}, {"lays": "B7"}]', '{"plays": [{"lays": "R7"}, {"lays": "B7"}]}'):
        plays.write_text(text)
        last, first = answered(0, *asked).splitlines()
        assert last == "turn 2, player 2: Player 2 had no choice."
        assert first.startswith("turn 1, player 1: Mistake: with open cards a win could be forced")
    assert [each["mark"] for each in json.loads(answered(0, *asked, "--format", "json"))] == [
        "only",
        "mistake",
    ]
    for text, said in table("open_game", "no turns to review"):
        plays.write_text(text)
        assert f"plays.json: {said}" in refused(*asked)
