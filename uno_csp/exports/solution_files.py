"""Solution files of linear solvers: CBC, HiGHS, GLPK, SCIP, Gurobi and CPLEX.

Each reader understands the whole file or raises an error that names the line. Columns are called
x1, x2, ... as exported; a column that a file leaves out is 0.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree

from uno_csp.errors import InstanceError
from uno_csp.modeling import SolverOutput, consistent, require_no_solution, unreadable
from uno_csp.questions.answers import Status
from uno_csp.questions.wording import shown

NUMBER = r"[-+]?[0-9]{1,300}(?:\.[0-9]{0,300})?(?:[eE][-+]?[0-9]{1,3})?"
_NAME = r"x([0-9]{1,18})"
_INTEGRAL = 1e-5  # usual tolerance of solvers: a value that is this close to an integer is one
_EMPTY = re.compile("")
_NOTHING_ELSE = re.compile("(?!)")
_PLAIN_COLUMN = re.compile(rf"{_NAME}\s+({NUMBER})")
_PLAIN_ROW = re.compile(rf"r[0-9]+\s+{NUMBER}")

_CBC_RELAXED = "no integer solution - continuous used"
_CBC = re.compile(
    rf"([A-Z][a-z -]+?) (?:\((within gap tolerance|{_CBC_RELAXED})\) )?- objective value ({NUMBER})"
)
_CBC_COLUMN = re.compile(rf"(?:\*\*)?\s*[0-9]+\s+(?:{_NAME}|r[0-9]+)\s+({NUMBER})\s+{NUMBER}")
_CBC_WORDS = {
    "Optimal": Status.OPTIMAL,
    "Infeasible": Status.UNSATISFIABLE,
    "Integer infeasible": Status.UNSATISFIABLE,
}
_CBC_STOPPED = re.compile("Stopped on [a-z -]+|Unbounded|Status unknown")

_HIGHS_WORDS = {"Optimal": Status.OPTIMAL, "Infeasible": Status.UNSATISFIABLE}
_HIGHS_STOPPED = re.compile("Unknown|Not Set|[A-Z][A-Za-z ]+ reached|Interrupted by user")
_HIGHS_DUALS = re.compile(
    r"(?:# (?:Dual solution values|Basis|(?:Columns|Rows) [0-9]+)|None|Feasible|Infeasible|Valid|"
    rf"HiGHS_basis_file v[0-9]+|[xr][0-9]+ {NUMBER}|[0-9](?: [0-9])*)?"
)

_GLPK_FIELD = re.compile("([A-Z][a-z-]+): *(.*)")
_GLPK_OBJECTIVE = re.compile(rf"(?:obj = )?({NUMBER}) \(M(?:IN|AX)imum\)")
_GLPK_ROW = re.compile(r"\s*[0-9]+ r[0-9]+\s.*")
_GLPK_COLUMN = re.compile(rf"\s*[0-9]+ {_NAME}\s+\*?\s+({NUMBER})(?:\s+(?:{NUMBER}|=))*")
_GLPK_ERROR = re.compile(
    r"(?:Integer feasibility conditions:|KKT\.P[EB]: .*| +max\.rel\.err = .*| +[A-Za-z ]+)?"
)
_GLPK_COMMENT = re.compile("c(?: .*)?")
_GLPK_MIP = re.compile(rf"s mip ([0-9]{{1,18}}) ([0-9]{{1,18}}) ([ofnu]) ({NUMBER})")
_GLPK_VALUE = re.compile(rf"([ij]) ([0-9]{{1,18}}) ({NUMBER})")
_GLPK_WORDS = {
    "INTEGER OPTIMAL": Status.OPTIMAL,
    "INTEGER NON-OPTIMAL": Status.UNKNOWN,
    "INTEGER EMPTY": Status.UNSATISFIABLE,
    "INTEGER UNDEFINED": Status.UNKNOWN,
}
_GLPK_FEASIBLE = ("INTEGER OPTIMAL", "INTEGER NON-OPTIMAL")
_GLPK_LETTERS = dict(zip("ofnu", _GLPK_WORDS.values(), strict=True))

_SCIP_STATUS = re.compile(r"solution status: *(.+)")
_SCIP_COLUMN = re.compile(rf"{_NAME}\s+({NUMBER})\s+\(obj:{NUMBER}\)")
_SCIP_WORDS = {"optimal solution found": Status.OPTIMAL, "infeasible": Status.UNSATISFIABLE}
_SCIP_STOPPED = re.compile(
    "[a-z ]+ limit reached|user interrupt|unknown|unbounded|infeasible or unbounded|"
    "termination signal received"
)

_CPLEX_WORDS = {
    "optimal": Status.OPTIMAL,
    "integer optimal solution": Status.OPTIMAL,
    "infeasible": Status.UNSATISFIABLE,
    "integer infeasible": Status.UNSATISFIABLE,
}


@dataclass(slots=True)
class _Columns:
    """Values of columns as they are read."""

    literals: list[int] = field(default_factory=list)
    fractional: list[int] = field(default_factory=list)

    def add(self, name: str, value: str) -> None:
        """Add the value of column x``name``."""
        column, number = int(name), float(value)
        self.literals.append(column if number > 1 - _INTEGRAL else -column)
        if min(abs(number), abs(number - 1)) > _INTEGRAL:
            self.fractional.append(column)

    def output(self, status: Status | None, objective: str | None) -> SolverOutput:
        """Return the output with these values."""
        numbers = {abs(literal) for literal in self.literals}
        if len(numbers) < len(self.literals):
            consistent(self.literals)
            raise InstanceError("solver output: a column has two values")
        value = None if objective is None else float(objective)
        literals, exports = tuple(self.literals) or None, ("lp", "mps")
        return SolverOutput(status, literals, value, exports, tuple(self.fractional))


def _nothing(status: Status) -> SolverOutput:
    return SolverOutput(status, exports=("lp", "mps"))


class _Lines:
    """The lines of a file, read from first to last."""

    def __init__(self, text: str) -> None:
        self._lines = [line.rstrip() for line in text.rstrip().split("\n")]
        self.number = 0

    @property
    def more(self) -> bool:
        """Return True if there is a further line."""
        return self.number < len(self._lines)

    def match(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        """Read a line that matches a pattern."""
        if not self.more:
            raise InstanceError(f"solver output: it ends where {expected} is expected")
        self.number += 1
        found = pattern.fullmatch(self._lines[self.number - 1])
        if found is None:
            raise self.fault(f"is not {expected}")
        return found

    def end(self) -> None:
        """Raise InstanceError if there is a further line."""
        if self.more:
            self.match(_EMPTY, "the end of the file")

    def skip(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read the next line if it matches a pattern; return None if it does not."""
        found = pattern.fullmatch(self._lines[self.number]) if self.more else None
        self.number += found is not None
        return found

    def fault(self, what: str) -> InstanceError:
        """Return the error about the line that was read last."""
        return unreadable(self.number, self._lines[self.number - 1], what)

    def status(self, word: str, known: Mapping[str, Status], others: re.Pattern[str]) -> Status:
        """Return the status for a word; that of other words is UNKNOWN."""
        if word not in known and others.fullmatch(word) is None:
            raise self.fault("has no known status")
        return known.get(word, Status.UNKNOWN)


