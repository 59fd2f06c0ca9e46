"""Integer programming with CBC through PuLP, which bundles it.

PuLP calls an incumbent found within a time limit "Optimal", so the status is taken from PuLP's
separate solution status. CBC calls a problem infeasible if the time limit ends its preprocessing,
so its proofs are trusted only if it ended before the limit. All use of PuLP's interface, which
changes with version 4, is in this file.
"""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from uno_csp.backends._installed import PackageBackend
from uno_csp.errors import BackendError
from uno_csp.modeling import STOPPED, Cut, Model, Relation, Result, Row, cut_row, to_rows
from uno_csp.questions.answers import Status

_TRUE_ABOVE = 0.5


class CbcBackend(PackageBackend):
    """COIN-OR CBC."""

    name = "cbc"
    summary = "COIN-OR CBC through PuLP"
    package, wanted = "pulp", "'pulp>=3.3.2,<4'"
    parallel = minimises = True
    most_links = (("order", 20),)  # with binary labels the linear relaxation is weak

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "PulpSession":
        """Write the model as a PuLP problem."""
        return PulpSession(model, seed, workers)


@dataclass(frozen=True, slots=True)
class CbcVerdict:
    """The outcome of a CBC run: PuLP's status words, and what was established."""

    native: str
    feasible: bool = False
    proved: bool = False


class PulpSession:
    """A PuLP problem; every call solves it from scratch."""

    def __init__(self, model: Model, seed: int, workers: int) -> None:
        import pulp

        self._pulp = pulp
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
            return self._solve("empty", proved=True)
        wall, cpu = time.perf_counter(), time.process_time()
        verdict = _run_cbc(self._problem, *self._options, time_limit_s)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        if time_limit_s is not None and wall >= time_limit_s:
            verdict = replace(verdict, proved=False)
        if verdict.feasible:
            return self._solve(verdict.native, proved=verdict.proved, wall_s=wall, cpu_s=cpu)
        if verdict.proved:
            return Result(
                Status.UNSATISFIABLE, native_status=verdict.native, wall_s=wall, cpu_s=cpu
            )
        if time_limit_s is None:
            raise BackendError(f"cbc ended without an answer: {verdict.native}")
        return Result(
            Status.UNKNOWN,
            stop_reason=STOPPED,
            native_status=verdict.native,
            wall_s=wall,
            cpu_s=cpu,
        )

    def close(self) -> None:
        """No-op: this session owns no native resources."""

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

    def _solve(
        self, native: str, *, proved: bool, wall_s: float = 0.0, cpu_s: float = 0.0
    ) -> Result:
        values = [False] * (self._num_vars + 1)
        for variable, column in enumerate(self._columns[: self._num_vars], start=1):
            values[variable] = (column.varValue or 0.0) > _TRUE_ABOVE
        optimal = proved and self._objective is not None
        objective = None if self._objective is None else self._objective.value(values)
        return Result(
            Status.OPTIMAL if optimal else Status.SATISFIABLE,
            values,
            objective,
            objective if proved else None,
            stop_reason="" if proved else STOPPED,
            native_status=native,
            wall_s=wall_s,
            cpu_s=cpu_s,
        )


def _run_cbc(problem: Any, seed: int, workers: int, time_limit_s: float | None) -> CbcVerdict:
    import pulp
    from pulp.apis.coin_api import pulp_cbc_path

    # Even threads=1 adds a thread to the main one, and the two deadlock now and then.
    threads = workers if workers > 1 else None
    solver = pulp.COIN_CMD(
        path=pulp_cbc_path,
        msg=False,
        threads=threads,
        timeLimit=time_limit_s,
        options=[f"randomSeed {seed}", f"randomCbcSeed {seed}"] if seed else [],
    )
    try:
        with _folder_without_blanks() as solver.tmpDir:
            problem.solve(solver)
    except pulp.PulpSolverError as error:
        raise BackendError(f"cbc failed: {error}") from error
    native = f"{pulp.LpStatus[problem.status]} / {pulp.LpSolution[problem.sol_status]}"
    # An integer-infeasible problem has the solution status "no solution found".
    if problem.status == pulp.LpStatusInfeasible:
        return CbcVerdict(native, proved=True)
    proved = problem.sol_status == pulp.LpSolutionOptimal
    feasible = proved or problem.sol_status == pulp.LpSolutionIntegerFeasible
    return CbcVerdict(native, feasible, proved)


@contextmanager
def _folder_without_blanks() -> Iterator[str]:
    """Yield a name of the folder for temporary files; CBC splits what it is given at blanks."""
    folder = tempfile.gettempdir()
    if not any(map(str.isspace, folder)):
        yield folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield f"/proc/{os.getpid()}/fd/{descriptor}"
    finally:
        os.close(descriptor)


BACKENDS = (CbcBackend(),)
