"""Any SAT solver on the PATH that reads DIMACS, as ``dimacs:PROGRAM``.

The answer is read from the ``s`` and ``v`` lines or, for programs of the MiniSat family, from the
result file they are given as second argument. Only an explicit status counts as an answer: at a
limit solvers print ``s UNKNOWN``, ``INDET`` or nothing, and their exit codes differ. A model has to
satisfy the formula, else the cut loop would go on with it for ever.
"""

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from uno_csp.backends._programs import Ran, run_program
from uno_csp.errors import BackendError, InstanceError, UnknownName
from uno_csp.modeling import (
    STOPPED,
    Backend,
    Cnf,
    Cut,
    Model,
    Result,
    SolverOutput,
    add_switchable_at_most,
    cut_clauses,
    read_competition,
    read_result_file,
    to_cnf,
)
from uno_csp.processes.notes import note
from uno_csp.processes.printed import lines_of
from uno_csp.processes.scratch import scratch_folder
from uno_csp.questions.answers import Status

PREFIX = "dimacs:"
_ARGUMENTS = {"clasp": ("--outf=1",), "cryptominisat5": ("--verb=0",)}
_RESULT_FILE_PROGRAMS = frozenset({"minisat", "glucose-syrup", "minisat_core", "minisat2"})
_KNOWN = ("kissat", "cadical", "minisat", "picosat", "cryptominisat5", "clasp", "lingeling")
_OLDER = frozenset({"minisat", "picosat", "clasp", "lingeling", "glucose-syrup"})
_LITTLE_FLOW = (("flow", 12),)  # links of older programs: the sums of a flow are hard as clauses
_VERSION_FLAGS = {"minisat": None}
_ANSWER_LINE = re.compile(rb"[svo]\s")
_EXIT_SATISFIABLE = 10
_ANY_LINE = re.compile(rb"")
MOST_BYTES, BYTES_PER_VALUE = 1 << 20, 32  # maximum size of an answer, and more per variable
_PROGRAM_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


@dataclass(frozen=True, slots=True)
class DimacsBackend(Backend):
    """A solver program on the PATH."""

    program: str
    summary: str = "program on the PATH that reads DIMACS"
    most_links: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """The prefix and the program's name."""
        return PREFIX + self.program

    def available(self) -> bool:
        """Return True if the program is on the PATH."""
        return shutil.which(self.program) is not None

    def install_hint(self) -> str:
        """Return how to install the program."""
        there = shutil.which(self.program, os.F_OK)
        if there is not None:
            return f"{there} is not executable"
        return f"put {self.program} on the PATH (for instance: apt-get install {self.program})"

    def version(self) -> str:
        """Return the program's name and the first line of its version output."""
        flag = _VERSION_FLAGS.get(self.program, "--version")
        path = shutil.which(self.program)
        if flag is None or path is None:
            return self.program
        first = (note([path, flag]) or "unknown").splitlines()[0].removeprefix("c ").strip()
        return f"{self.program} {first}" if self.program not in first else first

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "DimacsSession":
        """Lower the model to clauses; they are written to a file at every call."""
        del workers
        cnf = to_cnf(model)
        if seed:
            cnf.shuffle(seed)
        return DimacsSession(self.program, cnf, model.num_vars)


