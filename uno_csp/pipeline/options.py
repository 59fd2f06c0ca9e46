"""The options of a run: one immutable value, built once and passed on whole."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from inspect import Parameter, signature
from numbers import Real
from os import PathLike, fspath
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Any,
    SupportsFloat,
    SupportsIndex,
    TypedDict,
    TypeVar,
    get_args,
)

from uno_csp.errors import NotAccepted, meant
from uno_csp.methods import algorithm_names, find_backend, find_connectivity
from uno_csp.questions.arguments import Kind, limit_of, plain_value, require_kind, seed_of
from uno_csp.questions.wording import shown

if TYPE_CHECKING:
    import numpy as np

MOST_WORKERS = 256  # some solvers refuse a thousand, others start them all


FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


class Choices(TypedDict, total=False):
    """Type of the options when they are passed as keyword arguments."""

    method: str | None
    backend: str | None
    connectivity: str | None
    time_limit_s: SupportsFloat | None
    memory_limit_mb: SupportsFloat | None
    seed: SupportsIndex
    workers: SupportsIndex
    presolve: "bool | np.bool_"
    proof: str | PathLike[str] | None
    strict: "bool | np.bool_"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a run.

    Parameters
    ----------
    method, backend, connectivity
        Names, or None to let ``solve`` choose; the answer states what was used. A method is an
        encoding or an algorithm. If several combinations are planned, they race, each in a child
        process.
    time_limit_s
        Wall-clock limit in seconds, not counting the time to load the solver. At the limit the
        answer is UNKNOWN with that reason; for an optimisation question it has the incumbent and
        the best bound.
    memory_limit_mb
        Memory limit in MB for all solving processes together. Memory is sampled, so they may
        exceed the limit for a moment. At the limit the answer is as at the time limit.
    seed
        Seed of the solver. With a method and a backend given, the same seed on one worker repeats
        the run; otherwise several may race, and which one is first differs.
    workers
        Number of threads, for backends that support them. If the backend is left open, members of
        the race that do not support threads use one.
    presolve
        Whether reductions may decide or shrink the question first. Turn this off to measure an
        encoding and a backend by themselves.
    proof
        Folder for a certificate of a no or an optimum, see :func:`uno_csp.certify`. The search for
        a proof starts after the answer, and has what is left of the time limit.
    strict
        Whether the certificate must not rely on cuts; for small questions only.

    Raises
    ------
    NotAccepted
        When a value is out of range, several workers are given for a single-threaded backend, or
        ``strict`` is given without ``proof``.
    UnknownName
        When there is no such connectivity.
    """

    method: str | None = None
    backend: str | None = None
    connectivity: str | None = None
    time_limit_s: float | None = None
    memory_limit_mb: float | None = None
    seed: int = 0
    workers: int = 1
    presolve: bool = True
    proof: str | PathLike[str] | None = None
    strict: bool = False

    if TYPE_CHECKING:

        def __init__(  # noqa: PLR0913, PLR0917 (one for each option)
            self,
            method: str | None = None,
            backend: str | None = None,
            connectivity: str | None = None,
            time_limit_s: SupportsFloat | None = None,
            memory_limit_mb: SupportsFloat | None = None,
            seed: SupportsIndex = 0,
            workers: SupportsIndex = 1,
            presolve: bool | np.bool_ = True,
            proof: str | PathLike[str] | None = None,
            strict: bool | np.bool_ = False,
        ) -> None: ...

    def __post_init__(self) -> None:
        self._require_types()
        if self.proof is not None:
            object.__setattr__(self, "proof", fspath(self.proof))
        for name in ("time_limit_s", "memory_limit_mb"):
            limit = getattr(self, name)
            if limit is not None:
                object.__setattr__(self, name, limit_of(name, limit))
        if self.strict and self.proof is None:
            raise NotAccepted("strict needs a folder for the proof")
        seed_of(self.seed)
        if not 1 <= self.workers <= MOST_WORKERS:
            said = shown(self.workers)
            raise NotAccepted(f"workers must be from 1 to {MOST_WORKERS}, not {said}")
        named = self.backend
        if named == "":
            find_backend(named)  # which is an error, not the default
        if named is not None and self.workers > 1 and not find_backend(named).parallel:
            raise NotAccepted(f"backend {named!r} runs on one thread; workers must be 1")
        if self.connectivity is not None:
            find_connectivity(self.connectivity)
        self._require_of_encodings("backend", "connectivity")

    def _require_of_encodings(self, *names: str) -> None:
        """Raise NotAccepted if an option that only encodings have is given for an algorithm."""
        for name in names:
            if getattr(self, name) is not None and self.method in algorithm_names():
                raise NotAccepted(f"{name}: {self.method} is an algorithm, which takes none")

    def _require_types(self) -> None:
        """Raise unless every option has its type; None is allowed only where it is the default.

        What stands for an integer becomes one.
        """
        for each in fields(self):
            value = plain_value(getattr(self, each.name))
            object.__setattr__(self, each.name, value)
            if value is not None or each.default is not None:
                require_kind(each.name, value, _kinds()[each.name])

    @staticmethod
    def of(named: Mapping[str, Any]) -> "Options":
        """Return options given by name; see :class:`Choices`.

        Raises
        ------
        NotAccepted
            When a value is not allowed, or a name is not that of an option.
        """
        known = [each.name for each in fields(Options)]
        for name in named:
            if name not in known:
                listed = ", ".join(known)
                raise NotAccepted(
                    f"there is no option {name!r}; {meant(name, known)}there are: {listed}"
                )
        return Options(**named)

    @staticmethod
    def given(options: "Options | None", named: Mapping[str, Any]) -> "Options":
        """Return options that are passed as an object or by name.

        Raises
        ------
        NotAccepted
            When both are given, or ``options`` is not an :class:`Options`.
        """
        usual = {each.name: each.default for each in fields(Options)}
        named = {name: value for name, value in named.items() if value is not usual.get(name, ...)}
        if options is None:
            return Options.of(named) if named else _default()
        require_kind("options", options, Options, "a uno_csp.Options")
        if named:
            raise NotAccepted("pass an Options object or options by name, not both")
        return options

    @property
    def leave_the_choice(self) -> bool:
        """True if neither method, backend nor connectivity is given, and presolve is on."""
        return self.method is self.backend is self.connectivity is None and self.presolve

    def to_dict(self) -> dict[str, Any]:
        """Return the options that differ from their defaults, ready for JSON."""
        return {
            each.name: value
            for each in fields(self)
            if (value := getattr(self, each.name)) != each.default
        }


@cache
def _default() -> Options:
    return Options()


@cache
def _kinds() -> Mapping[str, Kind]:
    return {each.name: _kind_of(each.type) for each in fields(Options)}


def _kind_of(annotation: Any) -> Kind:
    kinds = [kind for kind in get_args(annotation) or (annotation,) if kind is not NoneType]
    if len(kinds) > 1:
        return str | PathLike
    kind: type = kinds[0]
    return Real if kind is float else kind


def takes_options(function: FunctionT) -> FunctionT:
    """Let the signature of a function with ``**chosen`` name every option."""
    found = signature(function)
    own = [each for each in found.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    options = [
        Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=each.type)
        for each in fields(Options)
    ]
    function.__signature__ = found.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    return function
