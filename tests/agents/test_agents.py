"""Agents: what they see, what they know, and how they play."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from tests.support.drawing import dealt_games, drawn, games, large_games
from tests.support.examples import examples
from tests.support.open_games import minimax
from uno_csp import GameState, InstanceError, NotAccepted, Seat, UnknownName, advise, registry
from uno_csp.agents.advising import advisers
from uno_csp.agents.arrays import Arranged, arranged
from uno_csp.agents.compiled import play_out, value
from uno_csp.agents.compiling import why_uncompiled
from uno_csp.agents.knowledge import Beliefs, histories
from uno_csp.agents.players import AGENTS
from uno_csp.agents.players.rule import Rule
from uno_csp.agents.playing import play_game, play_turn
from uno_csp.agents.views import DRAW, Turn, View, view_of
from uno_csp.open_game import PRESETS, Rules
from uno_csp.open_game.compiled_moves import state_of
from uno_csp.open_game.deck import DRAW_FOUR, WILD, count_cards, unpacked
from uno_csp.open_game.positions import Position
from uno_csp.open_game.rules import Drawn, Stacking
from uno_csp.questions.open_game import OpenGame, dealt

RED, YELLOW = range(13), range(13, 26)
"""The kinds of two colours."""

CHOOSING = ("random", "rule", "play-outs", "tree-search", "exact-deals")


def game_of(hands: Any, after: str, **others: Any) -> OpenGame:
    """A game of cards that are given as codes."""
    given: Any = after
    return OpenGame(hands, after=given, **others)


def seat_of(hand: Any, after: Any, *others: int) -> Seat:
    return Seat(hand, after, others)


def position_in(state: GameState) -> Position:
    assert isinstance(state.outcome, tuple)
    return state.outcome


DEALS = games() | large_games() | dealt_games()
"""Small games, large ones of several decks, and those of the whole deck."""


@st.composite
def walked(draw: st.DrawFn, turns: int = 12) -> list[GameState]:
    """The states of a game that is played at random."""
    state = GameState(draw(DEALS))
    found: list[GameState] = []
    while not state.over and len(found) < turns:
        found.append(state)
        state = state.play(draw(st.sampled_from(state.legal_moves())))
    return found


def views_of(state: GameState) -> Iterator[View]:
    view = view_of(state)
    yield view
    if DRAW in view.choices and not view.pending:
        yield view_of(state, drawn=True)


@examples(10)
@given(walked())
def test_a_view_has_the_legal_moves_and_no_other_hand(states: list[GameState]) -> None:
    for state in states:
        position = position_in(state)
        legal = state.legal_moves()
        view = view_of(state)
        own = position.hands[position.player]
        assert [hand for hand in view.position.hands if hand] == [own]
        assert view.hand == (state.to_dict() or {})["hands"][view.player - 1]
        assert sum(view.counts) - view.counts[position.player] + view.pile == len(view.unseen)
        chosen = [move for move in legal if not move["draws"] or view.pending]
        assert [turn for turn in view.choices if turn != DRAW or view.pending] == chosen
        assert (DRAW in view.choices) >= (len(chosen) < len(legal))
        for each in views_of(state):
            if each.drawn:
                assert list(each.choices) == [move for move in legal if move["draws"]]
                assert len(each.hand) == count_cards(own) + len(each.drawn)


@examples(5)
@given(walked(6), st.sampled_from(Beliefs))
def test_deals_agree_with_what_is_seen(states: list[GameState], beliefs: Beliefs) -> None:
    """The same cards, the right numbers of them, and moves that are the choices."""
    for state in states:
        for view in views_of(state):
            found = arranged(view, beliefs, len(states))
            assert len(found.labels) == len(view.choices)
            for _ in range(5):
                game, position = found.deal()
                own = position.player
                assert position.hands[own] == view.position.hands[own]
                assert tuple(map(count_cards, position.hands)) == view.counts
                others = [hand for at, hand in enumerate(position.hands) if at != own]
                hidden = [*game.draw, *(kind for hand in others for kind in unpacked(hand))]
                assert sorted(hidden) == list(view.unseen)
                assert game.draw[: len(view.drawn)] == view.drawn


def test_all_deals_are_as_likely_if_nothing_is_known() -> None:
    """One hidden hand of two cards out of six different ones; chi-squared with 14 degrees."""
    view = replace(
        view_of(GameState(dealt((3, 2), 1))), unseen=(1, 2, 3, 16, 17, 30), pile=4, events=()
    )
    found = arranged(view, Beliefs.NOTHING, 5)
    counts = Counter(found.deal()[1].hands[1] for _ in range(3000))
    assert len(counts) == 15
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 40  # 1 in 3,000 is above


@pytest.mark.parametrize("rules", ["nobody-skips", "rlcard"])
def test_deals_agree_with_the_turns(rules: str) -> None:
    """Every deal fits a history, though most games are long: players who draw have few cards."""
    views = 0
    for seed in range(6):
        state, rule = GameState(dealt((7, 7), seed, PRESETS[rules])), Rule(seed=seed)
        for turn in range(60):
            if state.over:
                break
            if turn % 6 == 5:
                found = arranged(view_of(state), Beliefs.LIKELY, seed)
                weights = found.unseen.weights
                places = np.arange(weights.shape[1])
                for _ in range(20):
                    found.deal()
                    held = found.unseen.cards[: len(places)]
                    assert (weights[:, places, held] > 0).all(axis=1).any()
                views += 1
            state = play_turn(state, rule)[0]
    assert views > 20


@examples(10)
@given(walked())
def test_what_is_certain_is_true(states: list[GameState]) -> None:
    """The cards that are held in truth fit the places of some history."""
    rng = random.Random(1)
    for state in states:
        view = view_of(state)
        position = position_in(state)
        owners, weights = histories(view, Beliefs.CERTAIN, rng)
        assert owners.shape[1] == sum(view.counts) - view.counts[position.player]
        fits = 0
        for owner, weight in zip(owners, weights, strict=True):
            matched = True
            for player, hand in enumerate(position.hands):
                if player != position.player:
                    allowed = weight[owner == player][:, unpacked(hand)] > 0
                    found = maximum_bipartite_matching(csr_array(allowed), perm_type="column")
                    matched = matched and len(found) == count_cards(hand) and (found >= 0).all()
            fits += matched
        assert fits, (state.turns, state.to_dict())


def test_who_draws_has_no_card_that_matches() -> None:
    """And who plays a +4 has none of the colour; nothing is certain if one may draw anyway."""
    game = game_of(
        (("R1", "R2", "G4"), ("B5", "Y6", "Y7")), after="R3", draw=("B9", "B8", "G1", "G2", "Y1")
    )
    state = GameState(game).play({"draws": 0, "lays": "R1"}).play({"draws": 1})
    _, (weights, *_) = histories(view_of(state), Beliefs.CERTAIN, random.Random(1))
    assert (weights[:, :13] == 0).all()  # no red card, and none drawn
    assert (weights[:, 14] == 0).all()
    assert (weights[:, 18] == 1).all()
    free = GameState(replace(game, rules=PRESETS["free-draw"]))
    state = free.play({"draws": 0, "lays": "R1"}).play({"draws": 1})
    _, (weights, *_) = histories(view_of(state), Beliefs.CERTAIN, random.Random(1))
    assert (weights == 1).all()
    _, (weights, *_) = histories(view_of(state), Beliefs.LIKELY, random.Random(1))
    assert (weights[:3] < 1).any()
    four = game_of((("+4", "R2", "B4"), ("Y5", "Y6", "Y7")), after="G3", draw=("B9",) * 2)
    state = GameState(four).play({"draws": 0, "lays": "+4", "names": "yellow"})
    assert state.player == 1  # player 2 has drawn four cards, or all there are


def test_a_drawn_plus_four_tells_of_the_hand() -> None:
    """Under ``classic`` it may be played only without the colour."""
    hands, draw = (("R5", "R6", "G1"), ("B1", "B2", "B3")), ("+4", "Y7", "Y8", "Y9", "G8", "G9")
    state = GameState(game_of(hands, "Y5", draw=draw, rules=PRESETS["classic"], to_move=2))
    state = state.play({"draws": 1, "lays": "+4", "names": "red"}).play({"draws": 1})
    _, weights = histories(view_of(state), Beliefs.CERTAIN, random.Random(1))
    may_be_yellow = (weights[:, :, YELLOW] > 0).any(axis=2)
    assert (may_be_yellow.sum(axis=1) == 1).all()  # the card that was drawn last
    may_be_red = (weights[:, :, RED] > 0).any(axis=2)
    assert (may_be_red.sum(axis=1) == 3).all()  # the others


def test_a_drawn_card_that_must_be_played_and_is_kept_does_not_fit() -> None:
    """Under ``classic``: no yellow card, no 5, no W; a +4 may have been forbidden."""
    game = game_of((("R5", "R6"), ("B1", "B2")), "Y5", draw=("G9", "R7"), to_move=2)
    state = GameState(replace(game, rules=PRESETS["classic"])).play({"draws": 1})
    _, weights = histories(view_of(state), Beliefs.CERTAIN, random.Random(1))
    fits = np.array([*YELLOW, 5, 31, 44, WILD])
    possible = (weights[:, :, fits] > 0).any(axis=2)
    assert (possible.sum(axis=1) == 2).all()  # the two cards held before may be anything
    assert (weights[:, :, DRAW_FOUR] > 0).all()


def test_cards_that_answer_a_draw_are_fewer_in_deals_without_a_reshuffle() -> None:
    """The pile has one card, and two have to be drawn: the other comes of the cards played."""
    rules = replace(PRESETS["printed-2003"], stacking=Stacking.SAME)
    hands = (("R+2", "R3", "R4", "B1", "B2"), ("Y+2", "G5", "G6"))
    state = GameState(game_of(hands, "R7", draw=("Y1",), rules=rules)).play({"lays": "R+2"})
    advice = AGENTS["exact-deals"](seed=1, work=2).advise(view_of(state))
    assert {tuple(sorted(each.move.items())) for each in advice.moves} == {
        (("draws", 0), ("lays", "Y+2")),
        (("draws", 2),),
    }
    assert all(each.deals == 2 for each in advice.moves)


@examples(10)
@given(walked())
def test_the_compiled_rule_is_the_rule(states: list[GameState]) -> None:
    for state in states:
        for view in views_of(state):
            found = arranged(view, Beliefs.NOTHING, 1)
            hand = [*unpacked(view.position.hands[view.player - 1])]
            expected = [Rule._value(turn, hand) for turn in view.choices if turn != DRAW]
            labels = [
                label
                for label, turn in zip(found.labels, view.choices, strict=True)
                if turn != DRAW
            ]
            assert [value(found.setup, found.start, label) for label in labels] == expected


def test_a_play_out_is_a_game_by_the_rule() -> None:
    """Where equal choices make no difference to the winner."""
    compared = 0
    for seed in range(25):
        state = GameState(dealt((2, 2), seed))
        expected = {
            play_game(state, (Rule(seed=each), Rule(seed=each + 1))).winner for each in range(12)
        }
        found = arranged(view_of(state), Beliefs.NOTHING, seed)
        setup = found.setup._replace(draw=np.array(state.game.draw, dtype=np.int64))
        start = state_of(setup, position_in(state))
        winners = {
            play_out(setup, start.copy(), found.scratch, np.array([each], dtype=np.int64))
            for each in range(100)
        }
        if len(winners) == 1 and len(expected) == 1:
            compared += 1
            assert winners == {-1 if one is None else one - 1 for one in expected}
    assert compared > 6


@pytest.mark.parametrize("name", CHOOSING)
@examples(3)
@given(st.data())
def test_agents_play_every_game(name: str, data: st.DataObject) -> None:
    """All presets and switches, 2 to 10 players; and with the same seed the same game."""
    game = data.draw(games() if name == "exact-deals" else DEALS)

    def play() -> GameState:
        agents = [AGENTS[name](seed=each, work=8) for each in range(len(game.hands))]
        return play_game(GameState(game), agents, 60)

    end = play()
    assert end.over or len(end.turns) == 60
    assert end.turns == play().turns


@pytest.mark.parametrize("name", ["play-outs", "tree-search", "exact-deals"])
def test_a_card_that_wins_is_found(name: str) -> None:
    """The last card wins in every deal."""
    view = seat_of(("R5", "B9"), "B5", 1).view()
    advice = AGENTS[name](seed=1, work=200).advise(view)
    assert {each.move["lays"] for each in advice.moves} == {"R5", "B9"}
    last = seat_of(("B9",), "B5", 7).view()
    (only,) = AGENTS[name](seed=1, work=50).advise(last).moves
    assert (only.move["lays"], only.share, only.deals) == ("B9", 1.0, 50)


def test_the_tree_search_finds_the_best_move_of_a_known_game() -> None:
    """When nothing is hidden that matters, it converges to minimax."""
    compared = 0
    for each in drawn(games(most_drawn=0), 60):
        hands = (each.hands[0], each.hands[1][:1])  # with no pile the hidden card is known
        game = replace(each, hands=hands, to_move=1, rules=Rules(), turned_up=False)
        truth = minimax(game, 20_000)
        state = GameState(game)
        if truth is None or not truth[0] or len(state.legal_moves()) < 2:
            continue
        advice = advise(view_of(state), deals=3000, seed=compared)
        after = state.play(advice.moves[0].move)
        won = after.winner == 1 if after.over else (minimax(after.question(), 20_000) or (0,))[0]
        assert won
        compared += 1
        if compared == 10:
            break
    assert compared > 2


def test_a_wild_card_that_is_named_right() -> None:
    """The other player can only play a red card; whoever names red loses."""
    view = seat_of(("W", "B9"), "Y5", 1).view()
    best = advise(view, deals=4000, seed=2).moves[0].move
    assert best == {"draws": 0, "lays": "W", "names": "blue"}


def test_numbers_and_names_are_checked() -> None:
    seat = seat_of(("R5", "B2"), "R1", 2)
    assert advisers() == ["exact-deals", "play-outs", "tree-search"]
    with pytest.raises(UnknownName, match="tree-serch"):
        advise(seat, agent="tree-serch")
    with pytest.raises(NotAccepted, match="agent rule gives no advice; these do: exact-deals, "):
        advise(seat, agent="rule")
    with pytest.raises(InstanceError, match="colour: missing"):
        seat_of(("R5", "B2"), "W", 2).view()
    with pytest.raises(NotAccepted, match="the game is over"):
        view_of(GameState(game_of((("R5",), ("B2",)), after="R1")).play({"lays": "R5"}))


def test_a_bad_agent_is_named() -> None:
    class Cheat:
        """Plays what it does not have."""

        name = "cheat"

        def choose(self, view: View) -> Turn:
            return {"draws": 0, "lays": "W", "names": "red"}

    state = GameState(game_of((("R5", "R2"), ("B2",)), after="R1"))
    said = 'agent cheat: {"draws": 0, "lays": "W", "names": "red"'
    with pytest.raises(NotAccepted) as caught:
        play_turn(state, Cheat())
    assert str(caught.value).startswith(said)
    assert str(caught.value).endswith('{"draws": 0, "lays": "R2"}, {"draws": 0, "lays": "R5"}')
    assert play_game(state, (Rule(), Rule()), 1).turns == play_game(state, (Rule(),) * 2, 1).turns
    assert len(play_game(GameState(dealt((7, 7), 1)), (Rule(), Rule()), 3).turns) == 3


def test_other_packages_bring_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    def entries(group: str) -> list[EntryPoint]:
        place = "tests.agents.test_agents:Lazy"
        return [EntryPoint("lazy", place, group)] if group == "uno_csp.agents" else []

    monkeypatch.setattr(EntryPoint, "load", lambda _: Lazy)
    monkeypatch.setattr(registry, "entry_points", entries)
    found: Any = registry.Registry(
        "agent",
        "uno_csp.agents.players",
        lambda module: [module.AGENT],
        ("name", "choose"),
        group="uno_csp.agents",
    )
    assert set(found) == {*CHOOSING, "lazy"}
    end = play_game(GameState(dealt((3, 3), 1)), (found["lazy"](), Rule()))
    assert end.over


class Lazy:
    """Takes the first choice."""

    name = "lazy"

    def choose(self, view: View) -> Turn:
        return view.choices[0]


def test_a_short_time_ends_early() -> None:
    view = view_of(GameState(dealt((7, 7), 3)))
    for name in ("play-outs", "tree-search", "exact-deals"):
        advice = AGENTS[name](seed=1, seconds=0.0, work=10**5).advise(view)
        assert 0 < advice.deals < 10**5
        assert len(advice.moves) == len(view.choices)


def test_it_is_compiled_once() -> None:
    assert why_uncompiled() == ""


def test_a_drawn_card_is_decided_on_when_it_is_seen() -> None:
    """Rules by which one may keep it; the draw itself is one choice."""
    rules = Rules(must_play=False, play_drawn=Drawn.MAY)
    game = game_of((("G5", "G2"), ("B2", "B3")), after="R1", draw=("W", "B1", "B4"), rules=rules)
    state = GameState(game)
    assert view_of(state).choices == (DRAW,)
    view = view_of(state, drawn=True)
    assert view.hand == ["G2", "G5", "W"]
    assert len(view.choices) == 5
    for name in ("play-outs", "tree-search", "exact-deals"):
        found = AGENTS[name](seed=3, work=60).advise(view)
        assert {each.move["draws"] for each in found.moves} == {1}
    after, prospects = play_turn(state, AGENTS["tree-search"](seed=1, work=300))
    assert after.turns[0]["draws"] == 1
    assert prospects == ()  # there was no choice but to draw


def test_wins_are_counted_once_for_each_deal() -> None:
    found: Arranged = arranged(view_of(GameState(dealt((5, 5), 2))), Beliefs.LIKELY, 1)
    found.compare(37)
    assert found.tried.tolist() == [37] * len(found.labels)
    assert (found.wins <= 37).all()
