"""Integer programming through PuLP: CBC, which comes with it, and HiGHS.

PuLP calls an incumbent found within a time limit "Optimal"; the status is therefore taken from the
solver itself (HiGHS) or from PuLP's separate word on the solution (CBC). All use of PuLP's
interface, which changes with version 4, is in this file.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from uno_csp.answers import Status
from uno_csp.errors import BackendError
from uno_csp.modeling import STOPPED, Cut, Model, Relation, Result, Row, cut_row, to_rows

_TRUE_ABOVE = 0.5


@dataclass(frozen=True, slots=True)
class PulpBackend:
    """One of the integer-programming solvers PuLP drives.

    ``run`` solves a PuLP problem with a seed, workers and a time limit and returns what is known:
    proved (True), an incumbent (False) or nothing (None) with the solver's own word; an infeasible
    problem is proved and has no solution.
    """

    name: str
    summary: str
    module: str
    run: Callable[[Any, int, int, float | None], "Verdict"]

    native_globals: frozenset[type] = frozenset()
    parallel: bool = True
    most_links: tuple[tuple[str, int], ...] = ()

    def available(self) -> bool:
        """Whether PuLP and the solver are installed."""
        return find_spec("pulp") is not None and find_spec(self.module) is not None

    def install_hint(self) -> str:
        """The pip command."""
        return "pip install 'pulp>=3.3.2,<4' 'highspy<1.15'"

    def version(self) -> str:
        """The version of the package the solver comes in."""
        package = "highspy" if self.module == "highspy" else "pulp"
        return f"{package} {version(package)}"

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "PulpSession":
        """Write the model as a PuLP problem."""
        return PulpSession(self, model, seed, workers)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an integer-programming solver established, in its own word and in ours."""

    native: str
    feasible: bool = False
    proved: bool = False
    bound: float | None = None


