"""Encodings: exact solution sets, exact sizes, and the DIMACS of the smallest hands."""

from collections import Counter
from itertools import combinations, product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from tests.support.brute_force import Card, card_hubs, match, sequences
from tests.support.drawing import hands
from tests.support.examples import examples
from tests.support.solutions import lazy_solutions
from tests.support.tables import table
from uno_csp import Answer, FillIn, Status, Uno1, check, generate
from uno_csp.methods import ENCODINGS
from uno_csp.modeling import decompose, to_cnf


def distinct(instance: Uno1, limit: int) -> Uno1:
    cards = tuple(dict.fromkeys(instance.cards))[:limit]
    return Uno1(cards, at_least=instance.at_least, after=instance.after)


@pytest.mark.parametrize("encoding", ["position", "successor"])
@examples(30)
@given(drawn=hands(wild="partial", max_cards=5))
def test_solutions_are_exactly_the_sequences(encoding: str, drawn: Uno1) -> None:
    encoder = ENCODINGS.find(encoding)
    hand = distinct(drawn, 4)
    encoded = encoder.encode(hand)
    if encoded.model.num_vars > 16:
        return
    decoded = [
        encoder.decode(encoded, [False, *values])
        for values in lazy_solutions(encoded.model, encoded.model.num_vars)
    ]
    found = [() if witness is None else witness.sequence for witness in decoded]
    assert len(found) == len(set(found))
    assert set(found) == set(sequences(hand.cards, hand.at_least, hand.after))


def hub_trail_choices(cards: tuple[Card, ...]) -> set[frozenset[Card]]:
    """The sets of trail edges, by the theorem: connected, dominating, at most two odd vertices.

    Cards with a hub of their own are loops: walking into such a hub is never needed.
    """
    degree = Counter(hub for card in cards for hub in card_hubs(card, 1))
    shared = {card: [h for h in card_hubs(card, 1) if degree[h] > 1] for card in cards}
    walkable = [card for card in cards if len(shared[card]) == 2]
    found = set()
    for on in product((False, True), repeat=len(walkable)):
        edges = [card for card, each in zip(walkable, on, strict=True) if each]
        graph: Any = nx.MultiGraph([tuple(shared[card]) for card in edges])
        if sum(count % 2 for _, count in graph.degree()) > 2:
            continue
        stops = [set(graph)] if edges else [{hub} for own in shared.values() for hub in own]
        if edges and not nx.is_connected(graph):
            continue
        if any(all(visited & set(own) for own in shared.values()) for visited in stops):
            found.add(frozenset(edges))
    return found


@examples(80)
@given(hands(max_cards=6, after=False))
def test_hub_trail_solutions_are_exactly_the_dominating_trails(drawn: Uno1) -> None:
    if drawn.dimension != 2 or drawn.at_least != 1:
        return
    hand = distinct(drawn, 6)
    if len(hand.cards) < 2:
        return
    encoder = ENCODINGS.find("hub-trail")
    encoded = encoder.encode(hand)
    num_vars = encoded.model.num_vars
    if num_vars > 15:
        return
    found = set()
    for values in lazy_solutions(encoded.model, num_vars):
        assignment = [False, *values]
        cards = [hand.cards[index] for index, _ in encoded.data.kernel.core.cards]
        edges = zip(cards, encoded.data.trail.trail_edges, strict=True)
        found.add(frozenset(card for card, literal in edges if assignment[literal]))
    assert found == hub_trail_choices(hand.cards)


@pytest.mark.parametrize(
    ("encoding", "cards", "costs"),
    [("successor", ((1, 1),), {0, 3, 10}), ("hub-trail", ((1, 1), (2, 2)), {3, 10})],
)
def test_every_solution_with_a_supply_has_its_right_cost(
    encoding: str, cards: tuple[Card, ...], costs: set[int]
) -> None:
    hand = FillIn(cards, supply=((1, 2), (1, 2)), costs=(7, 3))
    encoder = ENCODINGS.find(encoding)
    encoded = encoder.encode(hand)
    found = set()
    for values in lazy_solutions(encoded.model, encoded.model.num_vars):
        witness = encoder.decode(encoded, [False, *values])
        assert witness is not None
        assert check(hand, Answer("fill-in", Status.UNKNOWN, witness)) == []
        found.add(witness.objective)
    assert found == costs


