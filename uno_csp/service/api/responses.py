"""Problems as responses, and the handlers that turn errors into them."""

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Mount
from starlette.types import Message, Receive, Scope, Send

from uno_csp.errors import UnoCspError
from uno_csp.questions.arguments import place_of, refusal
from uno_csp.service.problems import REASON, Problem, problem, problem_of, sendable

MEDIA_TYPE = "application/problem+json"

BROKEN_OFF = 499  # status recorded of a request whose client has gone; nobody gets it
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_OF_FOLDERS = ("GET", "HEAD")  # methods of folders of files, which are mounted for every method
_log = logging.getLogger(__name__)


class TaggedFile(FileResponse):
    """A file, whose tag and date also stand on the refusal of a range, for conditions on them."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file, or ranges of it."""

        async def send_on(message: Message) -> None:
            if message.get("status") == 416:
                tags = {name: self.headers[name] for name in ("etag", "last-modified")}
                MutableHeaders(scope=message).update(tags)
            await send(message)

        await super().__call__(scope, receive, send_on)


def add_handlers(app: FastAPI) -> None:
    """Register the handler that answers every error with a problem."""
    for kind in (Problem, UnoCspError, RequestValidationError, HTTPException, OSError, Exception):
        app.add_exception_handler(kind, _tell)
    app.add_exception_handler(ClientDisconnect, lambda *_: Response(status_code=BROKEN_OFF))


def respond(body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return the response with this problem as its body; log a fault of the server's side.

    The reason of a fault may name hosts and folders: it is logged, and not sent.
    """
    sent = sendable(body)
    if sent["status"] >= 500:
        about = {"status": sent["status"], "reason": body.get(REASON, sent["detail"])}
        _log.warning("a request failed", extra=about)
    return JSONResponse(sent, sent["status"], headers, MEDIA_TYPE)


async def _tell(request: Request, error: Exception) -> JSONResponse:
    return respond(*_told(request, error))


def _told(request: Request, error: Exception) -> tuple[Mapping[str, Any], Mapping[str, str]]:
    """Return the problem and the headers that tell of an error."""
    match error:
        case Problem():
            return error.body, error.headers
        case RequestValidationError():
            first = error.errors()[0]
            place = place_of(first["loc"][1:]) or str(first["loc"][0])
            return problem(422, f"{place}: {refusal(first)}", place=place), {}
        case HTTPException():  # of the framework: unknown paths and methods, bodies too large
            headers = dict(error.headers or {})
            if error.status_code == 405:
                headers["Allow"] = ", ".join(_list_allowed(request))
            return problem(error.status_code, str(error.detail)), headers
        case OSError():  # e.g. no descriptor or temporary folder is left
            told = problem(503, "the operating system refused", **{REASON: str(error)})
            return told, {"Retry-After": "5"}
    return problem_of(error), {}


def _list_allowed(request: Request) -> list[str]:
    """Return the methods of a path over all routes; the framework names those of one only."""
    scope = {**request.scope, "root_path": request.scope.get("app_root_path", "")}  # not a mount's
    found: set[str] = set()
    for route in request.app.routes:
        methods = _OF_FOLDERS if isinstance(route, Mount) else _METHODS
        asked = ((method, {**scope, "method": method}) for method in methods)
        found |= {method for method, each in asked if route.matches(each)[0] is Match.FULL}
    if "GET" in found and not request.url.path.endswith("/events"):
        found.add("HEAD")
    return sorted(found)
