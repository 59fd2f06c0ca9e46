"""The optimisation questions and the games against brute force, and their limits."""

import random
from collections import Counter
from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import Card
from tests.support.brute_force_games import (
    avoids_losing,
    cheapest_supply,
    cooperative,
    fewest_added,
    longest,
)
from tests.support.drawing import deals, hands, piles
from tests.support.examples import examples
from uno_csp import Options, Progress, Status, Uno1, check, generate, solve
from uno_csp.families.cubic_graphs import Graph
from uno_csp.families.structured_hands import diamond_hand, petersen_fragments_hand
from uno_csp.methods import ENCODINGS
from uno_csp.pipeline import explain
from uno_csp.questions import Convention, Cooperative, FillIn, Instance, Longest, Uncooperative

WILDS = ["none", "universal", "partial"]


def takes(encoding: str, instance: Instance) -> bool:
    return ENCODINGS.find(encoding).refusal(instance) is None


@pytest.mark.parametrize("wild", WILDS)
def test_longest_against_brute_force(wild: str) -> None:
    @examples(120)
    @given(hands(wild=wild, max_cards=6))
    def run(drawn: Uno1) -> None:
        instance = Longest(drawn.cards, at_least=drawn.at_least, after=drawn.after)
        best = longest(drawn.cards, drawn.at_least, drawn.after)
        for encoding in ("hub-trail", "successor"):
            for backend in ("cadical195", "cp-sat"):
                if takes(encoding, instance):
                    answer = solve(instance, method=encoding, backend=backend)
                    assert (answer.status, answer.objective) == (Status.OPTIMAL, best)
                    assert answer.checked

    run()


@pytest.mark.parametrize("wild", WILDS)
def test_fill_in_against_brute_force(wild: str) -> None:
    @examples(120)
    @given(hands(wild=wild, max_cards=6))
    def run(drawn: Uno1) -> None:
        instance = FillIn(drawn.cards, at_least=drawn.at_least, after=drawn.after)
        best = fewest_added(drawn.cards, drawn.at_least, drawn.after)
        for encoding in ("hub-trail", "priced-trail", "successor"):
            if takes(encoding, instance):
                answer = solve(instance, method=encoding, backend="cadical195")
                assert answer.objective == best
                assert answer.status == ("UNSATISFIABLE" if best is None else "OPTIMAL")

    run()


@pytest.mark.parametrize("wild", WILDS)
def test_fill_in_from_a_supply_against_brute_force(wild: str) -> None:
    @examples(100)
    @given(hands(wild=wild, max_cards=7), st.data())
    def run(drawn: Uno1, data: st.DataObject) -> None:
        held = data.draw(st.integers(0, len(drawn.cards)))
        cards, supply = drawn.cards[:held], drawn.cards[held:]
        cost = st.integers(0, 9)
        costs = tuple(data.draw(st.lists(cost, min_size=len(supply), max_size=len(supply))))
        instance = FillIn(cards, supply, costs, at_least=drawn.at_least, after=drawn.after)
        best = cheapest_supply(cards, supply, costs, drawn.at_least, drawn.after)
        for encoding in ("hub-trail", "successor"):
            for backend in ("cadical195", "highs"):
                if takes(encoding, instance):
                    answer = solve(instance, method=encoding, backend=backend)
                    assert answer.objective == best
                    assert answer.status == ("UNSATISFIABLE" if best is None else "OPTIMAL")

    run()


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("wild", [False, True])
def test_cooperative_play_against_brute_force(players: int, wild: bool) -> None:
    @examples(80)
    @given(deals(players=players, wild=wild), st.none() | st.just((0, 0)))
    def run(dealt: tuple[tuple[Card, ...], ...], after: Card | None) -> None:
        instance = Cooperative(dealt, after=after)
        expected = cooperative(dealt, 1, after)
        assert (solve(instance).status is Status.SATISFIABLE) == expected
        for encoding in ("turns", "hub-turns", "free-turns") if players > 1 else ():
            answer = solve(instance, method=encoding)
            if answer.status is Status.UNKNOWN:
                assert encoding != "turns"
            else:
                assert (answer.status is Status.SATISFIABLE) == expected

    run()


