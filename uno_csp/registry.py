"""What there is, by name: methods (encodings and algorithms), backends, and treatments of globals.

The files of the rooms are found by looking; other packages offer theirs under the entry points
``uno_csp.encodings``, ``uno_csp.algorithms`` and ``uno_csp.backends``. Questions and families are
found in the same way by their own rooms.
"""

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any, TypeAlias

import uno_csp.algorithms
import uno_csp.backends
import uno_csp.encodings
from uno_csp.errors import BackendUnavailable, UnknownName
from uno_csp.modeling import DECOMPOSITIONS, Algorithm, Backend, Encoder, Proof
from uno_csp.plug_ins import plug_ins
from uno_csp.questions import Instance


class _Listed(ModuleType):
    """A package of methods or backends that, called, gives their names."""

    def __call__(self) -> tuple[str, ...]:
        found: tuple[str, ...] = _NAMES[self.__name__]()
        return found


for _package in (uno_csp.encodings, uno_csp.algorithms, uno_csp.backends):
    _package.__class__ = _Listed

AnyEncoder: TypeAlias = Encoder[Any, Any]
AnyAlgorithm: TypeAlias = Algorithm[Any]

DEFAULT_ENCODING, DEFAULT_BACKEND = "hub-trail", "cadical195"
"""They are listed first."""

NATIVE, LAZY, EAGER = "native", "lazy", "eager"
CONNECTIVITY = (NATIVE, LAZY, EAGER, *DECOMPOSITIONS)
"""The treatments of global constraints: the three ways, and each decomposition by its name."""


def encoding_names() -> tuple[str, ...]:
    """The names of all encodings, the default first."""
    return tuple(_encoders())


def backend_names() -> tuple[str, ...]:
    """The names of all backends known here, the default first, installed or not.

    Besides these, ``dimacs:PROGRAM`` names any solver program on the PATH.
    """
    return tuple(_backends())


def algorithm_names() -> tuple[str, ...]:
    """The names of the algorithms, which are asked for like encodings and need no backend."""
    return tuple(_algorithms())


_NAMES: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "uno_csp.encodings": encoding_names,
    "uno_csp.algorithms": algorithm_names,
    "uno_csp.backends": backend_names,
}


def method_names() -> tuple[str, ...]:
    """The names of all methods: encodings, then algorithms."""
    return (*encoding_names(), *algorithm_names())


def methods_for(kind: type[Instance]) -> tuple[str, ...]:
    """The names of the methods chosen by themselves for a kind of question, the first one first.

    Where none claims to be worth it, all that take the kind.
    """
    found: list[AnyEncoder | AnyAlgorithm] = [*_encoders().values(), *_algorithms().values()]
    fitting = [method for method in found if issubclass(kind, method.takes)]
    preferences = [(method.preferred_for(kind), method.name) for method in fitting]
    ranked = sorted((rank, name) for rank, name in preferences if rank is not None)
    return tuple(name for _, name in ranked) or tuple(method.name for method in fitting)


def companions_for(instance: Instance) -> tuple[str, ...]:
    """The names of the methods that are worth running beside the one that is chosen."""
    found: list[AnyEncoder | AnyAlgorithm] = [*_encoders().values(), *_algorithms().values()]
    return tuple(
        method.name
        for method in found
        if isinstance(instance, method.takes)
        and method.accompanies(instance)
        and method.refusal(instance) is None
    )


def find_method(name: str) -> AnyEncoder | AnyAlgorithm:
    """The encoder or the algorithm of that name.

    Raises
    ------
    UnknownName
        With the names there are.
    """
    found = _encoders().get(name) or _algorithms().get(name)
    if found is None:
        raise UnknownName("method", name, method_names())
    return found


def find_algorithm(name: str) -> AnyAlgorithm:
    """The algorithm of that name.

    Raises
    ------
    UnknownName
        With the names there are.
    """
    try:
        return _algorithms()[name]
    except KeyError:
        raise UnknownName("algorithm", name, algorithm_names()) from None


