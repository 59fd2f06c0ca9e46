"""Parser of solver output: ``s``, ``v`` and ``o`` lines, and their equivalents.

It reads the lines of the SAT, MaxSAT and pseudo-Boolean competitions (literals as numbers, as
``x12`` and ``-x12``, or as one string of bits), the result files of the MiniSat family, and the
solution files of CBC and HiGHS, which have a name and a value on each line.

Unreadable output is an error that names the line: a corrupted answer must not be read as a
different one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from uno_csp.errors import InstanceError
from uno_csp.questions.answers import Status

_WORDS = {
    "SATISFIABLE": Status.SATISFIABLE,
    "UNSATISFIABLE": Status.UNSATISFIABLE,
    "OPTIMUM FOUND": Status.OPTIMAL,
    "UNKNOWN": Status.UNKNOWN,
    "INDETERMINATE": Status.UNKNOWN,
    "UNSUPPORTED": Status.UNKNOWN,
}
_MINISAT = {"SAT": Status.SATISFIABLE, "UNSAT": Status.UNSATISFIABLE, "INDET": Status.UNKNOWN}
_LINEAR = (
    (re.compile(r"^(primal )?infeasible|^integer infeasible", re.IGNORECASE), Status.UNSATISFIABLE),
    (re.compile(r"^optimal \(within", re.IGNORECASE), Status.SATISFIABLE),
    (re.compile(r"^optimal", re.IGNORECASE), Status.OPTIMAL),
)
_HEADING = "Model status"
"""First line of a HiGHS file, whose status is on the next line; that of CBC is on the first."""
_BITS = re.compile(r"[01]{2,}")
_LITERAL = re.compile(r"([-+~]?)x?([0-9]{1,18})")
_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")
_COLUMN = re.compile(
    r"\s*(?:[0-9]{1,18}\s+)?x([0-9]{1,18})\s+(-?[0-9]{1,300}(?:\.[0-9]*)?(?:e[-+]?[0-9]{1,3})?)(?:\s.*)?"
)
_COLUMN_NAME = re.compile(r"\s*(?:[0-9]+\s+)?x[0-9]+\s")
_TRUE_ABOVE = 0.5


@dataclass(frozen=True, slots=True)
class SolverOutput:
    """The parsed output of a solver.

    Parameters
    ----------
    status
        None if no known status was printed.
    literals
        The printed literals (signed variable numbers); None if there are none.
    objective
        The value of the last ``o`` line, as printed.
    rounded
        True for linear solvers, which call every solution within their gap optimal.
    """

    status: Status | None
    literals: tuple[int, ...] | None = None
    objective: int | None = None
    rounded: bool = False

    def assignment(self, num_vars: int) -> list[bool]:
        """Return the value of each variable, index 0 unused; variables not printed are false."""
        values = [False] * (num_vars + 1)
        for literal in self.literals or ():
            if 0 < literal <= num_vars:
                values[literal] = True
        return values


def read_solver_output(text: str) -> SolverOutput:
    r"""Parse the status, assignment and objective in a solver's output.

    Raises
    ------
    InstanceError
        If a line cannot be read, or two lines contradict each other.

    >>> said = read_solver_output("c hello\ns SATISFIABLE\nv 1 -2 0")
    >>> said.status, said.literals
    (<Status.SATISFIABLE: 'SATISFIABLE'>, (1, -2))
    >>> read_solver_output("o 3\ns OPTIMUM FOUND\nv 011").literals
    (-1, 2, 3)
    """
    said = _Said()
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        kind, _, rest = line.partition(" ")
        if kind == "s":
            said.end_with(_WORDS.get(rest.strip()), number)
        elif line in _MINISAT:
            said.end_with(_MINISAT[line], number)
            said.result_file = True
        elif kind == "o":
            said.objective = _integer(rest.strip(), number)
        elif kind == "v" or said.result_file:
            said.values += [(word, number) for word in line.removeprefix("v").split()]
            said.has_values = True
    if not said.status and not said.has_values:
        return _read_columns(text)
    literals = _consistent(_literals(said.values)) if said.has_values else None
    return SolverOutput(said.status, literals, said.objective)


@dataclass(slots=True)
class _Said:
    """Parser state; ``result_file``: a status word, then bare literals, as MiniSat writes."""

    status: Status | None = None
    status_line: int = 0
    objective: int | None = None
    values: list[tuple[str, int]] = field(default_factory=list)
    has_values: bool = False
    result_file: bool = False

    def end_with(self, status: Status | None, number: int) -> None:
        """Store a status; raise if it contradicts an earlier one."""
        if self.status_line and status != self.status:
            raise InstanceError(
                f"solver output: lines {self.status_line} and {number} say different things: "
                f"{self.status or 'an unknown word'} and {status or 'an unknown word'}"
            )
        self.status, self.status_line = status, number


def _integer(word: str, number: int) -> int:
    if _INTEGER.fullmatch(word) is None:
        raise InstanceError(
            f"solver output: line {number}: {word[:40]!r} is not an objective value"
        )
    return int(word)


def _literals(values: Sequence[tuple[str, int]]) -> Iterator[int]:
    if len(values) == 1 and _BITS.fullmatch(values[0][0]):  # literals would end with a 0
        bits = values[0][0]
        yield from (i if bit == "1" else -i for i, bit in enumerate(bits, start=1))
        return
    for word, number in values:
        found = _LITERAL.fullmatch(word)
        if found is None:
            raise InstanceError(f"solver output: line {number}: {word[:40]!r} is not a literal")
        if int(found[2]):
            yield -int(found[2]) if found[1] in ("-", "~") else int(found[2])


def _consistent(literals: Iterable[int]) -> tuple[int, ...]:
    found = tuple(literals)
    known = set(found)
    both = next((literal for literal in found if -literal in known), None)
    if both is not None:
        raise InstanceError(f"solver output: variable {abs(both)} is both true and false")
    return found


def _read_columns(text: str) -> SolverOutput:
    """Parse a solution file of a linear solver: a status line, then columns with values."""
    lines = text.splitlines()
    header = [line.strip() for line in lines if line.strip()][:2]
    by_highs = header[:1] == [_HEADING]
    word = (header[1:] if by_highs else header)[:1]
    status = next((name for pattern, name in _LINEAR if word and pattern.search(word[0])), None)
    literals: list[int] | None = None
    for number, line in enumerate(lines, start=1):
        column = _COLUMN.fullmatch(line)
        if column is None and _COLUMN_NAME.match(line):
            raise InstanceError(
                f"solver output: line {number}: {line.strip()[:40]!r} has no valid column value"
            )
        if column is not None:
            true = float(column[2]) > _TRUE_ABOVE
            literals = literals or []
            literals.append(int(column[1]) if true else -int(column[1]))
    if not status and (by_highs or (word and word[0].lower().startswith("stopped"))):
        status = Status.UNKNOWN
    if word and "no integer solution" in word[0]:
        literals = None  # the printed values are fractional
    found = None if literals is None else _consistent(literals)
    return SolverOutput(status, found, rounded=True)
