"""MiniZinc with Gecode: constraint programming with a native circuit constraint."""

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from uno_csp.errors import BackendError, NotAccepted
from uno_csp.modeling import (
    STOPPED,
    AtLeastTwo,
    Backend,
    Circuit,
    Cut,
    Model,
    Result,
    broken_constraint,
    parity_clauses,
)
from uno_csp.processes.notes import note
from uno_csp.questions.answers import Status

SOLVER = "gecode"
_VALUE = re.compile(r"true|false")
LONGEST_S = 1e6  # maximum limit in seconds: more does not fit MiniZinc's option
_FAILED = "MiniZinc failed"


class MiniZincBackend(Backend):
    """The program ``minizinc``, with the solver Gecode."""

    name = "minizinc"
    summary = "MiniZinc with Gecode, native circuit"
    native_globals = frozenset({Circuit})
    minimises = True
    most_links = (("order", 30),)  # Gecode learns no clauses

    def available(self) -> bool:
        """Return True if MiniZinc and Gecode's interpreter are on the PATH."""
        return all(shutil.which(program) for program in ("minizinc", "fzn-gecode"))

    def install_hint(self) -> str:
        """Return how to install MiniZinc."""
        return "put minizinc and gecode on the PATH (for instance: apt-get install minizinc)"

    def version(self) -> str:
        """Return the version of MiniZinc and the name of the solver."""
        found = re.search(r"version ([0-9.]+)", note(["minizinc", "--version"]) or "")
        return f"minizinc {found[1] if found else 'unknown'} {SOLVER}"

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "MiniZincSession":
        """Store the model; it is written to a file at every call."""
        del workers
        for constraint in model.globals:
            if not isinstance(constraint, Circuit):
                kind = type(constraint).__name__.lower()
                raise NotAccepted(f"minizinc has no native constraint {kind!r}: use lazy or eager")
        return MiniZincSession(model, seed)


