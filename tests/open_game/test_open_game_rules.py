"""The rules of the real game by whose they are: each way they differ, played out."""

import random
from collections import Counter
from dataclasses import replace
from itertools import takewhile
from typing import Any

import pytest

from tests.support.open_games import game
from tests.support.tables import table
from uno_csp import GameState, InstanceError, Status, analyse, check, parse, solve
from uno_csp.algorithms.proof_number import ALGORITHM
from uno_csp.checker.open_game import _state, _turn, game_of
from uno_csp.formats import question_to_dict
from uno_csp.open_game import PRESETS
from uno_csp.open_game.deck import WILD, deck
from uno_csp.open_game.positions import Game, Position
from uno_csp.open_game.telling import move_to_dict, position_to_dict
from uno_csp.questions.open_game import (
    OpenGame,
    card_of,
    dealt,
    effect_of_first_card,
    most_frequent_colour,
    start_of,
)
from uno_csp.verifier.real_games import State

TEXTS = ("classic", "printed-2003", "encyclopedia", "unocard")


def start(instance: OpenGame) -> dict[str, Any]:
    """The first position, by the search and by the referee alike."""
    data = position_to_dict(start_of(instance)[1])
    assert _state(data).key() == game_of(instance).start.key()
    return data


@pytest.mark.parametrize("rules", TEXTS)
def test_by_all_four_texts_who_could_play_may_draw(rules: str) -> None:
    instance = game("R5 R6/Y1 Y2", after="R1", draw="B1 B2", rules=rules)
    moves = [move_to_dict(move) for move, _ in start_of(instance)[0].moves(start_of(instance)[1])]
    assert any(move["draws"] for move in moves)
    assert {"draws": 0, "lays": "R5"} in moves
    default = game("R5 R6/Y1 Y2", after="R1", draw="B1 B2")
    assert default.rules == PRESETS["nobody-skips"]
    found, position = start_of(default)
    assert not any(move.drawn for move, _ in found.moves(position))


def test_a_former_name_is_read() -> None:
    for rules in ("official", {"preset": "official"}):
        assert game("R5/R6", after="R1", rules=rules).rules == PRESETS["nobody-skips"]


@pytest.mark.parametrize(("after", "rules", "expected"), table("open_game", "turned up"))
def test_a_card_that_is_turned_up_acts_on_the_first_player(
    after: str, rules: str, expected: dict[str, Any]
) -> None:
    hands = "R1 B1/R2 B2/R3 B3"
    instance = game(hands, after=after, draw="Y1 Y2 Y3", rules=rules, turned_up=True)
    data = start(instance)
    assert {key: data[key] for key in expected} == expected
    if data["drawn"]:
        assert data["hands"][0] == ["R1", "Y1", "Y2", "B1"]
    usual = start(game(hands, after=after, draw="Y1 Y2 Y3", rules=rules))
    assert (usual["player"], usual["direction"], usual["pending"]) == (1, 1, 0)


def test_a_turned_up_wild_draw_four_goes_back() -> None:
    with pytest.raises(InstanceError, match=r"turned_up: a wild \+4 .* goes back into the pile"):
        game("R1/R2", after="+4", colour="red", turned_up=True, rules="classic")


def test_an_effect_that_is_over_leaves_the_colour_under_unocard() -> None:
    """After one more turn the very same position is told the same."""
    for after in ("RS", "R+2", "+4"):
        colour = {"colour": "red"} if after == "+4" else {}
        hands = f"Y{after[1:]} Y5/R1" if after != "+4" else "Y5 Y6/R1"
        instance = game(hands, after=after, rules="unocard", **colour)
        assert start(instance)["symbol"] is None
        assert solve(instance).status is Status.UNSATISFIABLE
    assert start(game("Y5/R1", after="RR", rules="unocard"))["symbol"] == "reverse"
    assert start(game("Y5/R1", after="R+2", rules="classic"))["symbol"] == "+2"


def test_what_is_turned_up_is_dealt_with_by_its_rules() -> None:
    seen = set()
    for seed in range(60):
        acting, quiet = dealt((3, 3), seed, PRESETS["classic"]), dealt((3, 3), seed)
        assert acting.turned_up
        assert not quiet.turned_up
        assert quiet.after[1] in range(10)
        seen.add(acting.after[1])
        start(acting)
    assert {"skip", "reverse", "+2"} < seen


@pytest.mark.parametrize(("rules", "points"), [("printed-2003", 66), ("nobody-skips", 11)])
def test_a_last_draw_card_counts_where_the_text_says_so(rules: str, points: int) -> None:
    cards = ("R+2/G9 Y2", "R3", "G5 W Y1")
    assert (solve(game(*cards, rules=rules)).strategy or {})["score"] == {"1": 0, "2": points}
    together = game(*cards, rules={"preset": rules, "reshuffles": 0}, goal="together")
    for method in ("best-first", "rounds"):
        assert (solve(together, method=method).strategy or {})["score"]["2"] == points


