"""The exceptions of uno-csp.

::

    UnoCspError                    base of them all
    ├── InstanceError (ValueError)     a bad question: which place, which value, what is allowed
    ├── UnknownName (LookupError)      no such encoding, backend, connectivity or family
    ├── NotAccepted                    a right question, the wrong encoder, backend or option for it
    ├── BackendUnavailable             the solver is not installed; the message says how to get it
    ├── BackendError                   the solver crashed or said something nobody can read
    └── CheckFailed                    the checker refused our own answer: always a bug

Each class says with which code the command line ends (``exit_code``), which HTTP status the service
answers (``http_status``), and under which category a record of an experiment files it.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, ClassVar


class UnoCspError(Exception):
    """Base of every exception this package raises on purpose."""

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500
    category: ClassVar[str] = "error"


class InstanceError(UnoCspError, ValueError):
    """A question that cannot be read: the message opens with the place, as in ``cards[3]: ...``."""

    exit_code = 2
    http_status = 422


class UnknownName(UnoCspError, LookupError):
    """A name that is not in the registry; the message lists those that are, the likeliest first."""

    exit_code = 2
    http_status = 404

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self._named = (kind, name, tuple(known))
        near = get_close_matches(str(name), self._named[2], n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        listed = ", ".join(self._named[2])
        super().__init__(f"no {kind} is called {name!r}; {meant}there are: {listed}")

    def __reduce__(self) -> tuple[type["UnknownName"], tuple[str, str, tuple[str, ...]]]:
        return UnknownName, self._named


class NotAccepted(UnoCspError):
    """The question is right, but this encoder, backend or option does not take it."""

    exit_code = 2
    http_status = 422
    category = "not accepted"


class BackendUnavailable(UnoCspError):
    """The solver behind a backend is not installed here."""

    exit_code = 3
    http_status = 503
    category = "unavailable"


class BackendError(UnoCspError):
    """A solver crashed, or returned a status that has no meaning for us."""

    exit_code = 3
    http_status = 502


class CheckFailed(UnoCspError):
    """The independent checker refused an answer of ours. Please report it.

    ``report`` has the question, the answer and what is wrong with it, JSON-ready.
    """

    exit_code = 70
    category = "wrong"

    def __init__(self, message: str, report: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.report: Mapping[str, Any] = report or {}
