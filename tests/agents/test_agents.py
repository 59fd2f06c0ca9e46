"""Agents: what they see, what they know, and how they play."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from tests.support.drawing import dealt_games, games, large_games
from tests.support.examples import examples
from tests.support.open_games import game, seat
from uno_csp import GameState, InstanceError
from uno_csp.agents.arrays import Arranged
from uno_csp.agents.estimating import halve, hands_of
from uno_csp.agents.knowledge import Knowledge, places_of, weights_of
from uno_csp.agents.players import AGENTS
from uno_csp.agents.players.exact_deals import open_deal
from uno_csp.agents.players.rule import Rule
from uno_csp.agents.playing import play_game, play_turn
from uno_csp.agents.views import DRAW, View, view_of
from uno_csp.open_game import PRESETS
from uno_csp.open_game.deck import DRAW_FOUR, WILD, code_of, count_cards, unpack
from uno_csp.open_game.positions import Position
from uno_csp.open_game.rules import Stacking
from uno_csp.questions.open_game import dealt

RED, YELLOW = range(13), range(13, 26)
"""The kinds of two colours."""

CHOOSING = ("random", "rule", "play-outs", "exact-deals")


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
@given(walked(6), st.sampled_from((1.0, 0.25)))
def test_deals_agree_with_what_is_seen(states: list[GameState], unlikely: float) -> None:
    """The same cards, the right numbers of them, and labels for the choices."""
    for state in states:
        for view in views_of(state):
            found = Arranged(view, len(states), Knowledge(unlikely))
            assert len({*found.labels}) == len(view.choices)
            for row in found.deal(5).tolist():
                game, position = open_deal(found, row)
                own = position.player
                assert position.hands[own] == view.position.hands[own]
                assert tuple(map(count_cards, position.hands)) == view.counts
                assert sorted(row) == list(view.unseen)
                assert game.draw[: len(view.drawn)] == view.drawn


def test_all_deals_are_as_likely_if_nothing_is_known() -> None:
    """One hidden hand of two cards out of six different ones; chi-squared with 14 degrees."""
    view = replace(
        view_of(GameState(dealt((3, 2), 1))), unseen=(1, 2, 3, 16, 17, 30), pile=4, events=()
    )
    rows = Arranged(view, 5).deal(3000).tolist()
    counts = Counter(frozenset(row[:2]) for row in rows)
    assert len(counts) == 15
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 40  # 1 in 3,000 is above
    piles = Counter(row[2] for row in rows)
    assert sum((count - 500) ** 2 / 500 for count in piles.values()) < 25  # 5 degrees


@pytest.mark.parametrize("rules", ["nobody-skips", "rlcard"])
def test_deals_agree_with_the_turns(rules: str) -> None:
    """Every deal fits the weights, though most games are long: players who draw have few cards."""
    views = 0
    for seed in range(6):
        state, rule = GameState(dealt((7, 7), seed, PRESETS[rules])), Rule(seed=seed)
        for turn in range(60):
            if state.over:
                break
            if turn % 6 == 5:
                found = Arranged(view_of(state), seed)
                hidden = found.hidden
                places = np.arange(len(hidden.owners))
                for _ in range(20):
                    found.deal(1)
                    order = found.arrays.order
                    weights = hidden.weights[:-1]
                    assert (weights[places, order[: len(places)]] > 0).all()
                    assert sorted(order) == list(range(len(hidden.kinds)))
                views += 1
            state = play_turn(state, rule)[0]
    assert views > 20


@examples(10)
@given(walked())
def test_what_is_certain_is_true(states: list[GameState]) -> None:
    """The cards that are held in truth, and those that were played, fit the places."""
    for state in states:
        view, position = view_of(state), position_in(state)
        places = places_of(view, unlikely=1.0)
        held = [
            (player, kind)
            for player, hand in enumerate(position.hands)
            for kind in unpack(hand)
            if player != position.player
        ]
        weights = weights_of(places, [kind for _, kind in held])
        owners = np.array([player for player, _ in held])
        weights[:, len(places.played) :] *= np.array(places.owners)[:, None] == owners[None]
        found = maximum_bipartite_matching(csr_array(weights > 0), perm_type="column")
        assert len(found) == weights.shape[1]
        assert (found >= 0).all(), (state.turns, state.to_dict())


@examples(10)
@given(walked(), st.integers(1, 3))
def test_what_is_known_is_kept_from_turn_to_turn(states: list[GameState], step: int) -> None:
    """As if all turns were read again; of another seat or game nothing is kept."""
    kept: dict[int, Knowledge] = {}
    other = Knowledge()
    for state in states[::step]:
        view = view_of(state)
        known = kept.setdefault(view.player, Knowledge())
        for found in (known.places(view), known.places(view), other.places(view)):
            expected = places_of(view)
            assert (found.owners, found.played) == (expected.owners, expected.played)
            assert found.counts == expected.counts
            assert (found.weights == expected.weights).all()
            assert (found.columns == expected.columns).all()


def rows_of(state: GameState, unlikely: float = 1.0) -> Any:
    """The weights of the places, for cards that are still hidden."""
    return np.array(places_of(view_of(state), unlikely).weights)


def test_who_draws_has_no_card_that_matches() -> None:
    """And who plays a +4 has none of the colour; nothing is certain if one may draw anyway."""
    drawing = game("R1 R2 G4/B5 Y6 Y7", "R3", "B9 B8 G1 G2 Y1")
    state = GameState(drawing).play({"draws": 0, "lays": "R1"}).play({"draws": 1})
    weights = rows_of(state)
    assert (weights[:, :13] == 0).all()  # no red card, and none drawn
    assert (weights[:, 14] == 0).all()
    assert (weights[:, 18] == 1).all()
    free = GameState(replace(drawing, rules=PRESETS["free-draw"]))
    state = free.play({"draws": 0, "lays": "R1"}).play({"draws": 1})
    assert (rows_of(state) == 1).all()
    assert (rows_of(state, 0.25)[:3] < 1).any()
    state = GameState(game("+4 R2 B4/Y5 Y6 Y7", "G3", "B9 B9")).play(
        {"draws": 0, "lays": "+4", "names": "yellow"}
    )
    assert state.player == 1  # player 2 has drawn four cards, or all there are


def test_a_drawn_plus_four_tells_of_the_hand() -> None:
    """Under ``classic`` it may be played only without the colour."""
    hands, draw = "R5 R6 G1/B1 B2 B3", "+4 Y7 Y8 Y9 G8 G9"
    state = GameState(game(hands, "Y5", draw, rules="classic", to_move=2))
    weights = rows_of(state.play({"draws": 1, "lays": "+4", "names": "red"}).play({"draws": 1}))
    assert (weights[:, YELLOW] > 0).any(axis=1).sum() == 1  # the card that was drawn last
    assert (weights[:, RED] > 0).any(axis=1).sum() == 3  # the others


def test_a_drawn_card_that_must_be_played_and_is_kept_does_not_fit() -> None:
    """Under ``classic``: no yellow card, no 5, no W; a +4 may have been forbidden."""
    given = game("R5 R6/B1 B2", "Y5", "G9 R7", rules="classic", to_move=2)
    state = GameState(given).play({"draws": 1})
    weights = rows_of(state)
    fits = np.array([*YELLOW, 5, 31, 44, WILD])
    assert (weights[:, fits] > 0).any(axis=1).sum() == 2  # the two held before may be anything
    assert (weights[:, DRAW_FOUR] > 0).all()


def test_a_plus_four_that_must_be_played_is_not_kept() -> None:
    """A +4 drawn by a player who must play if possible would have been played: it was not drawn."""
    for rules in ("nobody-skips", "stacking", "rlcard"):
        given = game("R5 R6/B1 B2", "Y5", "G9 R7 +4", rules=rules, to_move=2)
        weights = rows_of(GameState(given).play({"draws": 1}))
        assert (weights[:, DRAW_FOUR] == 0).all()


def test_who_passes_has_no_card_that_matches() -> None:
    """Although one may draw instead of playing, as there is nothing to draw."""
    given = game("R5 R6/B1 B2", "Y5", rules="classic", to_move=2)
    weights = rows_of(GameState(given).play({"draws": 0}), 0.25)
    assert (weights[:, [*YELLOW, 5, WILD, DRAW_FOUR]] == 0).all()
    assert (weights[:, 1] == 1).all()


def posterior(state: GameState) -> dict[tuple[int, ...], float]:
    """The hands that player 2 may hold, by all ways to deal the cards of a small game.

    Whatever the rules allow is as likely; a deal is one if the turns were legal in it.
    """
    view, turns = view_of(state), state.turns
    found: Counter[tuple[int, ...]] = Counter()
    start = next(iter(state.history))[0]
    own, held = (" ".join(map(code_of, unpack(hand))) for hand in start.hands)
    size = count_cards(start.hands[1])
    for order in permutations((*held.split(), *map(code_of, state.game.draw))):
        deal = game(f"{own}/{' '.join(order[:size])}", "R3", " ".join(order[size:]))
        other = GameState(deal)
        try:
            for turn in turns:
                other = other.play(turn)
        except InstanceError:
            continue
        position = position_in(other)
        if position.hands[0] == view.position.hands[0]:
            found[tuple(unpack(position.hands[1]))] += 1
    total = sum(found.values())
    return {hand: count / total for hand, count in found.items()}


@pytest.mark.parametrize("seed", range(4))
def test_what_a_player_has_shown_is_exact_inference(seed: int) -> None:
    """Six hidden cards: all their orders are looked at; deals are counted, and sampled."""
    pool = ["B5", "Y6", "R7", "B9", "G1", "G2", "Y3", "B1", "Y8", "R9", "G5", "B2"]
    hidden = np.random.default_rng(seed).choice(pool, 6, replace=False)
    given = game(f"R1 R2 G4 Y4/{' '.join(hidden[:3])}", "R3", " ".join(hidden[3:]))
    state, rule = GameState(given), Rule(seed=seed)
    while len(state.turns) < 3 or (state.player != 1 and not state.over):
        if state.over:
            return
        state, _ = play_turn(state, rule)
    if state.over or not any(each.move.kind is not None for each in view_of(state).events):
        return
    expected = posterior(state)
    found = Arranged(view_of(state), seed, Knowledge(1.0))
    held = len(found.hidden.holders)
    sampled = Counter(tuple(sorted(row[:held])) for row in found.deal(20_000).tolist())
    assert {*sampled} <= {*expected}
    for hand, likely in expected.items():
        spread = (likely * (1 - likely) / 20_000) ** 0.5
        assert abs(sampled[hand] / 20_000 - likely) < 6 * spread + 0.002, (hand, likely)
    cases = hands_of(found.hidden)
    assert cases is not None
    total = sum(likely for _, likely in cases)
    exact = {tuple(sorted(hand)): likely / total for hand, likely in cases}
    assert exact == pytest.approx(expected)


def test_cards_that_answer_a_draw_are_fewer_in_deals_without_a_reshuffle() -> None:
    """The pile has one card, and two have to be drawn: the other comes of the cards played."""
    rules = replace(PRESETS["printed-2003"], stacking=Stacking.SAME)
    given = game("R+2 R3 R4 B1 B2/Y+2 G5 G6", "R7", "Y1", rules=rules)
    state = GameState(given).play({"lays": "R+2"})
    advice = AGENTS["exact-deals"](seed=1, work=2).advise(view_of(state))
    assert {tuple(sorted(each.move.items())) for each in advice.moves} == {
        (("draws", 0), ("lays", "Y+2")),
        (("draws", 2),),
    }
    assert all(each.deals == 2 for each in advice.moves)


@examples(6)
@given(walked())
def test_machine_code_does_what_plain_python_does(states: list[GameState]) -> None:
    """The same deals, and the same winners, by all rules, before and after a draw."""
    for state in states[::3]:
        for view in views_of(state):
            both = (Arranged(view, 3, plain=plain) for plain in (True, False))
            found = [halve(each, 4, lambda _: True) for each in both]
            assert (found[0] == found[1]).all()
            assert (found[0] >= 0).any(axis=1).all()


@pytest.mark.parametrize("name", CHOOSING)
@examples(3)
@given(st.data())
def test_agents_play_every_game(name: str, data: st.DataObject) -> None:
    """All presets and switches, 2 to 10 players; and with the same seed the same game."""
    given = data.draw(games() if name == "exact-deals" else DEALS)

    def play() -> GameState:
        agents = [AGENTS[name](seed=each, work=8) for each in range(len(given.hands))]
        return play_game(GameState(given), agents, 60)

    end = play()
    assert end.over or len(end.turns) == 60
    assert end.turns == play().turns


@pytest.mark.parametrize("name", ["play-outs", "exact-deals"])
def test_a_card_that_wins_is_found(name: str) -> None:
    """The last card wins in every deal."""
    view = seat("R5 B9", "B5", 1).view()
    advice = AGENTS[name](seed=1, work=200).advise(view)
    assert {each.move["lays"] for each in advice.moves} == {"R5", "B9"}
    last = seat("B9", "B5", 7).view()
    (only,) = AGENTS[name](seed=1, work=200).advise(last).moves
    assert (only.move["lays"], only.share, only.deals) == ("B9", 1.0, 200)
