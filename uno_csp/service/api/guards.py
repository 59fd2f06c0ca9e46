"""Access control: the token, and the rate of a client's requests."""

import hmac
import ipaddress
import math
import time

from fastapi import Request
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from uno_csp.service.problems import Problem
from uno_csp.service.settings import Settings


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
