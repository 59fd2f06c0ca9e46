"""Every exported file is clean: no zero term, no literal twice, no tautology, no stray blank."""

import io
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from typing import Any

import pytest

from tests.support.tables import table
from uno_csp import NotAccepted, encoding_names, export, parse
from uno_csp.modeling import DECOMPOSITIONS
from uno_csp.questions import Instance

_NUMBER = r"[1-9][0-9]*"
_CLAUSE = re.compile(rf"((?:-?{_NUMBER} )*)0")
_OPB = re.compile(rf"(?:min: )?((?:[+-]{_NUMBER} x{_NUMBER} )+)(?:>= -?[0-9]+ )?;")
_LP = re.compile(rf"((?: [+-] {_NUMBER} x{_NUMBER})+)(?: (?:<=|>=|=) -?[0-9]+)?")
QUESTIONS: list[dict[str, Any]] = table("exports", "questions of all sorts")


def clauses(text: str, to: str) -> Iterator[list[str]]:
    """The literals of clauses, without the weights of soft clauses."""
    start = {"dimacs": "", "wcnf": r"(?:h|[1-9][0-9]*) ", "wcnf-classic": "[1-9][0-9]* "}[to]
    for line in text.splitlines():
        if not line.startswith(("c ", "p ")):
            found = re.fullmatch(start + _CLAUSE.pattern, line)
            assert found, line
            yield found[1].replace("-", "").split()


def terms(text: str, to: str) -> Iterator[list[str]]:
    """The columns of the terms of each row and of the objective."""
    if to == "lp":
        text = text.partition("obj:")[2].partition("Bounds")[0].replace("\n ", " ")
        text = re.sub(r"^r[0-9]+:", "", text, flags=re.MULTILINE).replace("Subject To\n", "")
    for line in text.splitlines():
        if line and not line.startswith("*"):
            found = {"lp": _LP, "opb": _OPB}[to].fullmatch(line)
            assert found, line
            yield re.findall("x[0-9]+", found[1])


def entries(text: str, to: str) -> Iterator[list[str]]:
    """The entries of an MPS file, as one list."""
    found = []
    for line in text.partition("COLUMNS\n")[2].partition("RHS\n")[0].splitlines():
        if "MARKER" not in line:
            column, row, value = line.split()
            assert re.fullmatch(f"-?{_NUMBER}", value), line
            found.append(f"{column} {row}")
    yield found


def fields(text: str, to: str) -> Iterator[list[str]]:
    """The literals or variables of the constraints and the objective of a CP-SAT model."""
    for name, numbers in re.findall(r"(literals|vars|coeffs): \[([^]]*)\]", text):
        values = [int(each) for each in numbers.split(",") if each.strip()]
        if name == "coeffs":
            assert 0 not in values
        else:
            yield [str(max(value, -1 - value)) for value in values]


READERS = {
    **dict.fromkeys(("dimacs", "wcnf", "wcnf-classic"), clauses),
    **dict.fromkeys(("lp", "opb"), terms),
    "mps": entries,
    "cpsat": fields,
}


def exported(question: Instance, to: str) -> Iterator[str]:
    """The files of a question, by every encoding that takes it."""
    bound = 2 if to == "dimacs" and question.optimises else None
    for method, way in zip(encoding_names(), cycle(DECOMPOSITIONS)):
        text = io.StringIO()
        with suppress(NotAccepted):
            export(question, to, text, method=method, connectivity=way, bound=bound)
            yield text.getvalue()


@pytest.mark.parametrize("to", READERS)
def test_no_zero_term_and_nothing_twice(to: str) -> None:
    files = 0
    for question in QUESTIONS:
        for text in exported(parse(question), to):
            files += 1
            for names in READERS[to](text, to):
                assert len({*names}) == len(names)
    assert files >= len(QUESTIONS) // 2
