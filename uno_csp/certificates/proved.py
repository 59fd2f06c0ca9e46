"""The checker of certificates that Coq has proved: a program of its own, built by ``proofs/build``.

It handles groups, bounds, refutations, timetables, pairs, strategies, and witnesses that nothing
can be better than. What is left to believe are the rules, as ``proofs/Rules.v`` states them, and
the reading of the files.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from uno_csp.certificates.named import (
    Line,
    NamedPrices,
    NamedTimetable,
    NamedTrails,
    NotDescribed,
    describe,
    describe_refutation,
    describe_timetable,
    read_proof,
    split_proof,
)
from uno_csp.processes.scratch import scratch_folder
from uno_csp.verifier import hands, proofs
from uno_csp.verifier.graphs import GRAPH
from uno_csp.verifier.proofs import REFUTATION, check_refutation
from uno_csp.verifier.reading import CLAIM, NoChecker, Refused, opened
from uno_csp.verifier.trails import Clauses

NAME = "coq"
PROGRAM = "uno-csp-coq"
BELIEVED = "believed: the rules, as proofs/Rules.v states them, and the reading of the files"

ROWS = "rows.json"  # file in which the program finds the rows of a bound, described

REFUSED, NOT_HANDLED = 1, 3  # exit codes of the program, besides 0 for proved and 2 for unreadable

WITH_LARGE_STACK = """
for size in 1048576 "$(ulimit -H -s)"; do ulimit -S -s "$size" 2>/dev/null && break; done
exec "$0" "$@"
"""
"""Shell script that runs a program with a stack of 1 GiB, or the largest that the system allows.

The proved lists are walked recursively, and a proof may have millions of lines.
"""


def program() -> str | None:
    """Return the path of the program, beside this Python or on the PATH; None if it is missing."""
    beside = Path(sys.executable or "").parent / PROGRAM
    return str(beside) if beside.is_file() else shutil.which(PROGRAM)


def verdict(folder: Path) -> tuple[int, str]:
    """Return the exit code of the program and its line.

    Raises NoChecker when the program is not installed.
    """
    found = program()
    if found is None:
        raise NoChecker(f"{PROGRAM} is not installed: build it with proofs/build")
    with scratch_folder() as copy:
        for path in (folder / name for name in (CLAIM, *hands.FILES)):
            if path.suffix in (".json", ".jsonl") and path.is_file():
                shutil.copy(path, copy)
        if any((folder / name).exists() for name in (proofs.BOUND, *REFUTATION)):
            try:
                rows = describe_rows(folder)
            except NotDescribed as error:
                return NOT_HANDLED, f"not handled: {error}"
            except (Refused, LookupError, TypeError, ValueError) as error:
                return REFUSED, f"refused: {error}"
            (copy / ROWS).write_text(json.dumps(rows), encoding="utf-8")
        command = ["sh", "-c", WITH_LARGE_STACK, found, str(copy)]
        run = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if run.returncode < 0:
        return NOT_HANDLED, "not handled: a certificate that needs more memory than there is"
    return run.returncode, run.stdout.strip()


def describe_rows(folder: Path) -> dict[str, Any]:
    """Return bounds and refutations with hubs and rows described, by the number of the group.

    A certificate without groups has one of them, with the number 0.
    """
    given = hands.Certificate(folder)
    bounds = given.read(proofs.BOUND) if proofs.BOUND in given.files else {}
    if len(given.question.hands) > 1:
        timetable = NamedTimetable(given.question)
        return {"0": describe_timetable(timetable, _proof(given, [timetable]))}
    levels = bool(given.claim.get("levels"))
    places = list(range(len(given.parts)))
    if "reason.json" in given.files:
        reason = given.read("reason.json")
        needs = reason.get("needs", [])
        places = [place for place, need in enumerate(needs) if need > 1]
    found: dict[str, Any] = {}
    formulas: dict[str, NamedTrails] = {}
    for number, (place, part) in enumerate(zip(places, given.parts, strict=True)):
        if str(number) in bounds:
            stated = NamedPrices(*part) if levels else NamedTrails(*part, counted=False)
            found[str(place)] = describe(stated, bounds[str(number)])
        else:
            formulas[str(place)] = (NamedPrices if levels else NamedTrails)(*part)
            if given.claim.get("strict"):
                formulas[str(place)].unroll()
    return {**found, **_refutations(given, formulas)} if formulas else found


def _proof(given: hands.Certificate, stated: Sequence[Clauses]) -> list[Line]:
    """Return the lines of a proof, after comparing formula and cuts with those stated."""
    check_refutation(given, [*stated], NAME, lambda *_: NAME)
    return list(read_proof(given.text(REFUTATION[-1])))


def _refutations(given: hands.Certificate, formulas: Mapping[str, NamedTrails]) -> dict[str, Any]:
    """Return the refutations of formulas, described, by the number of the group."""
    stated = list(formulas.values())
    proofs = zip(formulas.items(), split_proof(_proof(given, stated), stated), strict=True)
    return {place: describe_refutation(formula, proof) for (place, formula), proof in proofs}


def verify(path: Path, _checker: str = NAME) -> tuple[str, str | None]:
    """Verify a certificate in a folder or zip file, as :func:`hands.verify` does.

    The files are read as strictly as there, and the proved program decides.
    """
    *_, names = opened(path, (*hands.FILES, GRAPH))
    if GRAPH in names:
        raise NoChecker("the proved checker does not handle certificates about graphs")
    given = hands.Certificate(path)
    with scratch_folder() as copy:
        given.write(copy, (CLAIM, *given.files))
        code, line = verdict(copy)
    words = line.partition(": ")[2]
    if code == NOT_HANDLED:
        raise NoChecker(f"the proved checker does not handle {words}")
    if code == REFUSED:
        raise Refused(f"the proved checker does not accept {words}")
    if code:
        raise ValueError(line)
    lines, _ = given.proved(f"proved by a checker that Coq has proved: {words}")
    return "\n".join([*lines.splitlines()[:-1], BELIEVED]), NAME
