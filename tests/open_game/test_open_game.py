"""The open game: search, referee and brute force agree, under all rules."""

import json
import re
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.running import answered, refused
from tests.support.tables import table
from uno_csp import (
    InstanceError,
    NotAccepted,
    Seat,
    Status,
    advise,
    analyse,
    next_move,
    parse,
    solve,
)
from uno_csp.agents.arrays import Arranged
from uno_csp.agents.players import AGENTS
from uno_csp.agents.players.exact_deals import open_deal
from uno_csp.algorithms.proof_number import ProofNumber
from uno_csp.open_game import PRESETS, SWITCHES, Rules, code_of
from uno_csp.open_game.deck import CODES, deck, unpack
from uno_csp.open_game.telling import position_to_dict
from uno_csp.processes.deadline import NEVER
from uno_csp.questions.open_game import KINDS, OpenGame, card_of, dealt, start_of

HAND = {
    "question": "open-game",
    "hands": [["R5", "R7"], ["B7", "B9", "G2"]],
    "after": "R1",
    "draw": ["Y1", "Y2"],
}


@pytest.mark.parametrize(("changed", "said"), table("open_game", "bad games"))
def test_bad_games_name_the_place(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(InstanceError, match=re.escape(said)):
        parse({**HAND, **changed})


def test_every_switch_is_told_with_its_source() -> None:
    assert list(SWITCHES) == [each.name for each in fields(Rules)]
    for expected in SWITCHES.values():
        assert any(
            source in expected for source in ("paper", "rules", "UnoCard", "printed", "texts")
        )
    texts = {name: rules for name, rules in PRESETS.items() if name != "encyclopedia"}
    assert len({*texts.values()}) == len(texts)
    assert PRESETS["encyclopedia"] == PRESETS["printed-2003"]  # these two texts agree


def test_a_position_off_the_strategy_is_told() -> None:
    instance = parse(HAND)
    assert isinstance(instance, OpenGame)
    _, start = start_of(instance)
    with pytest.raises(NotAccepted, match="it was not followed"):
        next_move(solve(instance), {**position_to_dict(start), "drawn": 7})


@pytest.mark.parametrize("most", [50, 3_000])  # in Python, and compiled
def test_a_search_that_reaches_its_limit_is_no_answer(most: int) -> None:
    finding = ProofNumber(most=most).run(dealt((10, 10), seed=1))
    assert finding.status is Status.UNKNOWN
    assert f"more than {most:,} positions; the search gave up" in finding.reason


def test_a_search_ends_in_time() -> None:
    game = dealt((7, 7), 3, PRESETS["free-draw"])
    answer = solve(game, time_limit_s=0.2)
    assert answer.status is Status.UNKNOWN
    assert answer.reason.startswith("time limit of 0.2 s reached")
    found = analyse(game, time_limit_s=0.1)
    assert (found["winner"], found["plays"]) == ("unknown", [])
    assert {move["leads_to"] for move in found["moves"]} == {"unknown"}


def test_deals_are_of_the_deck() -> None:
    for sizes in ((7, 7), (5, 5, 5), (10,) * 10):
        game = dealt(sizes, seed=1)
        cards = [*game.cards, *game.draw, game.after]
        assert sorted(CODES[KINDS[card]] for card in cards) == sorted(map(code_of, deck()))
        assert game == dealt(sizes, seed=1) != dealt(sizes, seed=2)
        assert CODES[KINDS[game.after]][1:].isdigit()
    with pytest.raises(InstanceError, match="cannot be dealt from 108 cards"):
        dealt((60, 60), seed=1)
    assert dealt((60, 60), seed=1, decks=2).decks == 2


def test_games_on_the_command_line(tmp_path: Path) -> None:
    message = answered(0, "new open-game --deal 3,3 --seed 5")
    assert parse(message) == dealt((3, 3), seed=5)
    laid = ("new", "open-game", "R5", "W", "/", "B7", "--after", "R1", "--draw", "Y1 +4")
    text = answered(0, *laid, "--rules", "free-draw")
    game = parse(text)
    assert game == replace(
        OpenGame(
            ((("red", 5), ("*", "wild")), (("blue", 7),)),
            after=("red", 1),
            draw=(("yellow", 1), ("*", "+4")),
        ),
        rules=PRESETS["free-draw"],
    )
    (tmp_path / "game.json").write_text(text)
    shown = answered(10, "solve", str(tmp_path / "game.json"))
    assert "YES  player 1 can force a win" in shown
    assert "[R5] lets player 1 win" in shown
    assert "best play: 1:" in shown
    for wrong, said in table("open_game", "refused commands"):
        assert said in refused(*wrong)


SEAT = Seat((("red", 5), ("blue", 2), ("*", "wild")), ("red", 1), (2,))


def test_advice_counts_the_deals_a_move_wins() -> None:
    """Against a count of its own over the same deals."""
    done: list[tuple[int, int]] = []
    view = SEAT.view()
    adviser = AGENTS["exact-deals"](seed=4, work=6)
    advice = adviser.advise(view, lambda one, all_: done.append((one, all_)))
    assert (advice.deals, len(done)) == (6, 6)
    assert {each.share for each in advice.moves} == {None}  # six deals are too few
    found = Arranged(view, 4 + 1)
    wins: Counter[tuple[str, str | None]] = Counter()
    for row in found.deal(6).tolist():
        game, position = open_deal(found, row)
        hands = tuple(tuple(map(card_of, unpack(hand))) for hand in position.hands)
        deal = OpenGame(hands, after=SEAT.after, draw=tuple(map(card_of, game.draw)))
        strategy = solve(deal).strategy
        assert strategy is not None
        wins.update(
            (each["lays"], each.get("names")) for each in strategy["moves"] if each["leads_to"] == 1
        )
    solve_deal = adviser._results(Arranged(view, 4 + 1), NEVER, lambda _: True)
    for turn, row in zip(view.choices, solve_deal, strict=True):
        assert (row > 0).sum() == wins[turn["lays"], turn.get("names")]


def test_advice_to_draw_and_bad_seats() -> None:
    stuck = Seat((("blue", 2),), ("red", 1), (1, 1))
    (only,) = advise(stuck, deals=200).moves
    assert dict(only.move) == {"draws": 1}
    with pytest.raises(NotAccepted, match="2 copies of red 0 are not allowed; the deck has 1"):
        Seat((("red", 0), ("red", 0)), ("red", 1), (2,))
    for others in ((), (0,), (108,)):
        with pytest.raises(NotAccepted, match="each player holds at least one"):
            replace(SEAT, others=others)
    with pytest.raises(NotAccepted, match="others: 10 players are too many; at most 9 can play"):
        replace(SEAT, others=(1,) * 10)
    with pytest.raises(NotAccepted, match="the time limit must be"):
        advise(SEAT, time_limit_s=0)
    late = advise(SEAT, agent="exact-deals", deals=100_000, time_limit_s=0.2)
    assert late.deals < 100_000


def test_advice_on_the_command_line() -> None:
    asked = ("advise", "R5", "B2", "W", "--after", "R1", "--others", "2", "--deals", "300")
    message = answered(0, *asked)
    assert "[R5]" in message
    assert "share of up to 300 random deals won, with 95 % confidence intervals" in message
    assert "Best: red 5." in message
    assert json.loads(answered(0, *asked, "--format", "json"))["deals"] == 300
    for wrong, said in table("open_game", "refused advice"):
        assert said in refused("advise", "--after", "R1", "--others", "2", *wrong)


def test_what_there_is_not_for_games_is_said(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_text(json.dumps(HAND))
    for to, said in (
        ("dot", "open-game has other rules"),
        ("dimacs", "rounds: it takes only the goal 'together'"),
    ):
        assert said in refused("export", str(game), "--to", to)
