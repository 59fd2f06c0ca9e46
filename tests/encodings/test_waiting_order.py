"""Cuts against cards that wait for one another: broken where they are found, kept by every play."""

import random
from itertools import pairwise
from typing import Any

import pytest

from tests.support.brute_force import match
from uno_csp import Cooperative, Status, generate, solve
from uno_csp.methods import ENCODINGS, find_backend
from uno_csp.modeling import Assignment, Encoded, Model, Session, relax, violated_cuts
from uno_csp.questions.cards import Card, hubs

DEALS, PLAYOUTS, ROUNDS = 20, 40, 40
Moves = list[tuple[int, int]]
"""The player and the card of each turn, both counted from 0, cards across all hands."""


def test_every_play_keeps_the_cuts() -> None:
    rng = random.Random(8)
    encoder = ENCODINGS.find("free-turns")
    found = kept = skips = 0
    for _ in range(DEALS):
        instance = deal(rng)
        plays = [play for _ in range(PLAYOUTS) if (play := playout(rng, instance)) is not None]
        encoded = encoder.encode(instance)
        cuts = cuts_of(encoded)
        found += len(cuts)
        for play in plays:
            session = find_backend("cadical195").open(relax(encoded.model))
            true = literals_of(encoded, instance, play)
            session.add([[literal] for literal in true])
            assert session.solve().assignment is not None
            session.add(cuts)
            assert session.solve().assignment is not None
            session.close()
            kept += bool(cuts)
            skips += sum(-waiting in true for waiting, _ in encoded.data.waits.values())
    assert found > 30
    assert kept > 7
    assert skips > 25


@pytest.mark.parametrize("seed", [1, 4])
def test_sparse_deals_are_put_in_order(seed: int) -> None:
    instance = generate("cooperative", players=2, cards=40, values=20, seed=seed)
    answer = solve(instance, method="free-turns", time_limit_s=120, seed=seed)
    assert answer.status is Status.SATISFIABLE
    assert answer.checked
    assert answer.method == "free-turns"


@pytest.mark.parametrize("backend", ["cp-sat", "lingeling"])
def test_solvers_that_count_no_conflicts_read_one_assignment_after_another(backend: str) -> None:
    instance = generate("cooperative", players=2, cards=12, values=6, seed=4)
    answer = solve(instance, method="free-turns", backend=backend, time_limit_s=120)
    assert answer.status is Status.SATISFIABLE
    assert answer.stats["rounds"] > 1


def deal(rng: random.Random) -> Cooperative:
    """Distinct cards, few for each hub, so that players are skipped."""
    size, players = rng.randint(4, 6), rng.choice((2, 3))
    deck = [(colour, 10 + number) for colour in range(size) for number in range(size)]
    rng.shuffle(deck)
    sizes = [rng.randint(2, 5), *(rng.randint(2, 8) for _ in range(players - 1))]
    hands = [tuple(deck.pop() for _ in range(min(count, len(deck)))) for count in sizes]
    return Cooperative(tuple(hands))


def playout(rng: random.Random, instance: Cooperative) -> Moves | None:
    """A random play by the rules, if player 1 is the first to have no card left."""
    cards = instance.cards
    owners = [q for q, hand in enumerate(instance.hands) for _ in hand]
    left = set(range(len(cards)))
    player, top, moves = 0, None, Moves()
    for _ in range(len(cards) * len(instance.hands)):
        legal = [
            card
            for card in left
            if owners[card] == player and (top is None or match(cards[top], cards[card], 1))
        ]
        if legal:
            top = rng.choice(legal)
            left.discard(top)
            moves.append((player, top))
            if not any(owners[card] == player for card in left):
                return moves if player == 0 else None
        player = (player + 1) % len(instance.hands)
    return None


def cuts_of(encoded: Encoded[Any]) -> list[list[int]]:
    """The cuts of some assignments, each of which is seen to break them."""
    separate = ENCODINGS.find("free-turns").separator(encoded)
    session: Session = find_backend("cadical195").open(relax(encoded.model))
    collected: list[list[int]] = []
    for _ in range(ROUNDS):
        assignment = session.solve().assignment
        if assignment is None:
            break
        torn = [cut for each in encoded.model.globals for cut in violated_cuts(each, assignment)]
        cuts = [] if torn else [list(cut) for cut in separate(assignment)]
        assert not any(holds(literal, assignment) for cut in cuts for literal in cut)
        collected += cuts
        session.add(torn or cuts or [ways_of(encoded.model, assignment)])
    session.close()
    return collected


def holds(literal: int, assignment: Assignment) -> bool:
    return assignment[literal] if literal > 0 else not assignment[-literal]


def ways_of(model: Model, assignment: Assignment) -> list[int]:
    """A clause against this very assignment."""
    return [-v if assignment[v] else v for v in range(1, model.num_vars + 1)]


def literals_of(encoded: Encoded[Any], instance: Cooperative, moves: Moves) -> list[int]:
    """The literals of the model that are true of a play."""
    graph = encoded.data
    players = len(instance.hands)
    entered = {(card, node): literal for card, node, literal in graph.entered}
    left = {(card, node): literal for card, node, literal in graph.left}
    (_, first), (_, last) = moves[0], moves[-1]
    true = [graph.first[first], graph.last[last]]
    skips = set()
    for (player, card), (following, other) in pairwise(moves):
        node = graph.nodes[shared(instance.cards[card], instance.cards[other]), following]
        true += [left[card, node], entered[other, node]]
        skips |= {
            (card, (player + step) % players)
            for step in range(1, (following - player - 1) % players + 1)
        }
    for key, (waiting, _) in graph.waits.items():
        true.append(-waiting if key in skips else waiting)
    return true


def shared(card: Card, other: Card) -> tuple[tuple[int, ...], Card]:
    return next(hub for hub in hubs(card) if hub in hubs(other))
