"""Routes of the web pages, which load nothing from other hosts.

What a page loads is compressed, and has the version of all of it in its path, so that a browser
keeps it for good and never mixes two versions.
"""

import json
import os
import re
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from uno_csp.certificates.folders import export_verifier
from uno_csp.formats import parse
from uno_csp.odds.table import TABLE as ODDS
from uno_csp.service.api.guards import AddedHeaders
from uno_csp.service.api.responses import respond
from uno_csp.service.handlers.declaring import PREVIEW, do
from uno_csp.service.handlers.links import holds_question
from uno_csp.service.handlers.previewing import draw_link, title_link
from uno_csp.service.handlers.previews import picture_of, tags
from uno_csp.service.jobs.scheduler import Scheduler, result_of
from uno_csp.service.problems import Problem, problem
from uno_csp.service.settings import Settings

FOLDER = Path(__file__).parent.parent / "page"
TABLE_OF_RUNS = "sha256-YO8X3bvKfLUiTrBWzDcy0v2lyWB5gEWVYTtY3+aTXJI="
"""Hash of the script inside experiment reports, the only one that is not a file."""

_FOR_GOOD = "public, max-age=31536000, immutable"
_FILES = ("icon.svg", "example.json")
_LEADS_TO = {
    "/openapi.json": "/api/v1/openapi.json",
    **dict.fromkeys(("/redoc", "/api", "/api/", "/api/v1", "/api/v1/"), "/docs"),
}
"""Redirects to the API documentation from paths where people look for it."""

_PAGES = (
    ("/", "index.html", "Can you get rid of all of it?"),
    ("/game", "game.html", "Can you beat the computer at UNO?"),
    ("/puzzle", "puzzle.html", "Can you find the only way to play this hand?"),
    ("/graph", "graph.html", "Is there a path through all vertices?"),
    ("/docs", "docs.html", "Ask from a program of your own"),
)
"""Path, file, and title for other sites, of each page."""

_RESULTS, _GUIDE = "/results", "/guide"
_POLICY = (
    "default-src 'self'; script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'"
)
_OWN_POLICY = _POLICY.format(scripts=f"'{TABLE_OF_RUNS}'")
_GUIDE_POLICY = _POLICY.format(scripts="'unsafe-inline'")
"""The pages of the documentation have scripts of their theme inside."""


class Folder(StaticFiles):
    """Files of a folder, without those whose names begin with a dot."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Return the place of a file; no file for a hidden one."""
        if any(part.startswith(".") for part in Path(path).parts):
            return "", None
        return super().lookup_path(path)


class OwnPage(AddedHeaders):
    """Adds security headers, by which browsers load nothing from other hosts."""

    def headers(self, scope: Scope) -> Mapping[str, str]:
        """Return the headers, which let the pages of the guide run the scripts inside them."""
        guide = scope["type"] == "http" and scope["path"].startswith(f"{_GUIDE}/")
        return {
            "content-security-policy": _GUIDE_POLICY if guide else _OWN_POLICY,
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            # The others are asked for again with their ETag each time: 304.
            "cache-control": _FOR_GOOD if scope.get("path", "").startswith("/v/") else "no-cache",
        }


def add(app: FastAPI, settings: Settings) -> None:
    """Serve the pages, and the folders of the settings at ``/results`` and ``/guide``."""
    _example()  # drawn before anybody waits for it
    app.add_middleware(OwnPage)
    folders = {_RESULTS: settings.results, _GUIDE: settings.guide}
    for path, folder in folders.items():
        if folder is not None:
            app.mount(path, Folder(directory=folder, html=True))
    missing = [f'id="{path[1:]}-link"' for path, folder in folders.items() if folder is None]
    if settings.token is not None:
        missing.append('href="api/v1/questions"')  # what is loaded ahead of a token is refused
    app.mount(f"/v/{version()}", StaticFiles(directory=FOLDER))
    app.mount("/js", StaticFiles(directory=FOLDER / "js"))
    app.mount("/swagger", StaticFiles(directory=str(files("fastapi_offline") / "static")))
    for name in _FILES:
        app.add_route(f"/{name}", _sender(FOLDER / name), include_in_schema=False)
    for path, place in _LEADS_TO.items():
        app.add_route(path, _redirector(place), include_in_schema=False)
    app.add_route("/odds.json", _sender(ODDS), include_in_schema=False)
    app.add_route("/preview.png", _send_preview, include_in_schema=False)
    app.add_route("/uno-verify", _send_verifier, include_in_schema=False)
    for path, name, title in _PAGES:
        app.add_route(path, _page(name, title, missing), include_in_schema=False)
    app.add_exception_handler(404, _tell_missing)