def find_encoder(name: str) -> AnyEncoder:
    """The encoder of that name.

    Raises
    ------
    UnknownName
        With the names there are.
    """
    try:
        return _encoders()[name]
    except KeyError:
        raise UnknownName("encoding", name, encoding_names()) from None


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


def require_listed(name: str | None, more: Sequence[str] = ()) -> None:
    """Raise UnknownName unless a backend is one of those listed, or one of some more.

    A service asks this before it uses a name that came from a client: ``dimacs:PROGRAM`` runs any
    program on the PATH.
    """
    allowed = (*backend_names(), *more)
    if name is not None and name not in allowed:
        raise UnknownName("backend", name, allowed)


def is_exact(name: str) -> bool:
    """Whether a yes and a no of that method are both proved, and it gives one of them in time."""
    if name in _algorithms():
        return not find_algorithm(name).gives_up
    return find_encoder(name).proves is Proof.EXACT


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


_METHOD = ("name", "takes", "preference", "preferred_for", "refusal")


@cache
def _encoders() -> Mapping[str, AnyEncoder]:
    found = [module.ENCODER for module in _modules(uno_csp.encodings)]
    needed = (*_METHOD, "proves", "encode", "decode", "meanings", "mend")
    found += plug_ins(
        "uno_csp.encodings", needed, [encoder.name for encoder in found], _require_encoder
    )
    found.sort(key=lambda encoder: (encoder.name != DEFAULT_ENCODING, encoder.name))
    return MappingProxyType({encoder.name: encoder for encoder in found})


@cache
def _algorithms() -> Mapping[str, AnyAlgorithm]:
    found = [
        module.ALGORITHM for module in _modules(uno_csp.algorithms) if hasattr(module, "ALGORITHM")
    ]
    taken = [*_encoders(), *(algorithm.name for algorithm in found)]
    found += plug_ins("uno_csp.algorithms", (*_METHOD, "run"), taken, _require_method)
    return MappingProxyType({algorithm.name: algorithm for algorithm in found})


@cache
def _backends() -> Mapping[str, Backend]:
    found = [backend for module in _modules(uno_csp.backends) for backend in module.BACKENDS]
    needed = (
        "name",
        "summary",
        "native_globals",
        "parallel",
        "minimises",
        "most_links",
        "available",
        "install_hint",
        "version",
        "open",
    )
    found += plug_ins(
        "uno_csp.backends", needed, [backend.name for backend in found], _require_backend
    )
    found.sort(key=lambda backend: (backend.name != DEFAULT_BACKEND, ":" in backend.name))
    return MappingProxyType({backend.name: backend for backend in found})


def _require_method(offered: Any) -> None:
    """What the choice of a method relies on."""
    if isinstance(offered, type):
        raise TypeError("it is a class; an object of it is wanted")
    if not isinstance(offered.takes, tuple) or not all(isinstance(t, type) for t in offered.takes):
        raise TypeError("takes is a tuple of question types")
    if not isinstance(offered.preference, int | None):
        raise TypeError("preference is an integer or None")


def _require_encoder(offered: Any) -> None:
    """What is said of an answer rests on what it proves."""
    _require_method(offered)
    if not isinstance(offered.proves, Proof):
        raise TypeError("proves is one of Proof")


def _require_backend(offered: Any) -> None:
    """What every use of a backend begins with."""
    if isinstance(offered, type):
        raise TypeError("it is a class; an object of it is wanted")
    offered.available()
    dict(offered.most_links)


@cache
def _resolvers() -> tuple[Callable[[str], Backend | None], ...]:
    return tuple(
        module.resolve for module in _modules(uno_csp.backends) if hasattr(module, "resolve")
    )


def _modules(package: ModuleType) -> list[ModuleType]:
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return [
        import_module(f"{package.__name__}.{name}") for name in names if not name.startswith("_")
    ]
