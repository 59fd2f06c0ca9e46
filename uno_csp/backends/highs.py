"""Integer programming with HiGHS, whose model stays loaded while cuts are added.

The linear relaxation can be solved on its own before branching; after new rows the dual simplex
method continues from the last basis.
"""

import math
from collections.abc import Sequence
from typing import Any

from uno_csp.backends._installed import PackageBackend
from uno_csp.backends._sessions import Found, SearchSession
from uno_csp.errors import BackendError
from uno_csp.modeling import Assignment, Cut, Model, Relation, Row, Rows, cut_row, to_rows

_TRUE_ABOVE = 0.5

COMPLETE = {
    "kOptimal": True,
    "kModelEmpty": True,
    "kInfeasible": True,
    "kUnboundedOrInfeasible": True,  # every column has bounds, so a problem is never unbounded
    "kTimeLimit": False,
    "kIterationLimit": False,
    "kInterrupt": False,
}
"""True for a status of HiGHS that says that there is no other, or no better solution."""

SOLVED = ("kOptimal", "kModelEmpty")  # the status of those that have a solution

ROUNDING = 0.01  # margin of the absolute gap below the unit, as HiGHS computes with floats


class HighsBackend(PackageBackend):
    """HiGHS through highspy."""

    name = "highs"
    summary = "HiGHS through highspy"
    package, wanted = "highspy", "'highspy<1.15'"
    parallel = minimises = True

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "HighsSession":
        """Load the model."""
        return HighsSession(model, seed, workers)


class HighsSession(SearchSession):
    """A model in HiGHS."""

    def __init__(self, model: Model, seed: int, workers: int) -> None:
        import highspy

        highspy.Highs.resetGlobalScheduler(True)  # else a different number of threads is rejected
        super().__init__(model)
        program = to_rows(model)
        self._highspy = highspy
        self._offset = program.offset
        self._integral = [c for c in range(len(program.upper)) if c not in program.continuous]
        self._is_relaxed = True
        self._contradiction = False
        self._start: list[float] | None = None
        self._solver: Any = highspy.Highs()
        for option, value in {
            "output_flag": False,
            "threads": workers,
            "random_seed": seed,
            # By default a solution within 0.01 % of the optimum is called optimal.
            "mip_rel_gap": 0.0,
            # Sums are multiples of the unit, so a gap below the unit proves optimality.
            "mip_abs_gap": (1 if model.objective is None else model.objective.unit) - ROUNDING,
        }.items():
            self._require_ok(self._solver.setOptionValue(option, value))
        self._load(program)

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts as rows."""
        self._add_rows([cut_row(cut) for cut in cuts])

    def search(self, time_limit_s: float | None) -> Found:
        """Solve the problem as it stands."""
        if self._contradiction:
            return Found(None, complete=True, native="empty row")
        self._relax(relaxed=False)
        if self._start is not None:
            columns = list(range(self.num_vars))
            self._require_ok(self._solver.setSolution(len(columns), columns, self._start))
            self._start = None
        name = self._run(time_limit_s)
        native = self._solver.modelStatusToString(self._solver.getModelStatus())
        complete = COMPLETE.get(name)
        if complete is None or (time_limit_s is None and not complete):
            raise BackendError(f"highs returned {native!r}")
        info = self._solver.getInfo()
        feasible = self._highspy.SolutionStatus.kSolutionStatusFeasible
        if name not in SOLVED and (complete or info.primal_solution_status != feasible):
            return Found(None, complete, native)
        values = [value > _TRUE_ABOVE for value in self._values()]
        bound, dual = None, info.mip_dual_bound
        if self.objective is not None and math.isfinite(dual):
            bound = self.objective.bound_of_sum(dual + self._offset)
        stats = {"nodes": float(info.mip_node_count)}
        return Found(values, complete, native, bound, stats=stats)

    def solve_relaxed(self, time_limit_s: float | None = None) -> list[float] | None:
        """Return an optimum of the linear relaxation; None if there is none or time is up."""
        if self._contradiction:
            return None
        self._relax(relaxed=True)
        return [0.0, *self._values()] if self._run(time_limit_s) in SOLVED else None

    def start_from(self, assignment: Assignment) -> None:
        """Let the next call of :meth:`solve` begin with a solution; slacks are completed."""
        self._start = [float(value) for value in assignment[1:]]

    def close(self) -> None:
        """Free the memory."""
        self._solver.clear()

    def _values(self) -> list[float]:
        values: list[float] = list(self._solver.getSolution().col_value)
        return values[: self.num_vars]

    def _run(self, time_limit_s: float | None) -> str:
        """Run the solver, and return the name of its status."""
        limit = math.inf if time_limit_s is None else self._solver.getRunTime() + time_limit_s
        self._require_ok(self._solver.setOptionValue("time_limit", limit))
        self._solver.run()
        status: str = self._solver.getModelStatus().name
        return status

    def _relax(self, *, relaxed: bool) -> None:
        if relaxed == self._is_relaxed or not self._integral:
            return
        kinds = self._highspy.HighsVarType
        kind = kinds.kContinuous if relaxed else kinds.kInteger
        count = len(self._integral)
        self._require_ok(self._solver.changeColsIntegrality(count, self._integral, [kind] * count))
        self._is_relaxed = relaxed

    def _load(self, program: Rows) -> None:
        import numpy as np

        count = len(program.upper)
        upper = np.array(program.upper, dtype=np.float64)
        self._require_ok(self._solver.addVars(count, np.zeros(count), upper))
        priced = np.array([*program.costs], dtype=np.int32)
        costs = np.array([*program.costs.values()], dtype=np.float64)
        self._require_ok(self._solver.changeColsCost(len(priced), priced, costs))
        self._add_rows(program.rows)

    def _add_rows(self, rows: Sequence[Row]) -> None:
        import numpy as np

        filled = [row for row in rows if any(row.coefficients)]
        self._contradiction |= not all(row.holds_empty for row in rows if not any(row.coefficients))
        if not filled:
            return
        below = self._highspy.kHighsInf
        starts = np.cumsum([0, *(len(row.columns) for row in filled[:-1])], dtype=np.int32)
        columns = np.array([c for row in filled for c in row.columns], dtype=np.int32)
        weights = np.array([w for row in filled for w in row.coefficients], dtype=np.float64)
        lower = [-below if row.relation is Relation.AT_MOST else row.bound for row in filled]
        upper = [below if row.relation is Relation.AT_LEAST else row.bound for row in filled]
        self._require_ok(
            self._solver.addRows(
                len(filled),
                np.array(lower, dtype=np.float64),
                np.array(upper, dtype=np.float64),
                len(columns),
                starts,
                columns,
                weights,
            )
        )

    def _require_ok(self, status: Any) -> None:
        if status == self._highspy.HighsStatus.kError:
            raise BackendError("highs rejected a part of the model")


BACKEND = HighsBackend()
