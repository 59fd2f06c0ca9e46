"""Certificates: what is right gets one, what is wrong gets none, and none fits another question."""

import json
import os
import random
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scripts.attacks.drawing import Fell, Truth, draw, truth
from tests.certifying import signed
from uno_csp import Answer, CheckFailed, Status, UnoCspError, certify, parse, solve
from uno_csp.answers import Witness
from uno_csp.certificates.full_verifier import verify
from uno_csp.certificates.verifier import judged
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance

WAYS: tuple[dict[str, bool], ...] = ({}, {"bounds": False}, {"strict": True})


def attack(dice: random.Random, until: float) -> int:
    """Certify and forge until the time is up; how many certificates were looked at."""
    count = 0
    with TemporaryDirectory() as folder:
        while time.monotonic() < until:
            instance, way = draw(dice), dice.choice(WAYS)
            known = truth(instance)
            what = flaw(instance, known, way, dice, Path(folder) / "certificate")
            if what:
                raise Fell(what, {"instance": question_to_dict(instance), "way": way})
            count += 1
    return count


def flaw(
    instance: Instance, known: Truth, way: dict[str, bool], dice: random.Random, folder: Path
) -> str:
    """What is wrong with the certificates of a question; nothing, it is to be hoped."""
    told = certify(instance, solve(instance), folder, **way).certificate or {}
    if not told["certified"]:
        return f"not certified: {told['told']}"
    if "kind" in told:
        return _not_strict(dice, folder) or _fits_another(instance, dice, folder)
    return _forged(instance, known, way, folder)


def _forged(instance: Instance, known: Truth, way: dict[str, bool], folder: Path) -> str:
    """A yes claimed to be a no: that must come to light."""
    if known[0] != "SATISFIABLE":
        return ""
    claim = Answer(instance.question, Status.UNSATISFIABLE, Witness())
    try:
        told = certify(instance, claim, folder, **way).certificate or {}
    except CheckFailed:
        return ""
    return "a yes is certified to be a no" if told["certified"] else ""


def _not_strict(dice: random.Random, folder: Path) -> str:
    """The certificate with a key twice, an unknown one, or a pipe in the place of a file."""
    there = [path for path in folder.iterdir() if path.suffix == ".json"]
    path = dice.choice([each for each in there if each.name != "bound.json"])
    claim = folder / "claim.json"
    before, good = claim.read_text(), path.read_text()
    key, value = dice.choice(list(json.loads(good).items()))
    change = dice.choice(("twice", "unknown", "pipe"))
    if change == "pipe":
        path.unlink()
        os.mkfifo(path)
    else:
        name, told = (key, value) if change == "twice" else ("surprise", 1)
        path.write_text(f"{{{json.dumps(name)}: {json.dumps(told)}, {good.strip()[1:]}")
        if path != claim:
            signed(folder)
    code, words = judged(folder, "auto", verify)
    path.unlink()
    path.write_text(good)
    claim.write_text(before)
    return "" if code in (1, 2) else f"{change} in {path.name} is accepted: {words}"


def _fits_another(instance: Instance, dice: random.Random, folder: Path) -> str:
    """The certificate beside a question that is changed, or with another value, made to fit."""
    told = question_to_dict(instance)
    claim = json.loads((folder / "claim.json").read_text())
    if claim["objective"] is not None and dice.random() < 0.5:
        claim["objective"] += dice.choice((-1, 1))
    else:
        _change(told, dice)
    (folder / "question.json").write_text(json.dumps(told))
    (folder / "claim.json").write_text(json.dumps(claim))
    signed(folder)
    code, words = judged(folder, "auto", verify)
    if code not in (0, 1, 2):
        return f"the verifier ends with {code}: {words}"
    if code:
        return ""
    try:
        changed = parse(told)
    except UnoCspError:
        return ""  # no question of ours
    found = truth(replace(changed, name=""))
    right = (claim["status"], claim["objective"])
    return "" if found == right else f"{right} is certified where {found} is right: {words}"


def _change(told: dict[str, Any], dice: random.Random) -> None:
    """Another card, one card less, another rule, or no card on the pile."""
    hands = told["hands"] if "hands" in told else [told["cards"]]
    hand = dice.choice([each for each in hands if each] or [[]])
    change = dice.choice(("card", "card", "less", "rule", "after"))
    if change == "card" and hand:
        card = dice.choice(hand)
        card[dice.randrange(len(card))] = dice.choice((0, 1, 2, "*"))
    elif change == "less" and len(hand) > 1:
        hand.pop(dice.randrange(len(hand)))
    elif change == "rule":
        told["at_least"] = told.get("at_least", 1) + dice.choice((-1, 1))
    else:
        told.pop("after", None)
