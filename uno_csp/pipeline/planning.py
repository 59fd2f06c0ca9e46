"""Choice of the methods and backends that answer a question, and of their order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from uno_csp.errors import NotAccepted
from uno_csp.methods import (
    DEFAULT_BACKEND,
    algorithm_names,
    find_backend,
    find_method,
    require_available,
)
from uno_csp.pipeline.options import Options
from uno_csp.pipeline.stages import Solved, Task, decision, settle
from uno_csp.portfolio import Row, Way, row_for
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions import Instance
from uno_csp.questions.cards import MANY_HUBS, hub_count
from uno_csp.questions.wording import shown
from uno_csp.reductions import EARLY_STEPS, STEPS, Presolved, known_bound, reduce, trivial_bound

MANY_ENDS = 10_000  # maximum number of (card, hub) pairs of a hand that is reduced in this process


@dataclass(frozen=True, slots=True)
class Plan:
    """The combinations of method and backend to run, in the order in which they start."""

    row: Row  # the row of the portfolio that applies
    # each with its method, and its backend unless the method is an algorithm
    ways: tuple[Options, ...]
    # for each way, the CPU seconds of those before it after which it starts
    after_s: tuple[float, ...]
    # for each method of the row that does not take the instance, the reason
    declined: dict[str, str]


@dataclass(frozen=True, slots=True)
class Preparation:
    """The tasks of a question after presolve, and the lift of their answers."""

    presolved: Presolved  # the reductions that were made, which lift a witness
    # the answer, lifted, if reductions or a quick method found it; then there are no tasks
    decided: Solved | None
    tasks: tuple[Task, ...]  # the tasks of the race, in the order in which they start
    declined: dict[str, str]  # why preferred methods were passed over
    used: Options | None = None  # the options with the quick method, if one found the answer


def prepare(instance: Instance, options: Options, deadline: Deadline) -> Preparation:
    """Reduce a question as far as that is quick, and plan the rest; a tiny one is answered.

    Raises TimeUp if the deadline of a large one passes.
    """
    presolved = whole = Presolved(instance, None, ())
    plan = make_plan(instance, options, deadline)
    if plan.row.at_once:
        way = plan.ways[0]
        return Preparation(whole, settle(Task(instance, way, deadline)), (), {}, way)
    # Long reductions run in a worker, which can be ended, and where the result is needed.
    hubs = min(hub_count(instance.dimension, instance.at_least), MANY_HUBS)
    later = options.presolve and len(instance.cards) * hubs > MANY_ENDS
    if options.presolve:
        presolved = reduce(instance, EARLY_STEPS if later else STEPS)
    if presolved.decided is not None:
        return Preparation(whole, decision(presolved), (), {})
    if presolved.instance.question != instance.question:
        if (
            options.method is None
            or find_method(options.method).refusal(presolved.instance) is None
        ):
            plan = make_plan(presolved.instance, options, deadline)
        else:
            presolved = whole  # whoever names a method gets it
    bound = trivial_bound(presolved.instance) if options.presolve else None
    if options.presolve and not later:
        bound = known_bound(presolved.instance)
    tasks = (
        Task(presolved.instance, way, deadline, bound, later, after_s)
        for way, after_s in zip(plan.ways, plan.after_s, strict=True)
    )
    return Preparation(presolved, None, tuple(tasks), plan.declined)


def make_plan(instance: Instance, options: Options, deadline: Deadline = NEVER) -> Plan:
    """Choose the methods and backends that the options leave open, by the portfolio.

    Of a method that is named, the ways of the row with it run; of a backend that is named, those
    without one of their own.

    Raises UnknownName, NotAccepted or BackendUnavailable when a method or backend does not exist,
    does not take the question, or is not installed, and TimeUp if the deadline of a large question
    passes.
    """
    solver = require_available(find_backend(options.backend or DEFAULT_BACKEND)).name
    row = row_for(instance, at_once=options.leave_the_choice, deadline=deadline)
    declined: dict[str, str] = {}
    chosen: dict[Options, float] = {}
    for way in _open_ways(row, options):
        method = _first_taking(instance, way.methods, declined)
        if method is not None:
            backend = None if method in algorithm_names() else way.backend or solver
            chosen.setdefault(_options(options, method, backend), way.after_s)
    if not chosen and options.method is not None:
        refusal = find_method(options.method).refusal(instance)
        raise NotAccepted(f"method: {shown(options.method)} does not take this question: {refusal}")
    if not chosen:
        reasons = "; ".join(f"{name}: {refusal}" for name, refusal in declined.items())
        why = reasons or "there is none for this kind"
        raise NotAccepted(f"no method takes this question: {why}")
    return Plan(row, tuple(chosen), tuple(chosen.values()), declined)


def _open_ways(row: Row, options: Options) -> list[Way]:
    """Return the ways of a row that the options leave open; a named method runs in any case."""
    named, ways = options.method, [way for way in row.ways if _is_open(way, options)]
    if named is None:
        return ways
    ways = [replace(way, methods=(named,)) for way in ways if named in way.methods]
    return ways or [Way((find_method(named).name,))]


def _is_open(way: Way, options: Options) -> bool:
    """Return True unless the way has a backend that is not the one named, or not installed."""
    if way.backend is None:
        return True
    return options.backend is None and find_backend(way.backend).available()


def _first_taking(
    instance: Instance, methods: Sequence[str], declined: dict[str, str]
) -> str | None:
    """Return the first method that takes the instance, and note why others decline."""
    for name in methods:
        method = find_method(name)
        refusal = method.refusal(instance)
        if refusal is None:
            return name
        if isinstance(instance, method.takes):
            declined[name] = refusal
    return None


@lru_cache(64)
def _options(options: Options, method: str, backend: str | None) -> Options:
    """Return the options of one way; a backend without threads gets one worker."""
    if backend is None:
        return replace(options, method=method, backend=None, connectivity=None, workers=1)
    workers = options.workers if find_backend(backend).parallel else 1
    return replace(options, method=method, backend=backend, workers=workers)
