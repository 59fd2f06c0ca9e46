"""Reasons of answers that are not known are claims too: each is judged, under limits made small."""

import re
from random import Random
from typing import Any

import pytest

from tests.support.brute_force import playable, sequences
from tests.support.drawing import drawn, games
from tests.support.open_games import minimax
from tests.support.running import Patch
from uno_csp import Status, Uno1
from uno_csp.algorithms import colour_dp, frontier, game_search, width
from uno_csp.algorithms.proof_number import ProofNumber
from uno_csp.counting import answering, count, table
from uno_csp.questions import Uncooperative


def random_hand(random: Random) -> Uno1:
    """A hand of two attributes, in which many sequences are open at once."""
    values = random.randint(2, 4)
    cards = [(random.randrange(values), random.randrange(4)) for _ in range(random.randint(3, 7))]
    return Uno1(tuple(cards))


def numbers(reason: str) -> list[int]:
    return [int(word.replace(",", "")) for word in re.findall(r"\d[\d,]*", reason)]


CASES: list[tuple[Any, str, int, str, str]] = [
    (
        frontier.Frontier(),
        "LARGEST_WIDTH",
        1,
        r"\d+ cards are on the frontier, more than 1",
        "width",
    ),
    (frontier.Frontier(), "MOST_STATES", 8, r"the frontier has more than 8 states", "states"),
    (frontier.Frontier(), "KEPT_STATES", 5, r"there is a sequence, but more than 5 st.*", "states"),
    (colour_dp.ColourDp(), "MAX_STATES", 6, r"more than 6 states for [1-4] colours", "states"),
    (width.Width(), "LARGEST_WIDTH", 1, r"the width is more than 1: .* has \d+ or more.*", "width"),
]
"""Algorithms, limits that are made small, and the reason and the statistics that tell of them."""


@pytest.mark.parametrize(("algorithm", "limit", "most", "reason", "counted"), CASES)
def test_a_limit_that_is_named_was_reached(
    algorithm: Any, limit: str, most: int, reason: str, counted: str, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(f"{type(algorithm).__module__}.{limit}", most)
    random, judged = Random(1), 0
    for _ in range(150):
        hand = random_hand(random)
        found = algorithm.run(hand) if algorithm.declines(hand) is None else None
        if found is None or found.status is not Status.UNKNOWN:
            assert found is None or (found.status is Status.SATISFIABLE) == playable(hand.cards)
            continue
        assert re.fullmatch(reason, found.reason)
        assert max([found.stats.get(counted, 0), *numbers(found.reason)]) > most
        assert limit != "KEPT_STATES" or playable(hand.cards)
        judged += 1
    assert judged > 10


def test_a_search_that_gave_up_has_looked_at_as_many_positions(monkeypatch: Patch) -> None:
    monkeypatch.setattr(game_search, "MAX_POSITIONS", 3)
    random, judged = Random(2), 0
    for _ in range(60):
        hands = tuple(random_hand(random).cards[:4] for _ in range(3))
        found = game_search.GameSearch().run(Uncooperative(hands))
        if found.status is Status.UNKNOWN:
            assert found.reason == "more than 3 positions; the search gave up"
            assert found.stats["positions"] > 3
            judged += 1
    assert judged > 20


def test_what_a_stopped_open_game_claims_is_true() -> None:
    random, judged = Random(3), 0
    for game in drawn(games(most_cards=3, most_drawn=4), 100):
        most = random.choice((1, 5, 20))
        found = ProofNumber(most).run(game)
        truth = minimax(game) if found.reason else None
        if truth is None:
            continue
        judged += 1
        if found.status is Status.UNKNOWN:
            assert re.fullmatch(r"more than \d+ positions; the search gave up.*", found.reason)
            assert found.stats["positions"] >= numbers(found.reason)[0] == most
        else:  # only who wins is claimed
            assert found.reason.startswith(("it is not known whether the", "the winner is proved"))
            assert (found.status is Status.SATISFIABLE) == truth[0]
    assert judged > 5


def test_a_count_that_is_not_known_names_its_limit(monkeypatch: Patch) -> None:
    monkeypatch.setattr(answering, "BOUND_PLAYS", 4)
    monkeypatch.setattr(answering, "FEW_CELLS", 10**9)
    monkeypatch.setattr(table.refusal, "__defaults__", (30,))
    monkeypatch.setattr(answering, "FEW_MOVES", 1)
    monkeypatch.setattr(answering, "MOST_MOVES", 1)
    random, judged = Random(4), 0
    for _ in range(80):
        hand = random_hand(random)
        found, true = count(hand), len({*sequences(hand.cards)})
        if found.status is Status.OPTIMAL:
            assert found.objective == true
            continue
        assert found.reason == "the table would have more than 30 entries"
        assert found.bound <= true
        judged += 1
    assert judged > 10