def test_cooperative_play_with_partly_wild_cards_against_brute_force() -> None:
    rng = random.Random(6)
    seen: Counter[tuple[Status, str | None]] = Counter()
    for _ in range(120):
        dimension = rng.randint(2, 3)
        cards = [
            tuple("*" if rng.random() < 0.25 else rng.randint(1, 3) for _ in range(dimension))
            for _ in range(7)
        ]
        size = rng.randint(2, 4)
        instance = Cooperative((tuple(cards[:size]), tuple(cards[size:])), at_least=dimension)
        if dimension == 3:
            instance = replace(instance, at_least=2)
        expected = cooperative(instance.hands, instance.at_least, None)
        for method in (None, "free-turns"):
            answer = solve(instance, method=method)
            if answer.status is not Status.UNKNOWN:
                assert (answer.status is Status.SATISFIABLE) == expected, instance
            seen[answer.status, method] += 1
    assert min(seen[status, "free-turns"] for status in Status if "SAT" in status) > 10
    assert not seen[Status.UNKNOWN, None]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_uncooperative_play_against_brute_force(players: int) -> None:
    @examples(100)
    @given(deals(players=players, wild=True), st.sampled_from(Convention), piles())
    def run(
        dealt: tuple[tuple[Card, ...], ...], convention: Convention, after: Card | None
    ) -> None:
        instance = Uncooperative(dealt, convention, after=after)
        empty_wins = convention is Convention.EMPTY_HAND_WINS
        expected = avoids_losing(dealt, 1, empty_wins=empty_wins, after=after)
        for encoding in (None, "game-search"):
            answer = solve(instance, method=encoding)
            assert (answer.status is Status.SATISFIABLE) == expected
            assert answer.strategy is not None
            assert answer.checked
            if not expected:
                assert answer.loser == 1

    run()


@pytest.mark.parametrize(
    ("graph", "optimum"),
    [(nx.complete_graph(4), 1), (nx.complete_bipartite_graph(3, 3), 2)],
)
def test_diamonds_need_half_as_many_paths_as_vertices(graph: Graph, optimum: int) -> None:
    hand = diamond_hand(graph)
    answer = solve(FillIn(hand.cards))
    assert (answer.status, answer.objective, answer.bound) == (Status.OPTIMAL, optimum, optimum)


@pytest.mark.parametrize("backend", ["cadical195", "cp-sat", "highs", "cbc"])
def test_large_costs_are_compared_exactly(backend: str) -> None:
    """Two ways to join the cards differ by one in a billion: near the optimum is not optimal."""
    base = 1_000_000_000
    supply = (("red", 7), ("blue", 5), ("*", "*"))
    for order in ((2, 1, 3), (1, 3, 2), (3, 2, 1)):
        costs = tuple(base + each for each in order)
        instance = FillIn((("red", 5), ("blue", 7)), supply, costs)
        answer = solve(instance, backend=backend)
        assert (answer.status, answer.objective, answer.bound) == ("OPTIMAL", base + 1, base + 1)


@pytest.mark.slow
def test_diamonds_of_the_petersen_graph_by_integer_programming() -> None:
    """Cuts of an even graph and parities without slacks are what makes this possible."""
    hand = diamond_hand(nx.petersen_graph())
    answer = solve(FillIn(hand.cards), backend="highs")
    assert (answer.status, answer.objective, answer.bound) == (Status.OPTIMAL, 4, 4)


def test_ten_petersen_fragments_need_four_cards() -> None:
    hand = petersen_fragments_hand(nx.petersen_graph(), range(10))
    answer = solve(FillIn(hand.cards))
    assert (answer.status, answer.objective) == (Status.OPTIMAL, 4)