class MiniZincSession:
    """A model that is passed to the program as a whole file at every call."""

    def __init__(self, model: Model, seed: int) -> None:
        self._model = model.copy()
        self._seed = seed

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts to the model."""
        for cut in cuts:
            if isinstance(cut, AtLeastTwo):
                self._model.linears.append(cut.linear)
            else:
                self._model.clauses.append(cut)

    def solve(self, time_limit_s: float | None = None) -> Result:
        """Run the program."""
        if self._model.num_vars == 0:
            return self._without_variables()
        with tempfile.TemporaryDirectory(prefix="uno-csp-") as folder:
            path = Path(folder, "model.mzn")
            with path.open("w") as stream:
                stream.writelines(f"{line}\n" for line in _lines(self._model))
            command = ["minizinc", "--solver", SOLVER, "--random-seed", str(self._seed), str(path)]
            if time_limit_s is not None:
                command += ["--time-limit", str(max(1, round(1000 * min(time_limit_s, LONGEST_S))))]
            if self._model.objective is not None:
                command.append("--intermediate")
            wall = time.perf_counter()
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", check=False
            )
            wall = time.perf_counter() - wall
        if done.returncode != 0:
            said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
            raise BackendError(f"{_FAILED} (exit {done.returncode}); last line: {said[:200]}")
        return self._read(done.stdout, wall)

    def close(self) -> None:
        """No-op: the files are deleted after each call."""

    def _without_variables(self) -> Result:
        if broken_constraint(self._model, [False]) is not None:
            return Result(Status.UNSATISFIABLE, native_status="no variables")
        objective = self._model.objective
        if objective is None:
            return Result(Status.SATISFIABLE, [False], native_status="no variables")
        value = objective.value_of_sum(0)
        return Result(Status.OPTIMAL, [False], value, value, native_status="no variables")

    def _read(self, text: str, wall_s: float) -> Result:
        """Parse the last solution and the mark after it: ========== for a complete search."""
        solutions = [line for line in text.splitlines() if line.startswith("[")]
        if "=====UNSATISFIABLE=====" in text:
            if solutions:
                raise BackendError("MiniZinc said UNSATISFIABLE after a solution")
            return Result(Status.UNSATISFIABLE, native_status="UNSATISFIABLE", wall_s=wall_s)
        if not solutions:
            return Result(
                Status.UNKNOWN, stop_reason=STOPPED, native_status="UNKNOWN", wall_s=wall_s
            )
        values = [False, *(word == "true" for word in _VALUE.findall(solutions[-1]))]
        if len(values) <= self._model.num_vars:
            raise BackendError(f"MiniZinc printed {len(values) - 1} values, fewer than variables")
        broken = broken_constraint(self._model, values)
        if broken is not None:
            raise BackendError(f"the solution of MiniZinc breaks {broken}")
        objective = self._model.objective
        if objective is None:
            return Result(Status.SATISFIABLE, values, native_status="solution", wall_s=wall_s)
        proved = "==========" in text
        value = objective.value(values)
        return Result(
            Status.OPTIMAL if proved else Status.SATISFIABLE,
            values,
            value,
            value if proved else None,
            stop_reason="" if proved else STOPPED,
            native_status="optimal" if proved else "solution",
            wall_s=wall_s,
        )


def _lines(model: Model) -> Iterator[str]:
    cnf = parity_clauses(model)
    yield f"array[1..{cnf.num_vars}] of var bool: x;"
    for clause in cnf.clauses:
        true = ",".join(f"x[{literal}]" for literal in clause if literal > 0)
        false = ",".join(f"x[{-literal}]" for literal in clause if literal < 0)
        yield f"constraint clause([{true}],[{false}]);"
    for linear in model.linears:
        total = _sum(linear.coefficients, linear.literals)
        yield f"constraint {total} {linear.relation} {linear.bound};"
    names = ("circuit", "subcircuit")
    for number, constraint in enumerate(model.globals):
        assert isinstance(constraint, Circuit)  # noqa: S101
        yield from _circuit(constraint, f"s{number}")
    if model.globals:
        yield from (f'include "{name}.mzn";' for name in names)
    if model.objective is None:
        yield "solve satisfy;"
    else:
        yield f"solve minimize {_sum(model.objective.coefficients, model.objective.literals)};"
    yield "output [show(x)];"


def _sum(coefficients: Sequence[int], literals: Sequence[int]) -> str:
    """Return a linear sum; not-x is written as 1 - x."""
    constant = 0
    terms = []
    for coefficient, literal in zip(coefficients, literals, strict=True):
        if literal < 0:
            constant += coefficient
        sign = coefficient if literal > 0 else -coefficient
        terms.append(f"{sign}*bool2int(x[{abs(literal)}])")
    return f"sum([{','.join([*terms, str(constant)])}])"


def _circuit(circuit: Circuit, name: str) -> Iterator[str]:
    """Yield a circuit as successors of nodes, counted from 1; a loop skips its node."""
    following: list[list[int]] = [[] for _ in range(circuit.num_nodes)]
    for tail, head in zip(circuit.tails, circuit.heads, strict=True):
        following[tail].append(head + 1)
    yield f"array[1..{circuit.num_nodes}] of var 1..{circuit.num_nodes}: {name};"
    for node, heads in enumerate(following, start=1):
        yield f"constraint {name}[{node}] in {{{','.join(map(str, heads))}}};"
    for tail, head, literal in zip(circuit.tails, circuit.heads, circuit.literals, strict=True):
        sign = "" if literal > 0 else "not "
        yield f"constraint {sign}x[{abs(literal)}] <-> ({name}[{tail + 1}] = {head + 1});"
    loops = any(tail == head for tail, head in zip(circuit.tails, circuit.heads, strict=True))
    yield f"constraint {'subcircuit' if loops else 'circuit'}({name});"
    if loops:
        yield f"constraint {name}[1] != 1;"


BACKENDS = (MiniZincBackend(),)
