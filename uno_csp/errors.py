"""The exceptions of uno-csp.

::

    UnoCspError                    base of them all
    ├── InstanceError (ValueError)     invalid input: the place, the value, what is allowed
    ├── UnknownName (LookupError)      no such encoding, backend, connectivity or family
    ├── NotAccepted                    a valid question, but not for this encoder, backend or option
    ├── BackendUnavailable             the solver is not installed; the message says how to get it
    ├── PlugInError                    a method of another package failed; the message names it
    ├── BackendError                   the solver crashed or returned something unreadable
    └── CheckFailed                    the checker rejected our own answer: always a bug

Each class has the exit code of the command line (``exit_code``), the HTTP status of the service
(``http_status``) and the category of the error in experiment records (``category``).
"""

import errno
import json
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, ClassVar


class UnoCspError(Exception):
    """Base of every exception this package raises on purpose."""

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500
    category: ClassVar[str] = "error"


class InstanceError(UnoCspError, ValueError):
    """Invalid input; the message starts with its place, as in ``cards[3]: ...``."""

    exit_code = 2
    http_status = 422


_SHOWN_CHARS = 100  # of a name in a message


def require_known(kind: str, name: object, known: Collection[str]) -> None:
    """Raise UnknownName unless a value is a text that is one of the known names."""
    if not isinstance(name, str) or name not in known:
        raise UnknownName(kind, name, known)


def meant(word: str, known: Iterable[str]) -> str:
    """Return the question whether a known name is meant that a word resembles; empty if none does.

    >>> meant("card", ["cards", "after"]), meant("Cards", ["cards"]), meant("x", ["cards"])
    ('did you mean cards? ', 'did you mean cards? ', '')
    """
    names = {name.casefold(): name for name in known}
    near = get_close_matches(word[:_SHOWN_CHARS].casefold(), names, n=1)
    return f"did you mean {names[near[0]]}? " if near else ""


class UnknownName(UnoCspError, LookupError):
    """A name that is not in the registry; the message suggests a similar one and lists all."""

    exit_code = 2
    http_status = 404

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        other = "null" if name is None else f"a {type(name).__name__}"
        word = name if isinstance(name, str) else other
        self._named = (kind, word, tuple(known))
        listed = ", ".join(self._named[2])
        cut = word if len(word) <= _SHOWN_CHARS else f"{word[:_SHOWN_CHARS]}..."
        said = json.dumps(cut, ensure_ascii=not cut.isprintable())
        super().__init__(
            f"no {kind} is called {said}; {meant(word, self._named[2])}there are: {listed}"
        )

    def __reduce__(self) -> tuple[type["UnknownName"], tuple[str, str, tuple[str, ...]]]:
        return UnknownName, self._named


class NotAccepted(UnoCspError):
    """A valid question that this encoder, backend or option does not accept."""

    exit_code = 2
    http_status = 422
    category = "not accepted"


class DiskFull(NotAccepted):
    """No space is left on the disk for a file; ``public`` is a message without its name."""

    http_status = 507
    public: ClassVar[str] = "no space is left on the disk for temporary files"


class BackendUnavailable(UnoCspError):
    """The solver behind a backend is not installed here."""

    exit_code = 3
    http_status = 503
    category = "unavailable"


class BackendError(UnoCspError):
    """A solver crashed or returned a status that cannot be interpreted."""

    exit_code = 3
    http_status = 502


class PlugInError(UnoCspError):
    """A method of another package failed; the message names it and the line of its file."""

    exit_code = 3
    http_status = 502


class CheckFailed(UnoCspError):
    """The independent checker rejected an answer of this package; please report it.

    ``report`` has the question, the answer and the violations, JSON-ready.
    """

    exit_code = 70
    category = "wrong"

    def __init__(self, message: str, report: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.report: Mapping[str, Any] = report or {}


_REFUSALS = ("can't start new thread", "could not be forked", "failed to map segment")


def lacks_resources(error: BaseException) -> bool:
    """Return True if the system gave no process, thread, memory or descriptor, as it may later."""
    if isinstance(error, OSError):
        return error.errno in (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
    of_child = isinstance(error, (BackendError, ImportError, RuntimeError))
    refused = of_child and any(words in str(error) for words in _REFUSALS)
    return refused or isinstance(error, MemoryError)
