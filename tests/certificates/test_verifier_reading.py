"""Verifiers read certificates as strictly as questions, and say what they have proved."""

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import dratify
import pytest

from tests.support.certifying import LONGEST, certificate, changed, written
from tests.support.running import Capture, Patch
from tests.support.running import run as run_command
from tests.support.tables import table
from uno_csp import parse
from uno_csp.certificates import proved
from uno_csp.certificates.folders import export_verifier
from uno_csp.verifier import cards, hands, proofs
from uno_csp.verifier.hands import verify
from uno_csp.verifier.reading import Refused, judged


@pytest.mark.parametrize("name", ["question.json", "claim.json", "witness.json", "reason.json"])
def test_files_are_read_as_strictly_as_questions(name: str, tmp_path: Path) -> None:
    """A key twice, an unknown one, a number that is none."""
    cards = '[["R", 1], ["R", 2], ["B", 3], ["B", 4], ["G", 5]]'
    hand = parse(f'{{"question": "longest", "cards": {cards}}}')
    if name == "reason.json":
        hand = parse(f'{{"question": "uno-1", "cards": {cards}}}')
    assert certificate(hand, tmp_path, bounds=False)["certified"]
    good = (tmp_path / name).read_text().strip()
    key = next(iter(json.loads(good)))
    inner = good.removeprefix("{")
    value = json.dumps(json.loads(good)[key])
    twice = "{" + f'"{key}": {value}, {inner}'
    for bad, said in ((twice, "duplicate key"), ('{"x": 1, ' + inner, r"unknown key \['x'\]")):
        changed(tmp_path, name, lambda _, bad=bad: bad)  # type: ignore[misc]
        with pytest.raises(Refused, match=said):
            verify(tmp_path)
    changed(tmp_path, name, lambda _: '{"x": NaN, ' + inner)
    with pytest.raises(Refused, match="NaN is not an integer"):
        verify(tmp_path)
    changed(tmp_path, name, lambda _: json.dumps([*json.loads(good).items()]))
    with pytest.raises(Refused, match="not an object"):
        verify(tmp_path)


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
    believed = "believed: the rules and facts the verifier states, and dratify"
    assert verify(tmp_path)[0].endswith(f"{believed} ({dratify.__file__})")


TEXTS: dict[str, str] = table("certificates", "cards that are alike")
"""Hands of two cards that are alike, or that are none."""


def require_refused(folder: Path) -> None:
    """Assert that the Python verifiers and the proved checker refuse a certificate."""
    assert judged(folder, "auto", verify)[0] in (1, 2)
    if proved.program():
        assert proved.verdict(folder)[0] in (1, 2)


@pytest.mark.parametrize("cards", TEXTS.values(), ids=TEXTS)
def test_cards_that_are_alike_are_not_in_two_groups(cards: str, tmp_path: Path) -> None:
    """In a locale that is not UTF-8 as well."""
    reason = '{"removed": [], "groups": [[0], [1]]}'
    question = f'{{"question": "uno-1", "cards": {cards}}}'
    require_refused(written(tmp_path, {"question.json": question, "reason.json": reason}))
    latin = {**os.environ, "LC_ALL": "en_US.ISO-8859-1", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-X", "utf8=0", "-m", "uno_csp.verifier", str(tmp_path)]
    run = subprocess.run(command, env=latin, capture_output=True, check=False)
    assert run.returncode in (1, 2), run.stdout


GAMES: dict[str, str] = table("certificates", "no games of cards")


@pytest.mark.parametrize("question", GAMES.values(), ids=GAMES)
def test_games_that_are_none_are_refused(question: str, tmp_path: Path) -> None:
    empty = "empty" in question
    reason = {"strategy.jsonl": ""} if empty else {"reason.json": '{"pairs": [[0, 0]]}'}
    require_refused(written(tmp_path, {"question.json": question, **reason}))


def test_no_checker_is_imported_from_the_folder_to_verify(tmp_path: Path) -> None:
    hand = {"question": "uno-1", "cards": [["a", "b"], ["a", "c"], ["d", "c"]]}
    stated = hands.formula(cards.Question(hand), cards.Better(1), False)
    texts = {
        "question.json": json.dumps(hand),
        "formula.cnf": proofs.joined([stated]),
        "cuts.jsonl": "",
        "proof.drat": "0\n",
    }
    written(tmp_path, texts)
    (tmp_path / "dratify.py").write_text("raise SystemExit(0)\n")
    (tmp_path / "json.py").write_text("raise SystemExit(0)\n")
    export_verifier(tmp_path / "uno-verify")
    command = [sys.executable, "uno-verify", ".", "--checker", "dratify"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 1, run.stderr
    assert "dratify does not accept it" in run.stderr


def test_a_program_that_is_missing(tmp_path: Path, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setattr(proved, "program", lambda: None)
    assert certificate(parse("R1 R2 B5 G7"), tmp_path / "c")["certified"]
    assert run_command("verify", str(tmp_path / "c"), "--checker", "coq") == 3
    assert "proofs/build" in capsys.readouterr().err


def test_a_zip_file_holds_files_and_nothing_else(tmp_path: Path) -> None:
    assert certificate(parse(LONGEST), tmp_path / "made")["certified"]
    files = {each.name: each.read_bytes() for each in (tmp_path / "made").iterdir()}
    archive = tmp_path / "made.zip"

    def packed(*links: str) -> bytes:
        with zipfile.ZipFile(archive, "w") as out:
            for name, content in files.items():
                info = zipfile.ZipInfo(name)
                info.external_attr = (0o120777 if name in links else 0o100644) << 16
                out.writestr(info, content)
        return archive.read_bytes()

    whole = packed()
    assert judged(archive, "dratify", verify)[0] == 0
    for forged in (packed("bound.json", "cuts.jsonl", "witness.json"), b"x" + whole, whole + b"x"):
        archive.write_bytes(forged)
        code, said = judged(archive, "dratify", verify)
        assert (code, "links, or bytes" in said) == (1, True), said
