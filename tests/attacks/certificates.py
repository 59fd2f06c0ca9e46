"""Attack certificates: right answers get one, wrong ones do not, and none fits other questions."""

import json
import os
import random
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import strategies as st

from tests.attacks.questions import Counterexample, Truth, truth
from tests.support.certifying import signed
from tests.support.drawing import questions
from uno_csp import Answer, CheckFailed, Status, UnoCspError, certify, parse, solve
from uno_csp.certificates import proved
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance
from uno_csp.questions.answers import Witness
from uno_csp.verifier.hands import verify
from uno_csp.verifier.reading import judged

NOT_HANDLED = 3

WAYS: tuple[dict[str, bool], ...] = ({}, {"bounds": False}, {"strict": True})


def attempt(draw: st.DrawFn) -> None:
    """Certify the answer to a question, and forge."""
    instance, way = draw(questions()), draw(st.sampled_from(WAYS))
    rng = draw(st.randoms(use_true_random=False))
    with TemporaryDirectory() as folder:
        what = flaw(instance, truth(instance), way, rng, Path(folder) / "certificate")
    if what:
        raise Counterexample(what, {"instance": question_to_dict(instance), "way": way})


def flaw(
    instance: Instance, known: Truth, way: dict[str, Any], rng: random.Random, folder: Path
) -> str:
    """Return the error found in the certificates of a question, or an empty string."""
    summary = certify(instance, solve(instance), folder, **way).certificate or {}
    if not summary["certified"]:
        return f"not certified: {summary['summary']}"
    if "kind" in summary:
        return (
            differing(folder)
            or _not_strict(rng, folder)
            or _fits_another(instance, rng, folder)
            or differing(folder)
        )
    return _forged(instance, known, way, folder)


def differing(folder: Path) -> str:
    """Return how the proved checker and the Python verifiers differ, or an empty string."""
    if proved.program() is None:
        return ""
    code, words = judged(folder, "auto", verify)
    other, line = proved.verdict(folder)
    if other in (0, 1, 2) and (code == 0) == (other == 0):
        return ""
    return "" if other == NOT_HANDLED else f"Python says {code}, {words}; Coq {other}, {line}"


def _forged(instance: Instance, known: Truth, way: dict[str, Any], folder: Path) -> str:
    """Try to certify NO for a question with the answer YES; return an error if that works."""
    if known[0] != "SATISFIABLE":
        return ""
    claim = Answer(instance.question, Status.UNSATISFIABLE, Witness())
    try:
        summary = certify(instance, claim, folder, **way).certificate or {}
    except CheckFailed:
        return ""
    return "a yes is certified to be a no" if summary["certified"] else ""


def _not_strict(rng: random.Random, folder: Path) -> str:
    """Try a duplicate key, an unknown key, or a pipe instead of a file."""
    there = [path for path in folder.iterdir() if path.suffix == ".json"]
    path = rng.choice([each for each in there if each.name != "bound.json"])
    claim = folder / "claim.json"
    before, good = claim.read_text(), path.read_text()
    key, value = rng.choice(list(json.loads(good).items()))
    change = rng.choice(("twice", "unknown", "pipe"))
    if change == "pipe":
        path.unlink()
        os.mkfifo(path)
    else:
        name, value = (key, value) if change == "twice" else ("surprise", 1)
        path.write_text(f"{{{json.dumps(name)}: {json.dumps(value)}, {good.strip()[1:]}")
        if path != claim:
            signed(folder)
    code, words = judged(folder, "auto", verify)
    path.unlink()
    path.write_text(good)
    claim.write_text(before)
    return "" if code in (1, 2) else f"{change} in {path.name} is accepted: {words}"


def _fits_another(instance: Instance, rng: random.Random, folder: Path) -> str:
    """Try the certificate with another objective or a changed question, and valid hashes."""
    data = question_to_dict(instance)
    claim = json.loads((folder / "claim.json").read_text())
    if claim["objective"] is not None and rng.random() < 0.5:
        claim["objective"] += rng.choice((-1, 1))
    else:
        _change(data, rng)
    (folder / "question.json").write_text(json.dumps(data))
    (folder / "claim.json").write_text(json.dumps(claim))
    signed(folder)
    code, words = judged(folder, "auto", verify)
    if code not in (0, 1, 2):
        return f"the verifier ends with {code}: {words}"
    if code:
        return ""
    try:
        changed = parse(data)
    except UnoCspError:
        return ""  # not a valid question
    found = truth(replace(changed, name=""))
    right = (claim["status"], claim["objective"])
    return "" if found == right else f"{right} is certified where {found} is right: {words}"


def _change(question: dict[str, Any], rng: random.Random) -> None:
    """Change a card, remove one, change the rule, or remove the pile."""
    hands = question["hands"] if "hands" in question else [question["cards"]]
    hand = rng.choice([each for each in hands if each] or [[]])
    change = rng.choice(("card", "card", "less", "rule", "after"))
    if change == "card" and hand:
        card = rng.choice(hand)
        card[rng.randrange(len(card))] = rng.choice((0, 1, 2, "*"))
    elif change == "less" and len(hand) > 1:
        hand.pop(rng.randrange(len(hand)))
    elif change == "rule":
        question["at_least"] = question.get("at_least", 1) + rng.choice((-1, 1))
    else:
        question.pop("after", None)
