"""How many connections a server holds: a bound, and no patience for those that say nothing.

Every connection takes a file descriptor, and so do the database and the programs that solve. When
clients have taken the last one, nothing works any more; so clients get some of them only.
"""

import asyncio
import resource

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

KEPT_BACK = 300
"""So many descriptors are not given to clients."""

WANTED = 65_536
"""As many descriptors as a server can make use of."""

SILENCE_S = 15.0
"""A connection on which so long no request came is closed."""

_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
    b"Content-Length: 0\r\n\r\n"
)


def raise_descriptor_limit() -> int:
    """Let this process have as many descriptors as it may; how many these are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return WANTED if soft == resource.RLIM_INFINITY else soft


def bounded_protocol(descriptors: int) -> type[asyncio.Protocol]:
    """The HTTP protocol for a server with so many descriptors."""
    most = max(descriptors // 2, descriptors - KEPT_BACK)

    class BoundedConnections(HttpToolsProtocol):
        """Turns away connections beyond the bound, and closes silent ones."""

        _patience: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            """Take it, or say that there is no room."""
            super().connection_made(transport)
            if len(self.connections) > most:
                transport.write(_BUSY)
                transport.close()
                return
            loop = asyncio.get_running_loop()
            self._patience = loop.call_later(SILENCE_S, transport.close)

        def data_received(self, data: bytes) -> None:
            """A whole request is all that was waited for; a part of one earns another while."""
            super().data_received(data)
            self._lose_interest()
            if self.cycle is None or self.cycle.more_body or self.cycle.response_complete:
                loop = asyncio.get_running_loop()
                self._patience = loop.call_later(SILENCE_S, self.transport.close)

        def connection_lost(self, exc: Exception | None) -> None:
            """There is nothing to wait for."""
            self._lose_interest()
            super().connection_lost(exc)

        def _lose_interest(self) -> None:
            if self._patience is not None:
                self._patience.cancel()
                self._patience = None

    return BoundedConnections
