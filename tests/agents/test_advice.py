"""Advice: the shares of moves, and how agents are named and asked."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.support.open_games import game, seat
from tests.support.running import Patch, answered
from tests.support.simulated import Hidden, winners
from uno_csp import GameState, InstanceError, NotAccepted, Seat, UnknownName, advise
from uno_csp.agents.advice import FEWEST_DEALS, Advice
from uno_csp.agents.advising import advisers
from uno_csp.agents.arrays import PLAY_OUTS, Arranged
from uno_csp.agents.estimating import count_wins
from uno_csp.agents.players import AGENTS
from uno_csp.agents.players.rule import Rule
from uno_csp.agents.playing import next_state, play_game, play_turn
from uno_csp.agents.views import DRAW, Turn, View, view_of
from uno_csp.formats.strategy_text import tell_advice
from uno_csp.open_game import PRESETS, Rules
from uno_csp.open_game.compiling import Compilation
from uno_csp.open_game.deck import WILD, code_of, deck
from uno_csp.open_game.rules import Drawn
from uno_csp.questions.open_game import OpenGame, dealt

TABLE = (
    ("R2 R3 W +4", "B7", 2, "+4"),
    ("W R3 B3 B5", "R1", 3, "R3"),
    ("W R3 B3", "R1", 2, "R3"),
    ("Y7 B7 W", "Y5", 2, "Y7"),
    ("Y1 W R4 G5 Y4", "R2", 2, "R4"),
)
"""Hands, the card on the pile, the other's number of cards, and the card that wins most."""


@pytest.mark.parametrize(("hand", "after", "other", "best"), TABLE)
def test_the_better_card_comes_first_with_every_seed(
    hand: str, after: str, other: int, best: str
) -> None:
    for seed in range(10):
        advice = advise(seat(hand, after, other), seed=seed)
        assert advice.moves[0].move["lays"] == best
        assert advice.deals == advice.moves[0].deals == 20_000
        shares = [each.share or 0.0 for each in advice.moves]
        assert shares == sorted(shares, reverse=True)
        assert all(each.deals >= FEWEST_DEALS for each in advice.moves)


def endgames(count: int) -> Iterator[tuple[Seat, Hidden]]:
    """Hands of two to four cards against one to four, with a choice."""
    rng = np.random.default_rng(11)
    while count:
        deck_ = rng.permutation(deck())
        own, other = rng.integers(2, 5), int(rng.integers(1, 5))
        hand, top = deck_[:own].tolist(), int(deck_[own])
        if top >= WILD:
            continue
        held = seat(" ".join(map(code_of, hand)), code_of(top), other)
        view = held.view()
        if len(view.choices) > 1:
            yield held, Hidden(hand, top, other, list(view.unseen))
            count -= 1


def lost_in_simulation(held: Seat, hidden: Hidden, named: Turn) -> float:
    """The share that the named card wins less than the best; more games if it is not the best."""
    lost = 0.0
    for count in (2_000, 10_000):
        shares = [winners(hidden, move, count) for move in held.view().choices]
        lost = max(shares) - shares[held.view().choices.index(named)]
        if not lost:
            break
    return lost


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_named_card_is_the_best_in_a_simulation_of_its_own() -> None:
    """Within two points in 195 of 200 endgames; the simulation shares no code with the package."""
    good = 0
    for held, hidden in endgames(200):
        named = advise(held, seed=200).moves[0].move
        good += lost_in_simulation(held, hidden, named) <= 0.02
    assert good >= 195


def test_few_possibilities_are_counted() -> None:
    """Red 7 and green 8 are hidden, one of them in the other hand; red 7 wins at once."""
    everything = Counter(seat("R5 R9", "R1", 2).hidden)
    seen = everything - Counter([("red", 7), ("green", 8)])
    advice = advise(replace(seat("R5 R9", "R1", 1), seen=tuple(seen.elements())))
    assert advice.exact
    assert [each.share for each in advice.moves] == [0.5, 0.5]
    assert advice.words == "red 5 and red 9 are exactly equally good."
    assert "50.0% exact" in tell_advice(advice)


def test_a_card_that_always_wins_wins_all_deals() -> None:
    """Exactly, though the weights of the deals are rounded when they are added up."""
    for card, others in (("R5", 1), ("W", 1), ("B0", 2)):
        advice = advise(seat(card, f"{card[0]}1" if card != "W" else "R1", others))
        assert advice.exact
        assert [each.share for each in advice.moves] == [1]


