"""Shared by all parts of the attack: true answers, failures, and the search for a small one."""

import random
import time
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.support import brute_force, brute_force_games
from tests.support.open_games import fewest_turns, minimax
from uno_csp import Cooperative, Longest, Uncooperative, Uno1
from uno_csp.questions import Convention, Instance
from uno_csp.questions.open_game import OpenGame

Truth = tuple[str, int | None]
"""Status and objective of the right answer."""

Attempt = Callable[[Any], None]
"""Draws a case with what it is given, tries it, and raises a counterexample if it fails."""

ROUND = 15
"""Number of cases between two looks at the clock."""


class Counterexample(Exception):
    """A failing case, as JSON data with a description of the failure."""

    def __init__(self, what: str, case: Mapping[str, Any]) -> None:
        super().__init__(what)
        self.case = {"what": what, **case}


def searching(attempt: Attempt) -> Callable[[random.Random, float], int]:
    """Return an attack: it tries cases until a deadline, and raises the smallest that fails."""

    def attack(rng: random.Random, until: float) -> int:
        """Try cases until the deadline; return their number."""
        tried = 0

        @seed(rng.randrange(2**32))
        @settings(
            max_examples=ROUND,
            derandomize=False,
            database=None,
            deadline=None,
            print_blob=False,
            report_multiple_bugs=False,
            suppress_health_check=[*HealthCheck],
        )
        @given(st.data())
        def one_round(data: st.DataObject) -> None:
            nonlocal tried
            attempt(data.draw)
            tried += 1

        while time.monotonic() < until:
            one_round()
        return tried

    return attack


def truth(instance: Instance) -> Truth:
    """Return the right answer by brute force."""
    k = instance.at_least
    if isinstance(instance, OpenGame):
        return _truth_of_game(instance)
    if isinstance(instance, Uncooperative):
        empty_wins = instance.convention is Convention.EMPTY_HAND_WINS
        return _yes(
            brute_force_games.avoids_losing(
                instance.hands, k, empty_wins=empty_wins, after=instance.after
            )
        )
    if isinstance(instance, Cooperative):
        return _yes(brute_force_games.cooperative(instance.hands, k, instance.after))
    if isinstance(instance, Uno1):
        return _yes(brute_force.playable(instance.cards, k, instance.after))
    if isinstance(instance, Longest):
        return "OPTIMAL", brute_force_games.longest(instance.cards, k, instance.after)
    if instance.supply is None:
        best = brute_force_games.fewest_added(instance.cards, k, instance.after)
    else:
        costs = tuple(cost for _, cost in instance.offers)
        best = brute_force_games.cheapest_supply(
            instance.cards, instance.supply, costs, k, instance.after
        )
    return ("UNSATISFIABLE", None) if best is None else ("OPTIMAL", best)


def _truth_of_game(instance: OpenGame) -> Truth:
    """Solve a small real game by brute force: the winner, or the fewest turns together."""
    wins, turns = minimax(instance), fewest_turns(instance)
    if wins is None or turns is None:
        raise ValueError("the game is too large for brute force")
    if not instance.optimises:
        return _yes(wins[0])
    return ("OPTIMAL", turns) if turns else ("UNSATISFIABLE", None)


def _yes(holds: bool) -> Truth:
    return ("SATISFIABLE" if holds else "UNSATISFIABLE"), None
