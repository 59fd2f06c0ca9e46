"""Who may come in, and how often."""

import hmac
import ipaddress
import math
import time

from fastapi import Request
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from uno_csp.service.problems import Problem, problem
from uno_csp.service.responses import respond
from uno_csp.service.settings import Settings

TOO_LARGE = "the body is too large"


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


class OwnOrigin:
    """Turns away what a page from elsewhere has a browser send.

    Without a token a browser on this machine is let in whatever page it shows. It names the page's
    origin with every request that may change something: that must be the host that is asked, or a
    name that the server was given, as a proxy in front of it has.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._open = settings.token is not None
        self._known = {name.lower() for name in settings.names if not _is_of_the_machine(name)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at the Origin header."""
        changes = scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if not changes or self._open or self._is_own(dict(scope["headers"])):
            await self._app(scope, receive, send)
            return
        detail = "the Origin header names a page of another server"
        await respond(problem(403, detail))(scope, receive, send)

    def _is_own(self, headers: dict[bytes, bytes]) -> bool:
        if headers.get(b"sec-fetch-site") == b"cross-site":
            return False
        origin = headers.get(b"origin", b"").decode("latin-1").strip().lower()
        host = headers.get(b"host", b"").decode("latin-1").strip().lower()
        name = origin.partition("://")[2]
        return not origin or name == host or name.partition(":")[0] in self._known


def _is_of_the_machine(name: str) -> bool:
    """Return True for a name under which other servers of the machine have pages too."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.lower() == "localhost"
    return True


class Guard:
    """Checks the token and the rate of a client; a dependency of every route of the API."""

    def __init__(self, settings: Settings) -> None:
        self._token = settings.token
        self._allowed = RateLimitItemPerMinute(max(1, round(settings.requests_per_minute)))
        self._rates = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def __call__(self, request: Request) -> None:
        """Let a request pass.

        Raises
        ------
        Problem
            401 without the right token, 429 when there were too many requests.
        """
        await self._require_patience(request)  # first, so that tokens cannot be guessed quickly
        self._require_token(request.headers.get("authorization", ""))

    def _require_token(self, shown: str) -> None:
        if self._token is None:
            return
        wanted = f"Bearer {self._token}"
        sent = shown.encode("latin-1")  # as headers are read, so these are the bytes that came
        if not hmac.compare_digest(sent, wanted.encode()):
            headers = {"WWW-Authenticate": "Bearer"}
            raise Problem(401, "a bearer token is needed", headers=headers)

    async def _require_patience(self, request: Request) -> None:
        """Count a request of this client; the response will say how many are left."""
        client = request.client.host if request.client else ""
        passes = await self._rates.hit(self._allowed, client)
        reset, left = await self._rates.get_window_stats(self._allowed, client)
        wait_s = max(1, math.ceil(reset - time.time()))
        request.state.rate = {
            "RateLimit-Policy": f'"client";q={self._allowed.amount};w={self._allowed.get_expiry()}',
            "RateLimit": f'"client";r={left};t={wait_s}',
        }
        if not passes:
            headers = {"Retry-After": str(wait_s)}
            raise Problem(429, "too many requests from this address", headers=headers)


class RateHeaders:
    """Tells clients how many requests they have left, in the words of the IETF's draft."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers that the guard has left."""

        async def send_with_rate(message: Message) -> None:
            """What is sent on."""
            if message["type"] == "http.response.start":
                told = scope.get("state", {}).get("rate", {})
                MutableHeaders(scope=message).update(told)
            await send(message)

        await self._app(scope, receive, send_with_rate)
