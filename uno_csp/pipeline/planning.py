"""Choice of the methods and backends that answer a question, and of their order."""

from dataclasses import dataclass, replace
from functools import lru_cache

from uno_csp.errors import NotAccepted
from uno_csp.hub_graph.incidence import is_graph
from uno_csp.methods import (
    ALGORITHMS,
    DEFAULT_BACKEND,
    algorithm_names,
    companions_for,
    find_backend,
    find_method,
    is_exact,
    leaders_for,
    methods_for,
    require_available,
    settling_method,
)
from uno_csp.pipeline.options import Options
from uno_csp.pipeline.stages import Solved, Task, decision, settle
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import HandQuestion, Instance
from uno_csp.questions.cards import MANY_HUBS, hub_count
from uno_csp.reductions import STEPS, Presolved, known_bound, reduce

MANY_ENDS = 10_000
"""Maximum number of (card, hub) pairs of a hand that is reduced in this process."""

OPTIMISER = "highs"
"""Backend that races the default one on optimisation questions."""

CIRCUITS = ("successor", "cp-sat")
"""Method and backend that join the race on small ones, and where a hand is a graph: constraint
programming over the pairs of cards is best where few cards match, and where several must be added
between two."""

FEW_CARDS = 100
"""Maximum number of cards, with those of a supply, for :data:`CIRCUITS` in an optimisation."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The combinations of method and backend to run, in the order in which they start.

    Each has a method, and a backend unless the method is an algorithm. The first ``leaders`` of
    them answer at once, on instances of this shape, or take much longer than the next. ``declined``
    gives, for each preferred method that does not take the instance, the reason.
    """

    ways: tuple[Options, ...]
    declined: dict[str, str]
    leaders: int = 0


@dataclass(frozen=True, slots=True)
class Preparation:
    """The tasks of a question after presolve, and the lift of their answers.

    Parameters
    ----------
    presolved
        The reductions that were made, which lift a witness.
    decided
        The answer, lifted, if reductions or a quick method found it; then there are no tasks.
    tasks
        The tasks of the race, in the order in which they start.
    declined
        Why preferred methods were passed over.
    used
        The options with the quick method, if one found the answer.
    """

    presolved: Presolved
    decided: Solved | None
    tasks: tuple[Task, ...]
    declined: dict[str, str]
    used: Options | None = None


def prepare(instance: Instance, options: Options, deadline: Deadline) -> Preparation:
    """Reduce a question as far as that is quick, and plan the rest; a tiny one is answered.

    Raises
    ------
    UnknownName, NotAccepted, BackendUnavailable
        As :func:`make_plan`.
    """
    presolved = whole = Presolved(instance, None, ())
    quick = settling_method(instance) if options.leave_the_choice else None
    if quick is not None:
        way = _way(options, quick, None)
        return Preparation(whole, settle(Task(instance, way, deadline)), (), {}, way)
    plan = make_plan(instance, options)
    # Long reductions run in a worker, which can be ended, and where the result is needed.
    hubs = min(hub_count(instance.dimension, instance.at_least), MANY_HUBS)
    later = options.presolve and len(instance.cards) * hubs > MANY_ENDS
    if options.presolve:
        presolved = reduce(instance, STEPS[:1] if later else STEPS)
    if presolved.decided is not None:
        return Preparation(whole, decision(presolved), (), {})
    if presolved.instance.question != instance.question:
        if (
            options.method is None
            or find_method(options.method).refusal(presolved.instance) is None
        ):
            plan = make_plan(presolved.instance, options)
        else:
            presolved = whole  # whoever names a method gets it
    bound = known_bound(presolved.instance) if options.presolve and not later else None
    tasks = (
        Task(presolved.instance, way, deadline, bound, later, leads=place < plan.leaders)
        for place, way in enumerate(plan.ways)
    )
    return Preparation(presolved, None, tuple(tasks), plan.declined)


def make_plan(instance: Instance, options: Options) -> Plan:
    """Choose the methods and backends that the options leave open.

    Encodings that prove only a no come before an exact one. A method that is quick on such an
    instance leads; a companion, a method worth running beside the first, comes after it. On
    optimisation questions two kinds of backend race, and on small ones a third.

    Raises
    ------
    UnknownName, NotAccepted, BackendUnavailable
        When a method or backend does not exist, does not take the question, or is not installed.
    """
    method, backend = options.method, options.backend
    solver, names, declined = require_plan(instance, options)
    leaders: list[Options] = []
    if method is None:
        before = [name for name in leaders_for(instance) if name not in names]
        leaders = [_way(options, name, solver) for name in before]
        place = 0 if leaders else 1  # behind the method that is expected to answer first
        names[place:place] = companions_for(instance)
    algorithms = algorithm_names()
    ways = [_way(options, name, None if name in algorithms else solver) for name in names]
    circuits = [_way(options, *CIRCUITS)] if _suits_circuits(instance) else []
    if leaders and backend is None:
        ways[:0] = circuits
    if instance.optimises and backend is None and find_backend(OPTIMISER).available():
        relaxed = [_way(options, name, OPTIMISER) for name in names if _suits_optimiser(name)]
        if _is_graph(instance):
            leaders = relaxed  # the relaxation is tight there, and clauses have to count
        else:
            ways += relaxed
        if method is None and instance.size <= FEW_CARDS:
            ways += circuits
    return Plan((*leaders, *ways), declined, len(leaders))


def require_plan(instance: Instance, options: Options) -> tuple[str, list[str], dict[str, str]]:
    """Return the backend, the methods up to the first exact one, and why others were declined.

    Raises
    ------
    UnknownName, NotAccepted, BackendUnavailable
        As :func:`make_plan`.
    """
    method = options.method
    solver = require_available(find_backend(options.backend or DEFAULT_BACKEND)).name
    if method is None:
        return solver, *_suitable(instance)
    refusal = find_method(method).refusal(instance)
    if refusal is not None:
        raise NotAccepted(f"method {method!r} does not take this question: {refusal}")
    return solver, [method], {}


def _suits_optimiser(name: str) -> bool:
    return name not in algorithm_names() and find_method(name).suits_relaxations


def _is_graph(instance: Instance) -> bool:
    return isinstance(instance, HandQuestion) and is_graph(instance.cards, instance.at_least)


def _suits_circuits(instance: Instance) -> bool:
    method, backend = CIRCUITS
    takes = find_backend(backend).available() and method in methods_for(type(instance))
    return takes and find_method(method).refusal(instance) is None


@lru_cache(64)
def _way(options: Options, method: str, backend: str | None) -> Options:
    """Return the options of one side of a race; a backend without threads gets one worker."""
    threads = backend is not None and find_backend(backend).parallel
    workers = options.workers if threads else 1
    return replace(options, method=method, backend=backend, workers=workers)


def _suitable(instance: Instance) -> tuple[list[str], dict[str, str]]:
    """Return the methods that take the question, up to the first exact one, and the refusals."""
    names: list[str] = []
    declined = {}
    for name in methods_for(type(instance)):
        refusal = find_method(name).refusal(instance)
        if refusal is not None:
            declined[name] = refusal
            continue
        names.append(name)
        if is_exact(name) or (name in ALGORITHMS and ALGORITHMS[name].finishes(instance)):
            break
    if not names:
        reasons = "; ".join(f"{name}: {refusal}" for name, refusal in declined.items())
        why = reasons or "there is none for this kind"
        raise NotAccepted(f"no method takes this question: {why}")
    return names, declined
