"""Routes behind the guard: who asks is known before a body is read, and a worker parses it."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect

from uno_csp.service.problems import Problem

_JSON, TOO_LARGE = "application/json", "the body is too large"


class _Unread(Request):
    """A request whose body is handed to its route as text."""

    async def json(self) -> str:
        """Return the text, where FastAPI expects the parsed value."""
        return (await self.body()).decode("utf-8")

    async def require_json(self, most_bytes: int) -> None:
        """Read the body; raise a Problem with 413, 415 or 400 unless it may be JSON."""
        if _content_type(self) != _JSON:
            raise Problem(415, f"the body must be JSON, with the content type {_JSON}")
        declared = self.headers.get("content-length", "0")
        if declared.isdigit() and int(declared) > most_bytes:
            raise Problem(413, TOO_LARGE)
        pieces = bytearray()
        try:
            async for piece in self.stream():
                pieces += piece
                if len(pieces) > most_bytes:
                    raise Problem(413, TOO_LARGE)
            pieces.decode("utf-8")
        except ClientDisconnect:
            raise Problem(400, "the connection closed before the end of the body") from None
        except UnicodeDecodeError:
            raise Problem(400, "the body is not JSON: it is not UTF-8 text") from None
        if not pieces:
            raise Problem(400, "the body is not JSON: it is empty")
        self._body = bytes(pieces)


class GuardedRoute(APIRoute):
    """A route that admits a caller first, and takes JSON by its type, which forms cannot send."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of the route, behind the guard."""
        handle, takes_body = super().get_route_handler(), self.body_field is not None

        async def admit_and_handle(request: Request) -> Response:
            await request.app.state.guard(request)
            unread = _Unread(request.scope, request.receive)
            if takes_body:
                await unread.require_json(request.app.state.settings.body_bytes)
            return await handle(unread)

        return admit_and_handle


def no_form(request: Request) -> None:
    """Refuse a body of another type where none is needed: pages from elsewhere can send forms."""
    if _content_type(request) not in ("", _JSON):
        raise Problem(415, f"the body must be empty, or have the content type {_JSON}")


def _content_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()