@pytest.mark.parametrize("seed", range(3))
def test_hub_trail_size_formula(seed: int) -> None:
    hand = Uno1(
        tuple(dict.fromkeys(generate("random", colours=30, numbers=40, cards=80, seed=seed).cards))
    )
    degree = Counter(hub for card in hand.cards for hub in card_hubs(card, 1))
    shared = [[h for h in card_hubs(card, 1) if degree[h] > 1] for card in hand.cards]
    lonely = sum(not own for own in shared)
    one = len({own[0] for own in shared if len(own) == 1})
    two = sum(len(own) == 2 for own in shared)
    h = len({hub for own in shared for hub in own})
    met = Counter(hub for own in shared if len(own) == 2 for hub in own)
    d = sum(count >= 2 for count in met.values())
    model = ENCODINGS.find("hub-trail").encode(hand).model
    assert model.num_vars == h + two + d
    assert len(model.clauses) == one + 3 * two + bool(lonely)
    assert len(model.parities) == d
    assert len(model.linears) == 1


@pytest.mark.parametrize("seed", range(3))
def test_position_and_successor_size_formulae(seed: int) -> None:
    hand = generate("random", colours=4, numbers=4, cards=9, seed=seed)
    n, kinds = len(hand.cards), len(set(hand.cards))
    assert kinds < n
    pairs = sum(a != b and match(a, b, 1) for a, b in combinations(hand.cards, 2))
    position = ENCODINGS.find("position").encode(hand).model
    assert position.num_vars == n * n
    assert len(position.linears) == 2 * n
    assert len(position.clauses) == 2 * n * (n - 1) + n * (n - kinds)
    assert ENCODINGS.find("successor").encode(hand).model.num_vars == 2 * pairs + n + kinds


@pytest.mark.parametrize(("encoding", "count", "num_vars", "clauses"), table("encodings", "golden"))
def test_clauses_of_the_smallest_hands(
    encoding: str, count: int, num_vars: int, clauses: list[list[int]]
) -> None:
    hand = Uno1((("red", 1), ("red", 2), ("blue", 2))[:count])
    model = ENCODINGS.find(encoding).encode(hand).model
    model.globals = []
    cnf = to_cnf(model)
    assert (cnf.num_vars, [list(clause) for clause in cnf.clauses]) == (num_vars, clauses)


# By hand for one card and successor-order: 2 arcs, 2 labels of 2 bits, 1 sum bit for each; 4 unit
# clauses for the degrees, 4 clauses for each sum bit, and 4 for the arc that leads to the card.
EAGER_SIZES = {"hub-trail": [(0, 0), (0, 0), (4, 4), (13, 28)], "successor": [(0, 0), (8, 16)]}


@pytest.mark.parametrize("encoding", EAGER_SIZES)
def test_sizes_of_the_smallest_eager_formulas(encoding: str) -> None:
    sizes = []
    for count in range(len(EAGER_SIZES[encoding])):
        hand = Uno1((("red", 1), ("red", 2), ("blue", 2))[:count])
        cnf = to_cnf(decompose(ENCODINGS.find(encoding).encode(hand).model, "order"))
        sizes.append((cnf.num_vars, len(cnf.clauses)))
    assert sizes == EAGER_SIZES[encoding]


def test_hub_trail_declines_what_it_cannot_handle() -> None:
    encoder = ENCODINGS.find("hub-trail")
    partial = Uno1(((1, "*", 2), (1, 2, 3)), at_least=2)
    assert encoder.refusal(partial) is None
    many = Uno1(((1, "*", 2),) * 501, at_least=2)
    assert "501 cards are wild in fewer coordinates" in (encoder.refusal(many) or "")
    chained = FillIn(((1, 2, 3), (4, 5, 6)), at_least=2)
    assert "'priced-trail' takes it" in (encoder.refusal(chained) or "")
    wide = Uno1((tuple(range(20)),), at_least=10)
    assert "184756 hubs" in (encoder.refusal(wide) or "")
    for name in ("position", "successor"):
        assert ENCODINGS.find(name).refusal(partial) is None
        assert ENCODINGS.find(name).refusal(wide) is None


def test_joined_trails_declines_where_hub_trail_is_exact() -> None:
    encoder = ENCODINGS.find("joined-trails")
    for cards, at_least in ((((1, 1),), 1), (((1, 2, 3, 4),), 2)):
        half = FillIn(cards, at_least=at_least)
        assert "'hub-trail' is exact" in (encoder.refusal(half) or "")
    assert encoder.refusal(FillIn(((1, 2, 3),), at_least=2)) is None
    assert "'successor' takes it" in (encoder.refusal(FillIn(((1, 2),), at_least=2)) or "")