def test_without_a_draw_pile_the_turn_is_missed() -> None:
    held = seat("R5 B7", "G1", 1)
    seen = Counter(held.hidden) - Counter([("green", 9)])
    advice = advise(replace(held, seen=tuple(seen.elements())))
    assert [(each.move, each.share) for each in advice.moves] == [({"draws": 0}, 0)]
    assert advice.words == "Best: miss the turn."
    assert tell_advice(advice).startswith("miss the turn    0.0% exact")


def small_seat(hand: str, after: str, *hidden: str) -> Seat:
    """A seat against one card, when all but some hidden cards were played."""
    held = seat(hand, after, 1)
    everything = Counter(map(code_of, deck()))
    here = Counter([*hand.split(), after, *hidden])
    seen: Any = tuple((everything - here).elements())
    return replace(held, seen=seen, rules=PRESETS["printed-2003"])


def test_a_draw_pile_that_is_used_up_is_shuffled_anew_where_the_rules_say_so() -> None:
    """The cards played are all that is left to draw, and they may come in any order."""
    advice = advise(small_seat("R5 B7", "G1", "G9"), deals=2_000)
    assert [each.move for each in advice.moves] == [DRAW]
    assert not advice.exact
    lone = advise(small_seat("R5 R6", "R1", "B9"), deals=2_000)
    assert not lone.exact  # whoever is not out draws
    shares = {each.move.get("lays"): each.share for each in lone.moves}
    assert shares["R5"] is not None
    assert 0.2 < shares["R5"] < 0.99
    last = advise(small_seat("R5", "R1", "B9"), deals=2_000)
    assert (last.moves[0].move["lays"], last.moves[0].share) == ("R5", 1)
    view = small_seat("R5 B7", "G1", "G9").view()
    assert (view.pile, view.reshuffles, len(view.under)) == (0, 1, 104)


def test_the_cards_of_a_reshuffle_come_in_any_order() -> None:
    """Each is as likely to be drawn, with its number; of one deal, each choice draws the same."""
    held = small_seat("R5 B7", "G1", "G9")
    found = Arranged(held.view(), 1)
    rows = found.deal(4_000)
    one, _ = found.play(rows, 0)
    again, drawn = found.play(rows, 0)
    assert (one == again).all()
    assert (drawn > found.view.pile).all()
    later, _ = found.play(rows[2_000:], 0, 2_000)
    assert (later == one[2_000:]).all()
    assert 0 < (one == 0).mean() < 1


def test_shares_that_are_counted_are_those_of_samples() -> None:
    """Small piles and hands, so that all deals can be looked at."""
    compared = 0
    for seed in range(12):
        given = dealt((3, 2), seed)
        view = view_of(GameState(replace(given, draw=given.draw[:3])))
        found = Arranged(view, seed)
        shares, rows = count_wins(found), found.deal(5_000)
        for at, share in enumerate(shares or ()):
            won = found.play(rows, at)[0] == view.position.player
            assert abs(won.mean() - share) < 0.04
            compared += 0 < share < 1
    assert compared > 4


def test_moves_that_cannot_be_told_apart_are_equally_good() -> None:
    """Nothing tells two colours apart that neither hand nor pile prefers."""
    advice = advise(seat("W R5 R6", "B1", 7), seed=1)
    words = {each.move["names"]: each.equal for each in advice.moves if "names" in each.move}
    assert words["red"]
    assert not words["green"]
    same = advise(seat("R5 R6", "R9", 5), seed=1)
    assert [each.equal for each in same.moves] == [True, True]
    assert same.words.endswith("cannot be told apart: they are equally good.")


def test_no_share_comes_of_few_deals() -> None:
    view = seat("R5 R6 G7", "R9", 5).view()
    few = AGENTS["play-outs"](seed=1, work=FEWEST_DEALS - 1).advise(view)
    assert {each.share for each in few.moves} == {None}
    assert few.words == "Too few deals to compare the moves."
    assert "too few deals" in tell_advice(few)


@pytest.mark.parametrize("asked", ["R5 --others 2", "R5 W G4 --others 3 --deals 400"])
def test_advice_is_json(asked: str) -> None:
    """Exact shares and estimated ones; what arrays hold is no JSON."""
    found = json.loads(answered(0, f"advise {asked} --after R1 --format json"))
    assert found["moves"][0]["equal"] is True
    assert 0 <= found["moves"][0]["share"] <= 1


def test_a_wild_card_that_is_named_right() -> None:
    """The other player can only play a red card; whoever names red loses."""
    view = seat("W B9", "Y5", 1).view()
    best = advise(view, deals=4000, seed=2).moves[0].move
    assert best == {"draws": 0, "lays": "W", "names": "blue"}


