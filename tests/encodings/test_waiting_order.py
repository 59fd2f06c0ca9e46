"""Cuts against cards that wait for one another: broken where they are found, kept by every play."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from uno_csp import Cooperative, Status, generate, solve
from uno_csp.methods import ENCODINGS, find_backend
from uno_csp.modeling import Assignment, Encoded, relax, violated_cuts

DEALS, ROUNDS, TRIES = 20, 40, 20
ENCODER = ENCODINGS.find("free-turns")


def assignments(encoded: Encoded[Any], fixed: Sequence[int], rounds: int) -> Iterator[Assignment]:
    """Some assignments that the whole model allows if some literals are true."""
    model = encoded.model
    session = find_backend("cadical195").open(relax(model))
    session.add([[literal] for literal in fixed])
    for _ in range(rounds):
        found = session.solve().assignment
        if found is None:
            break
        torn = [cut for each in model.globals for cut in violated_cuts(each, found)]
        if not torn:
            yield found
        itself = [-v if found[v] else v for v in range(1, model.num_vars + 1)]
        session.add(torn or [itself])
    session.close()


def deal(rng: random.Random) -> Cooperative:
    """Distinct cards, few for each hub, so that players are skipped."""
    size, players = rng.randint(4, 6), rng.choice((2, 3))
    deck = [(colour, 10 + number) for colour in range(size) for number in range(size)]
    rng.shuffle(deck)
    sizes = [rng.randint(2, 5), *(rng.randint(2, 8) for _ in range(players - 1))]
    hands = [tuple(deck.pop() for _ in range(min(count, len(deck)))) for count in sizes]
    return Cooperative(tuple(hands))


def test_every_play_keeps_the_cuts() -> None:
    """A cut forbids no play."""
    rng = random.Random(8)
    found = forbidden = plays = 0
    for _ in range(DEALS):
        encoded = ENCODER.encode(deal(rng))
        separate, cuts = ENCODER.separator(encoded), set[tuple[int, ...]]()
        for assignment in assignments(encoded, [], ROUNDS):
            own = {tuple(cut) for cut in separate(assignment)}
            assert not any(assignment[abs(lit)] == (lit > 0) for cut in own for lit in cut)
            play = ENCODER.decode(encoded, assignment)
            assert play is None or not own
            plays += play is not None
            cuts |= own
        for cut in sorted(cuts)[:4]:
            for assignment in assignments(encoded, [-literal for literal in cut], TRIES):
                assert ENCODER.decode(encoded, assignment) is None
                forbidden += 1
        found += len(cuts)
    assert found > 30
    assert forbidden > 30
    assert plays > 7


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
