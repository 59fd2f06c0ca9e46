"""Integer programming with CBC through PuLP, which bundles it.

PuLP calls an incumbent found within a time limit "Optimal", so the status is taken from PuLP's
separate solution status. CBC calls a problem infeasible if the time limit ends its preprocessing,
so its proofs are trusted only if it ended before the limit. All use of PuLP's interface, which
changes with version 4, is in this file.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from uno_csp.backends._installed import PackageBackend
from uno_csp.backends._sessions import Found, SearchSession
from uno_csp.errors import BackendError
from uno_csp.modeling import Cut, Model, Row, cut_row, to_rows
from uno_csp.processes.deadline import Deadline

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


class PulpSession(SearchSession):
    """A PuLP problem; every call solves it from scratch."""

    def __init__(self, model: Model, seed: int, workers: int) -> None:
        import pulp

        super().__init__(model)
        self._pulp = pulp
        self._options = (seed, workers)
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

    def search(self, time_limit_s: float | None) -> Found:
        """Solve the problem as it stands."""
        if self._contradiction:
            return Found(None, complete=True, native="empty row")
        if not self._problem.variables():
            return Found([False] * self.num_vars, complete=True, native="empty")
        deadline = Deadline.after(time_limit_s)
        found = self._run_cbc(time_limit_s)
        if found.values is None and not found.complete and time_limit_s is None:
            raise BackendError(f"cbc ended without an answer: {found.native}")
        return replace(found, complete=False) if deadline.expired else found

    def _add_rows(self, rows: Sequence[Row]) -> None:
        for row in rows:
            if any(row.coefficients):
                terms = [
                    (self._columns[column], coefficient)
                    for column, coefficient in zip(row.columns, row.coefficients, strict=True)
                    if coefficient
                ]
                left = self._pulp.LpAffineExpression(terms)
                self._problem += row.relation.holds(left, row.bound)
            elif not row.holds_empty:
                self._contradiction = True

    def _run_cbc(self, time_limit_s: float | None) -> Found:
        pulp, problem, (seed, workers) = self._pulp, self._problem, self._options
        from pulp.apis.coin_api import pulp_cbc_path

        solver = pulp.COIN_CMD(
            path=pulp_cbc_path,
            msg=False,
            # Even threads=1 adds a thread to the main one, and the two deadlock now and then.
            threads=workers if workers > 1 else None,
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
            return Found(None, complete=True, native=native)
        optimal = problem.sol_status == pulp.LpSolutionOptimal
        if not optimal and problem.sol_status != pulp.LpSolutionIntegerFeasible:
            return Found(None, complete=False, native=native)
        columns = self._columns[: self.num_vars]
        return Found([(each.varValue or 0.0) > _TRUE_ABOVE for each in columns], optimal, native)


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


BACKEND = CbcBackend()