class PulpSession:
    """A PuLP problem; every call solves it anew."""

    def __init__(self, backend: PulpBackend, model: Model, seed: int, workers: int) -> None:
        import pulp

        self._pulp = pulp
        self._backend = backend
        self._options = (seed, workers)
        self._num_vars = model.num_vars
        self._objective = model.objective
        self._contradiction = False
        program = to_rows(model)
        self._problem = pulp.LpProblem("model", pulp.LpMinimize)
        self._columns = [
            self._problem.add_variable(
                f"x{column + 1}",
                0,
                upper,
                pulp.LpContinuous if column in program.continuous else pulp.LpInteger,
            )
            for column, upper in enumerate(program.upper)
        ]
        self._offset = program.offset  # kept out, so that bounds are of the same sum
        self._problem.setObjective(
            pulp.LpAffineExpression(
                [(self._columns[column], cost) for column, cost in program.costs.items() if cost]
            )
        )
        self._add_rows(program.rows)

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts as rows."""
        self._add_rows([cut_row(cut) for cut in cuts])

    def solve(self, time_limit_s: float | None = None) -> Result:
        """Solve the problem as it stands."""
        if self._contradiction:
            return Result(Status.UNSATISFIABLE, native_status="empty row")
        if not self._problem.variables():
            return self._solved("empty", proved=True)
        wall, cpu = time.perf_counter(), time.process_time()
        verdict = self._backend.run(self._problem, *self._options, time_limit_s)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        if verdict.feasible:
            return self._solved(
                verdict.native,
                proved=verdict.proved,
                bound=verdict.bound,
                wall_s=wall,
                cpu_s=cpu,
            )
        if verdict.proved:
            return Result(
                Status.UNSATISFIABLE, native_status=verdict.native, wall_s=wall, cpu_s=cpu
            )
        if time_limit_s is None:
            raise BackendError(f"{self._backend.name} ended without an answer: {verdict.native}")
        return Result(
            Status.UNKNOWN,
            stop_reason=STOPPED,
            native_status=verdict.native,
            wall_s=wall,
            cpu_s=cpu,
        )

    def write(self, path: str) -> None:
        """Write the problem as an LP file, or as MPS if the path ends so."""
        if self._contradiction:
            impossible = self._pulp.LpAffineExpression(
                [(self._problem.add_variable("never", 0, 0, self._pulp.LpInteger), 1)]
            )
            at_least = self._pulp.LpConstraintGE
            self._problem += self._pulp.LpConstraint(impossible, at_least, rhs=1)
        if path.endswith(".mps"):
            self._problem.writeMPS(path)
        else:
            self._problem.writeLP(path)

    def close(self) -> None:
        """Nothing is held outside Python."""

    def _add_rows(self, rows: Sequence[Row]) -> None:
        senses = {
            Relation.AT_MOST: self._pulp.LpConstraintLE,
            Relation.AT_LEAST: self._pulp.LpConstraintGE,
            Relation.EQUAL: self._pulp.LpConstraintEQ,
        }
        for row in rows:
            if any(row.coefficients):
                terms = [
                    (self._columns[column], coefficient)
                    for column, coefficient in zip(row.columns, row.coefficients, strict=True)
                    if coefficient
                ]
                left = self._pulp.LpAffineExpression(terms)
                self._problem += self._pulp.LpConstraint(left, senses[row.relation], rhs=row.bound)
            elif not row.holds_empty:
                self._contradiction = True

    def _solved(
        self,
        native: str,
        *,
        proved: bool,
        bound: float | None = None,
        wall_s: float = 0.0,
        cpu_s: float = 0.0,
    ) -> Result:
        values = [False] * (self._num_vars + 1)
        for variable, column in enumerate(self._columns[: self._num_vars], start=1):
            values[variable] = (column.varValue or 0.0) > _TRUE_ABOVE
        optimal = proved and self._objective is not None
        objective = proved_bound = None
        if self._objective is not None:
            objective = self._objective.value(values)
            if proved:
                proved_bound = objective
            elif bound is not None and math.isfinite(bound):
                proved_bound = self._objective.bound_of_sum(bound + self._offset)
        return Result(
            Status.OPTIMAL if optimal else Status.SATISFIABLE,
            values,
            objective,
            proved_bound,
            stop_reason="" if proved else STOPPED,
            native_status=native,
            wall_s=wall_s,
            cpu_s=cpu_s,
        )


def _run_cbc(problem: Any, seed: int, workers: int, time_limit_s: float | None) -> Verdict:
    import pulp
    from pulp.apis.coin_api import pulp_cbc_path

    # Even one thread is one beside the main thread, and now and then the two wait for each other.
    threads = workers if workers > 1 else None
    solver = pulp.COIN_CMD(
        path=pulp_cbc_path,
        msg=False,
        threads=threads,
        timeLimit=time_limit_s,
        options=[f"randomSeed {seed}", f"randomCbcSeed {seed}"] if seed else [],
    )
    try:
        problem.solve(solver)
    except pulp.PulpSolverError as error:
        raise BackendError(f"cbc failed: {error}") from error
    native = f"{pulp.LpStatus[problem.status]} / {pulp.LpSolution[problem.sol_status]}"
    # An integer-infeasible problem leaves "no solution found" as the word on the solution.
    if problem.status == pulp.LpStatusInfeasible:
        return Verdict(native, proved=True)
    proved = problem.sol_status == pulp.LpSolutionOptimal
    feasible = proved or problem.sol_status == pulp.LpSolutionIntegerFeasible
    return Verdict(native, feasible, proved)


def write_model(model: Model, path: str) -> None:
    """Write a model as an LP file, or as MPS if the path ends in .mps; variable v is column xv."""
    CBC.open(model).write(path)


CBC = PulpBackend(
    "cbc",
    "COIN-OR CBC through PuLP",
    "pulp",
    _run_cbc,
    # Labels in binary give a linear relaxation nothing to hold on to.
    most_links=(("order", 20),),
)
BACKENDS = (CBC,)
