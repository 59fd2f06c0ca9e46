"""Methods (encodings and algorithms), backends and kinds of connectivity by name.

Other packages offer theirs under the entry points ``uno_csp.encodings``, ``uno_csp.algorithms`` and
``uno_csp.backends``.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType, ModuleType
from typing import Any, TypeAlias

import uno_csp.algorithms
import uno_csp.backends
import uno_csp.encodings
from uno_csp.errors import BackendUnavailable, UnknownName, require_known
from uno_csp.modeling import (
    DECOMPOSITIONS,
    Algorithm,
    Backend,
    Encoded,
    Encoder,
    Finding,
    Method,
    Proof,
)
from uno_csp.questions import Instance
from uno_csp.questions.answers import Witness
from uno_csp.registry import Guarded, Kind, Registry, instances_of, modules_of, require_object

AnyEncoder: TypeAlias = Encoder[Any, Any]
AnyAlgorithm: TypeAlias = Algorithm[Any]

DEFAULT_ENCODING, DEFAULT_BACKEND = "hub-trail", "cadical195"
"""Default encoding and backend; they are listed first."""

NATIVE, LAZY, EAGER = "native", "lazy", "eager"
CONNECTIVITY = (NATIVE, LAZY, EAGER, *DECOMPOSITIONS)  # the three ways, and each decomposition


def _require_method(offered: Any) -> None:
    """Check what the choice of a method, and the status of an answer, rely on."""
    require_object(offered)
    if not isinstance(offered, Method):
        raise TypeError("it is neither an Encoder nor an Algorithm")
    if not isinstance(offered.takes, tuple) or not all(isinstance(t, type) for t in offered.takes):
        raise TypeError("takes must be a tuple of question types")
    if not isinstance(offered.proves, Proof):
        raise TypeError("proves must be a member of Proof")
    if isinstance(offered, Algorithm):
        kind = type(offered)
        if (kind.run, kind.run_until) == (Algorithm.run, Algorithm.run_until):
            raise TypeError("it has neither run nor run_until")


def _require_backend(offered: Any) -> None:
    require_object(offered)
    if not isinstance(offered, Backend):
        raise TypeError("it is no Backend")
    offered.available()
    dict(offered.most_links)


_RESULTS: Mapping[str, Kind] = MappingProxyType(
    {
        "refusal": str | None,
        **dict.fromkeys(("encode", "encode_kernel"), Encoded),
        "decode": Witness | None,
        **dict.fromkeys(("run", "run_until", "run_reporting"), Finding),
    }
)
"""Types of what the functions of methods return."""


def _guard(offered: Any, title: str) -> Guarded:
    """Return what stands for a method of another package."""
    return Guarded(offered, title, _RESULTS)


ENCODINGS: Registry[AnyEncoder] = Registry(
    "encoding",
    "uno_csp.encodings",
    instances_of(Encoder),
    require=_require_method,
    order=lambda encoder: (encoder.name != DEFAULT_ENCODING, encoder.name),
    taken=lambda name: name in ALGORITHMS.own,
    guard=_guard,
)

ALGORITHMS: Registry[AnyAlgorithm] = Registry(
    "algorithm",
    "uno_csp.algorithms",
    instances_of(Algorithm),
    require=_require_method,
    taken=lambda name: name in ENCODINGS,
    guard=_guard,
)

BACKENDS: Registry[Backend] = Registry(
    "backend",
    "uno_csp.backends",
    instances_of(Backend),
    require=_require_backend,
    order=lambda backend: (backend.name != DEFAULT_BACKEND, ":" in backend.name),
    guard=Guarded,
)


class _Listed(ModuleType):
    """A package of methods or backends that, called, returns their names."""

    def __call__(self) -> tuple[str, ...]:
        return tuple(_REGISTRIES[self.__name__])


_REGISTRIES: Mapping[str, Registry[Any]] = {
    "uno_csp.encodings": ENCODINGS,
    "uno_csp.algorithms": ALGORITHMS,
    "uno_csp.backends": BACKENDS,
}
for _package in (uno_csp.encodings, uno_csp.algorithms, uno_csp.backends):
    _package.__class__ = _Listed


def encoding_names() -> tuple[str, ...]:
    """Return the names of all encodings, the default first."""
    return tuple(ENCODINGS)


def backend_names() -> tuple[str, ...]:
    """Return the names of all backends known here, the default first, installed or not.

    Besides these, ``dimacs:PROGRAM`` names any solver program on the PATH, and ``cpmpy:NAME`` a
    solver that CPMpy drives.
    """
    return tuple(BACKENDS)


def algorithm_names() -> tuple[str, ...]:
    """Return the names of the algorithms, which are methods that need no backend."""
    return tuple(ALGORITHMS)


def method_names() -> tuple[str, ...]:
    """Return the names of all methods: encodings, then algorithms."""
    return (*ENCODINGS, *ALGORITHMS)


def methods_taking(kind: type[Instance]) -> tuple[str, ...]:
    """Return the names of the methods that take a type of question, exact ones first."""
    methods = [*ENCODINGS.values(), *ALGORITHMS.values()]
    names = [method.name for method in methods if issubclass(kind, method.takes)]
    return tuple(sorted(names, key=lambda name: not is_exact(name)))


def find_method(name: str) -> AnyEncoder | AnyAlgorithm:
    """Return the encoder or the algorithm of that name, or raise UnknownName."""
    found = ENCODINGS.get(name) or ALGORITHMS.get(name)
    if found is None:
        raise UnknownName("method", name, method_names())
    return found


def find_backend(name: str) -> Backend:
    """Return the backend of that name, installed or not, or raise UnknownName."""
    found = BACKENDS.get(name)
    for resolve in () if found else _resolvers():
        found = found or resolve(name)
    if found is None:
        raise UnknownName("backend", name, [*BACKENDS, "dimacs:PROGRAM", "cpmpy:NAME"])
    return found


@cache
def _resolvers() -> tuple[Callable[[str], Backend | None], ...]:
    """Return what modules offer for the backends of names that are not known in advance."""
    modules = modules_of("uno_csp.backends")
    return tuple(module.resolve for module in modules if hasattr(module, "resolve"))


def require_listed(name: str | None, more: Sequence[str] = ()) -> None:
    """Raise UnknownName unless a backend, named by a client, is listed or one of some more."""
    if name is not None:
        require_known("backend", name, (*backend_names(), *more))


def is_exact(name: str) -> bool:
    """Return True if the method proves both a yes and a no, and does not give up early."""
    if name in ALGORITHMS:
        return not ALGORITHMS[name].gives_up
    return ENCODINGS.find(name).proves is Proof.EXACT


def require_available(backend: Backend) -> Backend:
    """Return the backend; raise BackendUnavailable, with the command, if it is missing."""
    if not backend.available():
        raise BackendUnavailable(
            f"backend {backend.name!r} is not installed; {backend.install_hint()}"
        )
    return backend


def find_connectivity(name: str) -> str:
    """Return the connectivity of that name; ``eager`` is its default decomposition."""
    require_known("connectivity", name, CONNECTIVITY)
    return next(iter(DECOMPOSITIONS)) if name == EAGER else name
