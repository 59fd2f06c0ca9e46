"""How a question is to be gone about: one value, built once and handed on whole."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from numbers import Real
from os import PathLike, fspath
from typing import Any, TypedDict

from uno_csp.errors import NotAccepted
from uno_csp.given import Kind, require_kind
from uno_csp.registry import find_backend, find_connectivity

MOST_WORKERS = 256
"""More threads than any machine here has; some solvers refuse a thousand, others start them."""


class Choices(TypedDict, total=False):
    """The options by name, for calls that name them."""

    method: str | None
    backend: str | None
    connectivity: str | None
    time_limit_s: float | None
    memory_limit_mb: float | None
    seed: int
    workers: int
    presolve: bool
    proof: str | PathLike[str] | None
    strict: bool


_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("method", "backend", "connectivity"), str),
    **dict.fromkeys(("time_limit_s", "memory_limit_mb"), Real),
    **dict.fromkeys(("seed", "workers"), int),
    **dict.fromkeys(("presolve", "strict"), bool),
    "proof": str | PathLike,
}
"""What each option may be."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a question is to be gone about.

    Parameters
    ----------
    method, backend, connectivity
        Names, or None to have them chosen; the answer says what was used. A method is an encoding
        or an algorithm. With several ways to go about a question, two of them run at a time, each
        in a process of its own.
    time_limit_s
        Wall-clock seconds for everything but loading the solver. At the limit the answer is
        UNKNOWN with that reason, and for an optimisation question with the best that was found
        and proved.
    memory_limit_mb
        What the processes that solve may hold together; it is sampled, so a fast one may hold more
        for a moment. At the limit the answer is as at the time limit.
    seed
        For the solver; the same seed on one worker repeats the run.
    workers
        Threads, for backends that have any. When the backend is left to be chosen, those of a race
        that have none run on one.
    presolve
        Whether reductions may decide or shrink the question first. Without them an encoding and a
        backend show what they can do themselves.
    proof
        A folder for a certificate of a no or an optimum, see :func:`uno_csp.certify`. The search
        for a proof comes after the answer, and has the time limit for itself.
    strict
        Whether the certificate is to have no cuts that must be believed; for small questions.

    Raises
    ------
    NotAccepted
        When a number is out of its range, the backend has no threads, or there is no proof to be
        strict.
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

    def __post_init__(self) -> None:
        self._require_types()
        if self.proof is not None:
            object.__setattr__(self, "proof", fspath(self.proof))
        limit_s, memory_mb = self.time_limit_s, self.memory_limit_mb
        if limit_s is not None and not 0 < limit_s < math.inf:
            raise NotAccepted(f"a time limit is more than 0 seconds and finite, not {limit_s:g}")
        if memory_mb is not None and not 0 < memory_mb < math.inf:
            raise NotAccepted(f"a memory limit is more than 0 MB and finite, not {memory_mb:g}")
        if self.strict and self.proof is None:
            raise NotAccepted("strict tells of a proof, and no folder for one is given")
        if not 0 <= self.seed < 2**31:
            raise NotAccepted(f"a seed is from 0 to {2**31 - 1}, not {self.seed}")
        if not 1 <= self.workers <= MOST_WORKERS:
            raise NotAccepted(f"workers are from 1 to {MOST_WORKERS}, not {self.workers}")
        named = self.backend
        if named is not None and self.workers > 1 and not find_backend(named).parallel:
            raise NotAccepted(f"backend {named!r} runs on one thread; workers must be 1")
        if self.connectivity is not None:
            find_connectivity(self.connectivity)

    def _require_types(self) -> None:
        """Every option is what it may be; None only where it stands for a choice."""
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None or each.default is not None:
                require_kind(each.name, value, _KINDS[each.name])

    @staticmethod
    def of(named: Mapping[str, Any]) -> "Options":
        """Options from their names; see :class:`Choices`.

        Raises
        ------
        NotAccepted
            As for any options, and when there is no option of a name.
        """
        known = [each.name for each in fields(Options)]
        for name in named:
            if name not in known:
                raise NotAccepted(f"there is no option {name!r}; there are: {', '.join(known)}")
        return Options(**named)

    @staticmethod
    def given(options: "Options | None", named: Mapping[str, Any]) -> "Options":
        """Options that are handed over whole, or else by their names.

        Raises
        ------
        NotAccepted
            When they are neither, or both.
        """
        if options is None:
            return Options.of(named)
        require_kind("options", options, Options, "a uno_csp.Options")
        if named:
            raise NotAccepted("options are given whole or by name, not both")
        return options

    @staticmethod
    def without_defaults(**named: Any) -> dict[str, Any]:
        """Return the options whose values are not those that stand when they are left out."""
        usual = {each.name: each.default for each in fields(Options)}
        return {name: value for name, value in named.items() if value is not usual[name]}

    def to_dict(self) -> dict[str, Any]:
        """The options that are not left out, JSON-ready."""
        return {
            each.name: value
            for each in fields(self)
            if (value := getattr(self, each.name)) != each.default
        }
