"""Verifiers read certificates as strictly as questions, and say what they have proved."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from tests.support.certifying import LONGEST, certificate, signed
from uno_csp import parse
from uno_csp.certificates import verifier
from uno_csp.certificates.full_verifier import verify
from uno_csp.certificates.verifier import Refused, judged


def forge(folder: Path, name: str, text: str) -> None:
    """Put another text into a file of a certificate, with a claim that fits."""
    (folder / name).write_text(text)
    if name != "claim.json":
        signed(folder)


@pytest.mark.parametrize("name", ["question.json", "claim.json", "witness.json", "reason.json"])
@pytest.mark.parametrize("alone", [False, True])
def test_files_are_read_as_strictly_as_questions(name: str, alone: bool, tmp_path: Path) -> None:
    """A key twice, an unknown one, a number that is none; by either verifier."""
    cards = '[["R", 1], ["R", 2], ["B", 3], ["B", 4], ["G", 5]]'
    hand = parse(f'{{"question": "longest", "cards": {cards}}}')
    if name == "reason.json":
        hand = parse(f'{{"question": "uno-1", "cards": {cards}}}')
    check = verifier.verify if alone else verify
    assert certificate(hand, tmp_path, bounds=False)["certified"]
    good = (tmp_path / name).read_text().strip()
    key = next(iter(json.loads(good)))
    inner = good.removeprefix("{")
    value = json.dumps(json.loads(good)[key])
    twice = "{" + f'"{key}": {value}, {inner}'
    for bad, said in ((twice, "duplicate key"), ('{"x": 1, ' + inner, r"unknown key \['x'\]")):
        if alone and "unknown" in said and name != "question.json":
            continue
        forge(tmp_path, name, bad)
        with pytest.raises(Refused, match=said):
            check(tmp_path)
    forge(tmp_path, name, '{"x": NaN, ' + inner)
    with pytest.raises(ValueError, match="NaN"):
        check(tmp_path)


@pytest.mark.parametrize("name", ["question.json", "claim.json", "witness.json"])
def test_only_regular_files_are_read(name: str, tmp_path: Path) -> None:
    assert certificate(parse(LONGEST), tmp_path)["certified"]
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    said = f"refused: {name}: missing, or not a regular file"
    assert judged(tmp_path, "auto", verify) == (1, said)
    for other in (tmp_path / name, Path("/dev/zero")):
        code, expected = judged(other, "auto", verify)
        assert (code, "neither a folder nor a file" in expected) == (1, True)
    assert judged(tmp_path / "nothing", "auto", verify)[0] == 2


def test_what_was_proved_is_said(tmp_path: Path) -> None:
    question = parse(
        '{"question": "fill-in", "cards": ["R1", "B2"], "after": "Y3", "supply": ["R2"]}'
    )
    message = certificate(question, tmp_path)
    digest = hashlib.sha256((tmp_path / "question.json").read_bytes()).hexdigest()
    code, said = judged(tmp_path, "auto", verify)
    assert code == 0
    assert said.splitlines() == [
        message["summary"],
        "question: fill-in, 2 cards, 1 of 2 attributes agree, "
        "after ['yellow', 3], a supply of 1 card",
        f"SHA-256 of question.json: {digest}",
        "claim: UNSATISFIABLE",
        "believed: the rules and facts the verifier states",
    ]
    assert certificate(parse(LONGEST), tmp_path, bounds=False)["certified"]
    assert verify(tmp_path)[0].endswith(
        "believed: the rules and facts the verifier states, and dratify"
    )
