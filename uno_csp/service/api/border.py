"""The border of the server: what each request meets before its route, and each answer after it."""

import ipaddress
import json
import logging
import re
import time
from base64 import b64encode
from collections.abc import Mapping
from email.utils import parsedate
from hashlib import sha256
from importlib.resources import files
from typing import Any
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from uno_csp.service.api.responses import BROKEN_OFF, MEDIA_TYPE, respond
from uno_csp.service.journal import Metrics
from uno_csp.service.problems import problem
from uno_csp.service.settings import Settings

MOST_HEADERS, MOST_RANGES = 100, 10
GUIDE, FOR_GOOD = "/guide", "/v/"  # paths of the documentation, and of files that never change
ELSEWHERE = "other"  # label for routes outside the API, and for unknown methods
_SAFE = ("GET", "HEAD", "OPTIONS")
_ONCE = ("authorization", "content-type", "idempotency-key")  # headers of which no second is read
_METHODS = frozenset({*_SAFE, "POST", "PUT", "PATCH", "DELETE"})
_QUIET = ("/health", "/ready", "/metrics")
_REQUEST = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_JOB = re.compile("[0-9a-f]{32}")
_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)+")
_RANGE = re.compile("([0-9]{1,18})-([0-9]{0,18})|-[0-9]{1,18}")
_GZIP = re.compile(r"(?:x-)?gzip\s*(?:;\s*q\s*=\s*(?!0(?:\.0*)?$)[0-9.]+)?", re.IGNORECASE)
_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^\[\]:]+))(?::[0-9]*)?")
"""A Host header: an IPv6 address in brackets, or a name or IPv4 address; and a port."""

_POLICY = (
    "default-src 'self'; script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'"
)
_TABLE_OF_RUNS = sha256(files("uno_csp").joinpath("experiments/reports/runs.js").read_bytes())
"""Hash of the script inside experiment reports, the only one that is not a file."""

_OWN_POLICY = _POLICY.format(
    scripts=f"'sha256-{b64encode(_TABLE_OF_RUNS.digest()).decode('ascii')}'"
)
_GUIDE_POLICY = _POLICY.format(scripts="'unsafe-inline'")
"""The pages of the documentation have scripts of their theme inside."""

_UNMET = problem(412, "what is here is not what If-Match or If-Unmodified-Since asks for")
_BEYOND = problem(416, "the range lies beyond the end of the file")
_INSTEAD = {304: b"", 412: json.dumps(_UNMET).encode(), 416: json.dumps(_BEYOND).encode()}
"""Details that replace the bodies of other answers, by their status."""

_log = logging.getLogger(__name__)


