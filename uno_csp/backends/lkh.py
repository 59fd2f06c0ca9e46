"""Helsgaun's Lin-Kernighan heuristic (LKH) through elkai: finds circuits fast, refutes none.

It takes models that consist of one circuit constraint and nothing else. Arcs of the constraint
have length 0, all others length 1, and a tour of length 0 is a circuit. A longer tour proves
nothing.
"""

import random
from collections.abc import Sequence
from itertools import pairwise

from uno_csp.backends._installed import PackageBackend
from uno_csp.backends._sessions import Found, SearchSession
from uno_csp.errors import NotAccepted
from uno_csp.modeling import Circuit, Cut, Model

RUNS = 10  # number of runs of the search; elkai's own default
MANY_NODES = 4000  # maximum number of nodes, because elkai takes the full distance matrix


class LkhBackend(PackageBackend):
    """Helsgaun's heuristic for the travelling salesman; useful only if the hand can be played."""

    name = "lkh"
    summary = "LKH heuristic through elkai: finds circuits, never proves a no"
    package = "elkai"
    native_globals = frozenset({Circuit})

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "LkhSession":
        """Store the circuit; a model with anything else is not accepted."""
        del workers
        rest = model.clauses or model.linears or model.parities or model.objective
        circuits = [each for each in model.globals if isinstance(each, Circuit)]
        if rest or len(circuits) != len(model.globals) or len(circuits) > 1:
            raise NotAccepted(
                "lkh takes nothing but one circuit: uno-1, encoding successor, connectivity native"
            )
        circuit = circuits[0] if circuits else None
        if circuit is not None and circuit.num_nodes > MANY_NODES:
            raise NotAccepted(f"lkh takes up to {MANY_NODES} nodes, not {circuit.num_nodes}")
        return LkhSession(model, circuit, seed)


class LkhSession(SearchSession):
    """One circuit to find."""

    def __init__(self, model: Model, circuit: Circuit | None, seed: int) -> None:
        super().__init__(model)
        self._circuit = circuit
        self._order = list(range(0 if circuit is None else circuit.num_nodes))
        if seed:
            random.Random(seed).shuffle(self._order)

    def add(self, cuts: Sequence[Cut]) -> None:
        """Raise NotAccepted: the heuristic cannot use cuts."""
        del cuts
        raise NotAccepted("lkh takes no cuts: connectivity must be native")

    def search(self, time_limit_s: float | None) -> Found:
        """Search for a tour along arcs; the time limit is ignored, the caller ends the process."""
        del time_limit_s
        values = [False] * self.num_vars
        circuit = self._circuit
        if circuit is None:
            return Found(values, complete=True, native="nothing to do")
        arcs = dict(
            zip(zip(circuit.tails, circuit.heads, strict=True), circuit.literals, strict=True)
        )
        tour = self._tour(arcs)
        missing = sum(step not in arcs for step in tour)
        native = f"tour of length {missing}"
        if missing:
            reason = "the heuristic found no circuit, which proves nothing"
            return Found(None, complete=False, native=native, reason=reason)
        for step in tour:
            values[arcs[step] - 1] = True
        return Found(values, complete=True, native=native)

    def _tour(self, arcs: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
        """Return the steps of a short tour; elkai needs at least three nodes."""
        order = self._order
        if len(order) < 3:
            return list(zip(order, [*order[1:], *order[:1]], strict=True))
        import elkai

        matrix = [[int((u, v) not in arcs) for v in order] for u in order]
        nodes = [order[i] for i in elkai.DistanceMatrix(matrix).solve_tsp(runs=RUNS)]
        return list(pairwise(nodes))


BACKEND = LkhBackend()
