"""The real game over HTTP: what each move leads to, and advice."""

from typing import Any

from fastapi.testclient import TestClient

from uno_csp import GameState, Seat, advise, analyse
from uno_csp.agents.players import AGENTS
from uno_csp.agents.playing import play_turn
from uno_csp.formats import question_to_dict
from uno_csp.questions.open_game import card_of, dealt

SMALL = {"question": "open-game", "hands": [["R5", "R7"], ["B7"]], "after": "R1", "draw": ["G1"]}
SEAT = {"hand": ["R5", "B2", "W"], "after": "R1", "others": [3], "deals": 300}


def test_analyse_follows_a_game(client: TestClient) -> None:
    game = dealt((4, 4), 1)
    asked: dict[str, Any] = {"instance": question_to_dict(game), "plays": []}
    while True:
        response = client.post("/analyse", json=asked).json()
        assert response == analyse(game, asked["plays"])
        if response["position"] is None:
            break
        asked["plays"].append(response["plays"][0])
    assert asked["plays"]
    assert response["winner"] == analyse(game)["winner"]


def test_advise_is_that_of_python(client: TestClient) -> None:
    response = client.post("/advise", json=SEAT).json()
    seat = Seat((card_of(5), card_of(41), card_of(52)), card_of(1), (3,))
    assert response == advise(seat, deals=300).to_dict()
    assert response["deals"] == 300


def test_a_game_is_played_by_agents(client: TestClient) -> None:
    """Turn by turn, as :func:`play_turn` does; each agent sees one hand."""
    state = GameState(dealt((3, 3, 3), 4))
    body = {"instance": question_to_dict(dealt((3, 3, 3), 4)), "deals": 200, "seed": 3}
    while not state.over:
        name = ("exact-deals", "rule", "play-outs")[(state.player or 0) - 1]
        asked = {**body, "plays": state.turns, "agent": name}
        found = client.post("/move", json=asked).json()
        state, prospects = play_turn(state, AGENTS[name](seed=3, work=200))
        assert {**found["turn"], "player": state.turns[-1]["player"]} == state.turns[-1]
        assert found["moves"] == [each.to_dict() for each in prospects]
        assert bool(prospects) <= (name != "rule")
        assert bool(found["words"]) == bool(prospects)
    over = client.post("/move", json={**body, "plays": state.turns})
    assert over.status_code == 422
    assert over.json()["detail"] == "the game is over"


def test_a_game_of_help_is_analysed(client: TestClient) -> None:
    together = {**SMALL, "goal": "together"}
    found = client.post("/analyse", json={"instance": together, "plays": []}).json()
    assert found["turns"] == 3
    assert [(move["leads_to"], move["turns"]) for move in found["moves"]] == [(1, 3), (None, None)]


def test_an_analysis_may_be_shallow(client: TestClient) -> None:
    """Position and moves at once, without what they lead to."""
    game = dealt((7, 7), 3)
    found = client.post("/analyse", json={"instance": question_to_dict(game), "most": 0}).json()
    assert found == analyse(game, most=0)
    assert {move["leads_to"] for move in found["moves"]} == {"unknown"}


def test_a_turn_is_reviewed(client: TestClient) -> None:
    body = {"instance": SMALL, "plays": [{"lays": "R7"}], "deals": 300}
    response = client.post("/review", json=body).json()
    assert response["mark"] == "mistake"
    assert response["could"] == "wins"
    none = client.post("/review", json={**body, "plays": []})
    assert none.status_code == 422
    assert "there is no turn to review" in none.json()["detail"]
