"""Claims of encoders about a connected graph are implied by their models: the negations have none.

A false claim would cut solutions off and turn a yes into a no without a word.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from pysat.solvers import Solver

from tests.support import drawing
from uno_csp.methods import ENCODINGS, encoding_names
from uno_csp.modeling import AtLeastTwo, Connected, Model, decompose, relax, to_cnf
from uno_csp.modeling.fractional_cuts import fractional_cuts, parity_cuts
from uno_csp.modeling.model import Parity, Relation
from uno_csp.pipeline import solve
from uno_csp.questions import Instance, Longest, question_types

HANDS = 12
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


def drawn(encoding: str, count: int = HANDS) -> Sequence[Instance]:
    """Questions that the encoder takes, partly wild cards, piles and supplies among them."""
    encoder = ENCODINGS.find(encoding)
    kinds = [name for name, kind in question_types().items() if issubclass(kind, encoder.takes)]
    taken = drawing.questions(*kinds).filter(lambda each: encoder.refusal(each) is None)
    return drawing.drawn(taken, count)


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
    assert tried > HANDS // 10


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
    assert tried > HANDS // 10


def claim_masses(target: Model, model: Model) -> bool:
    """Require what is claimed of the masses of present nodes; return whether anything is."""
    claimed = False
    for constraint in model.globals:
        if isinstance(constraint, Connected) and constraint.implied.least_mass:
            masses, least = constraint.implied.mass, constraint.implied.least_mass
            target.add_linear(masses, constraint.presence, Relation.AT_LEAST, least)
            claimed = True
    return claimed


def test_masses_are_those_of_optimal_solutions() -> None:
    """Every solution with an optimal value has the mass: the others have none of that value."""
    encoder, tried = ENCODINGS.find("hub-trail"), 0
    for instance in drawn("hub-trail", 2 * HANDS):
        if not isinstance(instance, Longest):
            continue
        best = solve(instance).objective
        for encoded in (encoder.encode(instance), encoder.encode_kernel(instance, minimising=True)):
            objective = encoded.model.objective
            assert objective is not None
            assert best is not None
            for constraint in encoded.model.globals:
                if isinstance(constraint, Connected) and constraint.implied.least_mass:
                    lighter = decompose(encoded.model, "order")
                    lighter.add_linear(
                        objective.coefficients,
                        objective.literals,
                        Relation.AT_MOST,
                        objective.largest_sum(-best),
                    )
                    least = constraint.implied.least_mass - 1
                    masses, presence = constraint.implied.mass, constraint.presence
                    lighter.add_linear(masses, presence, Relation.AT_MOST, least)
                    tried += 1
                    assert not satisfiable(lighter, []), instance
    assert tried


@pytest.mark.parametrize("encoding", CLAIMANTS)
def test_fractional_cuts_are_implied(encoding: str) -> None:
    """An assignment that violates such a cut has no connected graph."""
    rng = random.Random(encoding)
    tried: Counter[type] = Counter()
    for instance in drawn(encoding):
        encoder = ENCODINGS.find(encoding)
        for encoded in (encoder.encode(instance), encoder.encode_kernel(instance, minimising=True)):
            model = encoded.model
            values = [rng.choice((0.0, 0.1, 0.5, 0.9, 1.0)) for _ in range(model.num_vars + 1)]
            cuts = [cut for each in model.globals for cut in fractional_cuts(each, values)]
            for cut in rng.sample(cuts, min(len(cuts), 2)):
                opposite = decompose(model, "order")
                claim_masses(opposite, model)
                if isinstance(cut, AtLeastTwo):
                    linear = cut.linear
                    opposite.add_linear(linear.coefficients, linear.literals, Relation.AT_MOST, 1)
                else:
                    opposite.add_clauses([[-literal] for literal in cut])
                tried[type(cut)] += 1
                assert not satisfiable(opposite, []), (instance, cut)
    assert tried[AtLeastTwo]


def test_parity_cuts_are_implied_and_violated() -> None:
    rng = random.Random(3)
    found = 0
    for _ in range(300):
        parity = Parity(
            [rng.choice((v, -v)) for v in range(1, rng.randint(2, 7))], rng.random() < 0.5
        )
        values = [0.0, *(rng.choice((0.0, 0.2, 0.5, 1.0, rng.random())) for _ in range(7))]
        for clause in parity_cuts([parity], values):
            found += 1
            true = sum(values[lit] if lit > 0 else 1 - values[-lit] for lit in clause)
            assert true < 1
            broken = {-lit for lit in clause}
            assert sum(lit in broken for lit in parity.literals) % 2 != parity.odd
        whole = [float(value > 0.5) for value in values]
        count = sum((lit > 0) == bool(whole[abs(lit)]) for lit in parity.literals)
        assert bool(parity_cuts([parity], whole)) == (count % 2 != parity.odd)
    assert found > 50


def test_these_are_all_that_claim_something() -> None:
    """The tests above fail for one that claims nothing."""
    for encoding in {*encoding_names()} - {*CLAIMANTS}:
        for instance in drawn(encoding):
            for _, constraint in constraints(instance, encoding):
                assert not constraint.implied.covers
                assert not constraint.implied.weights