def test_numbers_and_names_are_checked() -> None:
    held = seat("R5 B2", "R1", 2)
    assert advisers() == ["exact-deals", "play-outs"]
    with pytest.raises(UnknownName, match="play-out"):
        advise(held, agent="play-out")
    for deals in (199, 100_001):
        with pytest.raises(NotAccepted, match=f"deals: {deals} is .* expected from 200 to 100000"):
            advise(held, deals=deals)
    with pytest.raises(NotAccepted, match="agent rule gives no advice; these do: exact-deals, "):
        advise(held, agent="rule")
    with pytest.raises(InstanceError, match="colour: missing"):
        seat("R5 B2", "W", 2).view()
    with pytest.raises(NotAccepted, match="the game is over"):
        view_of(GameState(game("R5/B2", "R1")).play({"lays": "R5"}))


def test_a_bad_agent_is_named() -> None:
    class Cheat:
        """Plays what it does not have."""

        name = "cheat"

        def choose(self, view: View) -> Turn:
            return {"draws": 0, "lays": "W", "names": "red"}

    state = GameState(game("R5 R2/B2", "R1"))
    said = 'agent cheat: {"draws": 0, "lays": "W", "names": "red"'
    with pytest.raises(NotAccepted) as caught:
        play_turn(state, Cheat())
    assert str(caught.value).startswith(said)
    assert str(caught.value).endswith('{"draws": 0, "lays": "R2"}, {"draws": 0, "lays": "R5"}')
    assert play_game(state, (Rule(), Rule()), 1).turns == play_game(state, (Rule(),) * 2, 1).turns
    assert len(play_game(GameState(dealt((7, 7), 1)), (Rule(), Rule()), 3).turns) == 3


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("play-outs", dealt((7, 7), 4, PRESETS["free-draw"])),
        ("play-outs", game("R5 R2 B5/B2 G5 Y1", "R1", "R9 B9 G2 W", rules="free-draw")),
        ("exact-deals", game("R5 R2 B5/B2 G5 Y1", "R1", "R9 B9 G2 W", rules="free-draw")),
    ],
)
def test_the_choice_is_the_first_one_of_the_advice(name: str, given: OpenGame) -> None:
    """At every turn of a game, so that it goes on in the same way."""
    state, several = GameState(given), 0
    one, other = (AGENTS[name](seed=2, work=30) for _ in range(2))
    while not state.over and len(state.turns) < 30:
        after, prospects = play_turn(state, one)
        assert next_state(state, other) == after
        several += len(prospects) > 1
        state = after
    assert several > 2


def test_a_short_time_ends_early() -> None:
    view = view_of(GameState(dealt((7, 7), 3)))
    for name in ("play-outs", "exact-deals"):
        advice = AGENTS[name](seed=1, seconds=0.0, work=10**4).advise(view)
        assert 0 < advice.deals < 10**4
        assert len(advice.moves) == len(view.choices)


def test_it_is_compiled_once() -> None:
    assert PLAY_OUTS.why_not() == ""
    assert PLAY_OUTS.is_kept()


def test_first_advice_comes_before_compilation(monkeypatch: Patch) -> None:
    """From 200 deals in plain Python: those of the machine code."""
    monkeypatch.setattr(Compilation, "is_kept", lambda _: False)
    assert PLAY_OUTS.why_not() == ""
    first: list[Advice] = []
    held = seat("R5 R6 W", "R9", 5)
    last = advise(held, seed=4, on_first=first.append)
    assert (first[0].deals, last.deals) == (FEWEST_DEALS, 20_000)
    assert first[0] == advise(held, seed=4, deals=FEWEST_DEALS)


def test_a_drawn_card_is_decided_on_when_it_is_seen() -> None:
    """Rules by which one may keep it; the draw itself is one choice."""
    rules = Rules(must_play=False, play_drawn=Drawn.MAY)
    state = GameState(game("G5 G2/B2 B3", "R1", "W B1 B4", rules=rules))
    assert view_of(state).choices == (DRAW,)
    view = view_of(state, drawn=True)
    assert view.hand == ["G2", "G5", "W"]
    assert len(view.choices) == 5
    for name in ("play-outs", "exact-deals"):
        found = AGENTS[name](seed=3, work=60).advise(view)
        assert {each.move["draws"] for each in found.moves} == {1}
    after, prospects = play_turn(state, AGENTS["play-outs"](seed=1, work=300))
    assert after.turns[0]["draws"] == 1
    assert prospects == ()  # there was no choice but to draw
