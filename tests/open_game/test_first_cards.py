"""The card that is turned up to begin a game: how it is dealt, and what is said of its effect."""

import random
from collections import Counter
from dataclasses import replace
from itertools import takewhile
from typing import Any

import pytest

from tests.support.tables import table
from uno_csp import GameState, analyse, check, parse, solve
from uno_csp.formats import question_to_dict
from uno_csp.open_game import PRESETS
from uno_csp.open_game.deck import WILD, deck
from uno_csp.questions.open_game import (
    OpenGame,
    card_of,
    dealt,
    effect_of_first_card,
    most_frequent_colour,
)

DEALS = 600


def first_cards(rules: str) -> list[OpenGame]:
    return [dealt((7, 7, 7), seed, PRESETS[rules]) for seed in range(DEALS)]


@pytest.mark.parametrize("rules", ["classic", "printed-2003", "encyclopedia", "rlcard"])
def test_four_of_the_cards_that_may_be_turned_up_are_wild(rules: str) -> None:
    """Of 104, since a +4 is shuffled back into the pile."""
    games = first_cards(rules)
    symbols = Counter(str(each.after[1]) for each in games)
    assert symbols["+4"] == 0
    assert abs(symbols["wild"] / DEALS - 4 / 104) < 0.025
    for each in games:
        cards = [each.after, *each.draw, *(card for hand in each.hands for card in hand)]
        assert Counter(cards).total() == 108
        if each.after[1] == "wild" and rules != "rlcard":
            assert each.colour == most_frequent_colour(each.hands[0])
    if rules == "rlcard":  # by lot
        named = {each.colour for each in games if each.after[1] == "wild"}
        assert named == {"red", "yellow", "green", "blue"}
    fours = Counter(each.draw[0][1] for each in games)
    assert fours["+4"] < 0.1 * DEALS  # where it is shuffled back, it does not stay on top


def test_unocard_puts_wild_cards_under_the_pile() -> None:
    under = 0
    for seed, each in enumerate(first_cards("unocard")):
        cards = deck()
        random.Random(seed).shuffle(cards)
        rest = cards[21:]
        wild = [*takewhile(lambda kind: kind >= WILD, rest)]
        top, *pile = [*rest[len(wild) :], *wild]
        assert [each.after, *each.draw] == [card_of(kind) for kind in (top, *pile)]
        under += bool(wild)
    assert under > DEALS / 30


def test_a_game_that_begins_with_a_wild_card_is_solved_and_checked() -> None:
    game = next(
        each
        for each in (dealt((2, 2), seed, PRESETS["classic"]) for seed in range(200))
        if each.after[1] == "wild"
    )
    small = replace(game, draw=game.draw[:4])
    assert parse(question_to_dict(small)) == small
    assert GameState(small).player == 1
    assert check(small, solve(small)) == []


SAID: tuple[tuple[str, str, dict[str, Any], str], ...] = table("open_game", "first cards")


@pytest.mark.parametrize(("card", "rules", "others", "said"), SAID)
def test_what_the_first_card_did_is_said(
    card: str, rules: str, others: dict[str, Any], said: str
) -> None:
    """And it is what happened: the hands and the player to move agree."""
    asked: dict[str, Any] = {"draw": ("R1", "R2", "R3"), "rules": rules, "turned_up": True}
    given: dict[str, Any] = asked | others | {"after": card}
    game = OpenGame((("R5", "G5"), ("B5", "G6"), ("B7", "G7")), **given)
    words = effect_of_first_card(game)
    assert words.endswith(said)
    assert bool(words) == bool(said)
    assert analyse(game, most=0)["turned_up"] == words
    position = GameState(game).to_dict() or {}
    drawn = len(position["hands"][0]) - 2
    if "drew" in words:
        assert f"drew {drawn} card" in words
    else:
        assert drawn == 0
    assert ("missed" in words) == (position["player"] == 2)
    assert ("dealer" in words) == (position["player"] == 3)
