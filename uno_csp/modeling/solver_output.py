"""Output of SAT, MaxSAT, pseudo-Boolean and XCSP solvers, and the result files of MiniSat.

Solvers print lines as in the competitions: ``s`` with the status, ``v`` with the values, ``o`` with
the objective, ``c`` and ``d`` with comments. Values are literals as numbers, as ``x12`` and
``-x12``, or one string of bits. The whole text is understood or refused: a corrupted answer must
not be read as a different one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from uno_csp.errors import InstanceError
from uno_csp.questions.answers import Status
from uno_csp.questions.wording import shown

STATUSES = {
    "SATISFIABLE": Status.SATISFIABLE,
    "UNSATISFIABLE": Status.UNSATISFIABLE,
    "OPTIMUM FOUND": Status.OPTIMAL,
    "UNKNOWN": Status.UNKNOWN,
    "INDETERMINATE": Status.UNKNOWN,
    "UNSUPPORTED": Status.UNKNOWN,
}
RESULTS = {
    "SAT": Status.SATISFIABLE,
    "UNSAT": Status.UNSATISFIABLE,
    "INDET": Status.UNKNOWN,
    "SATISFIABLE": Status.SATISFIABLE,
    "UNSATISFIABLE": Status.UNSATISFIABLE,
    "UNKNOWN": Status.UNKNOWN,
}
"""Status words without an ``s``, on the first line of a result file."""

_BITS = re.compile(r"[01]{2,}")
_LITERAL = re.compile(r"([-+~]?)(x?)([0-9]{1,18})")
_OBJECTIVE = re.compile(r"([-+]?[0-9]{1,300})(?:\s.*)?")  # ACE appends the time and more
_COMMENT = re.compile(r"[cd](?:\s.*)?|\s.*|ACE v.*|! .*")
"""Lines that are passed over: comments, and the log that ACE prints between them."""


@dataclass(frozen=True, slots=True)
class SolverOutput:
    """The parsed output of a solver."""

    status: Status | None  # None if the output has no status
    # the printed literals (signed variable numbers); None if there are none
    literals: tuple[int, ...] | None = None
    objective: float | None = None  # the objective value as printed, for `o` lines the last
    # the formats of exported files whose solvers print such output: they tell what the objective
    # value means
    exports: tuple[str, ...] = ()
    fractional: tuple[int, ...] = ()  # the variables whose printed value is neither 0 nor 1

    def assignment(self, num_vars: int) -> list[bool]:
        """Return the value of each variable, index 0 unused; variables not printed are false."""
        values = [False] * (num_vars + 1)
        for literal in self.literals or ():
            if 0 < literal <= num_vars:
                values[literal] = True
        return values

    def is_complete(self, num_vars: int) -> bool:
        """Return True if every variable has a printed value."""
        printed = {abs(literal) for literal in self.literals or ()}
        return printed.issuperset(range(1, num_vars + 1))


@dataclass(slots=True)
class PrintedLines:
    """The ``s``, ``o`` and ``v`` lines of an output, the values as texts with line numbers."""

    status: Status | None = None
    status_line: int = 0
    objective: int | None = None
    values: list[tuple[str, int]] = field(default_factory=list)
    solution_line: int = 0
    objective_line: int = 0

    def add(self, kind: str, rest: str, number: int) -> None:
        """Add a line; raise if it cannot be read or contradicts an earlier status."""
        if kind == "s":
            self._end_with(rest, number)
            return
        self.solution_line = number
        if kind == "v":
            if self.values and self.objective_line > self.values[-1][1] and self._ended:
                self.values.clear()  # clasp prints every solution that is better than the last
            self.values.append((rest, number))
            return
        value = _OBJECTIVE.fullmatch(rest)
        if value is None:
            raise unreadable(number, rest, "is not an objective value")
        self.objective, self.objective_line = int(value[1]), number

    @property
    def _ended(self) -> bool:
        return self.values[-1][0].split()[-1:] == ["0"]

    def _end_with(self, rest: str, number: int) -> None:
        word = " ".join(rest.split())
        if word not in STATUSES:
            raise unreadable(number, word, f"is no status; there are: {', '.join(STATUSES)}")
        if self.status_line and STATUSES[word] != self.status:
            raise InstanceError(
                f"solver output: lines {self.status_line} and {number} say different things: "
                f"{self.status} and {STATUSES[word]}"
            )
        self.status, self.status_line = STATUSES[word], number


def unreadable(number: int, text: str, fault: str) -> InstanceError:
    """Return the error for a line, or a part of it, that cannot be read."""
    return InstanceError(f"solver output: line {number}: {shown(text)} {fault}")


def require_no_solution(status: Status | None, *, solution: bool, place: str) -> None:
    """Raise InstanceError if an output has a solution, at a place, and says that there is none."""
    if solution and status is Status.UNSATISFIABLE:
        raise InstanceError(f"solver output: it says {status}, but has a solution ({place})")


def read_lines(text: str) -> PrintedLines:
    """Parse the lines of a solver, with the values as texts.

    Raises InstanceError if a line cannot be read, or two lines contradict each other.
    """
    printed = PrintedLines()
    for number, line in enumerate(text.split("\n"), start=1):
        kind, _, rest = line.strip().replace("\t", " ").partition(" ")
        if kind in ("s", "o", "v"):
            printed.add(kind, rest.strip(), number)
        elif line and _COMMENT.fullmatch(line) is None:
            raise unreadable(number, line, "is no line that begins with s, v, o or c")
    require_no_solution(
        printed.status, solution=printed.solution_line > 0, place=f"line {printed.solution_line}"
    )
    return printed


def read_competition(text: str) -> SolverOutput:
    r"""Parse ``s``, ``v`` and ``o`` lines.

    Raises InstanceError if a line cannot be read, or two lines contradict each other.

    >>> said = read_competition("c hello\ns SATISFIABLE\nv 1 -2 0")
    >>> said.status, said.literals
    (<Status.SATISFIABLE: 'SATISFIABLE'>, (1, -2))
    >>> read_competition("o 3\ns OPTIMUM FOUND\nv 011").literals
    (-1, 2, 3)
    """
    printed = read_lines(text)
    words = [(word, number) for words, number in printed.values for word in words.split()]
    exports: tuple[str, ...] = ("wcnf", "opb")
    if words:
        exports = ("opb",) if "x" in words[0][0] else ("wcnf",)
    literals = consistent(_literals(words)) if printed.values else None
    return SolverOutput(printed.status, literals, printed.objective, exports)


def read_result_file(text: str) -> SolverOutput:
    r"""Parse a status word and, on further lines, literals, as MiniSat writes them.

    Raises InstanceError if a line cannot be read.

    >>> read_result_file("SAT\n1 -2 0\n").literals
    (1, -2)
    """
    lines = [(line.strip(), n) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines or lines[0][0] not in RESULTS:
        first = lines[0][0] if lines else ""
        raise unreadable(1, first, f"is no status; there are: {', '.join(RESULTS)}")
    status = RESULTS[lines[0][0]]
    words = [(word, number) for line, number in lines[1:] for word in line.split()]
    require_no_solution(status, solution=bool(words), place=f"line {lines[-1][1]}")
    return SolverOutput(status, consistent(_literals(words)) if words else None)


def _literals(words: Sequence[tuple[str, int]]) -> Iterator[int]:
    if len(words) == 1 and _BITS.fullmatch(words[0][0]):  # literals would end with a 0
        bits = words[0][0]
        yield from (i if bit == "1" else -i for i, bit in enumerate(bits, start=1))
        return
    prefix, ended = None, False
    for word, number in words:
        found = _LITERAL.fullmatch(word)
        if found is None or prefix not in (None, found[2]):
            raise unreadable(number, word, "is not a literal like those before it")
        if ended:
            raise unreadable(number, word, "stands after the 0 that ends the values")
        prefix, ended = found[2], int(found[3]) == 0
        if not ended:
            yield -int(found[3]) if found[1] in ("-", "~") else int(found[3])


def consistent(literals: Iterable[int]) -> tuple[int, ...]:
    """Return literals as a tuple; raise InstanceError if a variable is both true and false."""
    found = tuple(literals)
    known = set(found)
    both = next((literal for literal in found if -literal in known), None)
    if both is not None:
        raise InstanceError(f"solver output: variable {abs(both)} is both true and false")
    return found
