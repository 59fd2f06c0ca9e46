"""Who may come in, and how often."""

import hmac
import ipaddress
import threading
import time
from collections import OrderedDict

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from uno_csp.service.problems import Problem, problem
from uno_csp.service.responses import respond
from uno_csp.service.settings import Settings

TOO_LARGE = "the body is too large"
MANY_CLIENTS = 10_000
"""So many clients are remembered; who has been away longest is forgotten first."""


class LargeBodies:
    """Turns away bodies that are too large, before they are read where they say their length."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self._app = app
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count what comes in."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        declared = headers.get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > self._most_bytes:
            await respond(problem(413, TOO_LARGE))(scope, receive, send)
            return
        count = 0

        async def receive_some() -> Message:
            """The next piece, unless it is one too many."""
            nonlocal count
            message = await receive()
            count += len(message.get("body", b""))
            if count > self._most_bytes:
                raise HTTPException(413, TOO_LARGE)
            return message

        await self._app(scope, receive_some, send)


class KnownHosts:
    """Turns away requests for names that are not this server's.

    Without a token anybody is let in who can reach the server. A page from elsewhere can make a
    browser on this machine do so, by a name of its own that it lets lead here (DNS rebinding); a
    bare address, or ``localhost``, cannot be such a name.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._open = settings.token is not None
        self._known = {"localhost", *(name.lower() for name in settings.names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at the Host header."""
        if scope["type"] != "http" or self._open or self._knows(dict(scope["headers"])):
            await self._app(scope, receive, send)
            return
        detail = "the Host header is no name of this server; start it with --name to give it one"
        await respond(problem(421, detail))(scope, receive, send)

    def _knows(self, headers: dict[bytes, bytes]) -> bool:
        host = headers.get(b"host", b"").decode("latin-1").strip().lower()
        name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        if name in self._known:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


class Guard:
    """Checks the token and the rate of a client; a dependency of every route of the API."""

    def __init__(self, settings: Settings) -> None:
        self._token = settings.token
        self._per_s = settings.requests_per_minute / 60
        self._most = max(1.0, 2 * settings.requests_per_minute / 60)
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    async def __call__(self, request: Request) -> None:
        """Let a request pass.

        Raises
        ------
        Problem
            401 without the right token, 429 when there were too many requests.
        """
        self._require_token(request.headers.get("authorization", ""))
        self._require_patience(request.client.host if request.client else "")

    def _require_token(self, shown: str) -> None:
        if self._token is None:
            return
        wanted = f"Bearer {self._token}"
        if not hmac.compare_digest(shown.encode(), wanted.encode()):
            headers = {"WWW-Authenticate": "Bearer"}
            raise Problem(401, "a bearer token is needed", headers=headers)

    def _require_patience(self, client: str) -> None:
        """A bucket for each client, which fills at the rate that is allowed."""
        now = time.monotonic()
        with self._lock:
            left, then = self._left.pop(client, (self._most, now))
            left = min(self._most, left + (now - then) * self._per_s)
            self._left[client] = (max(0.0, left - 1), now)
            if len(self._left) > MANY_CLIENTS:
                self._left.popitem(last=False)
        if left < 1:
            wait_s = (1 - left) / self._per_s
            headers = {"Retry-After": str(max(1, round(wait_s)))}
            raise Problem(429, "too many requests from this address", headers=headers)
