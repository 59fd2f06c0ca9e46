"""Formats of solvers' output are read as written, and after a change refused or read as it is."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from tests.support.outside import decode
from tests.support.running import Patch
from tests.support.tables import table
from uno_csp import InstanceError, Status, UnknownName, parse, solve
from uno_csp.exports import OUTPUT_NAMES, heads
from uno_csp.exports.output_formats import find_output_format
from uno_csp.exports.preparing import prepare
from uno_csp.modeling import to_cnf

HAND = parse({"question": "uno-1", "cards": ["R5", "R7", "B7", "BS", "GS", "G+2"]})
LONGEST = parse({"question": "longest", "cards": ["R1", "R2", "R3", "B2", "G3", "Y1"]})
BEST = 5
VALUES: str = table("exports", "outputs")["values"]
"""The output of a solver for the hand, as hub-trail and order."""

WORSE: list[int] = table("exports", "outputs")["worse"]
"""The variables that are true in a solution for four cards of the longest sequence."""


@cache
def best_assignment() -> list[bool]:
    """The values of an optimal solution of the longest sequence, from variable 1 on."""
    prepared = prepare(LONGEST, None, None)
    cnf = to_cnf(prepared.model)
    formula = WCNF()
    for clause in cnf.clauses:
        formula.append(list(clause))
    objective = prepared.model.objective
    assert objective is not None
    for literal in objective.literals:
        formula.append([-literal], weight=1)
    with RC2(formula) as solver:
        model = solver.compute()
    return [literal > 0 for literal in model[: prepared.model.num_vars]]


def columns(values: Sequence[bool], line: str) -> str:
    """A line for each column, and one for the constant."""
    named = enumerate([*values, True])
    return "".join(line.format(index=i, name=f"x{i + 1}", value=int(value)) for i, value in named)


def literals(values: Sequence[bool], name: str = "") -> str:
    return " ".join(f"{'' if value else '-'}{name}{i}" for i, value in enumerate(values, start=1))


def competition(values: Sequence[bool], value: int) -> str:
    return f"c a solver\no 6\no {6 - value}\ns OPTIMUM FOUND\nv {literals(values)} 0\n"


def bits(values: Sequence[bool], value: int) -> str:
    return f"o {6 - value}\ns OPTIMUM FOUND\nv {''.join(str(int(each)) for each in values)}\n"


def pseudo_boolean(values: Sequence[bool], value: int) -> str:
    return f"c\no {-value}\ns OPTIMUM FOUND\nv {literals(values, 'x')}\n"


def cbc(values: Sequence[bool], value: int) -> str:
    head = f"Optimal - objective value {value}.00000000\n"
    return head + columns(values, "{index:7} {name:<10} {value:14}      0\n")


def highs(values: Sequence[bool], value: int) -> str:
    head = f"Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective {value}\n"
    listed = columns(values, "{name} {value}\n")
    body = f"# Columns {len(values) + 1}\n{listed}# Rows 1\nr1 1\n"
    return head + body + "\n# Dual solution values\nNone\n\n# Basis\nHiGHS_basis_file v2\nNone\n"


def glpk(values: Sequence[bool], value: int) -> str:
    count = len(values) + 1
    named = enumerate([*values, True], start=1)
    rows = "     1 r1                          1             1             = \n"
    return (
        f"Problem:    \nRows:       1\nColumns:    {count} ({count} integer, {count} binary)\n"
        f"Non-zeros:  1\nStatus:     INTEGER OPTIMAL\nObjective:  obj = {value} (MAXimum)\n\n"
        "   No.   Row name        Activity     Lower bound   Upper bound\n"
        f"------ ------------    ------------- ------------- -------------\n{rows}\n"
        "   No. Column name       Activity     Lower bound   Upper bound\n"
        "------ ------------    ------------- ------------- -------------\n"
        + "".join(f"{i:6} x{i:<11} * {int(v):14} {0:14} {1:14} \n" for i, v in named)
        + "\nInteger feasibility conditions:\n\nKKT.PE: max.abs.err = 0.00e+00 on row 0\n"
        "        max.rel.err = 0.00e+00 on row 0\n        High quality\n\nEnd of output\n"
    )


def glpk_solution(values: Sequence[bool], value: int) -> str:
    count = len(values) + 1
    body = "".join(f"j {i} {int(v)}\n" for i, v in enumerate([*values, True], start=1))
    return f"c Problem:\nc\ns mip 1 {count} o {value}\ni 1 1\n{body}e o f\n"


def scip(values: Sequence[bool], value: int) -> str:
    head = f"solution status: optimal solution found\nobjective value: {value:34}\n"
    return head + columns(values, "{name:<40} {value:12} \t(obj:0)\n")


def gurobi(values: Sequence[bool], value: int) -> str:
    head = f"# Solution for model obj\n# Objective value = {value}\n"
    return head + columns(values, "{name} {value}\n")


def cplex(values: Sequence[bool], value: int) -> str:
    return (
        '<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>\n<CPLEXSolution version="1.2">\n'
        f' <header problemName="q.lp" objectiveValue="{value}" '
        'solutionStatusString="integer optimal solution"/>\n <variables>\n'
        + columns(values, '  <variable name="{name}" index="{index}" value="{value}"/>\n')
        + " </variables>\n</CPLEXSolution>\n"
    )


def xcsp(values: Sequence[bool], value: int) -> str:
    """The longest sequence goes from the pile by five cards; the other card is left out."""
    del values
    answer = solve(LONGEST)
    assert answer.sequence is not None
    nodes = [LONGEST.cards.index(card) + 1 for card in answer.sequence]
    following = list(range(len(LONGEST.cards) + 1))
    for node, after in zip([0, *nodes], [*nodes, 0], strict=True):
        following[node] = after
    listed = " ".join(map(str, following))
    solution = f"<instantiation> <list> x[] </list> <values> {listed} </values> </instantiation>"
    return f"c ACE\no {6 - value}   0.04  ham=0\ns OPTIMUM FOUND\nv  {solution}\nd CPU  0.5\n"


Writer = Callable[[Sequence[bool], int], str]
WRITERS: tuple[Writer, ...] = (
    competition,
    bits,
    pseudo_boolean,
    cbc,
    highs,
    glpk,
    glpk_solution,
    scip,
    gurobi,
    cplex,
    xcsp,
)
DECISIONS = {
    "minisat": f"SAT\n{VALUES}\n",
    "competition": f"c hello\ns SATISFIABLE\nv {VALUES}\n",
    "runsolver": f"0.00/0.01\tc solver\n0.01/0.02\ts SATISFIABLE\n0.01/0.02\tv {VALUES}\n",
    "tour": "NAME : q\nTYPE : TOUR\nDIMENSION : 7\nTOUR_SECTION\n1\n2\n3\n4\n5\n6\n7\n-1\nEOF\n",
    "concorde": "7\n1 2 3 4 5 6 0 \n",
}


@pytest.mark.parametrize("writer", WRITERS)
def test_an_optimum_in_every_format(writer: Writer) -> None:
    text = writer(best_assignment(), BEST)
    name: dict[Writer, str] = {
        bits: "competition",
        pseudo_boolean: "competition",
        glpk_solution: "glpk-solution",
    }
    assert find_output_format(text).name == name.get(writer, writer.__name__)
    answer = decode(LONGEST, text)
    # Gurobi's files have no status.
    expected = Status.UNKNOWN if writer is gurobi else Status.OPTIMAL
    assert (answer.status, answer.objective, answer.checked) == (expected, BEST, True)
    assert decode(LONGEST, "\ufeff" + text.replace("\n", "\r\n")).status is expected


@pytest.mark.parametrize("writer", [each for each in WRITERS if each not in (xcsp, gurobi)])
@pytest.mark.parametrize("claimed", [3, 4, 6])
def test_an_objective_that_is_not_the_assignments(writer: Writer, claimed: int) -> None:
    answer = decode(LONGEST, writer(best_assignment(), claimed))
    assert (answer.status, answer.objective, answer.bound) == (Status.UNKNOWN, BEST, None)
    assert "not the cost of the assignment" in answer.reason


@pytest.mark.parametrize("writer", [cbc, highs])
def test_a_header_that_another_file_had(writer: Writer) -> None:
    values = [variable in WORSE for variable in range(1, 55)]
    answer = decode(LONGEST, writer(values[:-1], -2))
    assert (answer.status, answer.objective) == (Status.UNKNOWN, 4)
    assert "the objective is -2, which is not the cost of the assignment (4)" in answer.reason


@pytest.mark.parametrize("name", DECISIONS)
def test_a_yes_in_every_format(name: str) -> None:
    assert decode(HAND, DECISIONS[name]).checked
    assert decode(HAND, "\ufeff" + DECISIONS[name].replace("\n", "\r\n")).checked
    spaced = DECISIONS[name] if name == "runsolver" else DECISIONS[name].replace(" ", "\t")
    assert decode(HAND, spaced).checked


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
    ("writer", "said", "other"),
    [
        (competition, "OPTIMUM FOUND", "UNSATISFIABLE"),
        (highs, "Optimal", "Infeasible"),
        (scip, "optimal solution found", "infeasible"),
        (cplex, "integer optimal solution", "integer infeasible"),
    ],
)
def test_a_solution_is_no_refutation(writer: Writer, said: str, other: str) -> None:
    text = writer(best_assignment(), BEST).replace(said, other)
    with pytest.raises(InstanceError, match="says UNSATISFIABLE, but has a solution"):
        decode(LONGEST, text)


@pytest.mark.parametrize("writer", [cbc, highs, glpk, glpk_solution, scip, gurobi, cplex])
def test_a_fraction_is_no_value(writer: Writer) -> None:
    text = writer(best_assignment(), BEST)
    for shape in (r"(x2\b.*?)\b1\b", r"(j 2 )1", r'(name="x2" .*value=")1'):
        text = re.sub(shape, r"\g<1>0.75", text, count=1)
    if best_assignment()[1]:
        with pytest.raises(InstanceError, match="the value of variable 2 must be 0 or 1"):
            decode(LONGEST, text)


def test_a_format_may_be_named() -> None:
    text = DECISIONS["competition"]
    assert decode(HAND, text, output_format="competition").checked
    with pytest.raises(InstanceError, match=r"line 1: .* is not a status of CBC"):
        decode(HAND, text, output_format="cbc")
    with pytest.raises(UnknownName, match="there are: competition, minisat"):
        decode(HAND, text, output_format="smt")
    for name in OUTPUT_NAMES:
        with pytest.raises(InstanceError):
            decode(LONGEST, "7 8\n9", output_format=name, method="successor")


def test_an_optimum_without_values_needs_an_objective() -> None:
    trues = " ".join(str(i) for i, each in enumerate(best_assignment(), start=1) if each)
    assert decode(LONGEST, f"o 1\ns OPTIMUM FOUND\nv {trues} 0\n").status is Status.OPTIMAL
    answer = decode(LONGEST, f"s OPTIMUM FOUND\nv {trues} 0\n")
    assert (answer.status, answer.objective) == (Status.UNKNOWN, BEST)
    assert "no objective" in answer.reason


def test_a_key_of_another_version_is_named(monkeypatch: Patch) -> None:
    question = {"question": "uno-1", "cards": ["R5"]}
    monkeypatch.setattr(heads, "question_to_dict", lambda _: question)
    newer: Any = SimpleNamespace(instance=None, _asdict=lambda: {"instance": None, "later": 1})
    lines = [f"c {line}" for line in heads.head_lines(newer)]
    with pytest.raises(InstanceError, match='have the key "later", as those of another version'):
        heads.head_of("\n".join(lines))
