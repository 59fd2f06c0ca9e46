"""What encoders claim of a connected graph is implied by their models: the opposite has no model.

A false claim would cut solutions off and turn a yes into a no without a word.
"""

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from pysat.solvers import Solver

from tests.attacks.questions import random_question
from tests.support.examples import FACTOR
from uno_csp.methods import ENCODINGS, encoding_names
from uno_csp.modeling import Connected, Model, relax, to_cnf
from uno_csp.questions import Instance, question_types

HANDS = 160 * max(FACTOR, 1)
CLAIMANTS = (
    "hub-trail",
    "closed-trail",
    "priced-trail",
    "joined-trails",
    "hub-turns",
    "free-turns",
)


def satisfiable(model: Model, assumed: list[int]) -> bool:
    with Solver("cadical195", bootstrap_with=to_cnf(model).clauses) as solver:
        return bool(solver.solve(assumptions=assumed))


def drawn(encoding: str) -> Iterator[Instance]:
    """Questions that the encoder takes, partly wild cards, piles and supplies among them."""
    rng = random.Random(encoding if not FACTOR else None)
    encoder = ENCODINGS.find(encoding)
    kinds = [name for name, kind in question_types().items() if issubclass(kind, encoder.takes)]
    found = 0
    while found < HANDS:
        instance = random_question(rng, rng.choice(kinds))
        if encoder.refusal(instance) is None:
            found += 1
            yield instance


def constraints(instance: Instance, encoding: str) -> Iterator[tuple[Model, Connected]]:
    encoder = ENCODINGS.find(encoding)
    for model in (
        encoder.encode(instance).model,
        encoder.encode_kernel(instance, minimising=True).model,
    ):
        for constraint in model.globals:
            if isinstance(constraint, Connected):
                yield relax(model), constraint


@pytest.mark.parametrize("encoding", CLAIMANTS)
def test_covers_are_implied(encoding: str) -> None:
    tried = 0
    for instance in drawn(encoding):
        for plain, constraint in constraints(instance, encoding):
            for cover in {tuple(each) for each in constraint.implied.covers}:
                tried += 1
                absent = [-constraint.presence[node] for node in cover]
                assert not satisfiable(plain, absent), (instance, cover)
    assert tried > HANDS // 2


@pytest.mark.parametrize("encoding", CLAIMANTS)
def test_weights_make_every_node_even(encoding: str) -> None:
    tried = 0
    for instance in drawn(encoding):
        for plain, constraint in constraints(instance, encoding):
            for node in range(len(constraint.presence)):
                counted = [literal for at, literal in constraint.implied.loose if at == node]
                for edge, weight in enumerate(constraint.implied.weights or ()):
                    ends = (constraint.tails[edge], constraint.heads[edge])
                    if node in ends and weight == 1:
                        counted.append(constraint.literals[edge])
                # A literal that is counted twice changes no parity.
                odd = [literal for literal, count in Counter(counted).items() if count % 2]
                opposite = plain.copy()
                opposite.add_parity(odd, odd=True)
                tried += 1
                assert not satisfiable(opposite, []), (instance, node)
    assert tried > HANDS // 2


def test_these_are_all_that_claim_something() -> None:
    claiming = set()
    for encoding in encoding_names():
        for instance in drawn(encoding):
            for _, constraint in constraints(instance, encoding):
                if constraint.implied.covers or constraint.implied.weights:
                    claiming.add(encoding)
    assert claiming == set(CLAIMANTS)
