"""Formats of solvers' output are read as written, and after a change refused or read as it is."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.outside import decode
from tests.support.running import Patch
from tests.support.tables import table
from uno_csp import InstanceError, Status, UnknownName, parse
from uno_csp.exports import OUTPUT_NAMES, heads
from uno_csp.exports.output_formats import find_output_format

HAND = parse({"question": "uno-1", "cards": ["R5", "R7", "B7", "BS", "GS", "G+2"]})
LONGEST = parse({"question": "longest", "cards": ["R1", "R2", "R3", "B2", "G3", "Y1"]})
BEST = 5
VALUES: str = table("exports", "outputs")["values"]
"""The output of a solver for the hand, as hub-trail and order."""

FIVE: str = table("exports", "outputs")["best"]
FOUR: str = table("exports", "outputs")["worse"]
"""The bits of solutions for five and four cards of the longest sequence."""

WRITTEN: dict[str, list[str]] = table("exports", "outputs of solvers")
"""For each way to write an optimum, the text and the line of a column in it."""

DECISIONS: dict[str, str] = table("exports", "decisions of solvers")
"""The same for a yes to the hand."""


def written(way: str, claimed: int = BEST, bits: str = FIVE) -> str:
    """The output of a solver that claims a value for a longest sequence."""
    text, column = WRITTEN[way]
    signed = [("" if bit == "1" else "-", number) for number, bit in enumerate(bits, start=1)]
    columns = [
        column.format(index=index, number=index + 1, value=int(bit))
        for index, bit in enumerate(f"{bits}1")  # the last is the constant
    ]
    return text.format(
        value=claimed,
        cost=len(LONGEST.cards) - claimed,
        count=len(columns),
        literals=" ".join(f"{sign}{number}" for sign, number in signed),
        named=" ".join(f"{sign}x{number}" for sign, number in signed),
        bits=bits,
        columns="".join(columns),
    )


@pytest.mark.parametrize("way", WRITTEN)
def test_an_optimum_in_every_format(way: str) -> None:
    text = written(way)
    other_names = dict.fromkeys(("bits", "pseudo-boolean"), "competition")
    assert find_output_format(text).name == other_names.get(way, way)
    answer = decode(LONGEST, text)
    # Gurobi's files have no status.
    expected = Status.UNKNOWN if way == "gurobi" else Status.OPTIMAL
    assert (answer.status, answer.objective, answer.checked) == (expected, BEST, True)
    assert decode(LONGEST, "\ufeff" + text.replace("\n", "\r\n")).status is expected


@pytest.mark.parametrize("way", [way for way in WRITTEN if way not in ("xcsp", "gurobi")])
@pytest.mark.parametrize("claimed", [3, 4, 6])
def test_an_objective_that_is_not_the_assignments(way: str, claimed: int) -> None:
    answer = decode(LONGEST, written(way, claimed))
    assert (answer.status, answer.objective, answer.bound) == (Status.UNKNOWN, BEST, None)
    assert "not the cost of the assignment" in answer.reason


@pytest.mark.parametrize("way", ["cbc", "highs"])
def test_a_header_that_another_file_had(way: str) -> None:
    answer = decode(LONGEST, written(way, -2, FOUR))
    assert (answer.status, answer.objective) == (Status.UNKNOWN, 4)
    assert "the objective is -2, which is not the cost of the assignment (4)" in answer.reason


@pytest.mark.parametrize("name", DECISIONS)
def test_a_yes_in_every_format(name: str) -> None:
    said = DECISIONS[name].replace("{VALUES}", VALUES)
    assert decode(HAND, said).checked
    assert decode(HAND, "\ufeff" + said.replace("\n", "\r\n")).checked
    assert name == "runsolver" or decode(HAND, said.replace(" ", "\t")).checked


@pytest.mark.parametrize(
    ("said", "message"),
    [
        *table("exports", "contradictions"),
        ["<CPLEXSolution a='\ud7ff\udfff'/>", "solver output: "],  # half of a pair, in no file
    ],
)
def test_what_contradicts_itself_is_refused(said: str, message: str) -> None:
    with pytest.raises(InstanceError, match=message) as error:
        decode(HAND, said.replace("{VALUES}", VALUES))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("way", "said", "other"),
    [
        ("competition", "OPTIMUM FOUND", "UNSATISFIABLE"),
        ("highs", "Optimal", "Infeasible"),
        ("scip", "optimal solution found", "infeasible"),
        ("cplex", "integer optimal solution", "integer infeasible"),
    ],
)
def test_a_solution_is_no_refutation(way: str, said: str, other: str) -> None:
    with pytest.raises(InstanceError, match="says UNSATISFIABLE, but has a solution"):
        decode(LONGEST, written(way).replace(said, other))


@pytest.mark.parametrize(
    "way", ["cbc", "highs", "glpk", "glpk-solution", "scip", "gurobi", "cplex"]
)
def test_a_fraction_is_no_value(way: str) -> None:
    text = written(way)
    for shape in (r"(x2\b.*?)\b1\b", r"(j 2 )1", r'(name="x2" .*value=")1'):
        text = re.sub(shape, r"\g<1>0.75", text, count=1)
    with pytest.raises(InstanceError, match="the value of variable 2 must be 0 or 1"):
        decode(LONGEST, text)


def test_a_format_may_be_named() -> None:
    text = DECISIONS["competition"].replace("{VALUES}", VALUES)
    assert decode(HAND, text, output_format="competition").checked
    with pytest.raises(InstanceError, match=r"line 1: .* is not a status of CBC"):
        decode(HAND, text, output_format="cbc")
    with pytest.raises(UnknownName, match="there are: competition, minisat"):
        decode(HAND, text, output_format="smt")
    for name in OUTPUT_NAMES:
        with pytest.raises(InstanceError):
            decode(LONGEST, "7 8\n9", output_format=name, method="successor")


def test_an_optimum_without_values_needs_an_objective() -> None:
    values = " ".join(str(at) for at, bit in enumerate(FIVE, start=1) if bit == "1")
    assert decode(LONGEST, f"o 1\ns OPTIMUM FOUND\nv {values} 0\n").status is Status.OPTIMAL
    answer = decode(LONGEST, f"s OPTIMUM FOUND\nv {values} 0\n")
    assert (answer.status, answer.objective) == (Status.UNKNOWN, BEST)
    assert "no objective" in answer.reason


def test_a_key_of_another_version_is_named(monkeypatch: Patch) -> None:
    question = {"question": "uno-1", "cards": ["R5"]}
    monkeypatch.setattr(heads, "question_to_dict", lambda _: question)
    newer: Any = SimpleNamespace(instance=None, _asdict=lambda: {"instance": None, "later": 1})
    lines = [f"c {line}" for line in heads.head_lines(newer)]
    with pytest.raises(InstanceError, match='have the key "later", as those of another version'):
        heads.head_of("\n".join(lines))
