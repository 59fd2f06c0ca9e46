"""The open game with everybody's help: fewest turns by search, by clauses, and by brute force."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.drawing import drawn, games, large_games
from tests.support.open_games import fewest_turns
from tests.support.running import Patch, answered, refused
from tests.support.tables import table
from uno_csp import (
    Answer,
    CheckFailed,
    GameState,
    NotAccepted,
    Status,
    analyse,
    check,
    parse,
    solve,
)
from uno_csp.algorithms import best_first
from uno_csp.algorithms.best_first import ALGORITHM
from uno_csp.checker import open_game as referee_rules
from uno_csp.cli.live_line import described
from uno_csp.encodings.rounds import ENCODER
from uno_csp.open_game import PRESETS
from uno_csp.open_game import fewest_turns as fewest_turns_search
from uno_csp.pipeline import Options, Progress, stages
from uno_csp.pipeline.planning import make_plan
from uno_csp.questions.open_game import Goal, OpenGame, dealt


def together(game: OpenGame) -> OpenGame:
    return replace(game, goal=Goal.TOGETHER)


def by_method(instance: OpenGame, method: str, backend: str | None = None) -> stages.Solved:
    """What a method says, without a process of its own."""
    solver = {"backend": backend or "cadical195"} if method == "rounds" else {}
    chosen = Options.of({"method": method, "presolve": False, **solver})
    (way,) = make_plan(instance, chosen).ways
    return stages.run(stages.Task(instance, way))


def require(found: Any, turns: int, instance: OpenGame) -> None:
    """Require the fewest turns, 0 for never, and a game that the checker accepts."""
    assert found.status in (Status.OPTIMAL, Status.UNSATISFIABLE)
    if found.witness is None:
        assert turns == 0, instance
    else:
        assert found.witness.objective == turns, instance
        answer = Answer("open-game", Status.OPTIMAL, found.witness, turns)
        assert check(instance, answer) == []


def test_search_clauses_and_brute_force_agree() -> None:
    """Over all presets and switches, and several decks; the referee's own moves are the judge."""
    counts: Counter[bool] = Counter()
    for number, game in enumerate((*drawn(games(), 40), *drawn(large_games(), 15))):
        instance = together(game)
        turns = fewest_turns(instance, most=20_000 if number < 40 else 3000)
        if turns is None:
            continue
        require(ALGORITHM.run(instance), turns, instance)
        counts[turns > 0] += 1
        if number < 40 and ENCODER.declines(instance) is None:
            backend = "cp-sat" if number % 10 == 0 else None
            require(by_method(instance, "rounds", backend), turns, instance)
    assert min(counts[True], counts[False]) > 4


@pytest.mark.parametrize(("asked", "turns"), table("open_game", "special games"))
@pytest.mark.parametrize("method", ["best-first", "rounds"])
def test_special_games(method: str, asked: Any, turns: int) -> None:
    """Packed hands once had three bits for each kind, and eight equal cards became another kind.

    Who draws until a card can be played leaves none out on the way to a better one.
    """
    question = {"question": "open-game", "after": "Y5", "draw": [], "goal": "together", **asked}
    instance = parse(question)
    assert isinstance(instance, OpenGame)
    require(by_method(instance, method), turns, instance)


def test_a_no_is_told_only_when_the_referee_confirms_it(monkeypatch: Patch) -> None:
    hands = [["R5", "B7"], ["R1", "G9"]]
    never = parse({"question": "open-game", "hands": hands, "after": "R2", "goal": "together"})
    assert isinstance(never, OpenGame)
    for method in ("best-first", "rounds"):
        require(by_method(never, method), 0, never)
    monkeypatch.setattr(referee_rules, "MANY_POSITIONS", 2)
    for method in ("best-first", "rounds"):
        solved = by_method(never, method)
        assert solved.status is Status.UNKNOWN
        assert "is not confirmed: there are more than 2 positions" in solved.reason


def test_a_wrong_no_is_told_by_the_referee(monkeypatch: Patch) -> None:
    """What a bug of both searches would lead to: they see no card of player 1's."""
    instance = together(dealt((2, 2), 1))
    monkeypatch.setattr(fewest_turns_search, "_following", lambda _game, _state: [])
    with pytest.raises(CheckFailed, match="the referee found a game") as caught:
        by_method(instance, "best-first")
    assert parse(caught.value.report["instance"]) == instance


