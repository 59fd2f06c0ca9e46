"""Access control: middleware and dependencies for body size, host, origin, token and rate."""

import hmac
import ipaddress
import math
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping

from fastapi import Request
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from uno_csp.service.api.responses import respond
from uno_csp.service.problems import Problem, problem
from uno_csp.service.settings import Settings

_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^\[\]:]+))(?::[0-9]*)?")
"""A Host header: an IPv6 address in brackets, or a name or IPv4 address; and a port."""

MOST_RANGES = 10
_RANGE = rb"(?:[0-9]+-[0-9]*|-[0-9]+)"
_RANGES = re.compile(rb"bytes=%b(?:,\s*%b){0,%d}" % (_RANGE, _RANGE, MOST_RANGES - 1))
_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)+")
MOST_HEADERS = 100


class ManyHeaders:
    """Refuses requests with more than :data:`MOST_HEADERS` lines of headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the headers."""
        if len(scope.get("headers", ())) > MOST_HEADERS:
            refusal = problem(431, f"more than {MOST_HEADERS} lines of headers")
            await respond(refusal)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class ForwardedPrefix:
    """Takes the path below which a proxy shows this server, from ``X-Forwarded-Prefix``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set the root path, of which links with a host are made."""
        named = dict(scope.get("headers", ())).get(b"x-forwarded-prefix", b"").decode("latin-1")
        prefix = named.rstrip("/")
        if _PATH.fullmatch(prefix):
            scope = {**scope, "root_path": prefix}
        await self._app(scope, receive, send)


class _WithoutToken(ABC):
    """Refuses some requests to a server without a token, which every page in a browser reaches."""

    status, detail = 403, ""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._open = settings.token is not None
        self._names = {name.lower() for name in settings.names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the headers of a request."""
        if scope["type"] != "http" or self._open or self._admits(scope):
            await self._app(scope, receive, send)
        else:
            await respond(problem(self.status, self.detail))(scope, receive, send)

    @abstractmethod
    def _admits(self, scope: Scope) -> bool:
        """Return True unless the request is to be refused."""


class KnownHosts(_WithoutToken):
    """Refuses requests whose Host header is not a name of this server.

    A page of another site can use a browser on this machine to reach it, by resolving its own host
    name to this address (DNS rebinding); a bare IP address, or ``localhost``, cannot be such a
    name.
    """

    status, detail = 421, "the Host header is not a name of this server; --name adds one"

    def _admits(self, scope: Scope) -> bool:
        headers = scope["headers"]
        hosts = [
            value.decode("latin-1").strip().lower() for key, value in headers if key == b"host"
        ]
        host = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if host is None:
            return False
        name = host["address"] or host["name"]
        return name in self._names or _is_of_the_machine(name)


class OwnOrigin(_WithoutToken):
    """Refuses state-changing requests from pages of other origins.

    A browser sends the page's origin with each request that may change state; that must be the
    requested host, or a name given to the server with ``--name``, such as that of a proxy in front
    of it.
    """

    detail = "the Origin header names a page of another server"

    def _admits(self, scope: Scope) -> bool:
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            return True
        headers = dict(scope["headers"])
        if headers.get(b"sec-fetch-site") == b"cross-site":
            return False
        origin = headers.get(b"origin", b"").decode("latin-1").strip().lower()
        host = headers.get(b"host", b"").decode("latin-1").strip().lower()
        name = origin.partition("://")[2]
        own = name.partition(":")[0]
        return not origin or name == host or (own in self._names and not _is_of_the_machine(own))


def _is_of_the_machine(name: str) -> bool:
    """Return True for ``localhost`` and IP addresses, which other servers here share."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.lower() == "localhost"
    return True


class Guard:
    """Checks the token and the rate of a client; called first by every guarded route."""

    def __init__(self, settings: Settings) -> None:
        self._token = settings.token
        self._allowed = RateLimitItemPerMinute(max(1, round(settings.requests_per_minute)))
        self._rates = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def __call__(self, request: Request) -> None:
        """Check the rate and the token; raise a Problem with 429 or 401."""
        if not await self.admits(request):  # first, so that tokens cannot be guessed quickly
            headers = {"Retry-After": str(request.state.wait_s)}
            raise Problem(429, "too many requests from this address", headers=headers)
        self._require_token(request.headers.get("authorization", ""))

    def _require_token(self, shown: str) -> None:
        if self._token is None:
            return
        sent = shown.encode("latin-1")  # headers are decoded as Latin-1: these are the bytes sent
        if not shows_token(sent, self._token):
            headers = {"WWW-Authenticate": "Bearer"}
            raise Problem(401, "a bearer token is needed", headers=headers)

    async def admits(self, request: Request) -> bool:
        """Count a request, and set the headers of its rate; return False after too many."""
        client = counted_as(request.client.host if request.client else "")
        passes = await self._rates.hit(self._allowed, client)
        reset, left = await self._rates.get_window_stats(self._allowed, client)
        request.state.wait_s = wait_s = max(1, math.ceil(reset - time.time()))
        request.state.rate = {
            "RateLimit-Policy": f'"client";q={self._allowed.amount};w={self._allowed.get_expiry()}',
            "RateLimit": f'"client";r={left};t={wait_s}',
        }
        return passes


def shows_token(header: bytes, token: str) -> bool:
    """Return True if an Authorization header has the token, as RFC 6750 writes it."""
    scheme, _, given = header.partition(b" ")
    return scheme.lower() == b"bearer" and hmac.compare_digest(given, token.encode())


def counted_as(address: str) -> str:
    """Return the address by which a client is counted: of IPv6 a client has a whole /64."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


class Heads:
    """Answers HEAD as GET, whose body the server leaves out; streams of events have none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope.get("method") == "HEAD" and not scope["path"].endswith("/events"):
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send)


class Ranges:
    """Passes on only ranges of bytes, at most :data:`MOST_RANGES`; others are ignored (RFC 9110).

    A range beyond the end of a file is a problem.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the header, and replace the text of an answer with status 416."""
        given = dict(scope.get("headers", ())).get(b"range")
        if given is None:
            await self._app(scope, receive, send)
            return
        ignored = b"accept-encoding" if _RANGES.fullmatch(given) else b"range"  # never both
        scope = {**scope, "headers": [each for each in scope["headers"] if each[0] != ignored]}
        beyond = False

        async def send_problem(message: Message) -> None:
            nonlocal beyond
            if message["type"] == "http.response.start" and message["status"] == 416:
                beyond = True
                size = MutableHeaders(scope=message).get("content-range", "bytes */*")
                refusal = problem(416, "the range lies beyond the end of the file")
                await respond(refusal, {"Content-Range": size})(scope, receive, send)
            elif not beyond:
                await send(message)

        await self._app(scope, receive, send_problem)


class AddedHeaders(ABC):
    """Adds headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    @abstractmethod
    def headers(self, scope: Scope) -> Mapping[str, str]:
        """Return the headers of the response to a request."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to the message that starts the response."""

        async def send_more(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers(scope))
            await send(message)

        await self._app(scope, receive, send_more)


class RateHeaders(AddedHeaders):
    """Adds the headers of the IETF draft on rate limits: how many requests a client has left."""

    def headers(self, scope: Scope) -> Mapping[str, str]:
        """Return the headers that the guard has set."""
        rate: Mapping[str, str] = scope.get("state", {}).get("rate", {})
        return rate
