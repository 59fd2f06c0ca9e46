"""Make a refutation: add cuts until the verifier's formula is unsatisfiable, then log a proof."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from uno_csp.verifier.trails import Clauses

SOLVER = "cadical195"
"""SAT solver of refutations: incremental, so that cuts can be added, and with DRAT proofs."""

CONFLICTS = 2_000  # conflicts per time slice of a refutation
MOST_CONFLICTS = 20_000_000  # total conflicts of a solver after which a refutation gives up

Cuts: TypeAlias = Callable[[set[int]], Iterable[Mapping[str, Any]]]
"""Returns the cuts, in the verifier's JSON form, that the set of true literals violates."""


class Unproved(Exception):
    """No refutation was found; the message says why."""


class HasSolution(Exception):
    """The formula to refute has a solution."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """Cuts in the verifier's JSON form, their clauses, and the lines of a DRAT proof."""

    cuts: tuple[Mapping[str, Any], ...]
    clauses: tuple[tuple[int, ...], ...]
    proof: tuple[str, ...]


def refute(formula: Any, separate: Cuts | None) -> Generator[int, None, Refutation]:
    """Find cuts that make the formula unsatisfiable, and a proof; yield the conflicts so far.

    They are yielded before each run of at most :data:`CONFLICTS` conflicts. The proof comes from a
    second run on all clauses: lemmas learnt before a cut was added may depend on clauses that the
    solver has deleted since. Raises HasSolution if a solution violates no cut, as the answer to
    certify is wrong then, and Unproved after :data:`MOST_CONFLICTS` conflicts.
    """
    cuts: list[Mapping[str, Any]] = []
    clauses: list[tuple[int, ...]] = []
    from pysat.solvers import Solver

    with Solver(SOLVER, bootstrap_with=formula.clauses) as solver:
        while (yield from _solve(solver)):
            true = {*solver.get_model()}
            fresh = []
            if separate is not None:
                fresh = list(separate({literal for literal in true if literal > 0}))
            if not fresh:
                raise HasSolution("the formula of the question has a solution that no cut forbids")
            for cut in fresh:
                clauses.append(formula.cut(dict(cut)))
                assert true.isdisjoint(clauses[-1])  # noqa: S101  # else it would go on for ever
                solver.add_clause(clauses[-1])
            cuts += fresh
        before = _conflicts(solver)
    everything = [*formula.clauses, *clauses]
    with Solver(SOLVER, bootstrap_with=everything, with_proof=True) as solver:
        if (yield from _solve(solver, before)):
            raise AssertionError("the formula was refuted, and the second run found a solution")
        proof = [line for line in solver.get_proof() or () if line]
    if not proof or proof[-1] != "0":
        proof.append("0")
    return Refutation(tuple(cuts), tuple(clauses), tuple(proof))


def join_proofs(formulas: Sequence[Clauses], found: Sequence[Refutation]) -> Iterator[str]:
    """Join the proofs of several formulas into one for their disjunction."""
    several, shift = len(formulas) > 1, 0
    total = sum(formula.variables for formula in formulas)
    for number, (formula, refutation) in enumerate(zip(formulas, found, strict=True), total + 1):
        if not several:
            yield from refutation.proof
            return
        for line in refutation.proof:
            deletes, words = line.startswith("d "), line.removeprefix("d ").split()
            moved = [lit + shift if lit > 0 else lit - shift for lit in map(int, words[:-1])]
            yield " ".join(map(str, [*["d"] * deletes, *moved, -number, 0]))
        shift += formula.variables
    yield "0"


def _solve(solver: Any, before: int = 0) -> Generator[int, None, bool]:
    """Solve in slices of :data:`CONFLICTS` conflicts; return True if satisfiable."""
    while True:
        conflicts = _conflicts(solver)
        if conflicts > MOST_CONFLICTS:
            raise Unproved(f"no proof was found within {MOST_CONFLICTS:,} conflicts")
        yield before + conflicts
        solver.conf_budget(CONFLICTS)
        found: bool | None = solver.solve_limited()
        if found is not None:
            return found


def _conflicts(solver: Any) -> int:
    found: int = solver.accum_stats()["conflicts"]
    return found