def test_an_analysis_follows_the_fewest_turns() -> None:
    """Turn by turn, and after every first move; what cannot be won says so."""
    for game in drawn(games(), 18):
        instance = together(game)
        truth = fewest_turns(instance)
        if truth is None:
            continue
        found = analyse(instance)
        assert (found["turns"] or 0) == truth
        assert found["winner"] == (1 if truth else None)
        known = [move["turns"] for move in found["moves"] if move["turns"] is not None]
        assert min(known, default=0) == truth
        state = GameState(instance)
        for play in found["plays"]:
            left = analyse(instance, state.turns)["turns"]
            state = state.play(play)
            after = analyse(instance, state.turns)
            if not state.over:
                assert after["turns"] in (left, left - 1)
        assert state.winner == (1 if truth else None)


def test_a_short_analysis_says_what_it_does_not_know() -> None:
    instance = together(dealt((7, 7, 7), 3))
    found = analyse(instance, most=10)
    assert (found["winner"], found["turns"], found["plays"]) == ("unknown", None, [])
    assert {move["leads_to"] for move in found["moves"]} == {"unknown"}


def test_a_full_table_is_a_bound_and_no_answer(monkeypatch: Patch) -> None:
    monkeypatch.setattr(best_first, "MOST_POSITIONS", 50)
    instance = together(dealt((7, 7, 7), 3))
    finding = ALGORITHM.run(instance)
    assert finding.status is Status.UNKNOWN
    assert 13 <= (finding.bound or 0) <= 18  # her seven, and one between two; and the truth
    assert finding.reason == "more than 50 positions; the search gave up"


def test_at_the_time_limit_there_is_a_bound() -> None:
    instance = together(dealt((10, 10, 10), 2, PRESETS["unocard"]))
    answer = solve(instance, time_limit_s=1.5)
    assert answer.status is Status.UNKNOWN
    assert answer.reason == "time limit of 1.5 s reached"
    assert (answer.bound or 0) >= 19  # ten of hers, and one of somebody else between two
    found = answer.objective is not None  # a busy machine may find no game so soon
    known = f"can be out after {answer.objective} turns; " if found else ""
    assert answer.meaning == f"player 1 {known}needs at least {answer.bound} turns"
    assert answer.checked is found


def test_the_progress_shows_the_game_of_a_beam_beside_the_bound() -> None:
    seen: list[Progress] = []
    answer = solve(together(dealt((7, 7, 7), 3)), on_progress=seen.append)
    assert (answer.status, answer.method, answer.checked) == (Status.OPTIMAL, "best-first", True)
    assert answer.objective == answer.bound == len((answer.strategy or {})["plays"])
    found = [each.objective for each in seen if each.objective is not None]
    proved = [each.bound for each in seen if each.bound is not None]
    assert found == sorted(found, reverse=True)
    assert found[-1] >= (answer.objective or 0) >= proved[-1]
    assert proved == sorted(proved)
    both = next(each for each in seen if None not in (each.objective, each.bound))
    assert described(both) == f"found {both.objective}, proved {both.bound}"


def test_goals_have_their_methods() -> None:
    game = dealt((3, 3), 1)
    for asked, method in ((game, "rounds"), (together(game), "proof-number")):
        with pytest.raises(NotAccepted, match="it takes only the goal"):
            solve(asked, method=method)


def test_on_the_command_line(tmp_path: Path) -> None:
    """And two methods agree on a deal of the whole deck."""
    file, answer = tmp_path / "q.json", tmp_path / "a.json"
    written = answered(0, "new open-game --deal 4,4,4 --seed 1 --goal together")
    file.write_text(written)
    assert parse(written).optimises
    said = answered(30, f"solve {file}")
    assert "BEST  player 1 can be out after " in said
    assert "\nplay: 1:[" in said
    message = answered(30, f"solve {file} --method rounds --format json")
    answer.write_text(message)
    turns = json.loads(message)["objective"]
    assert f"after {turns} turns" in said
    checked, unchecked = answered(0, f"check {file} {answer}").splitlines()
    assert checked.startswith(f"valid: after {turns} turns player 1 is out; whether there is a ")
    assert unchecked == "not checked: strategy.score, method, backend, wall_s, stats"
    formula = answered(0, f"export {file} --to dimacs --bound {turns - 1} --varnames")
    assert "turn 2 is player 2's" in formula
    assert "--goal is for open-game" in refused("new uno-1 R5 --goal win")
