"""Every algorithm against brute force: what it finds is right, and an exact one finds it."""

import math
from typing import Any

import pytest

from tests.support.drawing import KINDS, drawn, questions
from tests.support.running import Patch
from tests.support.truth import truth
from uno_csp import Answer, Status, check
from uno_csp.algorithms.matching import TOO_MANY_CARDS
from uno_csp.methods import ALGORITHMS
from uno_csp.modeling import Algorithm, Finding, Proof
from uno_csp.questions import Instance, Longest, question_types

TAKEN = {
    name: [kind for kind in (*KINDS, "open-game") if issubclass(question_types()[kind], each.takes)]
    for name, each in ALGORITHMS.items()
}
"""The kinds of questions that each algorithm takes."""


def found(instance: Instance, algorithm: Algorithm[Any]) -> Finding:
    """The finding, after the checker has accepted the witness."""
    finding = algorithm.run(instance)
    assert finding.witness is not None or not finding.status.has_solution
    if finding.witness is not None:
        optimum = finding.witness.objective if finding.status is Status.OPTIMAL else None
        bound = finding.bound if optimum is None else optimum
        answer = Answer(instance.question, finding.status, finding.witness, bound)
        assert not check(instance, answer), instance
    return finding


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_found_is_right(name: str, monkeypatch: Patch) -> None:
    monkeypatch.setattr("uno_csp.algorithms.play_outs.MOST_STEPS", 10_000)
    monkeypatch.setattr("uno_csp.algorithms.annealing.RUNS", 2)
    algorithm = ALGORITHMS.find(name)
    taken = questions(*TAKEN[name]).filter(lambda each: algorithm.refusal(each) is None)
    for instance in drawn(taken, 120):
        try:
            status, best = truth(instance)
        except ValueError:  # a game that is too large for brute force
            continue
        finding = found(instance, algorithm)
        value = None if finding.witness is None else finding.witness.objective
        if finding.status is not Status.UNKNOWN:
            assert (finding.status, value) == (status, best), instance
        elif algorithm.proves is Proof.EXACT:
            assert algorithm.gives_up or finding.reason == TOO_MANY_CARDS, instance
        if finding.bound is not None:
            bounds = [finding.bound, math.inf if best is None else best]
            bounds += [] if value is None else [value]
            falling = isinstance(instance, Longest)
            assert bounds == sorted(bounds, reverse=falling), instance
            assert (finding.status is Status.OPTIMAL) == (finding.bound == value), instance
