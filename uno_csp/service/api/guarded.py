"""Routes behind the guard of token and rate, and what they depend on: the parts of the server.

Who asks is known before a body is read, and a worker parses it.
"""

import hmac
import ipaddress
import math
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from uno_csp.processes.scratch import scratch_folder
from uno_csp.questions.wording import shown, shown_key
from uno_csp.service.job import Job
from uno_csp.service.jobs.job_service import JobService
from uno_csp.service.jobs.scheduler import Scheduler
from uno_csp.service.journal import Metrics
from uno_csp.service.problems import Problem
from uno_csp.service.settings import Settings
from uno_csp.service.stores.store import Store

_JSON, TOO_LARGE = "application/json", "the body is too large"


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
        # Headers are decoded as Latin-1: these are the bytes sent.
        sent = request.headers.get("authorization", "").encode("latin-1")
        if self._token is not None and not shows_token(sent, self._token):
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


class _Unread(Request):
    """A request whose body is handed to its route as text."""

    async def json(self) -> str:
        """Return the text, where FastAPI expects the parsed value."""
        return (await self.body()).decode("utf-8")

    async def require_json(self, most_bytes: int) -> None:
        """Read the body; raise a Problem with 413, 415 or 400 unless it may be JSON."""
        if _content_type(self) != _JSON:
            raise Problem(415, f"the body must be JSON, with the content type {_JSON}")
        if self.headers.get("content-encoding", "identity").lower() != "identity":
            headers = {"Accept-Encoding": "identity"}
            raise Problem(415, "the body must not be compressed", headers=headers)
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
        except UnicodeDecodeError:
            raise Problem(400, "the body is not JSON: it is not UTF-8 text") from None
        if not pieces:
            raise Problem(400, "the body is not JSON: it is empty")
        self._body = bytes(pieces)


class OpenRoute(APIRoute):
    """A route that refuses parameters of the address that it does not know."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of the route, for requests that are admitted."""
        handle, known = super().get_route_handler(), list(_parameters(self.dependant))

        async def admit_and_handle(request: Request) -> Response:
            return await handle(await self._admit(request, known))

        return admit_and_handle

    async def _admit(self, request: Request, known: Sequence[str]) -> Request:
        _require_parameters(request, known)
        return request


class GuardedRoute(OpenRoute):
    """A route that admits a caller first, and takes JSON by its type, which forms cannot send."""

    async def _admit(self, request: Request, known: Sequence[str]) -> Request:
        await request.app.state.guard(request)
        await super()._admit(request, known)
        unread = _Unread(request.scope, request.receive)
        if self.body_field is not None:
            await unread.require_json(request.app.state.settings.body_bytes)
        return unread


def _parameters(route: Dependant) -> Iterator[str]:
    """Yield the names of the parameters that a route takes in the address."""
    yield from (each.alias for each in route.query_params)
    for other in route.dependencies:
        yield from _parameters(other)


def _require_parameters(request: Request, known: Sequence[str]) -> None:
    """Raise a Problem with 422 unless each parameter of the address is known and there once."""
    given = [name for name, _ in request.query_params.multi_items()]
    for name in given:
        if name not in known:
            allowed = f"there are: {', '.join(known)}" if known else "there are none here"
            said = f"{shown(name)} is no parameter of the address; {allowed}"
            raise Problem(422, said, place=shown_key(name))
        if given.count(name) > 1:
            said = f"{name} stands {given.count(name)} times in the address"
            raise Problem(422, said, place=name)


def no_form(request: Request) -> None:
    """Refuse a body of another type where none is needed: pages from elsewhere can send forms."""
    if _content_type(request) not in ("", _JSON):
        raise Problem(415, f"the body must be empty, or have the content type {_JSON}")


def _content_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _part(name: str) -> Any:
    """Return the dependency on a part of the server, which the app's state holds by name."""

    # A coroutine: FastAPI runs other dependencies in a thread pool, which slow routes may fill.
    async def part(request: Request) -> Any:
        return getattr(request.app.state, name)

    return Depends(part)


TheSettings = Annotated[Settings, _part("settings")]
TheJobs = Annotated[JobService, _part("job_service")]
TheScheduler = Annotated[Scheduler, _part("scheduler")]
TheStore = Annotated[Store, _part("store")]
TheMetrics = Annotated[Metrics, _part("metrics")]
Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]


def _known_job(name: str, jobs: TheJobs) -> Job:
    """Return the job of that id, which is looked up before a stream begins."""
    return jobs.find(name)


async def _place(request: Request) -> AsyncIterator[None]:
    """Hold a place for a stream of events, before it begins and until it ends."""
    client = counted_as(request.client.host if request.client else "")
    with request.app.state.updates.stream(client):
        yield


async def _scratch_file() -> AsyncIterator[Path]:
    """Yield the path of a file, which is removed when it is sent or sending it fails."""
    with scratch_folder() as folder:
        yield folder / "exported"


Place = Depends(_place)
ScratchFile = Annotated[Path, Depends(_scratch_file)]
KnownJob = Annotated[Job, Depends(_known_job)]
