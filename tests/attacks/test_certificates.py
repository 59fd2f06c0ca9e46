"""Certificates: right answers get one, wrong ones do not, and none fits another question."""

import json
import random
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.certifying import certificate, differing, signed
from tests.support.drawing import questions
from tests.support.examples import examples
from tests.support.truth import Truth, truth
from uno_csp import Answer, CheckFailed, FillIn, Status, UnoCspError, certify, parse
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance
from uno_csp.verifier.hands import verify
from uno_csp.verifier.reading import judged

WAYS: tuple[dict[str, bool], ...] = ({}, {"bounds": False}, {"strict": True})


@pytest.mark.parametrize("way", WAYS, ids=str)
@examples(30)
@given(questions(), st.randoms(use_true_random=False))
def test_every_answer_is_certified_and_no_other(
    way: dict[str, bool], instance: Instance, rng: random.Random
) -> None:
    if way.get("strict") and isinstance(instance, FillIn):
        # Refuting one card fewer for 7 cards of 4 attributes takes a proof of 114 MB.
        instance = replace(instance, cards=instance.cards[:5])
    with TemporaryDirectory() as kept:
        folder = Path(kept) / "certificate"
        summary = certificate(instance, folder, **way)
        assert summary["certified"], summary
        if "kind" in summary:
            assert verify(folder)[0].splitlines()[0] == summary["summary"]
            assert not differing(folder)
            require_other_refused(instance, rng, folder)
            assert not differing(folder)
        elif truth(instance)[0] == "SATISFIABLE":
            assert not forged(instance, way, folder)


def forged(instance: Instance, way: dict[str, Any], folder: Path) -> bool:
    """Try to certify NO for a question with the answer YES."""
    try:
        claim = Answer(instance.question, Status.UNSATISFIABLE)
        return bool((certify(instance, claim, folder, **way).certificate or {})["certified"])
    except CheckFailed:
        return False


def require_other_refused(instance: Instance, rng: random.Random, folder: Path) -> None:
    """Try the certificate with another objective or a changed question, and valid hashes."""
    data = question_to_dict(instance)
    claim = json.loads((folder / "claim.json").read_text())
    if claim["objective"] is not None and rng.random() < 0.5:
        claim["objective"] += rng.choice((-1, 1))
    else:
        change(data, rng)
    (folder / "question.json").write_text(json.dumps(data))
    (folder / "claim.json").write_text(json.dumps(claim))
    signed(folder)
    code, words = judged(folder, "auto", verify)
    assert code in (0, 1, 2), words
    if code:
        return
    try:
        found: Truth = truth(replace(parse(data), name=""))
    except UnoCspError:
        return  # not a valid question
    assert found == (claim["status"], claim["objective"]), (data, words)


def change(question: dict[str, Any], rng: random.Random) -> None:
    """Change a card, remove one, change the rule, or remove the pile."""
    hands = question["hands"] if "hands" in question else [question["cards"]]
    hand = rng.choice([each for each in hands if each] or [[]])
    what = rng.choice(("card", "card", "less", "rule", "after"))
    if what == "card" and hand:
        card = rng.choice(hand)
        card[rng.randrange(len(card))] = rng.choice((0, 1, 2, "*"))
    elif what == "less" and len(hand) > 1:
        hand.pop(rng.randrange(len(hand)))
    elif what == "rule":
        question["at_least"] = question.get("at_least", 1) + rng.choice((-1, 1))
    else:
        question.pop("after", None)
