"""Which methods answer a question, and in which order they start."""

from dataclasses import dataclass

from uno_csp.errors import NotAccepted
from uno_csp.instances import Cooperative, FillIn, Instance, Longest, Uncooperative
from uno_csp.registry import (
    Proof,
    algorithms,
    backends,
    encodings,
    find_backend,
    find_encoder,
    find_method,
    require_available,
)

_BY_QUESTION = {
    Cooperative.question: ("free-turns", "turns"),
    Uncooperative.question: ("matching", "game-search"),
}
_FOR_ONE_HAND = ("hub-trail", "successor")
OPTIMISER = "highs"
"""Races the default backend on optimisation questions."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Pairs of a method and a backend (None for an algorithm), in the order in which they start.

    ``declined`` says why preferred encodings were passed over.
    """

    methods: tuple[tuple[str, str | None], ...]
    declined: dict[str, str]


def make_plan(instance: Instance, encoding: str | None, backend: str | None) -> Plan:
    """Choose what was left open.

    Encodings that prove only a yes, or only a no, come before an exact one; for the optimisation
    questions two kinds of backend race.

    Raises
    ------
    UnknownName, NotAccepted, BackendUnavailable
        When what was asked for does not exist, does not fit, or is not installed.
    """
    solver = require_available(find_backend(backend or backends()[0])).name
    if encoding is not None:
        refusal = find_method(encoding).accepts(instance)
        if refusal is not None:
            raise NotAccepted(f"encoding {encoding!r} does not take this question: {refusal}")
        names, declined = [encoding], dict[str, str]()
    else:
        names, declined = _suitable(instance)
    methods: list[tuple[str, str | None]] = [
        (name, None if name in algorithms() else solver) for name in names
    ]
    optimising = isinstance(instance, Longest | FillIn)
    if optimising and backend is None and find_backend(OPTIMISER).available():
        methods += [(name, OPTIMISER) for name in names]
    return Plan(tuple(methods), declined)


def _suitable(instance: Instance) -> tuple[list[str], dict[str, str]]:
    """The methods that take the question, up to the first exact one."""
    preferred = _BY_QUESTION.get(instance.question, _FOR_ONE_HAND)
    names: list[str] = []
    declined = {}
    for name in preferred:
        refusal = find_method(name).accepts(instance)
        if refusal is not None:
            declined[name] = refusal
            continue
        names.append(name)
        if name in algorithms() or find_encoder(name).proves == Proof.EXACT:
            break
    if not names:
        told = "; ".join(f"{name}: {refusal}" for name, refusal in declined.items())
        raise NotAccepted(f"no encoding takes this question: {told}")
    return names, declined


def method_names() -> tuple[str, ...]:
    """Everything that can be asked for as an encoding."""
    return (*encodings(), *algorithms())
