"""The formats of solvers' output that are read, each recognised by a mark of its own."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from uno_csp.errors import InstanceError, require_known
from uno_csp.exports import solution_files
from uno_csp.modeling import SolverOutput, read_competition, read_result_file, unreadable
from uno_csp.questions.wording import shown

_STAMP = re.compile(r"[0-9]+\.[0-9]+/[0-9]+\.[0-9]+\t")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")

XCSP, TOUR, CONCORDE = "xcsp", "tour", "concorde"  # formats whose readers need the question
GLPK_NUMBERED = "glpk-solution"  # the format that has columns by number instead of name


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """A format of solvers' output."""

    name: str  # its name for `--output-format`
    summary: str  # the programs that write it, and its mark
    # a pattern, for several lines, that is found in texts of this format and in no others
    mark: str
    # its reader; None if the question is needed to read it
    read: Callable[[str], SolverOutput] | None = None


OUTPUT_FORMATS = (
    OutputFormat(
        "competition",
        "lines of SAT, MaxSAT, pseudo-Boolean and XCSP solvers that begin with s, v, o and c",
        r"^[ \t]*(?:s[ \t]+[A-Z]|[vo](?:[ \t]+(?!<)|$))",
        read_competition,
    ),
    OutputFormat(
        "minisat",
        "result file of MiniSat and its family: SAT or UNSAT on the first line, then literals",
        r"\A\s*(?:SAT|UNSAT|INDET|SATISFIABLE|UNSATISFIABLE|UNKNOWN)[ \t]*$",
        read_result_file,
    ),
    OutputFormat(
        "cbc",
        "solution file of CBC: a first line with '- objective value'",
        r"\A[A-Z][^\n]* - objective value ",
        solution_files.read_cbc,
    ),
    OutputFormat(
        "highs",
        "solution file of HiGHS, style 0: the first line is 'Model status'",
        r"\AModel status[ \t]*$",
        solution_files.read_highs,
    ),
    OutputFormat(
        "glpk",
        "report of GLPK (glpsol -o): the first line begins with 'Problem:'",
        r"\AProblem:",
        solution_files.read_glpk,
    ),
    OutputFormat(
        GLPK_NUMBERED,
        "solution file of GLPK (glpsol -w): a line that begins with 's mip'",
        r"^s mip ",
        solution_files.read_glpk_solution,
    ),
    OutputFormat(
        "scip",
        "solution file of SCIP: it begins with 'solution status:' or 'objective value:'",
        r"\A(?:solution status:|objective value:|no solution available)",
        solution_files.read_scip,
    ),
    OutputFormat(
        "gurobi",
        "solution file of Gurobi: it begins with '# Solution for model' or '# Objective value ='",
        r"\A# (?:Solution for model|Objective value =)",
        solution_files.read_gurobi,
    ),
    OutputFormat(
        "cplex",
        "solution file of CPLEX: XML with a <CPLEXSolution>",
        r"<CPLEXSolution",
        solution_files.read_cplex,
    ),
    OutputFormat(
        XCSP, "output of XCSP3 solvers: v lines with an <instantiation>", "<instantiation"
    ),
    OutputFormat(TOUR, "tour of TSPLIB: a line TOUR_SECTION", r"^[ \t]*TOUR_SECTION"),
    OutputFormat(
        CONCORDE,
        "tour of Concorde: the number of nodes on the first line, then the nodes, counted from 0",
        r"\A[0-9]+[ \t]*\n[0-9 \t\n]+\Z",
    ),
)
OUTPUT_NAMES = tuple(each.name for each in OUTPUT_FORMATS)
"""Names of the formats of solvers' output."""


def plain_text(text: str) -> str:
    """Return an output without the colours of a terminal and the time stamps of runsolver."""
    text = _COLOURS.sub("", text)
    if _STAMP.match(text) is None:
        return text
    lines = text.rstrip("\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if _STAMP.match(line) is None:
            raise unreadable(number, line, "has no time stamp of runsolver, unlike the first line")
    return "\n".join(_STAMP.sub("", line, count=1) for line in lines)


def find_output_format(text: str, name: str | None = None) -> OutputFormat:
    r"""Return the format of a given name, or else the one whose mark a text has.

    Raises UnknownName if there is no format of this name, and InstanceError if the text has the
    mark of no format, or those of several.

    >>> find_output_format("s SATISFIABLE\nv 1 0\n").name
    'competition'
    """
    if name is not None:
        require_known("format of solvers' output", name, OUTPUT_NAMES)
        return OUTPUT_FORMATS[OUTPUT_NAMES.index(name)]
    found = [each for each in OUTPUT_FORMATS if re.search(each.mark, text, re.MULTILINE)]
    if any(each.name == XCSP for each in found):  # its s and o lines are those of competitions
        found = [each for each in found if each.name != "competition"]
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(each.name for each in found)
        raise InstanceError(f"solver output: it has the marks of several formats: {names}")
    first = next((line for line in text.split("\n") if line.strip()), None)
    if first is None:
        raise InstanceError("solver output: it is empty")
    raise InstanceError(
        f"solver output: its format is not recognised (first line: {shown(first)}), or it has no "
        f"status; formats that are read: {', '.join(OUTPUT_NAMES)}"
    )