def test_a_last_draw_card_is_added_to_what_was_to_be_drawn() -> None:
    rules = {"preset": "printed-2003", "stacking": "same", "reshuffles": 0}
    draw = "G5 W Y1 B1"  # 57 points, for player 2
    instance = game("R+2/G9 Y2", after="B+2", draw=draw, rules=rules, turned_up=True)
    assert (solve(instance).strategy or {})["score"] == {"1": 0, "2": 68}


def test_a_last_draw_card_is_drawn_from_the_reshuffled_cards() -> None:
    """Before the +2 the pile is empty, and R1, R5 and R6 lie under R9."""
    instance = game("R5 R9 R+2/R6 B9 B8 B7", after="R1", draw="Y1", rules="printed-2003")
    state = GameState(instance)
    for code in ("R5", "R6", "R9", None, "R+2"):
        state = state.play({"lays": code} if code else {"draws": 1})
    left = 9 + 8 + 7 + 1
    assert (state.winner, state.score) == (1, {"1": 0, "2": left + 1 + 5})


def walk(instance: OpenGame, wanted: list[dict[str, Any]]) -> tuple[Position, State]:
    """Some turns, by the search's rules and the referee's, which agree on every one."""
    rules, position = start_of(instance)
    referee = game_of(instance)
    table = referee.start
    for expected in wanted:
        moves = {
            tuple(sorted(move_to_dict(move).items())): then for move, then in rules.moves(position)
        }
        position = moves[tuple(sorted(expected.items()))]  # type: ignore[assignment]
        table = dict(referee.turns(table))[_turn(expected)]  # type: ignore[assignment]
    return position, table


def test_a_used_up_pile_is_made_of_the_cards_laid_in_a_stated_order() -> None:
    rules = {"reshuffles": 1}
    instance = game("B9 R7 G1/R3 Y4 Y8", after="R9", rules=rules)
    lays = [{"draws": 0, "lays": code} for code in ("R7", "R3")]
    position, table = walk(instance, [*lays, {"draws": 1, "lays": "R7"}])
    # R9 and R7 lay under the R3; in their order the R7 is drawn first, and fits.
    assert position_to_dict(position)["pile"] == ["R9"]
    assert _state(position_to_dict(position)).key() == table.key()
    assert (table.pile, table.drawn, table.filled, position.filled) == (("r7", "r9"), 1, 1, 1)
    # Without it who cannot play passes.
    _, before = walk(game("B9 R7 G1/R3 Y4 Y8", after="R9"), lays)
    assert [turn for turn, _ in game_of(game("B9/R3", after="R9")).turns(before)] == ["0"]


def test_draw_cards_go_on_in_the_pile_that_is_made_anew() -> None:
    instance = game("R+2 G1/B3 B4", after="R9", draw="Y1", rules={"reshuffles": 1})
    position, table = walk(instance, [{"draws": 0, "lays": "R+2"}])
    assert position_to_dict(position)["hands"] == [["G1"], ["R9", "Y1", "B3", "B4"]]
    assert sorted(table.hands[1]) == ["b3", "b4", "r9", "y1"]


def test_a_lost_turn_counts_the_same_under_every_rule() -> None:
    """Whether or not it might have been answered."""
    answering = {"stacking": "draws", "skip_answered_by_skip": True}
    for hands in ("R+2 R7 R8/Y1 G1", "RS R7 R8/Y1 G1"):
        counts = set()
        for rules in ({}, {"stacking": "same"}, answering):
            asked = game(hands, "R9", "B1 B2 B3", rules=rules, goal="together")
            for method in ("best-first", "rounds"):
                answer = solve(asked, method=method)
                assert answer.checked
                counts.add(answer.objective)
        assert len(counts) == 1, hands


def test_a_wrong_number_of_turns_is_refused() -> None:
    asked = game("R+2 R7/Y1 G1", after="R9", draw="B1 B2", rules="stacking", goal="together")
    answer = solve(asked)
    plays = len((answer.strategy or {})["plays"])
    assert answer.objective == plays - 1
    wrong = replace(answer, witness=replace(answer.witness, objective=plays), bound=plays)
    assert {each.rule for each in check(asked, wrong)} == {"objective"}


@pytest.mark.parametrize(("rules", "said"), table("open_game", "bad rules"))
def test_rules_of_any_type_are_an_error_that_names_the_place(rules: Any, said: str) -> None:
    asked = {"question": "open-game", "hands": [["R5"], ["R6"]], "after": "R1", "rules": rules}
    with pytest.raises(InstanceError, match="rules: ") as caught:
        parse(asked)
    assert said in str(caught.value)


def test_the_search_ends_where_piles_are_made_anew() -> None:
    instance = game("R5 G6/B7 Y8", after="R1", rules={"reshuffles": 3})
    finding = ALGORITHM.run(instance)
    assert finding.status in (Status.SATISFIABLE, Status.UNSATISFIABLE)
    assert isinstance(start_of(instance)[0], Game)


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
