"""What hands of the official deck lack: the fast way against looking at everything."""

import json
import random
import sys
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from scripts import odds as script
from scripts.odds import compare, count_deals, deal
from scripts.odds_phase import answered, find_change, sizes
from tests.support.brute_force import match, minimum_sequences, playable
from tests.support.running import Capture, Patch
from uno_csp import FillIn, InstanceError, solve
from uno_csp.algorithms.width import ALGORITHM as WIDTH
from uno_csp.families.random_hands import deck_hand, random_hand
from uno_csp.odds import missing, odds_of
from uno_csp.questions.answers import Status
from uno_csp.questions.cards import WILD
from uno_csp.questions.codes import DECK, rest_of_deck

BOTH = pytest.mark.parametrize("wild", [True, False])


@BOTH
@pytest.mark.parametrize("size", range(2, 8))
def test_what_is_missing_is_as_brute_force_says(size: int, wild: bool) -> None:
    for seed in range(60 if size < 6 else 15):
        hand = deal(size, wild, seed)
        coloured = tuple(card for card in hand if WILD not in card)
        joined = size - len(coloured)
        assert missing(hand) == max(0, minimum_sequences(coloured) - 1 - joined)
        assert (missing(hand) == 0) == playable(hand)


@BOTH
def test_the_rest_of_the_deck_will_do(wild: bool) -> None:
    """The fewest cards of the rest that make a hand playable, found by trying them all."""
    seen = set()
    for seed in range(12):
        hand = deal(3, wild, seed)
        rest = [card for card in rest_of_deck(hand) if wild or WILD not in card]
        kinds = sorted(set(rest), key=str)
        fewest = next(
            number
            for number in range(3)
            for added in combinations(kinds, number)
            if playable((*hand, *added))
        )
        assert missing(hand) == fewest
        seen.add(fewest)
    assert len(seen) > 1


@pytest.mark.parametrize(("size", "seed"), [(8, 807), (10, 55), (12, 156), (15, 88), (20, 1077)])
def test_second_copies_can_help(size: int, seed: int) -> None:
    """Without its copies each of these hands would lack a card more."""
    hand = deal(size, False, seed)
    assert len(set(hand)) < len(hand)
    assert missing(hand) == solve(FillIn(hand)).objective
    assert missing(hand) < missing(tuple(set(hand)))


@BOTH
@pytest.mark.parametrize("size", range(2, 21, 3))
def test_forms_give_what_the_whole_hand_gives(size: int, wild: bool) -> None:
    for seed in range(20):
        hand = deal(size, wild, seed)
        coloured = tuple(card for card in hand if WILD not in card)
        witness = WIDTH.run(FillIn(coloured)).witness
        assert witness is not None
        joints = len(hand) - len(coloured)
        assert missing(hand) == max(0, (witness.objective or 0) - joints)


def test_deals_and_colours_that_change_nothing() -> None:
    rng = random.Random(5)
    for seed in range(100):
        hand = deal(15, True, seed)
        assert hand == deck_hand(15, pile=False, seed=seed).instance.cards
        names = dict(zip(("red", "yellow", "green", "blue"), rng.sample(COLOURS, 4), strict=True))
        other = [(names.get(str(colour), colour), symbol) for colour, symbol in hand]
        rng.shuffle(other)
        assert missing(other) == missing(hand) <= 3


COLOURS = ("red", "yellow", "green", "blue")


def test_a_card_of_no_deck_is_named() -> None:
    with pytest.raises(InstanceError, match=r"cards\[1\]: .*red 12.* is not in the official deck"):
        missing([("red", 5), ("red", 12)])


@BOTH
def test_the_table(wild: bool) -> None:
    for size in range(2, 21):
        odds = odds_of(size, wild=wild)
        assert odds is not None
        assert odds.deals == script.DEALS
        assert odds.interval[0] < odds.share < odds.interval[1]
        assert odds.as_lucky(0) == odds.share
        assert odds.as_lucky(3) == 1
    deck = [card for card in DECK if wild or WILD not in card]
    pairs = sum(match(one, other, 1) for one, other in combinations(deck, 2))
    two = odds_of(2, wild=wild)
    assert two is not None
    assert two.share == pytest.approx(pairs / comb(len(deck), 2), abs=0.006)
    assert odds_of(1) is None


@pytest.mark.slow
def test_a_small_run_goes_on_and_counts_right(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(script, "VALUES", (30,))
    monkeypatch.setattr(script, "SIZES", range(2, 5))
    small = ["odds", "--out", str(tmp_path), "--hands", "2", "--agree", "0", "--deals"]
    monkeypatch.setattr(sys, "argv", [*small, "40"])
    script.main()
    table = tmp_path / "odds/table.json"
    found = json.loads(table.read_text())
    for name, wild in (("with wild cards", True), ("without wild cards", False)):
        for size in range(2, 5):
            yes = sum(playable(deal(size, wild, seed)) for seed in range(40))
            assert found[name][str(size)][0] == yes
            assert sum(found[name][str(size)]) == 40
    assert {path.name for path in (tmp_path / "odds").glob("*.svg")} == {
        "shares.svg",
        "missing.svg",
        "phase.svg",
        "phase_scaled.svg",
    }
    monkeypatch.setattr(script, "draw", lambda *_: None)
    found["with wild cards"]["2"] = [7, 33, 0, 0]
    table.write_text(json.dumps(found))
    script.main()
    assert json.loads(table.read_text())["with wild cards"]["2"] == [7, 33, 0, 0]
    monkeypatch.setattr(sys, "argv", [*small, "20"])
    script.main()
    assert json.loads(table.read_text())["with wild cards"]["2"] == count_deals(2, True, 20)


def test_a_small_run_does_not_touch_the_results(monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(sys, "argv", ["odds", "--deals", "10"])
    with pytest.raises(SystemExit):
        script.main()
    assert "--out" in capsys.readouterr().err


def test_solve_says_the_same() -> None:
    assert compare(9, True, range(1)) == 1
    assert compare(5, False, range(1)) == 1


def test_random_hands_and_where_they_turn() -> None:
    for seed in range(10):
        hand = random_hand(4, 4, 7, seed=seed).instance.cards
        yes = answered(4, 7, seed) is Status.SATISFIABLE
        assert yes == playable(hand)
    assert sizes(100) == sorted(sizes(100))
    steep = {100: [0, 90, 0], 200: [10, 80, 0], 300: [45, 45, 0], 400: [80, 10, 0], 500: [90, 0, 0]}
    change = find_change(100, steep)
    assert change.middle == pytest.approx(3, abs=0.01)
    assert 1.5 < change.width < 2.5
