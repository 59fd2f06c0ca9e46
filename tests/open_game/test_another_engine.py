"""RLCard's engine beside ours, step by step, with all effects; and our agents at its table."""

import random
from typing import Any

import numpy as np
import pytest
import rlcard
from rlcard.games.uno.game import UnoGame

from uno_csp import GameState
from uno_csp.agents.players import AGENTS
from uno_csp.agents.rlcard import RULES, RLCardAgent, action_of, kind_of_card, view_of_state
from uno_csp.open_game.deck import COLOURS, DRAW_FOUR, DRAW_TWO, WILD, code_of, unpack
from uno_csp.questions.open_game import OpenGame, card_of

LETTERS = "rygb"


def cards(hand: Any) -> list[int]:
    return [kind_of_card(card.str) for card in hand]


def started(engine: UnoGame) -> GameState:
    """The same game of ours; the cards drawn for a +2 that was turned up go back to the pile."""
    top = engine.round.target
    draw = cards(engine.dealer.deck)[::-1]
    hands = [cards(player.hand) for player in engine.players]
    if kind_of_card(top.str) < WILD and kind_of_card(top.str) % 13 == DRAW_TWO:
        draw[:0] = hands[0][-2:]
        del hands[0][-2:]
    wild = top.type == "wild"
    return GameState(
        OpenGame(
            tuple(tuple(map(card_of, hand)) for hand in hands),
            after=card_of(kind_of_card(top.str)),
            colour=COLOURS[LETTERS.index(top.color)] if wild else None,
            draw=tuple(map(card_of, draw)),
            rules=RULES,
            turned_up=True,
        )
    )


def turn_like(state: GameState, engine: UnoGame, action: str) -> dict[str, Any] | None:
    """The turn that is the action; None where RLCard departs from any rules.

    A drawn +4 has no effect there. Whoever draws a wild card does not choose its colour.
    """
    if action != "draw":
        kind = kind_of_card(action)
        turn: dict[str, Any] = {"draws": 0, "lays": code_of(kind)}
        last = len((state.to_dict() or {})["hands"][(state.player or 0) - 1]) == 1
        if kind >= WILD and not last:
            turn["names"] = COLOURS[LETTERS.index(action[0])]
        return turn
    if not engine.dealer.deck:
        return None
    card = engine.dealer.deck[-1]
    kind = kind_of_card(card.str)
    if kind == DRAW_FOUR:
        return None
    legal = state.legal_moves()
    if kind == WILD:  # both get the colour that RLCard has chosen
        return next(move for move in legal if move.get("names") == "red")
    (turn,) = legal
    return turn


def compare(state: GameState, engine: UnoGame) -> None:
    """The same hands, pile, direction, player to move and legal actions."""
    position = state.outcome
    assert isinstance(position, tuple)
    assert position.player == engine.round.current_player
    assert position.direction == engine.round.direction
    assert COLOURS[position.colour][0] == engine.round.target.color
    for hand, player in zip(position.hands, engine.players, strict=True):
        assert unpack(hand) == sorted(cards(player.hand))
    legal, moves = engine.get_legal_actions(), state.legal_moves()
    if legal == ["draw"]:
        assert all("lays" not in move or move["draws"] for move in moves)
    elif len(engine.players[position.player].hand) > 1:  # the last card names no colour here
        assert {action_of(move) for move in moves} == set(legal)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_engines_play_the_same_game(players: int) -> None:
    rng = random.Random(players)
    turns = games = 0
    for _ in range(40):
        engine = UnoGame(num_players=players)
        engine.np_random = np.random.RandomState(rng.randrange(2**31))
        engine.init_game()
        state = started(engine)
        while not engine.is_over():
            compare(state, engine)
            action = rng.choice(engine.get_legal_actions())
            turn = turn_like(state, engine, action)
            if turn is None or len(engine.dealer.deck) < 5:
                break  # RLCard shuffles the top card in, too
            engine.step(action)
            if turn.get("lays") == "W" and turn["draws"]:
                turn = {**turn, "names": COLOURS[LETTERS.index(engine.round.target.color)]}
            state = state.play(turn)
            turns += 1
        if engine.is_over():
            games += 1
            assert state.winner == engine.round.winner[0] + 1
    assert turns > 400
    assert games > 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_our_agents_play_at_their_table(players: int) -> None:
    """Only legal actions; the environment would replace others by random ones."""
    env = rlcard.make("uno", config={"seed": 5, "game_num_players": players})
    asked: list[str] = []

    class Watched(RLCardAgent):
        """Notes what it answers."""

        def step(self, state: Any) -> str:
            action = super().step(state)
            assert action in state["raw_legal_actions"], (action, state["raw_obs"])
            asked.append(action)
            return action

    ours = Watched(AGENTS["play-outs"](seed=1, work=30))
    env.set_agents([ours, *[RLCardAgent(AGENTS["random"](seed=2))] * (players - 1)])
    for _ in range(8):
        try:
            env.run(is_training=False)
        except IndexError:
            continue  # RLCard's payoffs of more than two players, and its empty pile
    assert len(asked) > 60
    assert any("wild" in action for action in asked)


def test_a_state_of_theirs_is_a_view() -> None:
    env = rlcard.make("uno", config={"seed": 7, "game_num_players": 3})
    state, player = env.reset()
    for _ in range(40):
        view = view_of_state(state)
        assert view.player == player + 1
        assert len(view.hand) == len(state["raw_obs"]["hand"])
        assert sum(view.counts) - view.counts[player] + view.pile == len(view.unseen)
        if env.is_over():
            break
        state, player = env.step(random.Random(player).choice(list(state["legal_actions"])))
