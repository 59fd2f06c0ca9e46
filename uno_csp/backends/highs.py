"""Integer programming with HiGHS, whose model stays loaded while cuts are added.

The linear relaxation can be solved on its own before branching; after new rows the dual simplex
method continues from the last basis.
"""

import math
import time
from collections.abc import Sequence
from typing import Any

from uno_csp.backends._installed import PackageBackend
from uno_csp.errors import BackendError
from uno_csp.modeling import (
    STOPPED,
    Assignment,
    Cut,
    Model,
    Relation,
    Result,
    Row,
    Rows,
    cut_row,
    to_rows,
)
from uno_csp.questions.answers import Status

_TRUE_ABOVE = 0.5

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


class HighsSession:
    """A model in HiGHS."""

    def __init__(self, model: Model, seed: int, workers: int) -> None:
        import highspy

        highspy.Highs.resetGlobalScheduler(True)  # else a different number of threads is rejected
        program = to_rows(model)
        self._highspy = highspy
        self._num_vars = model.num_vars
        self._objective = model.objective
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

    def solve(self, time_limit_s: float | None = None) -> Result:
        """Solve the problem as it stands."""
        if self._contradiction:
            return Result(Status.UNSATISFIABLE, native_status="empty row")
        self._relax(relaxed=False)
        if self._start is not None:
            columns = list(range(self._num_vars))
            self._require_ok(self._solver.setSolution(len(columns), columns, self._start))
            self._start = None
        native, wall, cpu = self._run(time_limit_s)
        known = self._highspy.HighsModelStatus
        word = self._solver.modelStatusToString(native)
        info = self._solver.getInfo()
        # Every column has bounds, so a problem is never unbounded.
        if native in (known.kInfeasible, known.kUnboundedOrInfeasible):
            return Result(Status.UNSATISFIABLE, native_status=word, wall_s=wall, cpu_s=cpu)
        proved = native in (known.kOptimal, known.kModelEmpty)
        stopped = (known.kTimeLimit, known.kIterationLimit, known.kInterrupt)
        if not proved and (native not in stopped or time_limit_s is None):
            raise BackendError(f"highs returned {word!r}")
        feasible = self._highspy.SolutionStatus.kSolutionStatusFeasible
        if not proved and info.primal_solution_status != feasible:
            return Result(
                Status.UNKNOWN, stop_reason=STOPPED, native_status=word, wall_s=wall, cpu_s=cpu
            )
        values = [False, *(value > _TRUE_ABOVE for value in self._values())]
        objective = bound = None
        if self._objective is not None:
            bound = objective = self._objective.value(values)
            if not proved:
                dual = info.mip_dual_bound
                finite = math.isfinite(dual)
                bound = self._objective.bound_of_sum(dual + self._offset) if finite else None
        optimal = proved and self._objective is not None
        return Result(
            Status.OPTIMAL if optimal else Status.SATISFIABLE,
            values,
            objective,
            bound,
            stop_reason="" if proved else STOPPED,
            native_status=word,
            wall_s=wall,
            cpu_s=cpu,
            stats={"nodes": float(info.mip_node_count)},
        )

    def solve_relaxed(self, time_limit_s: float | None = None) -> list[float] | None:
        """Return an optimum of the linear relaxation; None if there is none or time is up."""
        if self._contradiction:
            return None
        self._relax(relaxed=True)
        native, _, _ = self._run(time_limit_s)
        known = self._highspy.HighsModelStatus
        if native not in (known.kOptimal, known.kModelEmpty):
            return None
        return [0.0, *self._values()]

    def start_from(self, assignment: Assignment) -> None:
        """Let the next call of :meth:`solve` begin with a solution; slacks are completed."""
        self._start = [float(value) for value in assignment[1:]]

    def close(self) -> None:
        """Free the memory."""
        self._solver.clear()

    def _values(self) -> list[float]:
        values: list[float] = list(self._solver.getSolution().col_value)
        return values[: self._num_vars]

    def _run(self, time_limit_s: float | None) -> tuple[Any, float, float]:
        limit = math.inf if time_limit_s is None else self._solver.getRunTime() + time_limit_s
        self._require_ok(self._solver.setOptionValue("time_limit", limit))
        wall, cpu = time.perf_counter(), time.process_time()
        self._solver.run()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        return self._solver.getModelStatus(), wall, cpu

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

        costs = np.zeros(len(program.upper))
        for column, cost in program.costs.items():
            costs[column] = cost
        count = len(program.upper)
        none = np.zeros(0, dtype=np.int32)
        self._require_ok(
            self._solver.addCols(
                count,
                costs,
                np.zeros(count),
                np.array(program.upper, dtype=np.float64),
                0,
                none,
                none,
                np.zeros(0),
            )
        )
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


BACKENDS = (HighsBackend(),)