@cache
def version() -> str:
    """Return a name for what the pages load, which changes with any of it."""
    loaded = sorted(path for path in FOLDER.rglob("*") if path.suffix in {".css", ".js"})
    return sha256(b"".join(path.read_bytes() for path in loaded)).hexdigest()[:12]


def _modules(entry: str) -> list[str]:
    """Return the names of the modules that one of them loads, itself first."""
    found = [entry]
    for name in found:
        text = (FOLDER / "js" / name).read_text(encoding="utf-8")
        found += [each for each in re.findall(r'from "\./(.+?)"', text) if each not in found]
    return found


def _html(name: str, missing: Sequence[str] = ()) -> str:
    """Return a page without the lines of missing links; its modules are loaded ahead."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines(True)
    page = "".join(line for line in lines if not any(link in line for link in missing))
    entries = re.findall(r'type="module" src="js/(.+?)"', page)
    ahead = "".join(
        f'<link rel="modulepreload" href="js/{module}">\n'
        for entry in entries
        for module in _modules(entry)
    )
    page = page.replace("</title>\n", f"</title>\n{ahead}", 1)
    return re.sub(r'(href|src)="(js/|\w+\.css)', rf'\1="v/{version()}/\2', page)


def _page(
    name: str, title: str, missing: Sequence[str]
) -> Callable[[Request], Awaitable[Response]]:
    """Return the route of a page that other sites show by its link's question, or by a title."""
    page = _html(name, missing)

    async def send_page(request: Request) -> Response:
        """Send the page, with the title and the picture of the question that its link holds."""
        of_link = await _of_link(request, title_link)
        picture = f"{request.base_url}preview.png"
        if of_link is not None:
            picture += f"?{request.url.query}"
        described = tags(of_link or title, picture)
        shown = page.replace("</head>", f"{described}</head>", 1)
        etag = {"ETag": f'"{sha256(shown.encode()).hexdigest()[:32]}"'}
        if request.headers.get("if-none-match") == etag["ETag"]:
            return Response(status_code=304, headers=etag)
        return HTMLResponse(shown, headers=etag)

    return send_page


async def _tell_missing(request: Request, error: Exception) -> Response:
    """Answer an unknown path: a person with a page that leads back, a program with a problem."""
    wants_page = "text/html" in request.headers.get("accept", "")
    if wants_page and not request.url.path.startswith("/api/"):
        base = request.scope.get("app_root_path", request.scope.get("root_path", ""))
        page = _html("missing.html").replace("<head>", f'<head>\n<base href="{escape(base)}/">', 1)
        return HTMLResponse(page, status_code=404)
    return respond(problem(404, str(getattr(error, "detail", error))))


@cache
def _verifier() -> bytes:
    """Return the verifier as one file that Python runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "uno-verify"
        export_verifier(path)
        return path.read_bytes()


def _send_verifier(_request: Request) -> Response:
    return Response(_verifier(), media_type="application/octet-stream")


async def _send_preview(request: Request) -> Response:
    """Send the picture of the question that a link holds, or of the example."""
    picture = await _of_link(request, draw_link) or _example()
    return Response(picture, media_type="image/png")


async def _of_link(request: Request, entry: Callable[..., Any]) -> Any:
    """Return what a task makes of the question in a link.

    None if there is none, it is damaged or too large, the client has made too many requests, or
    too many links wait: then the page has the title and picture of one without a question.
    """
    state = request.app.state
    if not holds_question(request.query_params) or not await state.guard.admits(request):
        return None
    scheduler: Scheduler = state.scheduler
    task = {"do": do(entry), "query": request.url.query}
    with suppress(Problem):
        return result_of(
            await scheduler.run(PREVIEW, lambda run: run(task), request.is_disconnected)
        )
    return None


@cache
def _example() -> bytes:
    """Return the picture of the example, for links without a question."""
    example = json.loads((FOLDER / "example.json").read_text(encoding="utf-8"))["question"]
    return picture_of(parse(example))


def _redirector(place: str) -> Callable[[Request], RedirectResponse]:
    def redirect(_request: Request) -> RedirectResponse:
        return RedirectResponse(place)

    return redirect


def _sender(path: Path) -> Callable[[Request], Response]:
    folder = StaticFiles(directory=path.parent)

    def send_file(request: Request) -> Response:
        return folder.file_response(path, path.stat(), request.scope)

    return send_file
