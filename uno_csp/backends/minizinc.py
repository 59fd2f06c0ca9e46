"""MiniZinc with Gecode: constraint programming with a native circuit constraint."""

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence

from uno_csp.backends._programs import run_program
from uno_csp.backends._sessions import Found, WholeModelSession, require_circuits
from uno_csp.errors import BackendError, InstanceError
from uno_csp.modeling import Backend, Circuit, Model, parity_clauses
from uno_csp.processes.notes import note
from uno_csp.processes.printed import lines_of
from uno_csp.processes.scratch import scratch_folder

SOLVER = "gecode"
_VALUE = re.compile(r"true|false")
_ANSWER_LINE = re.compile(rb"\[|==")
MOST_BYTES, BYTES_PER_VALUE = 1 << 10, 8  # maximum size of a line, and more per variable
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
        require_circuits(model, self.name)
        return MiniZincSession(model, seed)


class MiniZincSession(WholeModelSession):
    """A model that is passed to the program as a file."""

    def __init__(self, model: Model, seed: int) -> None:
        super().__init__(model, "MiniZinc")
        self._seed = seed

    def run(self, time_limit_s: float | None) -> Found:
        """Run the program."""
        with scratch_folder() as folder:
            path = folder / "model.mzn"
            with path.open("w") as stream:
                stream.writelines(f"{line}\n" for line in _lines(self.model))
            command = ["minizinc", "--solver", SOLVER, "--random-seed", str(self._seed), str(path)]
            if time_limit_s is not None:
                command += ["--time-limit", str(max(1, round(1000 * time_limit_s)))]
            if self.model.objective is not None:
                command.append("--intermediate")
            run = run_program(command, folder, None)
            if run.code != 0:
                raise BackendError(f"{_FAILED}: it {run.ending}")
            most_bytes = MOST_BYTES + BYTES_PER_VALUE * self.num_vars
            try:
                lines = lines_of(run.printed, _ANSWER_LINE, most_bytes)
                return _read(line.decode(errors="replace") for line in lines)
            except InstanceError as error:
                raise BackendError(f"{_FAILED}: {error}") from None


def _read(lines: Iterable[str]) -> Found:
    """Return the last solution; the mark ========== after it is that of a complete search."""
    solution, marks = "", set[str]()
    for line in lines:
        if line.startswith("["):
            solution = line
        else:
            marks.add(line.strip())
    if "=====UNSATISFIABLE=====" in marks:
        if solution:
            raise BackendError("MiniZinc said UNSATISFIABLE after a solution")
        return Found(None, complete=True)
    if not solution:
        return Found(None, complete=False)
    values = [word == "true" for word in _VALUE.findall(solution)]
    return Found(values, complete="==========" in marks)


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


BACKEND = MiniZincBackend()
