"""Limits on client connections: their number, the size of a request's head, and the time it takes.

Every connection takes a file descriptor, and so do the database and the solver processes. If
clients took the last one, nothing would work any more, so some descriptors are reserved. Where all
places are taken, who has kept the server waiting longest makes room for a new connection.
"""

import asyncio
import gc
import json
import math
import re
import resource
import socket
import sys
from collections.abc import Callable
from typing import Any

import h11
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from uno_csp.service.api.guarded import shows_token
from uno_csp.service.api.responses import MEDIA_TYPE
from uno_csp.service.problems import problem

KEPT_BACK = 300  # number of file descriptors reserved for the server itself
WANTED = 65_536  # number of file descriptors a server asks for at most
HEAD_S = 15.0  # seconds for the head of a request, from its first byte
BODY_S, BODY_RATE = 15.0, 1 << 14  # seconds for any body, and bytes for each further second
KEEP_ALIVE_S = 75  # longer than proxies keep an idle connection, which would else break a request
MOST_HEAD = 1 << 16  # largest head of a request, in bytes
_PIECE = 1 << 13  # bytes of a head that are read at once, so that its size is looked at
KEPT_SHARE = 4  # with a token, a quarter of the places is kept for callers who show it
STALLED_S, PROGRESS = 15.0, 1 << 14  # seconds, and bytes that a client has to take in meanwhile
LINGER_S = 2.0  # seconds in which a client that is still sending can read why it is refused
_WORDS = {
    431: f"the head of the request has more than {MOST_HEAD} bytes",
    501: "of the codings in Transfer-Encoding only chunked is read",
}
"""Words of a refusal by the parser, by its status."""

_EMPTY_LINES = re.compile(rb"(?:\r?\n)+")
_ABSOLUTE = re.compile(rb"https?://([^/?#]*)([^#]*)", re.IGNORECASE)


class _Refusal(h11.RemoteProtocolError):
    """A request that is refused by its head, in words of this server."""


class _Requests(h11.Connection):
    """Reads the requests of a connection, each of which is checked by its head."""

    def __init__(self, most_head: int, check: Callable[[h11.Request], h11.Request]) -> None:
        super().__init__(h11.SERVER, most_head)
        self._check = check

    def next_event(self) -> Any:
        """Return the next event; raise RemoteProtocolError if it is refused.

        Empty lines before a request are passed over (RFC 9112, 2.2).
        """
        if self.their_state is h11.IDLE:
            waiting, _ = self.trailing_data
            empty = _EMPTY_LINES.match(waiting)
            if empty is not None:
                self._receive_buffer.maybe_extract_at_most(empty.end())
            if waiting[empty.end() if empty else 0 :] == b"\r":  # of an empty line, perhaps
                return h11.NEED_DATA
        event = super().next_event()
        return self._check(event) if isinstance(event, h11.Request) else event


class EndingServer(Server):
    """A server that tells its application that it stops before all requests have ended."""

    def __init__(self, config: Config, on_stop: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_stop = on_stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and keep the garbage collector from what stays as long as the server.

        To look through all of it takes a tenth of a second, in which no request is answered.
        """
        await super().startup(sockets)
        gc.collect()
        gc.freeze()

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
    refused = False  # from then on, what the client still sends is passed over
    _timer: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None

    def __init__(self, config: Config, *others: Any, **named: Any) -> None:
        super().__init__(config, *others, **named)
        self.conn = _Requests(MOST_HEAD, self._checked)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, if need be in place of another; or answer 503."""
        super().connection_made(transport)
        if len(self.connections) > self.most - self.kept and self.waited_for:
            slowest = next(iter(self.waited_for))
            self.connections.discard(slowest)
            slowest._stop_timer()
            slowest.transport.abort()
        if len(self.connections) > self.most:
            self._refuse(503, "too many connections", "Retry-After: 1")
            return
        transport.set_write_buffer_limits(0)  # writing is paused while anything is unsent
        self._start_timer(HEAD_S)

    def _checked(self, request: h11.Request) -> h11.Request:
        """Return a request with a path as its target; raise _Refusal unless it has one meaning."""
        self.headers = list(request.headers)
        if not request.http_version.startswith(b"1."):
            raise _Refusal("only HTTP/1.0 and HTTP/1.1 are read", error_status_hint=505)
        lines = sum(len(name) + len(value) + len(": \r\n") for name, value in self.headers)
        if lines + len(request.target) > MOST_HEAD:  # the parser measures only incomplete heads
            raise _Refusal(_WORDS[431], error_status_hint=431)
        names = {name for name, _ in self.headers}
        if b"transfer-encoding" in names and (
            b"content-length" in names or request.http_version < b"1.1"
        ):
            raise _Refusal("Transfer-Encoding stands beside Content-Length, or in HTTP/1.0")
        if len(self.connections) > self.most - self.kept and not self._is_known():
            raise _Refusal("too many connections", error_status_hint=503)
        absolute = _ABSOLUTE.fullmatch(request.target)
        if absolute is None:
            return request
        host, path = absolute.groups()
        others = [(name, value) for name, value in self.headers if name != b"host"]
        return h11.Request(
            method=request.method,
            headers=[(b"host", host), *others],  # RFC 9112, 3.2.2: the one in the target counts
            target=path if path.startswith(b"/") else b"/" + path,
            http_version=request.http_version,
        )

    def _is_known(self) -> bool:
        """Return True if the head just read has the token, or the server has none."""
        if self.token is None:
            return True
        return shows_token(dict(self.headers or ()).get(b"authorization", b""), self.token)

    def data_received(self, data: bytes) -> None:
        """Read a head in pieces; it and the body have a deadline each, which bytes do not move."""
        while data and not self.refused and not self.transport.is_closing():
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

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """Refuse the request that raised the present error, without Python's words for it."""
        error = sys.exception()
        assert isinstance(error, h11.RemoteProtocolError)  # noqa: S101
        status = error.error_status_hint
        said = str(error) if isinstance(error, _Refusal) else _WORDS.get(status)
        self._refuse(status, said or "the request is not well-formed HTTP/1.1")

    def _refuse(self, status: int, detail: str, *lines: str) -> None:
        """Answer with a problem unless an answer is under way, and close the connection."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        self.refused = True
        refusal = problem(status, detail)
        body = json.dumps(refusal)
        head = (
            f"HTTP/1.1 {status} {refusal['title']}",
            f"Content-Type: {MEDIA_TYPE}",
            f"Content-Length: {len(body)}",
            "Connection: close",
            *lines,
        )
        self.transport.write("\r\n".join((*head, "", body)).encode("ascii"))
        if len(self.connections) > self.most:  # its descriptor is one of those that are reserved
            self.transport.close()
            return
        self.transport.write_eof()
        self._stop_timer()
        self._start_timer(LINGER_S)

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
