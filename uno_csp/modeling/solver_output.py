"""Reading what solver programs print: ``s``, ``v`` and ``o`` lines, and what stands for them.

Understood are the lines of the SAT, MaxSAT and pseudo-Boolean competitions (literals as numbers,
as ``x12`` and ``-x12``, or as one string of bits), the result files of the MiniSat family, and the
solution files of CBC and HiGHS, which have a name and a value on each line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_WORDS = {
    "SATISFIABLE": "SATISFIABLE",
    "UNSATISFIABLE": "UNSATISFIABLE",
    "OPTIMUM FOUND": "OPTIMAL",
    "UNKNOWN": "UNKNOWN",
    "INDETERMINATE": "UNKNOWN",
    "UNSUPPORTED": "UNKNOWN",
}
_MINISAT = {"SAT": "SATISFIABLE", "UNSAT": "UNSATISFIABLE", "INDET": "UNKNOWN"}
_LINEAR = (
    (re.compile(r"infeasible", re.IGNORECASE), "UNSATISFIABLE"),
    (re.compile(r"^stopped|time limit|limit reached", re.IGNORECASE), "UNKNOWN"),
    (re.compile(r"^optimal", re.IGNORECASE), "OPTIMAL"),
)
_BITS = re.compile(r"[01]{2,}")
_LITERAL = re.compile(r"([-+~]?)x?([0-9]+)")
_COLUMN = re.compile(r"\s*(?:[0-9]+\s+)?x([0-9]+)\s+(-?[0-9.]+(?:e-?[0-9]+)?)\b.*")
_TRUE_ABOVE = 0.5


@dataclass(frozen=True, slots=True)
class SolverOutput:
    """What a solver said.

    Parameters
    ----------
    status
        SATISFIABLE, UNSATISFIABLE, OPTIMAL, UNKNOWN; empty when it said none of them.
    literals
        Signed variable numbers, as far as they were printed; None when none were.
    objective
        The last ``o`` line, as it stands.
    """

    status: str
    literals: tuple[int, ...] | None = None
    objective: int | None = None

    def assignment(self, num_vars: int) -> list[bool]:
        """The value of each variable, index 0 unused; one that was not printed is false."""
        values = [False] * (num_vars + 1)
        for literal in self.literals or ():
            if 0 < literal <= num_vars:
                values[literal] = True
        return values


def read_solver_output(text: str) -> SolverOutput:
    r"""Find status, assignment and objective in a solver's output.

    >>> read_solver_output("c hello\ns SATISFIABLE\nv 1 -2 0")
    SolverOutput(status='SATISFIABLE', literals=(1, -2), objective=None)
    >>> read_solver_output("o 3\ns OPTIMUM FOUND\nv 011").literals
    (-1, 2, 3)
    """
    status, objective = "", None
    values: list[str] | None = None
    result_file = False  # MiniSat's: a word, then a bare line of literals
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "s":
            status = _WORDS.get(rest.strip(), "")
        elif line.strip() in _MINISAT:
            status, result_file = _MINISAT[line.strip()], True
        elif kind == "o" and rest.strip().lstrip("+-").isdigit():
            objective = int(rest)
        elif kind == "v" or result_file:
            values = (values or []) + line.removeprefix("v").split()
    if not status and values is None:
        return _read_columns(text)
    return SolverOutput(status, None if values is None else tuple(_literals(values)), objective)


def _literals(values: Sequence[str]) -> Iterator[int]:
    if len(values) == 1 and _BITS.fullmatch(values[0]):  # numbers would be closed by a 0
        yield from (i if bit == "1" else -i for i, bit in enumerate(values[0], start=1))
        return
    for value in values:
        found = _LITERAL.fullmatch(value)
        if found is not None and int(found[2]):
            yield -int(found[2]) if found[1] in ("-", "~") else int(found[2])


def _read_columns(text: str) -> SolverOutput:
    """A solution file of a linear solver: a word on the status, then columns with values."""
    status = ""
    literals: list[int] | None = None
    for line in text.splitlines():
        column = _COLUMN.fullmatch(line)
        if column is not None:
            true = float(column[2]) > _TRUE_ABOVE
            literals = literals or []
            literals.append(int(column[1]) if true else -int(column[1]))
        elif not status:
            status = next((word for pattern, word in _LINEAR if pattern.search(line)), "")
    return SolverOutput(status, None if literals is None else tuple(literals))
