"""Strategies are played by somebody who tries every reply; geography; the colour DP."""

import networkx as nx
import pytest
from hypothesis import example, given

from tests.support.brute_force import Card, match
from tests.support.drawing import deals, hands, piles
from tests.support.examples import examples
from tests.support.running import Patch
from uno_csp import Answer, NotAccepted, Play, Status, Uncooperative, Uno1, solve
from uno_csp.algorithms import game_search
from uno_csp.algorithms._hub_flow import maximum_matching
from uno_csp.algorithms.geography import Graph, mover_wins, winning_move
from uno_csp.algorithms.strategies import next_card
from uno_csp.questions import Convention
from uno_csp.questions.cards import Hand


def survives_every_reply(game: Uncooperative, answer: Answer) -> bool:
    """Follow the strategy for its side, and try everything for the other."""
    wins = answer.status is Status.SATISFIABLE
    strategy = answer.strategy
    assert strategy is not None
    players = len(game.hands)
    empty_wins = game.convention is Convention.EMPTY_HAND_WINS

    def play(plays: list[Play], held: list[list[Card]]) -> bool:
        player = plays[-1].player % players + 1 if plays else 1
        last = plays[-1].card if plays else game.after
        options = [
            card for card in held[player - 1] if last is None or match(last, card, game.at_least)
        ]
        if not options:
            return (player != 1) == wins
        if (player == 1) == wins:
            chosen = next_card(game, strategy, plays)
            assert chosen in options
            options = [chosen] if chosen is not None else []
        results = []
        for card in set(options):
            left = [list(hand) for hand in held]
            left[player - 1].remove(card)
            if empty_wins and not left[player - 1]:
                results.append((player == 1) == wins)
            else:
                results.append(play([*plays, Play(player, card)], left))
        return all(results)

    return play([], [list(hand) for hand in game.hands])


@pytest.mark.parametrize("convention", list(Convention))
@pytest.mark.parametrize("method", [None, "game-search"])
@examples(20)
@given(deals(players=2, wild=True) | deals(players=3), piles())
def test_strategies_survive_every_reply(
    convention: Convention, method: str | None, dealt: tuple[Hand, ...], after: Card | None
) -> None:
    game = Uncooperative(dealt, convention, after=after)
    assert survives_every_reply(game, solve(game, method=method))


def test_a_strategy_that_was_not_followed_says_so() -> None:
    game = Uncooperative((((1, 1), (1, 2)), ((1, 3),)))
    strategy = solve(game).strategy
    assert strategy is not None
    with pytest.raises(NotAccepted, match="not followed"):
        next_card(game, strategy, [Play(1, (1, 1)), Play(2, (9, 9))])
    with pytest.raises(NotAccepted, match="player 2's"):
        next_card(game, {"kind": "matching", "pairs": []}, [])
    with pytest.raises(NotAccepted, match="only an opening"):
        next_card(game, {"kind": "opening", "open": [1, 1]}, [Play(1, (1, 1)), Play(2, (1, 3))])


MANY_HUBS = Uno1(tuple((*map(int, f"{i:05b}"), *[i % 3] * 7) for i in range(20)), at_least=6)
"""A hand whose cards are compared, since each is on 924 hubs."""


@examples(40)
@example(MANY_HUBS)
@given(hands(wild="partial", max_cards=8, after=False))
def test_maximum_matching_through_hubs(instance: Uno1) -> None:
    half = len(instance.cards) // 2
    first, second = instance.cards[:half], instance.cards[half:]
    graph: Graph = nx.Graph()
    graph.add_nodes_from(range(len(instance.cards)))
    graph.add_edges_from(
        (i, half + j)
        for i, one in enumerate(first)
        for j, other in enumerate(second)
        if match(one, other, instance.at_least)
    )
    pairs = maximum_matching(first, second, instance.at_least)
    assert len(pairs) == len(nx.max_weight_matching(graph, maxcardinality=True))
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert all(match(first[i], second[j], instance.at_least) for i, j in pairs)


def test_geography_on_known_graphs() -> None:
    assert mover_wins(nx.complete_graph(4), 0)
    assert not mover_wins(nx.complete_graph(5), 0)
    assert winning_move(nx.star_graph(3), 0) in (1, 2, 3)
    assert winning_move(nx.star_graph(3), 1) is None
    with pytest.raises(ValueError, match="not a vertex"):
        mover_wins(nx.path_graph(2), 7)


@pytest.mark.parametrize(
    "instance", [Uno1(((1, 1, 1),)), Uno1((("*", 1),)), Uno1((), after=(1, 1))]
)
def test_colour_dp_declines_what_it_does_not_know(instance: Uno1) -> None:
    with pytest.raises(NotAccepted, match="does not take this question"):
        solve(instance, method="colour-dp")


def test_long_strategies_keep_the_opening_only(monkeypatch: Patch) -> None:
    monkeypatch.setattr(game_search, "MAX_STRATEGY", 0)
    game = Uncooperative((((1, 1), (2, 2)), ((1, 3),)), Convention.EMPTY_HAND_WINS)
    witness = game_search.ALGORITHM.run(game).witness
    assert witness is not None
    assert (witness.strategy or {})["kind"] == "opening"
