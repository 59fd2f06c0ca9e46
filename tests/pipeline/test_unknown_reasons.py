"""Reasons of answers that are not known are claims too: each is judged, under limits made small."""

import re
from collections.abc import Callable
from random import Random

import pytest

from tests.support.brute_force import playable, sequences
from tests.support.drawing import drawn, games
from tests.support.open_games import minimax
from uno_csp import Status, Uno1
from uno_csp.algorithms import colour_dp, frontier, game_search, width
from uno_csp.algorithms.proof_number import ProofNumber
from uno_csp.counting import answering, count, table
from uno_csp.modeling import Finding
from uno_csp.questions import Uncooperative

Limits = pytest.MonkeyPatch


def random_hand(random: Random) -> Uno1:
    """A hand of two attributes, in which many sequences are open at once."""
    values = random.randint(2, 4)
    cards = [(random.randrange(values), random.randrange(4)) for _ in range(random.randint(3, 7))]
    return Uno1(tuple(cards))


def numbers(reason: str) -> list[int]:
    return [int(word.replace(",", "")) for word in re.findall(r"\d[\d,]*", reason)]


def judge_frontier(hand: Uno1, found: Finding) -> None:
    if re.fullmatch(r"\d+ cards are on the frontier, more than \d+", found.reason):
        held, most = numbers(found.reason)
        assert most < held == found.stats["width"] <= len(hand.cards)
    elif re.fullmatch(r"the frontier has more than \d+ states", found.reason):
        assert found.stats["states"] > numbers(found.reason)[0]
    else:
        assert re.fullmatch(r"there is a sequence, but more than \d+ states .*", found.reason)
        assert found.stats["states"] > numbers(found.reason)[0]
        assert playable(hand.cards)


def judge_colours(hand: Uno1, found: Finding) -> None:
    assert re.fullmatch(r"more than \d+ states for \d+ colours", found.reason)
    most, colours = numbers(found.reason)
    assert found.stats["states"] > most
    assert colours in [len({*values}) for values in zip(*hand.cards, strict=True)]


def judge_width(hand: Uno1, found: Finding) -> None:
    assert re.fullmatch(r"the width is more than \d+: in min-degree .* \d+ or more.*", found.reason)
    most, neighbours = numbers(found.reason)
    hubs = {(axis, card[axis]) for card in hand.cards for axis in range(2)}
    assert most < neighbours < len(hubs)


CASES: list[tuple[object, dict[str, int], Callable[[Uno1, Finding], None]]] = [
    (frontier.Frontier(), {"LARGEST_WIDTH": 1}, judge_frontier),
    (frontier.Frontier(), {"MOST_STATES": 8}, judge_frontier),
    (frontier.Frontier(), {"KEPT_STATES": 5}, judge_frontier),
    (colour_dp.ColourDp(), {"MAX_STATES": 6}, judge_colours),
    (width.Width(), {"LARGEST_WIDTH": 1}, judge_width),
]


@pytest.mark.parametrize(("algorithm", "limits", "judge"), CASES)
def test_a_limit_that_is_named_was_reached(
    algorithm: "frontier.Frontier",
    limits: dict[str, int],
    judge: Callable[[Uno1, Finding], None],
    monkeypatch: Limits,
) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(f"{type(algorithm).__module__}.{name}", value)
    random, judged = Random(1), 0
    for _ in range(150):
        hand = random_hand(random)
        found = algorithm.run(hand) if algorithm.declines(hand) is None else None
        if found is None or found.status is not Status.UNKNOWN:
            assert found is None or (found.status is Status.SATISFIABLE) == playable(hand.cards)
            continue
        judge(hand, found)
        judged += 1
    assert judged > 10


def test_a_search_that_gave_up_has_looked_at_as_many_positions(monkeypatch: Limits) -> None:
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


def test_a_count_that_is_not_known_names_its_limit(monkeypatch: Limits) -> None:
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
