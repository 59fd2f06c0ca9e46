"""Limits on client connections: their number, the size of a request's head, and the time it takes.

Every connection takes a file descriptor, and so do the database and the solver processes. If
clients took the last one, nothing would work any more, so some descriptors are reserved. Where all
places are taken, who has kept the server waiting longest makes room for a new connection.
"""

import asyncio
import math
import resource
import socket
from collections.abc import Callable

from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from uno_csp.service.api.guards import shows_token

KEPT_BACK = 300  # number of file descriptors reserved for the server itself
WANTED = 65_536  # number of file descriptors a server asks for at most
HEAD_S = 15.0  # seconds for the head of a request, from its first byte
BODY_S, BODY_RATE = 15.0, 1 << 14  # seconds for any body, and bytes for each further second
KEEP_ALIVE_S = 75  # longer than proxies keep an idle connection, which would else break a request
MOST_HEAD = 1 << 16  # largest head of a request, in bytes
_PIECE = 1 << 13  # bytes of a head that are read at once, so that its size is looked at
KEPT_SHARE = 4  # with a token, a quarter of the places is kept for callers who show it
STALLED_S, PROGRESS = 15.0, 1 << 14  # seconds, and bytes that a client has to take in meanwhile
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
    b"Content-Length: 0\r\n\r\n"
)
_LARGE_HEAD = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n"
    b"Content-Length: 0\r\n\r\n"
)


class EndingServer(Server):
    """A server that tells its application that it stops before all requests have ended."""

    def __init__(self, config: Config, on_stop: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_stop = on_stop

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell the application, then wait for the requests."""
        self._on_stop()
        await super().shutdown(sockets)


def raise_descriptor_limit() -> int:
    """Raise the soft limit on file descriptors as far as allowed; return the number available."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return WANTED if soft == resource.RLIM_INFINITY else soft


class BoundedConnections(H11Protocol):
    """Refuses connections beyond the maximum and large heads, and ends slow and stalled ones.

    The parser h11 passes over upgrades that the server does not make, and answers HTTP/1.0 without
    chunks.
    """

    most = WANTED  # maximum number of connections
    kept = 0  # places of these that only callers with the token take
    token: str | None = None
    waited_for: dict["BoundedConnections", None]  # without the token; the longest wait first
    _timer: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, if need be in place of another; or answer 503."""
        super().connection_made(transport)
        if len(self.connections) > self.most - self.kept and self.waited_for:
            slowest = next(iter(self.waited_for))
            self.connections.discard(slowest)
            slowest._stop_timer()
            slowest.transport.abort()
        if len(self.connections) > self.most:
            transport.write(_BUSY)
            transport.close()
            return
        transport.set_write_buffer_limits(0)  # writing is paused while anything is unsent
        self._start_timer(HEAD_S)

    @property
    def limit_concurrency(self) -> int | None:
        """Number of connections from which on the request just read gets 503, if it may."""
        return None if self._is_known() else self.most - self.kept + 1

    @limit_concurrency.setter
    def limit_concurrency(self, _configured: int | None) -> None:
        """Do nothing: the maximum of the class counts."""

    def _is_known(self) -> bool:
        """Return True if the head just read has the token, or the server has none."""
        if self.token is None:
            return True
        return shows_token(dict(self.headers or ()).get(b"authorization", b""), self.token)

    def data_received(self, data: bytes) -> None:
        """Read a head in pieces; it and the body have a deadline each, which bytes do not move."""
        while data and not self.transport.is_closing():
            before, size = self.cycle, _PIECE if self._waits_for_head() else len(data)
            super().data_received(data[:size])
            data = data[size:]
            if self._waits_for_head():
                if self._timer is None:
                    self._start_timer(HEAD_S)
            elif self.cycle is not before or not self.cycle.more_body:
                self._stop_timer()
                if self.cycle.more_body:
                    self._start_timer(BODY_S + self._declared() / BODY_RATE)

    def send_400_response(self, msg: str) -> None:
        """Answer 431 instead if the head is too large."""
        if len(self.conn.trailing_data[0]) > MOST_HEAD:
            self.transport.write(_LARGE_HEAD)
            self.transport.close()
        else:
            super().send_400_response(msg)

    def _waits_for_head(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _declared(self) -> int:
        """Return the length of the body that the head names; 0 for chunks."""
        length = dict(self.headers).get(b"content-length", b"0")
        return int(length) if length.isdigit() else 0

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if self._waits_for_head() and not self.transport.is_closing():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers."""
        self._stop_timer()
        self._stop_watching()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Watch whether the client takes in what is sent."""
        super().pause_writing()
        self._watch(math.inf)

    def resume_writing(self) -> None:
        """Stop watching: all is sent."""
        self._stop_watching()
        super().resume_writing()

    def _watch(self, unsent: float) -> None:
        """End the connection unless much of what was unsent has been sent meanwhile."""
        left = self.transport.get_write_buffer_size()
        if unsent - left < PROGRESS:
            self.transport.abort()
            return
        loop = asyncio.get_running_loop()
        self._stall = loop.call_later(STALLED_S, self._watch, left)

    def _stop_watching(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _start_timer(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, self.transport.close)
        self._wait()

    def _wait(self) -> None:
        """Let a new connection take this place, unless it is one that is kept."""
        if self.token is None or not self._is_known():
            self.waited_for[self] = None

    def _stop_timer(self) -> None:
        self.waited_for.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def bounded_protocol(descriptors: int, token: str | None = None) -> type[BoundedConnections]:
    """Return the HTTP protocol class for a server with this number of descriptors."""
    most = max(descriptors // 2, descriptors - KEPT_BACK)
    kept = most // KEPT_SHARE if token else 0
    places: dict[str, object] = {"most": most, "kept": kept, "token": token, "waited_for": {}}
    return type("Bounded", (BoundedConnections,), places)
