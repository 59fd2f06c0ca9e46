"""Errors as ``application/problem+json`` (RFC 9457), with the place in the input."""

import re
import traceback
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from uno_csp.errors import DiskFull, UnoCspError
from uno_csp.questions.wording import printable

REASON = "reason"  # key of what is logged and not sent
_PHRASES = {413: "Content Too Large", 416: "Range Not Satisfiable", 422: "Unprocessable Content"}
"""Names of RFC 9110, which Python has from 3.13 on."""

_PLACE = re.compile(
    r"""(line\ \d+(?:,\ column\ \d+)? | edge\ \d+ | source,\ target  # of a text, or of arguments
    | [^\W\d]\w*(?:\[\d+\]|\.\w+)*  # keys and indices of JSON
    | \w+\..+?(?=:\ .*\ is\ not\ allowed)  # a key of any characters below another
    | .+(?=:\ (?:unknown\ key|duplicate\ key|not\ a\ parameter))  # a key of any characters
    ):\ """,
    re.VERBOSE,
)
"""The place at the beginning of a message."""


class Problem(Exception):
    """An error that is sent to the client as it stands."""

    def __init__(self, status: int, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.headers: dict[str, str] = more.pop("headers", {})
        self.body = problem(status, detail, **more)


class StoreUnavailable(Problem):
    """The database is unreachable, or refuses; the operation may be retried later."""

    public, retry_s = "the job store cannot be used now", 5

    def __init__(self, reason: str) -> None:
        headers = {"Retry-After": str(self.retry_s)}
        super().__init__(503, self.public, headers=headers, **{REASON: reason})

    def __str__(self) -> str:
        return str(self.body[REASON])


class StoreFull(StoreUnavailable):
    """No disk space is left in the store."""

    public, retry_s = "no space is left on the disk of the job store", 30

    def __init__(self, reason: str = public) -> None:
        super().__init__(reason)


def phrase(status: int) -> str:
    """Return the name of a status, the same in every Python."""
    return _PHRASES.get(status) or HTTPStatus(status).phrase


def problem(status: int, detail: str, **more: Any) -> dict[str, Any]:
    """Return the JSON object; ``place`` is taken from the detail if that begins with one.

    What is not seen as itself, such as a control character of an input, is escaped.

    >>> problem(422, "cards[3]: null is not allowed")["place"]
    'cards[3]'
    """
    detail = printable(detail)
    found = {
        "type": "about:blank",
        "title": phrase(status),
        "status": status,
        "detail": detail,
        **more,
    }
    place = _PLACE.match(detail)
    if place is not None:
        found.setdefault("place", place[1])
    if "place" in found:
        found["place"] = printable(found["place"])
    return found


def problem_of(error: Exception) -> dict[str, Any]:
    """Return the problem of an error, in one line; one that is not of this package is a bug."""
    match error:
        case Problem():
            return error.body
        case UnoCspError():
            said = error.public if isinstance(error, DiskFull) else str(error)
            return problem(error.http_status, " ".join(said.split()))
    reason = "".join(traceback.format_exception(error))
    return problem(500, "a bug, please report it; the log has it", **{REASON: reason})


def sendable(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a problem without its reason, which may name hosts and folders."""
    return {key: value for key, value in body.items() if key != REASON}
