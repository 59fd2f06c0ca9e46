"""The Lin-Kernighan heuristic of Helsgaun (LKH) through elkai: circuits found fast, none refuted.

It takes models that consist of one circuit and nothing else: every arc of the circuit has length 0,
every other one length 1, and a tour of length 0 is the circuit. A longer tour proves nothing.
"""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise

from uno_csp.answers import Status
from uno_csp.errors import NotAccepted
from uno_csp.modeling import Circuit, Cut, Model, Result

RUNS = 10
"""So many times the search starts afresh; elkai's own default."""

MANY_NODES = 4000
"""elkai takes a matrix of all distances; with more nodes it is too large."""


@dataclass(frozen=True, slots=True)
class LkhBackend:
    """Helsgaun's heuristic for the travelling salesman, for hands that can be played."""

    name: str = "lkh"
    summary: str = "LKH heuristic through elkai: finds a circuit or nothing, proves no no"
    native_globals: frozenset[type] = frozenset({Circuit})
    parallel: bool = False
    minimises: bool = False
    most_links: tuple[tuple[str, int], ...] = ()

    def available(self) -> bool:
        """Whether elkai is installed."""
        return find_spec("elkai") is not None

    def install_hint(self) -> str:
        """The pip command."""
        return "pip install elkai"

    def version(self) -> str:
        """The version of the package."""
        return f"elkai {version('elkai')}"

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "LkhSession":
        """Keep the circuit; a model with anything else is not accepted."""
        del workers
        rest = model.clauses or model.linears or model.parities or model.objective
        circuits = [each for each in model.globals if isinstance(each, Circuit)]
        if rest or len(circuits) != len(model.globals) or len(circuits) > 1:
            raise NotAccepted(
                "lkh takes nothing but one circuit: encoding successor, connectivity native, uno-1"
            )
        circuit = circuits[0] if circuits else None
        if circuit is not None and circuit.num_nodes > MANY_NODES:
            raise NotAccepted(f"lkh takes up to {MANY_NODES} nodes, not {circuit.num_nodes}")
        return LkhSession(circuit, model.num_vars, seed)


class LkhSession:
    """One circuit to find."""

    def __init__(self, circuit: Circuit | None, num_vars: int, seed: int) -> None:
        self._circuit = circuit
        self._num_vars = num_vars
        self._order = list(range(0 if circuit is None else circuit.num_nodes))
        if seed:
            random.Random(seed).shuffle(self._order)

    def add(self, cuts: Sequence[Cut]) -> None:
        """There is nothing a heuristic could add cuts to."""
        del cuts
        raise NotAccepted("lkh takes no cuts: connectivity must be native")

    def solve(self, time_limit_s: float | None = None) -> Result:
        """Search for a tour along arcs; the time limit is the process's business."""
        del time_limit_s
        values = [False] * (self._num_vars + 1)
        if self._circuit is None:
            return Result(Status.SATISFIABLE, values, native_status="nothing to do")
        wall, cpu = time.perf_counter(), time.process_time()
        circuit = self._circuit
        arcs = dict(
            zip(zip(circuit.tails, circuit.heads, strict=True), circuit.literals, strict=True)
        )
        tour = self._tour(arcs)
        missing = sum(step not in arcs for step in tour)
        native = f"tour of length {missing}"
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        if missing:
            reason = "the heuristic found no circuit, which proves nothing"
            return Result(
                Status.UNKNOWN, stop_reason=reason, native_status=native, wall_s=wall, cpu_s=cpu
            )
        for step in tour:
            values[arcs[step]] = True
        return Result(Status.SATISFIABLE, values, native_status=native, wall_s=wall, cpu_s=cpu)

    def _tour(self, arcs: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
        """The steps of a short tour; elkai wants three nodes or more."""
        order = self._order
        if len(order) < 3:
            return list(zip(order, [*order[1:], *order[:1]], strict=True))
        import elkai

        matrix = [[int((u, v) not in arcs) for v in order] for u in order]
        nodes = [order[i] for i in elkai.DistanceMatrix(matrix).solve_tsp(runs=RUNS)]
        return list(pairwise(nodes))

    def close(self) -> None:
        """Nothing is held."""


BACKENDS = (LkhBackend(),)
