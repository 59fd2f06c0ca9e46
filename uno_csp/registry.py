"""Encodings, algorithms and backends by name.

An encoding is a module in ``encodings/`` with an ``ENCODER``, an algorithm one in
``uno_csp/algorithms`` with an ``ALGORITHM``, a backend family one in ``uno_csp/backends`` with
``BACKENDS``; adding one is adding a file. Other packages add theirs
through the entry-point groups ``uno_csp.encodings`` and ``uno_csp.backends``, each entry point
being an encoder or a backend object. Nothing here loads a solver.
"""

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType, ModuleType
from typing import Any, Protocol

import uno_csp.algorithms
import uno_csp.backends
import uno_csp.encodings
from uno_csp.algorithms import Algorithm
from uno_csp.backends import Backend
from uno_csp.errors import BackendUnavailable, UnknownName
from uno_csp.instances import Instance, Witness
from uno_csp.modeling import DECOMPOSITIONS, Assignment, Encoded

# The package ``uno_csp`` has functions of these names too, so the modules are kept here.
_ENCODINGS, _BACKENDS = uno_csp.encodings, uno_csp.backends
_ALGORITHMS = uno_csp.algorithms

NATIVE, LAZY, EAGER = "native", "lazy", "eager"
CONNECTIVITY = (NATIVE, LAZY, EAGER, *DECOMPOSITIONS)
"""The treatments of global constraints: the three ways, and each decomposition by its name."""


class Proof(StrEnum):
    """What an answer of an encoding's model says about the question."""

    EXACT = "exact"
    YES_ONLY = "sufficient only"
    NO_ONLY = "necessary only"


class Encoder(Protocol):
    """A viewpoint: turns an instance into a model and an assignment back into a witness."""

    @property
    def name(self) -> str:
        """The name it is asked for by."""

    @property
    def proves(self) -> str:
        """One of :class:`Proof`."""

    def accepts(self, instance: Instance) -> str | None:
        """None, or why this encoder does not take the instance."""

    def encode(self, instance: Instance) -> Encoded[Any]:
        """The model, with what decoding needs."""

    def decode(self, encoded: Encoded[Any], assignment: Assignment) -> Witness | None:
        """The witness an assignment of the model stands for.

        None only for an encoding that proves no yes, when the assignment is none.
        """

    def meanings(self, encoded: Encoded[Any]) -> Iterator[tuple[int, str]]:
        """What variables mean, in words; those left out are auxiliary."""

    def mend(self, encoded: Encoded[Any], assignment: Assignment) -> Witness | None:
        """A witness near an assignment that breaks only the globals; None where there is none."""


def encodings() -> tuple[str, ...]:
    """The names of all encodings, the default first."""
    return tuple(_encoders())


def backends() -> tuple[str, ...]:
    """The names of all backends known here, the default first, installed or not.

    Besides these, ``dimacs:PROGRAM`` names any solver program on the PATH.
    """
    return tuple(_backends())


def algorithms() -> tuple[str, ...]:
    """The names of the algorithms, which are asked for like encodings and need no backend."""
    return tuple(_algorithms())


def find_method(name: str) -> Encoder | Algorithm:
    """The encoder or the algorithm of that name.

    Raises
    ------
    UnknownName
        With the names there are.
    """
    found = _encoders().get(name) or _algorithms().get(name)
    if found is None:
        raise UnknownName("encoding", name, (*encodings(), *algorithms()))
    return found


def find_algorithm(name: str) -> Algorithm:
    """The algorithm of that name.

    Raises
    ------
    UnknownName
        With the names there are.
    """
    try:
        return _algorithms()[name]
    except KeyError:
        raise UnknownName("algorithm", name, algorithms()) from None


def find_encoder(name: str) -> Encoder:
    """The encoder of that name.

    Raises
    ------
    UnknownName
        With the names there are.
    """
    try:
        return _encoders()[name]
    except KeyError:
        raise UnknownName("encoding", name, encodings()) from None


def find_backend(name: str) -> Backend:
    """The backend of that name, whether or not it is installed.

    Raises
    ------
    UnknownName
        With the names there are.
    """
    known = _backends()
    if name in known:
        return known[name]
    for resolve in _resolvers():
        found = resolve(name)
        if found is not None:
            return found
    raise UnknownName("backend", name, [*known, "dimacs:PROGRAM"])


def require_available(backend: Backend) -> Backend:
    """The backend itself.

    Raises
    ------
    BackendUnavailable
        If it is not installed, with what to type.
    """
    if not backend.available():
        raise BackendUnavailable(
            f"backend {backend.name!r} is not installed; {backend.install_hint()}"
        )
    return backend


def find_connectivity(name: str) -> str:
    """The treatment of that name, ``eager`` being spelt out.

    Raises
    ------
    UnknownName
        With the names there are.
    """
    if name not in CONNECTIVITY:
        raise UnknownName("connectivity", name, CONNECTIVITY)
    return next(iter(DECOMPOSITIONS)) if name == EAGER else name


@cache
def _encoders() -> Mapping[str, Encoder]:
    found = [module.ENCODER for module in _modules(_ENCODINGS)]
    found += [entry.load() for entry in entry_points(group="uno_csp.encodings")]
    found.sort(key=lambda encoder: (encoder.name != "hub-trail", encoder.name))
    return MappingProxyType({encoder.name: encoder for encoder in found})


@cache
def _algorithms() -> Mapping[str, Algorithm]:
    found = [module.ALGORITHM for module in _modules(_ALGORITHMS) if hasattr(module, "ALGORITHM")]
    return MappingProxyType({algorithm.name: algorithm for algorithm in found})


@cache
def _backends() -> Mapping[str, Backend]:
    found = [backend for module in _modules(_BACKENDS) for backend in module.BACKENDS]
    found += [entry.load() for entry in entry_points(group="uno_csp.backends")]
    found.sort(key=lambda backend: (backend.name != "cadical195", ":" in backend.name))
    return MappingProxyType({backend.name: backend for backend in found})


@cache
def _resolvers() -> tuple[Callable[[str], Backend | None], ...]:
    return tuple(module.resolve for module in _modules(_BACKENDS) if hasattr(module, "resolve"))


def _modules(package: ModuleType) -> list[ModuleType]:
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return [
        import_module(f"{package.__name__}.{name}") for name in names if not name.startswith("_")
    ]
