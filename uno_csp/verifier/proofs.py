"""Proofs that no assignment satisfies a formula: sums of inequalities, or clauses with DRAT.

*Bounds.* Read clauses and sums as linear inequalities over 0-1 variables. If a combination of them
with positive multipliers cannot be satisfied, the formula has no solution.
"""

import itertools
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from uno_csp.verifier import reading
from uno_csp.verifier.reading import require
from uno_csp.verifier.trails import Clauses

REFUTATION = ("formula.cnf", "cuts.jsonl", "proof.drat")
BOUND = "bound.json"
LEMMA = re.compile("(?:d )?(?:-?[1-9][0-9]{0,8} )*0")
CHECKERS = ("auto", "drat-trim", "dratify", "drup", "acl2")
Run = Callable[[Path, Path, str], str]


def row(stated: Any, cut: list[Any]) -> tuple[list[tuple[int, int]], int]:
    """Return a row of a bound: weighted literals, and the lower bound of their sum.

    Rows of clauses and sums are those of any formula; a formula has a method for its own.
    """
    kind, *which = cut
    if kind == "clause":
        clause = stated.clauses[reading.place(which[0], len(stated.clauses), "clause")]
        return [(1, literal) for literal in clause], 1
    if kind == "sum":
        terms, most = stated.sums[reading.place(which[0], len(stated.sums), "sum")]
        return [(-weight, literal) for weight, literal in terms], -most
    found: tuple[list[tuple[int, int]], int] = stated.row(kind, *which)
    return found


