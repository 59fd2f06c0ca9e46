"""The stages that may take long: encode, treat the globals, solve, decode."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from uno_csp.backends import Backend, Outcome
from uno_csp.cards import Card
from uno_csp.errors import NotAccepted
from uno_csp.instances import Instance
from uno_csp.modeling import DECOMPOSITIONS, Model, decompose, relax
from uno_csp.pipeline.cut_loop import ProgressListener, solve_with_cuts
from uno_csp.registry import LAZY, NATIVE, find_backend, find_connectivity, find_encoder


@dataclass(frozen=True, slots=True)
class Task:
    """What to solve and how; everything in it can be sent to another process.

    ``connectivity`` None means native where the backend can, else lazy. ``time_limit_s`` is for
    solvers that can stop themselves.
    """

    instance: Instance
    encoding: str
    backend: str
    connectivity: str | None = None
    seed: int = 0
    workers: int = 1
    time_limit_s: float | None = None


@dataclass(frozen=True, slots=True)
class Solved:
    """What came out: a sequence for a yes; the treatment that was used, None without globals."""

    outcome: Outcome
    sequence: tuple[Card, ...] | None
    reason: str
    connectivity: str | None
    stats: Mapping[str, Any]


def run(task: Task, on_progress: ProgressListener | None = None) -> Solved:
    """Encode, solve and decode.

    Raises
    ------
    NotAccepted
        If the backend cannot treat the globals of the model in the way asked for.
    """
    encoder = find_encoder(task.encoding)
    backend = find_backend(task.backend)
    encoded = encoder.encode(task.instance)
    model = encoded.model
    treatment = choose_treatment(model, backend, task.connectivity)
    plain = _treated(model, treatment)
    session = backend.open(plain, seed=task.seed, workers=task.workers)
    try:
        enforced = model if treatment == LAZY else Model()
        loop = solve_with_cuts(session, enforced, task.time_limit_s, on_progress)
    finally:
        session.close()
    result = loop.result
    sequence = None
    if result.assignment is not None:
        sequence = encoder.decode(encoded, result.assignment)
    stats = {
        "variables": plain.num_vars,
        "clauses": len(plain.clauses),
        "linear_constraints": len(plain.linears),
        "parities": len(plain.parities),
        "rounds": loop.rounds,
        "cuts": loop.cuts,
        "solver_wall_s": round(result.wall_s, 6),
        "native_status": result.native_status,
        "solver": dict(result.stats),
    }
    return Solved(result.outcome, sequence, result.stop_reason, treatment, stats)


def choose_treatment(model: Model, backend: Backend, asked: str | None) -> str | None:
    """How the globals of this model are treated on this backend; None if it has none.

    Raises
    ------
    NotAccepted
        If ``native`` is asked for and the backend has no such constraint.
    """
    treatment = None if asked is None else find_connectivity(asked)
    if not model.globals:
        return None
    foreign = [type(each) for each in model.globals if type(each) not in backend.native_globals]
    if treatment is None:
        return LAZY if foreign else NATIVE
    if treatment == NATIVE and foreign:
        raise NotAccepted(
            f"backend {backend.name!r} has no native constraint {foreign[0].__name__.lower()!r}; "
            f"connectivity may be {', '.join((LAZY, *DECOMPOSITIONS))}"
        )
    return treatment


def _treated(model: Model, treatment: str | None) -> Model:
    if treatment is None or treatment == NATIVE:
        return model
    return relax(model) if treatment == LAZY else decompose(model, treatment)