def test_a_sparse_random_hand_is_optimised_by_the_default_choice() -> None:
    hand = generate("random", colours=1000, numbers=1000, cards=1500, seed=1)
    answer = solve(FillIn(hand.cards))
    assert (answer.status, answer.objective) == (Status.OPTIMAL, 225)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["cadical195", "cp-sat", "highs", "cbc"])
def test_a_stopped_optimisation_keeps_the_best_and_the_bound(backend: str) -> None:
    hand = generate("random", colours=1000, numbers=1000, cards=1500, seed=1)
    seen: list[Progress] = []
    answer = solve(FillIn(hand.cards), backend=backend, time_limit_s=6.0, on_progress=seen.append)
    if answer.status is Status.OPTIMAL:
        return  # a fast machine
    assert answer.status is Status.UNKNOWN
    assert "time limit" in answer.reason
    assert answer.bound is not None
    assert answer.bound >= 214  # dead ends alone
    if answer.objective is not None:
        assert answer.bound < 225 <= answer.objective or answer.bound <= 225 < answer.objective
        assert answer.checked
    assert not check(FillIn(hand.cards), answer)


def test_large_two_player_games_take_no_quadratic_graph() -> None:
    rows = [(i, i + 1) for i in range(20_000)]
    hands = (tuple(rows[:10_000]), tuple(rows[10_000:]))
    crowded = Uncooperative(
        (tuple((0, i) for i in range(20_000)), tuple((0, -i) for i in range(20_000)))
    )
    assert solve(crowded).status is Status.UNSATISFIABLE
    answer = solve(Uncooperative(hands))
    assert answer.status is Status.SATISFIABLE
    assert answer.checked


@pytest.mark.parametrize(
    ("instance", "expected"),
    [
        (Uno1(((1, 1), (2, 2))), "different groups agree in no attribute"),
        (
            Uno1(((0, 0), (0, 1), (0, 2), (1, 0), (2, 1), (3, 2), (1, 5), (2, 6), (3, 7))),
            "dead ends",
        ),
        (Cooperative((((1, 1), (2, 2), (3, 3)), ((1, 2),))), "no card to spare"),
        (Uncooperative((((1, 1),), ((1, 2),))), "its own partner"),
        (Uncooperative((((1, 1), (2, 2)), ((1, 3), (1, 4)))), "no card of player 2 matches"),
        (FillIn(((1, 1), (2, 2))), "groups and dead ends"),
        (Longest(((1, 1), (1, 2))), "every card of the hand"),
        (Uno1(((1, 1), (1, 2))), "the sequence that solve prints"),
    ],
)
def test_explanations(instance: Instance, expected: str) -> None:
    line, *_ = explain(instance, solve(instance))
    assert expected in line


def test_where_no_reason_is_known_that_is_said() -> None:
    hand = diamond_hand(nx.complete_bipartite_graph(3, 3))
    assert "no short reason is known" in explain(hand, solve(hand))[0]


SQUARE = ((1, 1), (1, 2), (2, 2), (2, 1))


@pytest.mark.parametrize(
    ("cards", "backend", "presolve", "expected"),
    [
        (SQUARE, "highs", True, "4 hubs and 4 cards, all of which tables summed up"),
        (SQUARE, "highs", False, "4 hubs and 4 cards, all of which were searched"),
        (SQUARE, "cadical195", True, "4 hubs and 4 cards, all of which were searched"),
        (
            generate("random-cubic", vertices=500, seed=1).cards,
            "cadical195",
            True,
            "1,250 hubs and 1,500 cards; the kernel that was searched has",
        ),
    ],
)
def test_what_was_searched_is_told(
    cards: tuple[tuple[int, int], ...], backend: str, presolve: bool, expected: str
) -> None:
    options = Options("hub-trail", backend, presolve=presolve)
    assert expected in explain(Uno1(cards), solve(Uno1(cards), options))[1]
