"""The routes of the real game, of counts and puzzles, and of Hamiltonian problems."""

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import uno_csp
from tests.support.serving import client_of
from uno_csp import GameState, Seat, advise, analyse
from uno_csp.agents.players import AGENTS
from uno_csp.agents.playing import play_turn
from uno_csp.formats import question_to_dict
from uno_csp.questions.open_game import card_of, dealt
from uno_csp.verifier.graphs import verify

SMALL = {"question": "open-game", "hands": [["R5", "R7"], ["B7"]], "after": "R1", "draw": ["G1"]}
HAND = {"question": "uno-1", "cards": ["R1", "R2", "B2", "W"]}
SQUARE, STAR = "a b\nb c\nc d\nd a\n", "x a\nx b\nx c\n"
HPP = "TYPE: HPP\nDIMENSION: 2\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n-1\n"
ARCS = {"text": "&AO\n", "format": "digraph6", "undirected": True, "goal": "path"}


def asked(client: TestClient, route: str, status: int = 200, **body: Any) -> Any:
    """The answer of a route, which has this status."""
    found = client.post(f"/{route}", json=body)
    assert found.status_code == status, found.text
    return found.json()


def test_analyse_follows_a_game(client: TestClient) -> None:
    game, plays = dealt((3, 3), 1), list[Any]()
    while True:
        instance = question_to_dict(game)
        found = asked(client, "analyse", instance=instance, plays=plays, time_limit_s=30)
        assert found == analyse(game, plays)
        if found["position"] is None:
            break
        plays.append(found["plays"][0])
    assert plays
    assert found["winner"] == analyse(game)["winner"]


def test_an_analysis_may_be_shallow(client: TestClient) -> None:
    """Position and moves at once, without what they lead to."""
    game = dealt((7, 7), 3)
    found = asked(client, "analyse", instance=question_to_dict(game), most=0)
    assert found == analyse(game, most=0)
    assert {move["leads_to"] for move in found["moves"]} == {"unknown"}


def test_a_game_of_help_is_analysed(client: TestClient) -> None:
    found = asked(client, "analyse", instance={**SMALL, "goal": "together"}, plays=[])
    assert found["turns"] == 3
    assert [(move["leads_to"], move["turns"]) for move in found["moves"]] == [(1, 3), (None, None)]


def test_advise_is_that_of_python(client: TestClient) -> None:
    found = asked(client, "advise", hand=["R5", "B2", "W"], after="R1", others=[3], deals=300)
    seat = Seat((card_of(5), card_of(41), card_of(52)), card_of(1), (3,))
    assert found == advise(seat, deals=300).to_dict()
    assert found["deals"] == 300


def test_a_game_is_played_by_agents(client: TestClient) -> None:
    """Turn by turn, as :func:`play_turn` does; each agent sees one hand."""
    state = GameState(dealt((3, 3, 3), 4))
    instance = question_to_dict(dealt((3, 3, 3), 4))
    body: dict[str, Any] = {"instance": instance, "deals": 200, "seed": 3}
    while not state.over:
        name = ("exact-deals", "rule", "play-outs")[(state.player or 0) - 1]
        found = asked(client, "move", **body, plays=state.turns, agent=name)
        state, prospects = play_turn(state, AGENTS[name](seed=3, work=200))
        assert {**found["turn"], "player": state.turns[-1]["player"]} == state.turns[-1]
        assert found["moves"] == [each.to_dict() for each in prospects]
        assert bool(prospects) <= (name != "rule")
        assert bool(found["words"]) == bool(prospects)
    over = asked(client, "move", 422, **body, plays=state.turns)
    assert over["detail"] == "the game is over"


def test_a_turn_is_reviewed(client: TestClient) -> None:
    found = asked(client, "review", instance=SMALL, plays=[{"lays": "R7"}], deals=300)
    assert (found["mark"], found["could"]) == ("mistake", "wins")
    none = asked(client, "review", 422, instance=SMALL, plays=[], deals=300)
    assert "there is no turn to review" in none["detail"]


def test_the_plays_of_a_hand_are_counted(client: TestClient) -> None:
    answer = asked(client, "count", instance=HAND)
    assert (answer["status"], answer["objective"], answer["checked"]) == ("OPTIMAL", 12, True)
    assert {"card": ["*", "*"], "plays": 2} in answer["first"]
    large = {"question": "uno-1", "cards": [["red", number] for number in range(30)]}
    assert asked(client, "count", instance=large)["objective"].startswith("26525")


def test_counts_and_puzzles_have_time_limits(client: TestClient) -> None:
    answer = asked(client, "count", instance=HAND, time_limit_s=1e-9)
    assert (answer["status"], answer["bound"]) == ("UNKNOWN", 2)
    refused = asked(client, "puzzle", 422, cards=7, time_limit_s=1e-9)
    assert "the time limit of 1e-09 s ended while making a puzzle" in refused["detail"]
    asked(client, "count", 422, instance=HAND, time_limit_s=0)


