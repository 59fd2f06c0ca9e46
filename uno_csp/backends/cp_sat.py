"""OR-Tools CP-SAT: every constraint kind but ``Connected`` natively."""

from collections.abc import Iterable, Sequence
from typing import Any

from uno_csp.backends._installed import PackageBackend
from uno_csp.backends._sessions import Found, SearchSession, require_circuits
from uno_csp.errors import BackendError
from uno_csp.modeling import AtLeastTwo, Circuit, Cut, Linear, Model

COMPLETE = {"OPTIMAL": True, "INFEASIBLE": True, "FEASIBLE": False, "UNKNOWN": False}
"""True for a status of CP-SAT that says that there is no other, or no better solution."""


class CpSatBackend(PackageBackend):
    """The CP-SAT solver of Google's OR-Tools."""

    name = "cp-sat"
    summary = "OR-Tools CP-SAT, native circuit"
    package, wanted = "ortools", "'ortools>=9.15,<9.16'"
    native_globals = frozenset({Circuit})
    parallel = minimises = True

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "CpSatSession":
        """Write the model as a CP-SAT model."""
        require_circuits(model, self.name)
        return CpSatSession(model, seed, workers)


class CpSatSession(SearchSession):
    """A CP-SAT model; every call solves it from scratch."""

    def __init__(self, model: Model, seed: int, workers: int) -> None:
        from ortools.sat.python import cp_model

        super().__init__(model)
        self._cp = cp_model
        self._model = cp_model.CpModel()
        self._variables = [self._model.new_bool_var("") for _ in range(model.num_vars)]
        self._seed, self._workers = seed, workers
        self.add(model.clauses)
        for linear in model.linears:
            self._add_linear(linear)
        for parity in model.parities:
            even = [] if parity.odd else [self._model.new_constant(1)]
            self._model.add_bool_xor([*map(self._literal, parity.literals), *even])
        for constraint in model.globals:
            arcs = zip(constraint.tails, constraint.heads, constraint.literals, strict=True)
            self._model.add_circuit([(u, v, self._literal(lit)) for u, v, lit in arcs])
        if model.objective is not None:
            goal = self._sum(model.objective.coefficients, model.objective.literals)
            self._model.minimize(goal)

    def add(self, cuts: Iterable[Cut]) -> None:
        """Add cuts to the model."""
        for cut in cuts:
            if isinstance(cut, AtLeastTwo):
                self._add_linear(cut.linear)
            else:
                self._model.add_bool_or([self._literal(literal) for literal in cut])

    def search(self, time_limit_s: float | None) -> Found:
        """Solve the model as it stands."""
        solver = self._cp.CpSolver()
        solver.parameters.num_workers = self._workers
        solver.parameters.random_seed = self._seed
        if time_limit_s is not None:
            solver.parameters.max_time_in_seconds = time_limit_s
        native = solver.status_name(solver.solve(self._model))
        if native not in COMPLETE:
            raise BackendError(f"cp-sat returned {native}")
        values = bound = None
        if native in ("OPTIMAL", "FEASIBLE"):
            values = [bool(solver.value(variable)) for variable in self._variables]
            if self.objective is not None:
                bound = self.objective.bound_of_sum(solver.best_objective_bound)
        stats = {"conflicts": solver.num_conflicts, "branches": solver.num_branches}
        return Found(values, COMPLETE[native], native, bound, stats=stats)

    def _literal(self, literal: int) -> Any:
        variable = self._variables[abs(literal) - 1]
        return variable if literal > 0 else ~variable

    def _sum(self, coefficients: Sequence[int], literals: Sequence[int]) -> Any:
        terms = [self._literal(literal) for literal in literals]
        return self._cp.LinearExpr.weighted_sum(terms, list(coefficients))

    def _add_linear(self, linear: Linear) -> None:
        total = self._sum(linear.coefficients, linear.literals)
        self._model.add(linear.relation.holds(total, linear.bound))


BACKEND = CpSatBackend()