def read_cbc(text: str) -> SolverOutput:
    """Read a solution file of CBC: a status line, then columns."""
    lines = _Lines(text)
    word, note, objective = lines.match(_CBC, "a status of CBC").groups()
    status = lines.status(word, _CBC_WORDS, _CBC_STOPPED)
    columns = _Columns()
    while lines.more:
        name, value = lines.match(_CBC_COLUMN, "a column with its value and cost").groups()
        if name:
            columns.add(name, value)
    # The values beside these words are those of a relaxation.
    if status is Status.UNSATISFIABLE or note == _CBC_RELAXED:
        return _nothing(status)
    return columns.output(Status.SATISFIABLE if note else status, objective)


def read_highs(text: str) -> SolverOutput:
    """Read a solution file of HiGHS: a status, columns, rows, and what belongs to a basis."""
    lines = _Lines(text)
    lines.match(re.compile("Model status"), "'Model status'")
    status = lines.status(
        lines.match(re.compile(".+"), "a status")[0], _HIGHS_WORDS, _HIGHS_STOPPED
    )
    for title in ("", "# Primal solution values"):
        lines.match(re.compile(title), repr(title))
    primal = lines.match(re.compile("None|Feasible|Infeasible"), "None, Feasible or Infeasible")[0]
    columns, objective = _Columns(), None
    if primal != "None":
        objective = lines.match(re.compile(f"Objective ({NUMBER})"), "the objective")[1]
        count = lines.match(re.compile("# Columns ([0-9]{1,18})"), "the number of columns")[1]
        for _ in range(int(count)):
            columns.add(*lines.match(_PLAIN_COLUMN, "a column with its value").groups())
        count = lines.match(re.compile("# Rows ([0-9]{1,18})"), "the number of rows")[1]
        for _ in range(int(count)):
            lines.match(_PLAIN_ROW, "a row with its value")
    while lines.more:
        lines.match(_HIGHS_DUALS, "a dual value or a basis")
    require_no_solution(status, solution=primal == "Feasible", place=f"status {primal}")
    return columns.output(status, objective) if primal == "Feasible" else _nothing(status)


