"""Limits on client connections: a maximum number, and timeouts for silent and stalled ones.

Every connection takes a file descriptor, and so do the database and the solver processes. If
clients took the last one, nothing would work any more, so some descriptors are reserved.
"""

import asyncio
import math
import resource
import socket
from collections.abc import Callable

from uvicorn import Config, Server
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

KEPT_BACK = 300  # number of file descriptors reserved for the server itself
WANTED = 65_536  # number of file descriptors a server asks for at most
SILENCE_S = 15.0  # seconds a connection may be silent while the server waits for a request

STALLED_S, PROGRESS = 15.0, 1 << 14  # seconds, and bytes that a client has to take in meanwhile
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
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


class BoundedConnections(HttpToolsProtocol):
    """Refuses connections beyond the maximum, and ends silent and stalled ones."""

    most = WANTED  # maximum number of connections
    _silence: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, or answer 503 if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.write(_BUSY)
            transport.close()
            return
        transport.set_write_buffer_limits(0)  # writing is paused while anything is unsent
        loop = asyncio.get_running_loop()
        self._silence = loop.call_later(SILENCE_S, transport.close)

    def data_received(self, data: bytes) -> None:
        """Stop the timer once a whole request has arrived; restart it after part of one."""
        super().data_received(data)
        self._stop_timer()
        if self.cycle is None or self.cycle.more_body or self.cycle.response_complete:
            loop = asyncio.get_running_loop()
            self._silence = loop.call_later(SILENCE_S, self.transport.close)

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

    def _stop_timer(self) -> None:
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None


def bounded_protocol(descriptors: int) -> type[BoundedConnections]:
    """Return the HTTP protocol class for a server with this number of descriptors."""
    most = max(descriptors // 2, descriptors - KEPT_BACK)
    return type("Bounded", (BoundedConnections,), {"most": most})
