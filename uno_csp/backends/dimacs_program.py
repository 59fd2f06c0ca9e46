"""Any SAT solver on the PATH that reads DIMACS, as ``dimacs:PROGRAM``.

The answer is read from the ``s`` and ``v`` lines or, for programs of the MiniSat family, from the
result file they are given as second argument. Only an explicit status counts as an answer: at a
limit solvers print ``s UNKNOWN``, ``INDET`` or nothing, and their exit codes differ.
"""

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from uno_csp.errors import BackendError, InstanceError, UnknownName
from uno_csp.modeling import (
    STOPPED,
    Cnf,
    Cut,
    Model,
    Result,
    add_switchable_at_most,
    cut_clauses,
    read_solver_output,
    to_cnf,
)
from uno_csp.questions.answers import Status

PREFIX = "dimacs:"
LONGEST_S = 1e6
"""Maximum timeout in seconds; the system rejects longer ones."""

_ARGUMENTS = {"clasp": ("--outf=1",), "cryptominisat5": ("--verb=0",)}
_RESULT_FILE_PROGRAMS = frozenset({"minisat", "glucose-syrup", "minisat_core", "minisat2"})
_KNOWN = ("kissat", "cadical", "minisat", "picosat", "cryptominisat5", "clasp", "lingeling")
_OLDER = frozenset({"minisat", "picosat", "clasp", "lingeling", "glucose-syrup"})
_LITTLE_FLOW = (("flow", 12),)
"""Maximum number of links for older programs, because the sums of a flow are hard as clauses."""
_VERSION_FLAGS = {"minisat": None}
_PROGRAM_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


@dataclass(frozen=True, slots=True)
class DimacsBackend:
    """A solver program on the PATH."""

    program: str
    summary: str = "program on the PATH that reads DIMACS"
    native_globals: frozenset[type] = frozenset()
    parallel: bool = False
    minimises: bool = False
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
        return f"put {self.program} on the PATH (for instance: apt-get install {self.program})"

    def version(self) -> str:
        """Return the program's name and the first line of its version output."""
        flag = _VERSION_FLAGS.get(self.program, "--version")
        path = shutil.which(self.program)
        if flag is None or path is None:
            return self.program
        completed = subprocess.run(
            [path, flag],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        first = (completed.stdout.strip() or "unknown").splitlines()[0].removeprefix("c ").strip()
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
            raise BackendError(f"{self._program} is no longer on the PATH")
        with tempfile.TemporaryDirectory(prefix="uno-csp-") as folder:
            formula, result_file = Path(folder, "formula.cnf"), Path(folder, "result")
            self._write(formula)
            command = [path, *_ARGUMENTS.get(self._program, ()), str(formula)]
            if self._program in _RESULT_FILE_PROGRAMS:
                command.append(str(result_file))
            limit_s = None if time_limit_s is None else min(time_limit_s, LONGEST_S)
            wall = time.perf_counter()
            try:
                run = subprocess.run(
                    command,
                    capture_output=True,
                    text=True,
                    timeout=limit_s,
                    check=False,
                    stdin=subprocess.DEVNULL,
                )
            except subprocess.TimeoutExpired:
                return Result(Status.UNKNOWN, stop_reason=STOPPED)
            wall = time.perf_counter() - wall
            text = result_file.read_text() if result_file.exists() else run.stdout
        return self._read(text, run, wall)

    def close(self) -> None:
        """No-op: the files are deleted after each call."""

    def _write(self, path: Path) -> None:
        from pysat.formula import CNF

        formula = CNF()
        formula.clauses = self._cnf.clauses
        formula.nv = self._cnf.num_vars
        formula.to_file(str(path))

    def _read(self, text: str, run: "subprocess.CompletedProcess[str]", wall_s: float) -> Result:
        try:
            said_so = read_solver_output(text)
        except InstanceError as error:
            raise BackendError(f"{self._program}: {error}") from None
        status = said_so.status
        if status is Status.UNSATISFIABLE:
            return Result(Status.UNSATISFIABLE, native_status=status, wall_s=wall_s)
        if status is Status.SATISFIABLE:
            values = said_so.assignment(self._num_vars)
            return Result(Status.SATISFIABLE, values, native_status=status, wall_s=wall_s)
        if status is Status.UNKNOWN:
            return Result(
                Status.UNKNOWN,
                stop_reason=f"{self._program} gave up",
                native_status=status,
                wall_s=wall_s,
            )
        said = (run.stderr.strip() or run.stdout.strip() or "nothing").splitlines()[-1]
        raise BackendError(
            f"{self._program} gave no answer (exit {run.returncode}); last line: {said[:200]}"
        )


def resolve(name: str) -> DimacsBackend | None:
    """Return the backend for any ``dimacs:PROGRAM``; None for other names.

    Raises
    ------
    UnknownName
        If the program is not a plain name; paths are not accepted.
    """
    if not name.startswith(PREFIX):
        return None
    program = name.removeprefix(PREFIX)
    if _PROGRAM_NAME.fullmatch(program) is None:
        raise UnknownName("program", program, ["programs on the PATH, by their bare names"])
    return _backend(program)


def _backend(program: str) -> DimacsBackend:
    return DimacsBackend(program, most_links=_LITTLE_FLOW if program in _OLDER else ())


BACKENDS = tuple(_backend(program) for program in _KNOWN)