def test_a_puzzle_is_made(client: TestClient) -> None:
    made = asked(client, "puzzle", cards=7, level="medium", seed=4)
    assert made["level"] == "medium"
    assert uno_csp.count(uno_csp.parse(made["question"])).objective == 1
    assert len(made["solution"]) == 7
    assert asked(client, "puzzle", cards=7, level="medium", seed=4) == made
    made = asked(client, "puzzle", cards=7, missing=1)
    assert made["question"]["question"] == "fill-in"
    assert made["missing"][0] in made["question"]["supply"]


def test_a_hint_names_the_next_card(client: TestClient) -> None:
    hand = {"question": "uno-1", "cards": ["R1", "R2", "B2", "B3"], "after": "R9"}
    first = asked(client, "hint", instance=hand)
    assert first["card"] == ["red", 1]
    assert first["reason"].startswith("after red 2, ")
    second = asked(client, "hint", instance=hand, played=["R2"])
    assert second["card"] is None
    assert second["reason"].startswith("take back red 2: ")


def test_many_questions_are_answered_in_order(client: TestClient) -> None:
    bad = {"question": "uno-1", "cards": ["R5", "X7"]}
    listed = [HAND, bad, 1, HAND, {"cards": []}, [HAND]]
    answers = asked(client, "solve-many", instances=listed)["answers"]
    statuses = ["SATISFIABLE", 422, 422, "SATISFIABLE", 422, 422]
    assert [each["status"] for each in answers] == statuses
    assert answers[0]["checked"]
    places = [answers[at]["place"] for at in (1, 2, 5)]
    assert places == ["cards[1]", "instances[2]", "instances[5]"]
    assert answers[2]["detail"] == "instances[2]: 1 is not allowed; expected an object"
    assert asked(client, "solve-many", instances=[]) == {"answers": []}
    solved = asked(client, "solve-many", instances=[HAND], method="successor", presolve=False)
    assert solved["answers"][0]["method"] == "successor"
    many = asked(client, "solve-many", 422, instances=[HAND] * 10_001)
    assert "instances: " in many["detail"]
    large = asked(client, "solve-many", 413, instances=[{**HAND, "cards": ["R5"] * 30_000}] * 2)
    assert "cards are" in large["detail"]


def test_a_graph_is_answered(client: TestClient) -> None:
    cycle = asked(client, "hamilton", text=SQUARE)
    assert (cycle["status"], cycle["checked"]) == ("SATISFIABLE", True)
    assert sorted(cycle["paths"][0]) == ["a", "b", "c", "d"]
    assert cycle["read"] == "read as an edge list: 4 vertices, 4 edges"
    path = asked(client, "hamilton", text=SQUARE, goal="path", source="b", target="c")
    assert path["paths"] == [["b", "a", "d", "c"]]
    fewest = asked(client, "hamilton", text=STAR, goal="paths", format="edges")
    assert (fewest["status"], fewest["objective"]) == ("OPTIMAL", 2)


@pytest.mark.parametrize(
    ("body", "key", "value"),
    [
        ({"text": "C~\nBw\n", "format": "graph6", "graph": 2}, "vertices", [0, 1, 2]),
        (ARCS, "status", "SATISFIABLE"),
        ({"text": "a\nb c\n", "isolated": True, "goal": "paths"}, "objective", 2),
        ({"text": HPP}, "goal", "path"),
    ],
)
def test_a_text_is_read_with_the_options_of_the_command(
    client: TestClient, body: Any, key: str, value: object
) -> None:
    assert asked(client, "hamilton", **body)[key] == value


def test_the_time_to_read_a_graph_counts(client: TestClient) -> None:
    """It takes seconds; the worker is ended meanwhile."""
    complete = "".join(f"{i} {j}\n" for i in range(700) for j in range(i))
    late = asked(client, "hamilton", 422, text=complete, time_limit_s=0.01)
    assert late["detail"].endswith("time limit of 0.01 s reached")
    assert asked(client, "hamilton", text=SQUARE)["status"] == "SATISFIABLE"


def test_a_no_has_a_certificate(client: TestClient, tmp_path: Path) -> None:
    packed = tmp_path / "certificate.zip"
    for body, said in (
        ({"text": "a b\nb c\n"}, "proved: the graph has no Hamiltonian cycle"),
        ({"text": STAR, "goal": "longest"}, "longest"),
    ):
        packed.write_bytes(client.post("/hamilton/certificate", json=body).content)
        assert said in verify(packed)[0]
    refused = asked(client, "hamilton/certificate", 422, text=SQUARE)
    assert "the path shows the answer" in refused["detail"]


def test_a_graph_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with client_of(tmp_path, cards=3) as client:
        refused = asked(client, "hamilton", 413, text=SQUARE)
        assert "4 vertices are more than the 3 allowed" in refused["detail"]
