"""Formulas of the verifiers, satisfiable just if there is a better answer, and their proofs."""

import hashlib
import random
import re
import shutil
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from tests.support.brute_force import match
from tests.support.certifying import LONGEST, certificate
from tests.support.drawing import drawn, questions
from tests.support.running import Capture, Patch
from tests.support.running import run as run_command
from tests.support.solutions import satisfiable
from tests.support.tables import table
from tests.support.truth import truth
from uno_csp import FillIn, Longest, parse
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance
from uno_csp.verifier import cards, proofs
from uno_csp.verifier.cards import Better, Clause, Question, far
from uno_csp.verifier.elaboration import NotElaborated, elaborate, lrat
from uno_csp.verifier.hands import formula, verify
from uno_csp.verifier.proofs import run_checker
from uno_csp.verifier.reading import Budget, NoChecker, Refused
from uno_csp.verifier.trails import Clauses


def better_exists(instance: Instance, status: str, value: int | None = None) -> bool:
    """Ask the formula of connected trails whether there is anything better than a claim."""
    question = Question(question_to_dict(instance))
    goal = cards.better(question, {"status": status, "objective": value})
    assert goal is not None
    return satisfiable(formula(question, goal, strict=True, levels=far(question, goal)).clauses)


@pytest.mark.parametrize("kind", ["uno-1", "longest", "fill-in", "cooperative"])
def test_formulas_say_whether_there_is_a_better_answer(kind: str) -> None:
    """Than none, or than a value that is one off the best or right."""
    seen = Counter[bool]()
    for instance in drawn(questions(kind, most_cards=6), 80):
        status, best = truth(instance)
        claims: list[tuple[str, int | None, bool]] = []
        if kind in ("uno-1", "cooperative"):
            claims = [("UNSATISFIABLE", None, status == "SATISFIABLE")]
        elif isinstance(instance, Longest) and best is not None:
            values = range(max(0, best - 1), min(best + 1, len(instance.cards)))
            claims = [("OPTIMAL", value, value < best) for value in values]
        elif isinstance(instance, FillIn):
            if instance.supply is not None:
                claims = [("UNSATISFIABLE", None, best is not None)]
            for value in (best, best + 1) if best else ():
                joined = 2 * instance.at_least <= instance.dimension or value > 1
                if instance.supply is not None or joined:
                    claims.append(("OPTIMAL", value, value > (best or 0)))
        for claim in claims:
            assert better_exists(instance, *claim[:2]) == claim[2], (instance, claim)
            seen[claim[2]] += 1
    assert min(seen[True], seen[False]) > 5


def test_sums_are_bounded() -> None:
    """Every choice of the literals can be completed just if its sum is within the bound."""
    rng = random.Random(30)
    for _ in range(60):
        clauses = Clauses(Budget())
        terms = [(rng.randint(1, 4), rng.choice([1, -1]) * clauses.new()) for _ in range(5)]
        terms = terms[: rng.randint(0, 5)]
        most = rng.randint(-1, 12)
        clauses.at_most(terms, most)
        for signs in product([1, -1], repeat=len(terms)):
            chosen = [sign * abs(literal) for sign, (_, literal) in zip(signs, terms, strict=True)]
            total = sum(weight for weight, literal in terms if literal in chosen)
            units: list[Clause] = [(literal,) for literal in chosen]
            assert satisfiable([*clauses.clauses, *units]) == (total <= most), (terms, most)


def test_variables_have_a_limit() -> None:
    clauses = Clauses(Budget())
    clauses.variables = 3_999_999
    assert clauses.new() == 4_000_000
    with pytest.raises(Refused, match="over 4,000,000 variables"):
        clauses.new()


def test_cards_match_as_the_rules_say() -> None:
    values: list[int | str] = ["*", 1, 2]
    for k in (1, 2):
        question = Question({"question": "uno-1", "cards": [[1, 1]], "at_least": k})
        for one, other in product(product(values, repeat=2), repeat=2):
            assert question.match(one, other) == match(one, other, k)
            assert question._universal(one) == (one.count("*") >= k)


SUMS = {False: "5780eee5e07f27f5", True: "3bb2369230ed0764"}
"""Hashes of all formulas, by whether they are strict."""


@pytest.mark.parametrize("strict", [False, True])
def test_certificates_that_were_made_stay_valid(strict: bool) -> None:
    """A certificate holds its formula, so the formulas must stay as they are, byte for byte."""
    whole = hashlib.sha256()
    for asked, sequences, more in table("certificates", "formulas"):
        question, goal = Question(question_to_dict(parse(asked))), Better(*sequences, **more)
        for levels in {False, far(question, goal)}:
            whole.update(proofs.joined([formula(question, goal, strict, levels)]).encode())
    assert whole.hexdigest()[:16] == SUMS[strict]


@pytest.mark.parametrize("checker", ["dratify", "drup"])
@pytest.mark.parametrize(
    ("proof", "said"),
    [("2 0\n0\n", None), ("", "does not accept it"), ("0\n", "does not accept it")],
)
def test_a_proof_is_accepted_just_if_it_is_one(
    proof: str, said: str | None, checker: str, tmp_path: Path
) -> None:
    refutable = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"
    (tmp_path / "formula.cnf").write_text(refutable)
    (tmp_path / "proof.drat").write_text(proof)
    given = tmp_path / "formula.cnf", tmp_path / "proof.drat", checker
    if said is None:
        assert run_checker(*given) == checker
        (tmp_path / "formula.cnf").write_text(refutable.replace("4\n1 2 0", "3"))
        said = "does not accept it"
    with pytest.raises(Refused, match=said):
        run_checker(*given)


def test_a_checker_that_is_missing_is_named(monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    given = tmp_path / "formula.cnf", tmp_path / "proof.drat"
    (tmp_path / "formula.cnf").write_text("p cnf 1 1\n1 0\n")
    (tmp_path / "proof.drat").write_text("")
    with pytest.raises(NoChecker, match="drat-trim is not installed"):
        run_checker(*given, "drat-trim")
    with pytest.raises(NoChecker, match="acl2 is not installed"):
        run_checker(*given, "acl2")
    assert proofs.and_checker("drat-trim") == ", and drat-trim"


def follows(clauses: list[list[int]], lemmas: list[str]) -> bool:
    """Return True if lines of LRAT are right, by the plainest check."""
    known = dict(enumerate(clauses, 1))
    for line in lemmas:
        number, *words, last = map(int, line.split())
        assert last == 0
        end = words.index(0)
        lemma, hints = words[:end], words[end + 1 :]
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
