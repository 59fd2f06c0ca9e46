"""The SAT solvers that come with PySAT.

They run in this process, hold the interpreter lock while they search, and most of them cannot be
interrupted; a time limit is enforced by ending the process. None takes a seed: a seed other than 0
permutes the clauses and the literals in them, which diversifies a CDCL solver just as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from uno_csp.backends._installed import has_package
from uno_csp.backends._sessions import Found, measure
from uno_csp.errors import BackendError
from uno_csp.modeling import (
    Backend,
    Clause,
    Cnf,
    Cut,
    Model,
    Result,
    add_switchable_at_most,
    cut_clauses,
    to_cnf,
)
from uno_csp.questions.answers import Status

_STRONG = ("cadical195", "cadical103", "cadical153", "cadical300")
_PLAIN = (
    *("ergo", "glucose3", "glucose4", "glucose42", "lingeling", "maplecm", "maplesat"),
    *("mergesat3", "minisat22", "minisat-ep", "minisat-gh"),
)
_WITH_AT_MOST = ("gluecard3", "gluecard4", "minicard")
_NOT_INCREMENTAL = ("kissat404",)
_CRYPTOMINISAT = "cms"
_NATIVE = {None: "UNKNOWN", False: "UNSATISFIABLE", True: "SATISFIABLE"}
_NOT_COUNTING = ("lingeling", _CRYPTOMINISAT)  # CryptoMiniSat's conflict limit is broken in PySAT
_LITTLE_FLOW, _NO_FLOW = (("flow", 12),), (("flow", 0),)
"""Link limits, as the sums of a flow are hard: with more, six equal cards may take minutes."""


@dataclass(frozen=True, slots=True)
class PySatBackend(Backend):
    """One of PySAT's solvers, by PySAT's name for it.

    ``at_most``: it has native cardinality constraints; ``incremental``: clauses may be added after
    solving; ``module``: the package it needs.
    """

    name: str
    at_most: bool = False
    incremental: bool = True
    module: str = "pysat"
    most_links: tuple[tuple[str, int], ...] = ()
    summary: str = "SAT solver in PySAT"

    def available(self) -> bool:
        """Return True if its package is installed."""
        return has_package("pysat") and has_package(self.module)

    def install_hint(self) -> str:
        """Return the pip command."""
        extra = "[cryptosat]" if self.module == "pycryptosat" else ""
        return f"pip install 'python-sat{extra}'"

    def version(self) -> str:
        """Return the package's version; the solver's own is part of its name."""
        package = "pycryptosat" if self.module == "pycryptosat" else "python-sat"
        return f"{package} {version(package)}"

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "PySatSession":
        """Lower the model to clauses and load them."""
        del workers
        cnf = to_cnf(model, native_at_most=self.at_most)
        if seed:
            cnf.shuffle(seed)
        return PySatSession(self, cnf, model.num_vars)


class PySatSession:
    """A PySAT solver with its clauses."""

    def __init__(self, backend: PySatBackend, cnf: Cnf, num_vars: int) -> None:
        self._backend = backend
        self._cnf = cnf
        self._num_vars = num_vars
        cnf.num_vars += 1
        cnf.clauses.append([cnf.num_vars])  # maplesat crashes on an empty formula
        self._contradiction = not all(cnf.clauses)
        self._solver: Any = self._load()

    def _load(self, more: Sequence[Clause] = ()) -> Any:
        from pysat.solvers import Solver

        solver = Solver(name=self._backend.name)
        if not self._contradiction:
            for clause in (*self._cnf.clauses, *more):
                solver.add_clause(clause)
            for literals, bound in self._cnf.at_mosts:
                solver.add_atmost(list(literals), bound)
        return solver

    @property
    def supports_conflict_limit(self) -> bool:
        """True if the solver supports a conflict limit."""
        return self._backend.name not in _NOT_COUNTING

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts as clauses; a solver that is not incremental is reloaded."""
        clauses = [clause for cut in cuts for clause in cut_clauses(cut)]
        if not self._backend.incremental:
            self._cnf.clauses.extend(clauses)
        self._load_more(clauses)

    def at_most(self, coefficients: Sequence[int], literals: Sequence[int], bound: int) -> int:
        """Add a linear constraint that is enforced while the returned literal is assumed."""
        switch, clauses = add_switchable_at_most(self._cnf, coefficients, literals, bound)
        self._load_more(clauses)
        return switch

    def _load_more(self, clauses: Sequence[Clause]) -> None:
        self._contradiction |= not all(clauses)
        if self._backend.incremental:
            for clause in clauses if not self._contradiction else ():
                self._solver.add_clause(clause)
        else:
            self._solver.delete()
            self._solver = self._load()

    def solve(self, time_limit_s: float | None = None) -> Result:
        """Search for an answer; the time limit is ignored, the caller ends the process."""
        del time_limit_s
        return self.solve_assuming(())

    def solve_assuming(self, literals: Sequence[int], conflicts: int | None = None) -> Result:
        """Solve under assumptions, within a conflict limit if the solver supports one."""
        if self._contradiction:
            return Result(Status.UNSATISFIABLE, native_status="empty clause")
        if literals and not self._backend.incremental:
            self._solver.delete()
            self._solver = self._load([[literal] for literal in literals])
            literals = ()
        return measure(lambda: self._search(list(literals), conflicts))

    def _search(self, assumed: list[int], conflicts: int | None) -> Found:
        try:
            if conflicts is None or not self.supports_conflict_limit:
                found = self._solver.solve(assumptions=assumed)
            else:
                self._solver.conf_budget(conflicts)
                found = self._solver.solve_limited(assumptions=assumed)
        except MemoryError:
            return Found(None, complete=False, reason="out of memory")
        if found is None and conflicts is None:
            raise BackendError(f"{self._backend.name} returned neither yes nor no")
        return Found(
            self._values() if found else None,
            found is not None,
            _NATIVE[found],
            reason=f"conflict limit of {conflicts} reached",
            stats=self._statistics(),
        )

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    def _values(self) -> list[bool]:
        """Return the value of each variable; those in no clause may be missing and are false."""
        values = [False] * self._num_vars
        for literal in self._solver.get_model():
            if 0 < literal <= self._num_vars:
                values[literal - 1] = True
        return values

    def _statistics(self) -> Mapping[str, float]:
        try:
            return dict(self._solver.accum_stats() or {})
        except NotImplementedError:  # kissat and CryptoMiniSat report none
            return {}


BACKENDS = (
    *(PySatBackend(name) for name in _STRONG),
    *(PySatBackend(name, most_links=_LITTLE_FLOW) for name in _PLAIN),
    PySatBackend("maplechrono", most_links=_NO_FLOW),
    *(
        PySatBackend(
            name,
            at_most=True,
            most_links=_LITTLE_FLOW,
            summary="SAT solver in PySAT, native cardinality constraints",
        )
        for name in _WITH_AT_MOST
    ),
    *(PySatBackend(name, incremental=False) for name in _NOT_INCREMENTAL),
    PySatBackend(_CRYPTOMINISAT, module="pycryptosat"),
)
