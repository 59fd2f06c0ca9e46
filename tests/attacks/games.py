"""Differential test of the real game against brute force: all rules, decks, large hands."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tests.attacks.questions import Counterexample
from tests.support.drawing import games, large_games
from tests.support.open_games import fewest_turns, minimax
from uno_csp import Status, UnoCspError, solve
from uno_csp.formats import question_to_dict
from uno_csp.questions.open_game import Goal, OpenGame

MOST_POSITIONS = 3000
"""Maximum number of positions for brute force."""

METHODS = {Goal.WIN: ("proof-number",), Goal.TOGETHER: ("best-first", "rounds")}


def attempt(draw: st.DrawFn) -> None:
    """Solve a game by every method for its goal."""
    instance = replace(draw(games() | large_games()), goal=draw(st.sampled_from(Goal)))
    expected = _truth(instance)
    for method in METHODS[instance.goal] if expected is not None else ():
        what = _flaw(instance, method, expected)
        if what:
            raise Counterexample(what, {"instance": question_to_dict(instance), "method": method})


def _truth(instance: OpenGame) -> Any:
    """Return whether player 1 wins, or the fewest turns (0: never); None if too large."""
    if instance.goal is Goal.TOGETHER:
        return fewest_turns(instance, MOST_POSITIONS)
    found = minimax(instance, MOST_POSITIONS)
    return None if found is None else found[0]


def _flaw(instance: OpenGame, method: str, expected: Any) -> str:
    """Return the error in a method's answer, or an empty string."""
    try:
        answer = solve(instance, method=method, time_limit_s=20.0)
    except UnoCspError as error:
        declined = method == "rounds" and "does not take this question" in str(error)
        return "" if declined else f"{type(error).__name__}: {error}"
    if answer.status is Status.UNKNOWN:
        return ""
    if instance.goal is Goal.TOGETHER:
        found = answer.objective or 0
        return "" if found == expected else f"{found} turns, and the fewest are {expected}"
    wins = answer.status is Status.SATISFIABLE
    return "" if wins is expected else f"{answer.status}, and the truth is {expected}"
