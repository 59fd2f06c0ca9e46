"""Sums of rows that are taken out one by one, against the verifier's sum of all of them."""

import random

from uno_csp import FillIn, generate
from uno_csp.certificates.totals import Total
from uno_csp.formats import question_to_dict
from uno_csp.verifier.cards import Better, Question
from uno_csp.verifier.proofs import excess, row
from uno_csp.verifier.trails import Trails, UncountedTrails


def formulas() -> tuple[Trails, UncountedTrails]:
    hand = generate("diamond", base="k4")
    question = Question(question_to_dict(FillIn(hand.cards)))
    goal = Better(1, added=0)
    return Trails(question, goal), UncountedTrails(question, goal)


def test_the_clauses_that_count_are_the_last_ones() -> None:
    whole, uncounted = formulas()
    assert uncounted.sums == whole.sums
    assert uncounted.clauses == whole.clauses[: len(uncounted.clauses)]
    assert len(whole.clauses) > len(uncounted.clauses)
    assert uncounted.variables < whole.variables


def test_a_row_can_be_taken_out_and_put_back() -> None:
    _, formula = formulas()
    rng = random.Random(1)
    numbers = rng.sample(range(len(formula.clauses)), 40)
    rows = [(rng.randint(1, 5), ["clause", number]) for number in numbers]
    rows += [(rng.randint(1, 3), ["sum", number]) for number in range(len(formula.sums))]
    literals = [literal for _, which in rows for _, literal in row(formula, which)[0]]
    for true in ((), tuple(rng.sample(sorted(set(literals)), 6))):
        total = Total(formula, rows, true)
        there = set(range(len(rows)))
        assert total.excess == excess(formula, rows, true)
        for _ in range(200):
            one = rng.randrange(len(rows))
            (total.take if one in there else total.put)(one)
            there ^= {one}
            left = [rows[each] for each in sorted(there)]
            assert total.excess == excess(formula, left, true)
