"""When local repair is worth its time: for large models that only have to be connected.

:mod:`~uno_csp.pipeline.repair` loads numpy and scipy, which takes as long as most hands, so it is
left alone for a while.
"""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from uno_csp.modeling import Assignment, Backend, Connected, Global, Model, Proof
from uno_csp.pipeline.cut_loop import Repair, no_repair
from uno_csp.registry import AnyEncoder

if TYPE_CHECKING:
    from uno_csp.pipeline.repair import Repairer

MANY_NODES = 1000
"""From so many nodes on local repair is worth its time."""

REPAIR_AFTER_S = 0.25
"""Before that much time has gone, an assignment is left to the cut loop."""

REPAIR_SHARE, REPAIR_SHARE_OF_GUESS = 0.2, 0.6
"""The part of its time that a search gives to repair: one that can prove a no, and one that cannot,
for which repair is the quickest way to an end."""


class LateRepair:
    """Repairs assignments of one model; ``began`` is when its run did."""

    def __init__(
        self, model: Model, backend: Backend, encoder: AnyEncoder, seed: int, began: float
    ) -> None:
        self._model, self._backend, self._seed, self._began = model, backend, seed, began
        self._share = REPAIR_SHARE_OF_GUESS if encoder.proves is Proof.YES_ONLY else REPAIR_SHARE
        self._repairer: Repairer | None = None

    def of(self, globals_: Sequence[Global]) -> Repair:
        """What repairs assignments that break these constraints."""
        match globals_:
            case [Connected() as net] if (
                self._model.objective is None and len(net.presence) >= MANY_NODES
            ):
                return lambda assignment: self._repaired(net, assignment)
        return no_repair

    @property
    def joined(self) -> int | None:
        """How many components were joined; None if none were looked at."""
        return None if self._repairer is None else self._repairer.joined

    def _repaired(self, net: Connected, assignment: Assignment) -> Assignment | None:
        if self._repairer is None:
            if time.perf_counter() - self._began < REPAIR_AFTER_S:
                return None
            from uno_csp.pipeline.repair import Repairer

            self._repairer = Repairer(
                self._model, net, self._backend, self._share, self._began, self._seed
            )
        return self._repairer(assignment)
