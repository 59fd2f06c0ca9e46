"""Local repair on demand, for large models whose only global constraint is connectedness.

:mod:`~uno_csp.pipeline.repair` loads numpy and scipy, which takes as long as solving most hands, so
it is loaded only after the search has done some work.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from uno_csp.methods import DEFAULT_BACKEND, AnyEncoder, find_backend
from uno_csp.modeling import Assignment, Backend, Connected, Global, Linear, Model, Proof, Relation
from uno_csp.pipeline.search import Improve, Repair, do_nothing

if TYPE_CHECKING:
    from uno_csp.pipeline.repair import Repairer

MANY_NODES = 1000  # fewest nodes for which local repair pays
REPAIR_AFTER = 500_000  # work before the first repair, in propagations; about a quarter of a second
WORK_OF_A_VARIABLE = 50  # cost of writing and loading a model, in propagations for each variable

REPAIR_RATIO, REPAIR_RATIO_OF_GUESS = 0.25, 1.5
"""Work of repair per unit of work of the search: for a search that can prove a no, and for one that
cannot, where repair is the quickest way to an answer."""

IMPROVING_WORK = 6_000_000
"""Limit of the work on one assignment of a model with an objective, in propagations; about half a
second. What succeeds at all mostly takes less."""

LARGEST_COEFFICIENT = 8
"""Largest coefficient of an objective that is repaired. Of a supply at costs of 1 to 20, a bound on
the sum takes 200,000 clauses, which is half of the time of the search, and nothing was found."""


class LateRepair:
    """Repairs assignments of one model, once the search has done :data:`REPAIR_AFTER` work."""

    def __init__(self, model: Model, backend: Backend, encoder: AnyEncoder, seed: int) -> None:
        self._model, self._backend, self._seed = model, backend, seed
        guess = encoder.proves is Proof.YES_ONLY
        self._ratio = REPAIR_RATIO_OF_GUESS if guess else REPAIR_RATIO
        self._repairer: Repairer | None = None

    def of(self, globals_: Sequence[Global]) -> Repair:
        """Return the repair for assignments that violate these constraints."""
        match globals_:
            case [Connected() as net] if (
                self._model.objective is None and len(net.presence) >= MANY_NODES
            ):
                return lambda assignment, work: self._repair(net, assignment, work)
        return do_nothing

    def improvement(self, globals_: Sequence[Global]) -> Improve:
        """Return the repair that keeps to a value of the objective."""
        match globals_:
            case [Connected() as net] if self._has_small_coefficients():
                return partial(self._improve, net)
        return do_nothing

    def _has_small_coefficients(self) -> bool:
        objective = self._model.objective
        if objective is None:
            return False
        return max(map(abs, objective.coefficients), default=0) <= LARGEST_COEFFICIENT

    @property
    def joined(self) -> int | None:
        """Number of components that were joined; None if repair never started."""
        return None if self._repairer is None else self._repairer.joined

    def _repair(self, net: Connected, assignment: Assignment, work: int) -> Assignment | None:
        work += WORK_OF_A_VARIABLE * self._model.num_vars
        if self._repairer is None:
            if work < REPAIR_AFTER:
                return None
            from uno_csp.pipeline.repair import Repairer

            self._repairer = Repairer(self._model, net, self._backend, self._ratio, self._seed)
        return self._repairer(assignment, work)

    def _improve(self, net: Connected, assignment: Assignment, most: int) -> Assignment | None:
        """Join the components of an assignment; the objective value is to be at most ``most``."""
        objective = self._model.objective
        assert objective is not None  # noqa: S101
        from uno_csp.pipeline.repair import Repairer

        bound = Linear(
            objective.coefficients,
            objective.literals,
            Relation.AT_MOST,
            objective.largest_sum(most),
        )
        model = replace(self._model, objective=None, linears=[*self._model.linears, bound])
        solver = find_backend(DEFAULT_BACKEND)
        repairer = Repairer(model, net, solver, 1.0, self._seed, self.joined or 0)
        self._repairer = repairer
        return repairer(assignment, IMPROVING_WORK)
