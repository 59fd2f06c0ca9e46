"""Middleware that logs and measures each request, by the template of its path only."""

import logging
import re
import time
from typing import Any
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from uno_csp.service.metrics import Metrics

ELSEWHERE = "other"  # label for routes outside the API, and for unknown methods
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_QUIET = ("/health", "/ready", "/metrics")
_REQUEST = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_JOB = re.compile("[0-9a-f]{32}")
_BROKEN_OFF = 499  # status recorded if the client disconnects before the response starts
_log = logging.getLogger(__name__)


class Watched:
    """Measures the time of each request until its response is sent."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; record its status and duration."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 0
        named = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
        request = named if _REQUEST.fullmatch(named) else uuid4().hex

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request.encode())]
            await send(message)

        try:
            await self._app(scope, receive, send_on)
        except Exception:
            status = status or 500
            raise
        finally:
            self._record(scope, request, status or _BROKEN_OFF, time.monotonic() - began)

    def _record(self, scope: Scope, request: str, status: int, took_s: float) -> None:
        route = getattr(scope.get("route"), "path", ELSEWHERE)
        method = scope["method"] if scope["method"] in _METHODS else ELSEWHERE
        self._metrics.request_s.labels(method, route).observe(took_s)
        self._metrics.requests.labels(method, route, str(status)).inc()
        entry: dict[str, Any] = {"method": method, "route": route, "status": status}
        entry["request"] = request
        made = scope.get("state", {}).get("job", "")
        named = made or str(scope.get("path_params", {}).get("name", ""))
        if _JOB.fullmatch(named):
            entry["job"] = named
        level = logging.DEBUG if route.endswith(_QUIET) else logging.INFO
        _log.log(level, "request", extra={**entry, "duration_s": round(took_s, 4)})