def read_glpk(text: str) -> SolverOutput:
    """Read what glpsol writes with ``-o``: a heading, rows, columns and errors."""
    lines = _Lines(text)
    heading: dict[str, str] = {}
    while not lines.skip(_EMPTY):
        name, value = lines.match(_GLPK_FIELD, "a line of the heading").groups()
        heading[name] = value
    word, rows, size = (heading.get(name, "") for name in ("Status", "Rows", "Columns"))
    objective = _GLPK_OBJECTIVE.fullmatch(heading.get("Objective", ""))
    if objective is None or not (rows.isdecimal() and size.split(" ")[0].isdecimal()):
        raise InstanceError("solver output: the heading has no Rows, Columns or Objective")
    status = lines.status(word, _GLPK_WORDS, _NOTHING_ELSE)
    _skip_table(lines, "Row")
    for _ in range(int(rows)):
        lines.match(_GLPK_ROW, "a row")
    lines.match(_EMPTY, "an empty line")
    _skip_table(lines, "Column")
    columns = _Columns()
    for _ in range(int(size.split(" ")[0])):
        columns.add(*lines.match(_GLPK_COLUMN, "a column with its value").groups())
    while lines.skip(_GLPK_ERROR):
        pass
    lines.match(re.compile("End of output"), "'End of output'")
    lines.end()
    if word not in _GLPK_FEASIBLE:
        return _nothing(status)
    return columns.output(status, objective[1])


def _skip_table(lines: _Lines, name: str) -> None:
    """Read the head of a table of rows or columns."""
    lines.match(re.compile(rf"\s*No\.\s+{name} name\s.*"), f"the head of the table of {name}s")
    lines.match(re.compile(r"[- ]+"), "a line of hyphens")


def read_glpk_solution(text: str) -> SolverOutput:
    """Read what glpsol writes with ``-w``: ``s mip``, then rows and columns by their numbers."""
    lines = _Lines(text)
    while lines.skip(_GLPK_COMMENT):
        pass
    mip = lines.match(_GLPK_MIP, "'s mip ROWS COLUMNS STATUS OBJECTIVE'")
    columns = _Columns()
    for kind, count in (("i", mip[1]), ("j", mip[2])):
        for number in range(1, int(count) + 1):
            found = lines.match(_GLPK_VALUE, f"'{kind} {number} VALUE'")
            if (found[1], int(found[2])) != (kind, number):
                raise lines.fault(f"is not '{kind} {number} VALUE'")
            if kind == "j":
                columns.add(found[2], found[3])
    lines.match(re.compile("e o f"), "'e o f'")
    lines.end()
    status = _GLPK_LETTERS[mip[3]]
    return columns.output(status, mip[4]) if mip[3] in "of" else _nothing(status)


def read_scip(text: str) -> SolverOutput:
    """Read a solution file of SCIP: a status, the objective, and the columns that are not 0."""
    lines = _Lines(text)
    status = Status.SATISFIABLE
    said = lines.skip(_SCIP_STATUS)
    if said is not None:
        status = lines.status(said[1], _SCIP_WORDS, _SCIP_STOPPED)
    if lines.skip(re.compile("no solution available")):
        lines.end()
        return _nothing(Status.UNKNOWN if status is Status.SATISFIABLE else status)
    objective = lines.match(re.compile(rf"objective value:\s+({NUMBER})"), "the objective value")[1]
    require_no_solution(status, solution=True, place=f"line {lines.number}")
    columns = _Columns()
    while lines.more:
        columns.add(*lines.match(_SCIP_COLUMN, "a column with its value").groups())
    return columns.output(status, objective)


def read_gurobi(text: str) -> SolverOutput:
    """Read a solution file of Gurobi: the objective and the columns; it has no status."""
    lines = _Lines(text)
    lines.skip(re.compile("# Solution for model .*"))
    objective = lines.match(re.compile(f"# Objective value = ({NUMBER})"), "the objective value")[1]
    columns = _Columns()
    while lines.more:
        columns.add(*lines.match(_PLAIN_COLUMN, "a column with its value").groups())
    return columns.output(Status.SATISFIABLE, objective)


def read_cplex(text: str) -> SolverOutput:
    """Read a solution file of CPLEX, in XML."""
    root = xml_of(text)
    header, variables = root.find("header"), root.find("variables")
    if root.tag != "CPLEXSolution" or header is None or variables is None:
        raise InstanceError("solver output: no <CPLEXSolution> with <header> and <variables>")
    word = header.get("solutionStatusString", "")
    objective = header.get("objectiveValue")
    if not word or (objective is not None and re.fullmatch(NUMBER, objective) is None):
        raise InstanceError(
            "solver output: the header has no solutionStatusString or objectiveValue"
        )
    columns = _Columns()
    for each in variables:
        name, value = each.get("name", ""), each.get("value", "")
        column = _PLAIN_COLUMN.fullmatch(f"{name} {value}")
        if column is None:
            raise InstanceError(
                f"solver output: variable {shown(name)}: {shown(value)} is no value"
            )
        columns.add(*column.groups())
    status = _CPLEX_WORDS.get(word, Status.UNKNOWN)
    require_no_solution(status, solution=bool(columns.literals), place="<variables>")
    return columns.output(status, objective)


def xml_of(text: str) -> ElementTree.Element:
    """Return the root of an XML text without a document type, which may expand without limit."""
    if "<!" in text:
        raise InstanceError("solver output: XML with a declaration <! is not read")
    try:
        return ElementTree.fromstring(text)  # noqa: S314 (no entities can be declared)
    except (ElementTree.ParseError, ValueError) as error:
        raise InstanceError(f"solver output: not well-formed XML: {error}") from None