class DimacsSession:
    """A formula that is passed to the program as a whole file at every call."""

    supports_conflict_limit = False

    def __init__(self, program: str, cnf: Cnf, num_vars: int) -> None:
        self._program = program
        self._cnf = cnf
        self._num_vars = num_vars

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts to the formula."""
        self._cnf.clauses.extend(clause for cut in cuts for clause in cut_clauses(cut))

    def at_most(self, coefficients: Sequence[int], literals: Sequence[int], bound: int) -> int:
        """Add a linear constraint that is enforced while the returned literal is assumed."""
        return add_switchable_at_most(self._cnf, coefficients, literals, bound)[0]

    def solve_assuming(self, literals: Sequence[int], conflicts: int | None = None) -> Result:
        """Solve with literals that are true in this call only; there is no conflict limit."""
        del conflicts
        before = len(self._cnf.clauses)
        self._cnf.clauses.extend([literal] for literal in literals)
        try:
            return self.solve()
        finally:
            del self._cnf.clauses[before:]

    def solve(self, time_limit_s: float | None = None) -> Result:
        """Run the program; past the time limit it is killed."""
        if not all(self._cnf.clauses):
            return Result(Status.UNSATISFIABLE, native_status="empty clause")
        path = shutil.which(self._program)
        if path is None:
            raise BackendError(f"{self._program} is not on the PATH")
        with scratch_folder() as folder:
            return self._run(path, folder, time_limit_s)

    def close(self) -> None:
        """No-op: the files are deleted after each call."""

    def _write(self, path: Path) -> None:
        from pysat.formula import CNF

        formula = CNF()
        formula.clauses = self._cnf.clauses
        formula.nv = self._cnf.num_vars
        formula.to_file(str(path))

    def _run(self, path: str, folder: Path, time_limit_s: float | None) -> Result:
        formula, result_file = folder / "formula.cnf", folder / "result"
        self._write(formula)
        command = [path, *_ARGUMENTS.get(self._program, ()), str(formula)]
        if self._program in _RESULT_FILE_PROGRAMS:
            command.append(str(result_file))
        run = run_program(command, folder, time_limit_s)
        try:
            if result_file.exists() and result_file.stat().st_size:
                lines = self._lines(result_file, _ANY_LINE)
                return self._result(run, read_result_file(lines))
            return self._result(run, read_competition(self._lines(run.printed, _ANSWER_LINE)))
        except InstanceError as error:
            raise BackendError(f"{self._program}: {error}; it {run.ending}") from None

    def _lines(self, path: Path, mark: "re.Pattern[bytes]") -> str:
        """Return the lines of an output with a mark; solvers print gigabytes of others."""
        most_bytes = MOST_BYTES + BYTES_PER_VALUE * self._cnf.num_vars
        kept = bytearray()
        for line in lines_of(path, mark, most_bytes):
            kept += line
            if len(kept) > most_bytes:
                raise InstanceError(f"solver output: it has more than {most_bytes:,} bytes")
        return kept.decode(errors="replace")

    def _result(self, run: Ran, said: SolverOutput) -> Result:
        status, wall = said.status, run.wall_s
        if status is Status.SATISFIABLE:
            values = said.assignment(self._cnf.num_vars)
            self._require_model(values, missing=said.literals is None)
            values = values[: self._num_vars + 1]
            return Result(status, values, native_status=status, wall_s=wall)
        if run.code is not None and run.code < 0:
            raise BackendError(f"{self._program} {run.ending}")
        if status is Status.UNSATISFIABLE:
            if run.code == _EXIT_SATISFIABLE:
                raise BackendError(f"{self._program} said {status}, but {run.ending}")
            return Result(status, native_status=status, wall_s=wall)
        if run.code is None:
            return Result(Status.UNKNOWN, stop_reason=STOPPED, wall_s=wall)
        if status is Status.UNKNOWN:
            reason = f"{self._program} gave up"
            return Result(status, stop_reason=reason, native_status=status, wall_s=wall)
        raise BackendError(f"{self._program} gave no answer and {run.ending}")

    def _require_model(self, values: Sequence[bool], *, missing: bool) -> None:
        if missing and self._cnf.num_vars:
            raise InstanceError("solver output: it says SATISFIABLE, but has no v line")
        for number, clause in enumerate(self._cnf.clauses, start=1):
            if not any(values[abs(literal)] == (literal > 0) for literal in clause):
                raise InstanceError(f"solver output: its model breaks clause {number}")


def resolve(name: str) -> DimacsBackend | None:
    """Return the backend of ``dimacs:PROGRAM``, a plain name and no path; None for other names."""
    if not name.startswith(PREFIX):
        return None
    program = name.removeprefix(PREFIX)
    if _PROGRAM_NAME.fullmatch(program) is None:
        raise UnknownName("program", program, ["programs on the PATH, by their bare names"])
    return _backend(program)


def _backend(program: str) -> DimacsBackend:
    return DimacsBackend(program, most_links=_LITTLE_FLOW if program in _OLDER else ())


BACKENDS = tuple(_backend(program) for program in _KNOWN)
