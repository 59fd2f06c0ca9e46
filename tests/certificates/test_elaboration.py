"""Proofs written as LRAT: every line follows from its hints, and a verified checker takes them."""

import re
import shutil
from pathlib import Path

import pytest

from tests.support.certifying import LONGEST, certificate
from tests.support.drawing import drawn, questions
from tests.support.running import Capture
from tests.support.running import run as run_command
from uno_csp import parse
from uno_csp.verifier.elaboration import NotElaborated, elaborate, lrat
from uno_csp.verifier.hands import verify


def follows(clauses: list[list[int]], lemmas: list[str]) -> bool:
    """Whether lines of LRAT are right, looked at in the plainest way."""
    known = dict(enumerate(clauses, 1))
    for line in lemmas:
        number, *words = map(int, line.split())
        end = words.index(0)
        lemma, hints = words[:end], words[end + 1 : -1]
        false = set(lemma)
        for hint in hints:
            left = [literal for literal in known[hint] if literal not in false]
            if not left:
                break
            if len(left) > 1:
                return False
            false.add(-left[0])
        else:
            return False
        known[number] = lemma
        if not lemma:
            return True
    return False


def test_proofs_are_written_as_lrat(tmp_path: Path) -> None:
    written = 0
    for instance in drawn(questions(), 70):
        if certificate(instance, tmp_path, bounds=False).get("kind") != "refutation":
            continue
        formula = (tmp_path / "formula.cnf").read_text()
        clauses = [[int(word) for word in row.split()[:-1]] for row in formula.splitlines()[1:]]
        lemmas = lrat(formula, (tmp_path / "proof.drat").read_text()).splitlines()
        assert follows(clauses, lemmas)
        assert not follows(clauses, [re.sub(r" 0 \d+", " 0", line) for line in lemmas])
        written += 1
    assert written > 4
    with pytest.raises(NotElaborated, match="does not follow"):
        list(elaborate([(1, 2)], ["1 0"]))


def test_a_verified_checker_takes_a_proof(tmp_path: Path, capsys: Capture) -> None:
    """With its proof in LRAT; where it is not installed, that is said."""
    made = tmp_path
    assert certificate(parse(LONGEST), made, bounds=False)["kind"] == "refutation"
    code = run_command("verify", str(made), "--checker", "acl2")
    message = capsys.readouterr()
    if shutil.which("acl2"):
        assert (code, message.out) == (0, "proved, checked by acl2\n")
    else:
        assert code == 3
        assert "acl2 is not installed" in message.err
    assert not (made / "proof.lrat").exists()
    assert verify(made)[1] == "dratify"