class Border:
    """Refuses requests by their heads, adds headers to answers, and logs and measures requests.

    HEAD is answered as GET, whose body the server leaves out; streams of events have none. Of
    ranges only those of bytes are passed on, at most :data:`MOST_RANGES`, and of the codings a
    client takes only gzip. Conditions on the ETag and the date of an answer come before ranges, and
    make it 304 or 412 (RFC 9110, 13).
    """

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app, self._settings, self._metrics = app, settings, metrics
        self._names = {name.lower() for name in settings.names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless it is refused; record its status and duration."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, method, path = time.monotonic(), 0, scope["method"], scope["path"]
        headers = Headers(scope=scope)
        named = headers.get("x-request-id", "")
        request = named if _REQUEST.fullmatch(named) else uuid4().hex
        refusal = self._refusal(method, headers)
        scope = self._seen(scope, headers)
        replaced: bytes | None = None

        async def send_on(message: Message) -> None:
            nonlocal status, replaced
            if message["type"] == "http.response.start":
                added = MutableHeaders(scope=message)
                status = message["status"]
                if method in _SAFE:  # what others change has no tags
                    status = message["status"] = _conditioned(status, headers, added)
                added.update({"x-request-id": request, **_added(scope, path)})
                if "content-encoding" in added and "etag" in added:
                    added["etag"] = f"W/{added['etag']}"  # its bytes are not those of the file
                replaced = _INSTEAD.get(status)
                if replaced is not None:
                    _describe(added, status, replaced)
            elif status in _INSTEAD:
                if replaced is None:
                    return
                message, replaced = {"type": message["type"], "body": replaced}, None
            await send(message)

        try:
            await (self._app if refusal is None else respond(refusal))(scope, receive, send_on)
        except Exception:
            status = status or 500
            raise
        finally:
            entry = {"method": method if method in _METHODS else ELSEWHERE, "request": request}
            self._record(scope, entry, status or BROKEN_OFF, time.monotonic() - began)

    def _refusal(self, method: str, headers: Headers) -> Mapping[str, Any] | None:
        """Return the problem with a request by its head; None if there is none.

        A server without a token is reached by every page in a browser on its machine. A page of
        another site may resolve its own host name to this address (DNS rebinding); a bare IP
        address, or ``localhost``, cannot be such a name.
        """
        if len(headers) > MOST_HEADERS:
            return problem(431, f"more than {MOST_HEADERS} lines of headers")
        if twice := [name for name in _ONCE if len(headers.getlist(name)) > 1]:
            return problem(400, f"the header {twice[0]} stands there more than once")
        if method not in _SAFE and {*map(str.strip, headers.getlist("if-match"))} - {"*"}:
            return _UNMET  # what requests change has no tags
        if self._settings.token is not None:
            return None
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_own_host(hosts[0].strip().lower()):
            said = "the Host header names no host that this server answers for"
            return problem(421, said)
        if method not in _SAFE and not self._is_own_origin(headers):
            return problem(403, "the Origin header names a page of another server")
        return None

    def _is_own_host(self, given: str) -> bool:
        host = _HOST.fullmatch(given)
        name = "" if host is None else host["address"] or host["name"]
        return name in self._names or _is_of_the_machine(name)

    def _is_own_origin(self, headers: Headers) -> bool:
        """Return True unless a browser says that a page of another host sends the request.

        An own page has the requested host, or a name given to the server with ``--name``, such as
        that of a proxy in front of it.
        """
        origin = headers.get("origin", "").strip().lower()
        name = origin.partition("://")[2]
        own = name.partition(":")[0]
        if headers.get("sec-fetch-site") == "cross-site":
            return False
        if not origin or name == headers["host"].strip().lower():
            return True
        return own in self._names and not _is_of_the_machine(own)

    def _seen(self, scope: Scope, headers: Headers) -> Scope:
        """Return a request as the routes see it."""
        scope = {**scope, "state": scope.get("state", {})}
        if scope["method"] == "HEAD" and not scope["path"].endswith("/events"):
            scope["method"] = "GET"
        prefix = headers.get("x-forwarded-prefix", "").rstrip("/")
        if self._settings.behind_proxy and _PATH.fullmatch(prefix):
            # As in ASGI: the path has the part that only the proxy sees, for links with a host.
            scope["root_path"], scope["path"] = prefix, prefix + scope["path"]
        # A date in If-Range could be that of compressed bytes, so the whole is sent.
        of_tag = headers.get("if-range", '"').startswith('"')
        ranged = of_tag and _names_ranges(headers.get("range", ""))
        ignored = set() if ranged else {b"range"}
        if ranged or not _takes_gzip(headers):  # a range is never one of compressed bytes
            ignored.add(b"accept-encoding")
        scope["headers"] = [each for each in scope["headers"] if each[0] not in ignored]
        return scope

    def _record(self, scope: Scope, entry: dict[str, Any], status: int, took_s: float) -> None:
        """Log and measure a request, by the template of its path only."""
        route, method = getattr(scope.get("route"), "path", ELSEWHERE), entry["method"]
        self._metrics.request_s.labels(method, route).observe(took_s)
        self._metrics.requests.labels(method, route, str(status)).inc()
        made = scope["state"].get("job") or str(scope.get("path_params", {}).get("name", ""))
        if _JOB.fullmatch(made):
            entry["job"] = made
        entry |= {"route": route, "status": status, "duration_s": round(took_s, 4)}
        _log.log(logging.DEBUG if route.endswith(_QUIET) else logging.INFO, "request", extra=entry)


def _added(scope: Scope, path: str) -> Mapping[str, str]:
    """Return the headers of an answer: how many requests are left, and what a browser may load."""
    return {
        **scope["state"].get("rate", {}),
        "content-security-policy": _GUIDE_POLICY if path.startswith(f"{GUIDE}/") else _OWN_POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        # The others are asked for again with their ETag each time: 304.
        "cache-control": "public, max-age=31536000, immutable"
        if path.startswith(FOR_GOOD)
        else "no-cache",
    }


def _describe(headers: MutableHeaders, status: int, body: bytes) -> None:
    """Set the headers of a body that is sent in place of another."""
    for name in ("content-encoding", "content-length", "content-type"):
        del headers[name]
    if status != 416:  # which says how long the file is
        del headers["content-range"]
    if body:
        headers.update({"content-type": MEDIA_TYPE, "content-length": str(len(body))})


def _conditioned(status: int, asked: Headers, answer: MutableHeaders) -> int:
    """Return the status of an answer under the conditions of its request (RFC 9110, 13.2)."""
    if status >= 400 and status != 416:
        return status
    here = {"*", answer.get("etag")}
    changed = parsedate(answer.get("last-modified", ""))

    def has_changed_since(header: str) -> bool | None:
        """Return None where either date is missing."""
        since = parsedate(asked.get(header, ""))
        return changed > since if changed and since else None

    if "if-match" in asked:
        if _tags(asked, "if-match").isdisjoint(here):
            return 412
    elif has_changed_since("if-unmodified-since"):
        return 412
    if status in (304, 416) or status < 300:
        if "if-none-match" in asked:
            known = {tag.removeprefix("W/") for tag in _tags(asked, "if-none-match")}
            is_known = "etag" in answer and not known.isdisjoint(here)
        else:
            is_known = has_changed_since("if-modified-since") is False
        return 304 if is_known else status
    return status


def _tags(asked: Headers, header: str) -> set[str]:
    """Return the tags that all lines of a header name."""
    return {each.strip() for each in ",".join(asked.getlist(header)).split(",")}


def _names_ranges(given: str) -> bool:
    """Return True if a Range header has a few ranges of bytes, none of which ends before it begins.

    Any other is ignored (RFC 9110, 14.2).
    """
    unit, _, listed = given.partition("=")
    found = [_RANGE.fullmatch(each.strip()) for each in listed.split(",")]
    return (
        unit == "bytes"
        and len(found) <= MOST_RANGES
        and all(each and (not each[2] or int(each[1]) <= int(each[2])) for each in found)
    )


def _takes_gzip(headers: Headers) -> bool:
    """Return True if a client takes answers compressed by gzip; the weight 0 says that not."""
    codings = ",".join(headers.getlist("accept-encoding")).split(",")
    return any(_GZIP.fullmatch(each.strip()) for each in codings)


def _is_of_the_machine(name: str) -> bool:
    """Return True for ``localhost`` and IP addresses, which other servers here share."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost"
    return True
