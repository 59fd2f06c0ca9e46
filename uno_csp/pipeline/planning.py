"""Which methods answer a question, and in which order they start."""

from dataclasses import dataclass, replace

from uno_csp.errors import NotAccepted
from uno_csp.pipeline.options import Options
from uno_csp.questions import Instance
from uno_csp.registry import (
    DEFAULT_BACKEND,
    algorithm_names,
    companions_for,
    find_backend,
    find_method,
    is_exact,
    methods_for,
    require_available,
)

OPTIMISER = "highs"
"""Races the default backend on optimisation questions."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The ways to go about a question, in the order in which they start.

    Each has a method, and a backend unless that is an algorithm. ``declined`` says why preferred
    methods were passed over.
    """

    ways: tuple[Options, ...]
    declined: dict[str, str]


def make_plan(instance: Instance, options: Options) -> Plan:
    """Choose what was left open.

    Encodings that prove only a no come before an exact one; what says that it is worth running
    beside the first comes second; for the optimisation questions two kinds of backend race.

    Raises
    ------
    UnknownName, NotAccepted, BackendUnavailable
        When what was asked for does not exist, does not fit, or is not installed.
    """
    method, backend = options.method, options.backend
    solver = require_available(find_backend(backend or DEFAULT_BACKEND)).name
    if method is not None:
        refusal = find_method(method).refusal(instance)
        if refusal is not None:
            raise NotAccepted(f"method {method!r} does not take this question: {refusal}")
        names, declined = [method], dict[str, str]()
    else:
        names, declined = _suitable(instance)
        names[1:1] = companions_for(instance)
    algorithms = algorithm_names()
    ways = [_way(options, name, None if name in algorithms else solver) for name in names]
    if instance.optimises and backend is None and find_backend(OPTIMISER).available():
        ways += [_way(options, name, OPTIMISER) for name in names if name not in algorithms]
    return Plan(tuple(ways), declined)


def _way(options: Options, method: str, backend: str | None) -> Options:
    """The options of one side of a race; a backend without threads has one worker."""
    threads = backend is not None and find_backend(backend).parallel
    workers = options.workers if threads else 1
    return replace(options, method=method, backend=backend, workers=workers)


def _suitable(instance: Instance) -> tuple[list[str], dict[str, str]]:
    """The methods that take the question, up to the first exact one."""
    names: list[str] = []
    declined = {}
    for name in methods_for(type(instance)):
        refusal = find_method(name).refusal(instance)
        if refusal is not None:
            declined[name] = refusal
            continue
        names.append(name)
        if is_exact(name):
            break
    if not names:
        told = "; ".join(f"{name}: {refusal}" for name, refusal in declined.items())
        raise NotAccepted(f"no method takes this question: {told or 'there is none for it'}")
    return names, declined
