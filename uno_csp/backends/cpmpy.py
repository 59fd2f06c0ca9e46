"""Any solver that CPMpy drives, as ``cpmpy:NAME``: Choco, Exact, Pumpkin, Gurobi and more.

CPMpy (Guns 2019) translates a model for each of its solvers, which are installed one by one; a
circuit is native where the solver has one. ``cpmpy:minizinc:chuffed`` names a solver of a solver.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from uno_csp.backends._installed import PackageBackend
from uno_csp.backends._sessions import Found, WholeModelSession, require_circuits
from uno_csp.errors import BackendError, NotAccepted, UnknownName
from uno_csp.modeling import Circuit, Model, parity_clauses

PREFIX = "cpmpy:"
_NAME = re.compile(r"[a-z0-9_]+(:[A-Za-z0-9_.-]+)?")


class CpmpyBackend(PackageBackend):
    """One of CPMpy's solvers."""

    name = PREFIX
    summary = "a solver, through CPMpy"
    package = "cpmpy"
    wanted = "'uno-csp[cpmpy]', and the solver"
    native_globals = frozenset({Circuit})
    minimises = True

    def __init__(self, solver: str) -> None:
        self.solver = solver
        self.name = f"{PREFIX}{solver}"
        self.summary = f"{solver}, through CPMpy"

    def available(self) -> bool:
        """Return True if CPMpy and the solver are installed."""
        return super().available() and bool(_classes()[self.solver.partition(":")[0]].supported())

    def version(self) -> str:
        """Return the versions of CPMpy and of the solver."""
        found = _classes()[self.solver.partition(":")[0]].version()
        return f"{super().version()} {self.solver} {found or 'unknown'}"

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "CpmpySession":
        """Store the model; it is translated at every call. Seeds are the solver's own."""
        del seed, workers
        require_circuits(model, "CPMpy")
        return CpmpySession(model, self.name)


class CpmpySession(WholeModelSession):
    """A model that is translated at every call."""

    def run(self, time_limit_s: float | None) -> Found:
        """Translate the model and run the solver."""
        from cpmpy.exceptions import NotSupportedError
        from cpmpy.solvers.solver_interface import ExitStatus

        translated, variables = to_cpmpy(self.model)
        try:
            solved = translated.solve(
                solver=self.solver.removeprefix(PREFIX), time_limit=time_limit_s
            )
        except NotSupportedError as error:
            raise NotAccepted(f"{self.solver}: {error}") from error
        except Exception as error:  # each solver has its own
            raise BackendError(f"{self.solver}: {type(error).__name__}: {error}") from error
        ended = translated.status().exitstatus
        if not solved:
            return Found(None, ended is ExitStatus.UNSATISFIABLE, ended.name)
        values = [bool(variable.value()) for variable in variables]
        best = ended is ExitStatus.OPTIMAL or not translated.has_objective()
        return Found(values, best, ended.name)


def to_cpmpy(model: Model) -> tuple[Any, list[Any]]:
    """Return a model as one of CPMpy, and its variables: that of number v at place v - 1."""
    import cpmpy as cp

    cnf = parity_clauses(model)
    variables = [cp.boolvar(name=f"x{number}") for number in range(1, cnf.num_vars + 1)]

    def literal(number: int) -> Any:
        return variables[number - 1] if number > 0 else ~variables[-number - 1]

    def total(coefficients: Sequence[int], literals: Sequence[int]) -> Any:
        return cp.sum(c * literal(x) for c, x in zip(coefficients, literals, strict=True))

    translated = cp.Model([cp.any([literal(x) for x in clause]) for clause in cnf.clauses])
    for row in model.linears:
        translated += row.relation.holds(total(row.coefficients, row.literals), row.bound)
    for circuit in model.globals:
        assert isinstance(circuit, Circuit)  # noqa: S101
        translated += list(_circuit(circuit, literal))
    if model.objective is not None and any(model.objective.coefficients):
        translated.minimize(total(model.objective.coefficients, model.objective.literals))
    return translated, variables


def _circuit(circuit: Circuit, literal: Any) -> Iterator[Any]:
    """Yield a circuit by the successor of each node, and by positions if nodes may be skipped."""
    import cpmpy as cp

    last = circuit.num_nodes - 1
    following = cp.intvar(0, last, shape=circuit.num_nodes)
    heads: list[list[int]] = [[] for _ in range(circuit.num_nodes)]
    for tail, head, number in zip(circuit.tails, circuit.heads, circuit.literals, strict=True):
        heads[tail].append(head)
        yield literal(number) == (following[tail] == head)
    for tail, allowed in enumerate(heads):
        yield cp.InDomain(following[tail], allowed)
    if not any(map(int.__eq__, circuit.tails, circuit.heads)):
        yield cp.Circuit(following)
        return
    position = cp.intvar(0, last, shape=circuit.num_nodes)
    yield cp.AllDifferent(following)
    yield following[0] != 0
    for tail, head in zip(circuit.tails, circuit.heads, strict=True):
        if head not in (0, tail):
            yield (following[tail] == head).implies(position[head] == position[tail] + 1)


def _classes() -> dict[str, Any]:
    from cpmpy.solvers.utils import SolverLookup

    return dict(SolverLookup.base_solvers())


def resolve(name: str) -> CpmpyBackend | None:
    """Return the backend of ``cpmpy:NAME``; None for other names."""
    if not name.startswith(PREFIX):
        return None
    solver = name.removeprefix(PREFIX)
    backend = CpmpyBackend(solver)
    offered = list(_classes()) if PackageBackend.available(backend) else None
    base = solver.partition(":")[0]
    if not _NAME.fullmatch(solver) or (offered is not None and base not in offered):
        raise UnknownName("solver of CPMpy", solver, offered or ["names as CPMpy has them"])
    return backend
