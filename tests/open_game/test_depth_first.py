"""The short depth-first search: what it decides is right, and its limits hold."""

import pytest

from tests.support.drawing import drawn, games
from tests.support.open_games import minimax
from uno_csp.algorithms.proof_number import deep
from uno_csp.open_game import PRESETS
from uno_csp.open_game.depth_first import DepthFirst
from uno_csp.open_game.search import ProofNumberSearch, Unfinished
from uno_csp.open_game.winning import WinSearch
from uno_csp.processes.deadline import Deadline
from uno_csp.questions.open_game import dealt, start_of


def test_what_it_decides_is_the_truth() -> None:
    reshuffled = won = others = 0
    for instance in drawn(games(), 120):
        truth = minimax(instance)
        if truth is None:
            continue
        game, start = start_of(instance)
        search = ProofNumberSearch(game, {0})
        with deep(instance.size * 4):
            DepthFirst(search, 10**9).decide(start)
        assert search.known_to_win(start) is truth[0]
        assert search.known_to_lose(start) <= truth[1]
        assert len(search.known) > 0
        reshuffled += game.rules.reshuffles > 0
        won += truth[0]
        others += search.known_to_lose(start)
    assert min(reshuffled, won, others) > 5


def test_limits_end_it_and_the_table_stays_right() -> None:
    game, start = start_of(dealt((4, 4), 2, PRESETS["encyclopedia"]))
    search = ProofNumberSearch(game, {0})
    with pytest.raises(Unfinished):
        DepthFirst(search, 50).decide(start)
    assert search.known_to_win(start) is None
    assert len(search.known) <= 50
    with pytest.raises(Unfinished):
        search.deadline = Deadline(0.0)
        DepthFirst(search, 50).decide(start)


def test_a_search_with_reshuffles_probes_first() -> None:
    game, start = start_of(dealt((7, 7, 7), 2, PRESETS["encyclopedia"]))
    whole = WinSearch(game, {0}, start)
    whole.most = 2_500
    with pytest.raises(Unfinished):
        whole.wins(start)
    assert whole.positions >= 2_500
