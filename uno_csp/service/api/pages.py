"""Routes of the web pages, which load nothing from other hosts.

The bundles that a page loads are compressed, and have the version of all of them in their path,
so that a browser keeps them for good and never mixes two versions.
"""

import json
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from uno_csp.certificates.folders import export_verifier
from uno_csp.formats import parse
from uno_csp.odds.table import TABLE as ODDS
from uno_csp.processes.scratch import scratch_folder
from uno_csp.service.api.border import GUIDE
from uno_csp.service.api.bundles import FOLDER, bundles, version
from uno_csp.service.api.responses import TaggedFile, respond
from uno_csp.service.handlers.declaring import PREVIEW, do
from uno_csp.service.handlers.links import (
    draw_link,
    holds_question,
    picture_of,
    tags,
    title_link,
)
from uno_csp.service.jobs.scheduler import Scheduler, result_of
from uno_csp.service.problems import Problem, problem
from uno_csp.service.settings import Settings

_FILES = {
    "/icon.svg": FOLDER / "icon.svg",
    "/example.json": FOLDER / "example.json",
    "/odds.json": ODDS,
}
_LEADS_TO = {
    "/openapi.json": "api/v1/openapi.json",
    **dict.fromkeys(("/redoc", "/api", "/api/", "/api/v1", "/api/v1/"), "docs"),
}
"""Redirects to the API documentation from paths where people look for it."""

_PAGES = {
    "index": ("./", "Hands", "Can you get rid of all of it?"),
    "game": ("game", "The real game", "Can you beat the computer at UNO?"),
    "puzzle": ("puzzle", "Puzzle", "Can you find the only way to play this hand?"),
    "graph": ("graph", "Graphs", "Is there a path through all vertices?"),
    "docs": ("docs", "API", "Ask from a program of your own"),
}
"""Address, name, and title for other sites, of each page."""


class Folder(StaticFiles):
    """Files of a folder, without those whose names begin with a dot."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Return the place of a file; no file for a hidden one."""
        if any(part.startswith(".") for part in Path(path).parts):
            return "", None
        return super().lookup_path(path)

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, *_: Any, **__: Any
    ) -> Response:
        """Return a file; the border looks at the conditions of its request."""
        return TaggedFile(full_path, stat_result=stat_result)


def add(app: FastAPI, settings: Settings) -> None:
    """Serve the pages, and the folders of the settings at ``/results`` and ``/guide``."""
    _example()  # drawn before anybody waits for it
    folders = {"/results": settings.results, GUIDE: settings.guide}
    for path, folder in folders.items():
        if folder is not None:
            app.mount(path, Folder(directory=folder, html=True))
            send = partial(_redirect, place=f"{path[1:]}/")
            app.add_route(path, send, include_in_schema=False)
    for name, text in bundles().items():
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        send = partial(_sent, content=text.encode(), kind=kind)
        app.add_route(f"/v/{version()}/{name}", send, include_in_schema=False)
    for name, file in _FILES.items():
        app.add_route(name, partial(_send_file, path=file), include_in_schema=False)
    for path, place in _LEADS_TO.items():
        # Relative: a proxy may show the pages below a path.
        send = partial(_redirect, place="../" * (path.count("/") - 1) + place)
        app.add_route(path, send, include_in_schema=False)
    app.add_route("/preview.png", _send_preview, include_in_schema=False)
    app.add_route("/uno-verify", _send_verifier, include_in_schema=False)
    for page, (place, _, title) in _PAGES.items():
        text = _html(page, settings)
        path = "/" + place.removeprefix("./")
        app.add_route(path, _page_sender(text, title), include_in_schema=False)
    app.add_exception_handler(404, partial(_tell_missing, settings))


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )


def _html(page: str, settings: Settings, base: str = "") -> str:
    """Return the text of a page."""
    links = [(name, place, title) for name, (place, title, _) in _PAGES.items()]
    if settings.guide is not None:
        links.insert(-1, ("guide", "guide/", "Guide"))
    if settings.results is not None:
        links.append(("results", "results/", "Experiments"))
    return (
        _templates()
        .get_template(f"{page}.html")
        .render(
            page=page,
            version=version(),
            base=base,
            links=links,
            guide=settings.guide is not None,
            open=settings.token is None,  # what is loaded ahead of a token is refused
        )
    )


def _page_sender(page: str, title: str) -> Callable[[Request], Awaitable[Response]]:
    """Return the route of a page that other sites show by its link's question, or by a title."""

    async def send_page(request: Request) -> Response:
        """Send the page, with the title and the picture of the question that its link holds."""
        of_link = await _of_link(request, title_link)
        picture = f"{request.base_url}preview.png"
        if of_link is not None:
            picture += f"?{request.url.query}"
        described = tags(of_link or title, picture)
        shown = page.replace("</head>", f"{described}</head>", 1)
        return _sent(request, shown.encode(), "text/html")

    return send_page


def _sent(_request: Request, content: bytes, kind: str) -> Response:
    tag = sha256(content).hexdigest()[:32]
    return Response(content, headers={"ETag": f'"{tag}"'}, media_type=kind)


async def _tell_missing(settings: Settings, request: Request, error: Exception) -> Response:
    """Answer an unknown path: a person with a page that leads back, a program with a problem."""
    base = request.scope.get("app_root_path", request.scope.get("root_path", ""))
    wants_page = "text/html" in request.headers.get("accept", "")
    if wants_page and not request.scope["path"].startswith(f"{base}/api/"):
        return HTMLResponse(_html("missing", settings, f"{base}/"), status_code=404)
    return respond(problem(404, str(getattr(error, "detail", error))))


@cache
def _verifier() -> bytes:
    """Return the verifier as one file that Python runs."""
    with scratch_folder() as folder:
        path = folder / "uno-verify"
        export_verifier(path)
        return path.read_bytes()


def _send_verifier(request: Request) -> Response:
    return _sent(request, _verifier(), "application/octet-stream")


async def _send_preview(request: Request) -> Response:
    """Send the picture of the question that a link holds, or of the example."""
    picture = await _of_link(request, draw_link) or _example()
    return _sent(request, picture, "image/png")


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


def _redirect(request: Request, place: str) -> Response:
    return RedirectResponse(f"{place}?{request.url.query}" if request.url.query else place)


def _send_file(_request: Request, path: Path) -> Response:
    return TaggedFile(path)