def excess(stated: Any, rows: Iterable[tuple[int, list[Any]]], true: Collection[int] = ()) -> int:
    """Return by how much the required sum of multiplied rows exceeds its maximum.

    The literals in ``true`` are assumed; a positive result is a contradiction.
    """
    total: defaultdict[int, int] = defaultdict(int)
    missing = 0
    for times, cut in rows:
        require(type(times) is int and times > 0, f"{times!r} is not the multiplier of a row")
        terms, least = row(stated, cut)
        stated.budget.spend((10 + len(terms)) * (20 + times.bit_length() // 20))
        missing += times * least
        for weight, literal in terms:
            missing -= times * weight * (literal < 0)
            total[abs(literal)] += times * weight * (1 if literal > 0 else -1)
    for variable, weight in total.items():
        may_be = -variable not in true if weight > 0 else variable in true
        missing -= weight * may_be
    return missing


def check_bound(stated: Any, bound: dict[str, Any], true: frozenset[int]) -> int:
    """Check the fact *Bounds* in every case of a tree of literals; return the number of cases."""
    if "literal" not in bound:
        require(excess(stated, bound["rows"], true) > 0, "the rows do not contradict each other")
        return 1
    literal = bound["literal"]
    require(type(literal) is int and literal, f"{literal!r} is not a literal")
    cases = check_bound(stated, bound["true"], true | {literal})
    return cases + check_bound(stated, bound["false"], true | {-literal})


def check_refutation(
    given: reading.Files, formulas: list[Any], checker: str, run: Run | None = None
) -> str:
    """Check that the formulas are the question's, all cuts hold, and all are unsatisfiable."""
    require({*REFUTATION} <= {*given.files}, f"claim.json: it needs {', '.join(REFUTATION)}")
    for number, line in enumerate(reading.lines_of(given.text("cuts.jsonl")), 1):
        with reading.within(f"cuts.jsonl: line {number}: not a cut"):
            cut = reading.loads(line, given.budget)
            formula = formulas[cut.get("part", 0)]
            formula.clauses.append(formula.cut(cut))
    found, stated = given.text("formula.cnf"), joined(formulas)
    if found != stated:
        both = itertools.zip_longest(stated.split("\n"), found.split("\n"))
        number, (own, other) = next(each for each in enumerate(both, 1) if len({*each[1]}) > 1)
        raise reading.Refused(f"formula.cnf: line {number}: {other!r}, not {own!r}")
    lines = reading.lines_of(given.text("proof.drat"))
    require("0" in lines, "proof.drat: no empty clause")
    variables = int(stated[:40].split()[2]) + len(lines)  # a proof may have variables of its own
    for number, line in enumerate(lines, 1):
        known = LEMMA.fullmatch(line) and all(
            abs(int(word)) <= variables for word in line.removeprefix("d ").split(" ")
        )
        require(known, f"proof.drat: line {number}: not a clause of variables 1 to {variables}")
    with tempfile.TemporaryDirectory() as folder:
        given.write(Path(folder), ("formula.cnf", "proof.drat"))
        return (run or run_checker)(
            Path(folder) / "formula.cnf", Path(folder) / "proof.drat", checker
        )


def joined(formulas: Sequence[Clauses]) -> str:
    """Return the disjunction of the formulas in DIMACS; the last variables select one of them."""
    several, shift = len(formulas) > 1, 0
    total = sum(formula.variables for formula in formulas)
    lines = [" ".join(map(str, [*range(total + 1, total + 1 + len(formulas)), 0]))] * several
    for number, formula in enumerate(formulas, total + 1):
        for clause in formula.clauses:
            moved = [lit + shift if lit > 0 else lit - shift for lit in clause]
            lines.append(" ".join(map(str, [*moved, *[-number] * several, 0])))
        shift += formula.variables
    return "\n".join([f"p cnf {total + len(formulas) * several} {len(lines)}", *lines, ""])


def run_checker(formula: Path, proof: Path, checker: str) -> str:
    """Run an external proof checker and return its name.

    The core of ``drup`` is verified in Why3; the checker in ACL2 reads a proof in LRAT.
    """
    if checker in (own := {"drup": _run_drup, "acl2": _run_acl2}):
        return own[checker](formula, proof)
    checker = checker.replace("auto", "drat-trim" if shutil.which("drat-trim") else "dratify")
    try:
        if checker == "drat-trim":
            run = subprocess.run([checker, formula, proof], capture_output=True, check=False)
            accepted = b"s VERIFIED" in run.stdout.splitlines()
        elif checker != "dratify":
            raise reading.NoChecker(f"there is no proof checker {checker!r}")
        else:
            import dratify

            with suppress(ImportError):
                import cdclkit  # noqa: F401  # a faster engine for dratify
            clauses = dratify.parse_dimacs(formula.read_text("utf-8"))
            sound = ({"check_rat": False}, {"apply_deletions": False})  # RAT + deletions: unsound
            lines = proof.read_text("utf-8")
            accepted = any(dratify.check_proof(clauses, lines, **by).ok for by in sound)
    except (ImportError, FileNotFoundError):
        raise reading.NoChecker(
            f'{checker} is not installed: pip install "uno-csp[proofs]"'
        ) from None
    except ValueError as error:
        raise reading.Refused(f"proof.drat: {error}") from None
    require(accepted, f"proof.drat: {checker} does not accept it as a proof of formula.cnf")
    return checker


def _run_acl2(formula: Path, proof: Path) -> str:
    if shutil.which("acl2") is None:
        raise reading.NoChecker("acl2 is not installed: apt install acl2 acl2-books")
    from uno_csp.verifier import elaboration

    lrat = proof.with_suffix(".lrat")
    try:
        lrat.write_text(elaboration.lrat(formula.read_text("utf-8"), proof.read_text("utf-8")))
    except elaboration.NotElaborated as error:
        raise reading.NoChecker(
            f"acl2 reads LRAT, to which the proof is not converted: {error}"
        ) from None
    program = f"""(include-book "projects/sat/lrat/list-based/run" :dir :system)
        (lrat::lrat-check "{formula}" "{lrat}")"""
    run = subprocess.run(["acl2"], input=program, capture_output=True, text=True, check=False)
    require("s VERIFIED" in run.stdout, "proof.drat: acl2 does not accept it")
    return "acl2"


def _run_drup(formula: Path, proof: Path) -> str:
    try:
        from drup import Outcome, check_proof
    except ImportError:
        raise reading.NoChecker('drup is not installed: pip install "uno-csp[proofs]"') from None
    # Its own reader takes "0" for a part of the next line. To leave out deletions is sound.
    texts = (path.read_text("utf-8").splitlines() for path in (formula, proof))
    clauses, lemmas = (
        [[*map(int, line.split()[:-1])] for line in lines if line[0] not in "pd"] for lines in texts
    )
    found = check_proof(clauses, list(itertools.takewhile(bool, lemmas)))
    require(found.outcome == Outcome.VALID, "proof.drat: drup does not accept it as a proof")
    return "drup"


def and_checker(checker: str | None) -> str:
    """Return the proof checker as a part of what is believed, with the file that was run."""
    if checker is None:
        return ""
    file = shutil.which(checker) or getattr(sys.modules.get(checker), "__file__", None)
    return f", and {checker}{'' if file is None else f' ({file})'}"


def counted(number: object, thing: str) -> str:
    """Return a number with its noun, in the plural if it is not 1."""
    return f"{number} {thing}{'' if str(number) == '1' else 's'}"
