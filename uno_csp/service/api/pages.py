"""Routes of the web page, which loads nothing from other hosts."""

import json
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import QueryParams
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from uno_csp.formats import parse
from uno_csp.odds.table import TABLE as ODDS
from uno_csp.service.api.links import asked_by
from uno_csp.service.api.previews import picture_of, tags, title_of

FOLDER = Path(__file__).parent.parent / "page"
TABLE_OF_RUNS = "sha256-ysh4Yg/Tef3EqCsf2rB/jm5F3k76u3kGDmwXUGQ1nI4="
"""Hash of the script inside experiment reports, the only one that is not a file."""

_FILES = (
    "page.css",
    "cards.css",
    "answer.css",
    "game.css",
    "graph.css",
    "puzzle.css",
    "trial.css",
    "icon.svg",
    "example.json",
)
_LEADS_TO = {
    "/openapi.json": "/api/v1/openapi.json",
    **dict.fromkeys(("/redoc", "/api", "/api/", "/api/v1", "/api/v1/"), "/docs"),
}
"""Redirects to the API documentation from paths where people look for it."""

_TITLE = "Can you get rid of all of it?"
_GAME_TITLE = "Can you beat the computer at UNO?"
_LINK = 'id="results-link"'
_POLICY = (
    f"default-src 'self'; script-src 'self' '{TABLE_OF_RUNS}'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class OwnPage:
    """Adds security headers, by which browsers load nothing from other hosts."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to every response."""

        async def send_with_policy(message: Message) -> None:
            """Send a message, with the headers if it starts the response."""
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    (b"content-security-policy", _POLICY.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                ]
            await send(message)

        await self._app(scope, receive, send_with_policy)


def add(app: FastAPI, results: Path | None) -> None:
    """Serve the page at ``/``, and a report of experiments, if there is one, at ``/results``."""
    app.add_middleware(OwnPage)
    if results is not None:
        app.mount("/results", StaticFiles(directory=results, html=True))
    app.mount("/js", StaticFiles(directory=FOLDER / "js"))
    app.mount("/swagger", StaticFiles(directory=str(files("fastapi_offline") / "static")))
    names = {
        "/graph": "graph.html",
        "/puzzle": "puzzle.html",
        "/docs": "docs.html",
    }
    names |= {f"/{name}": name for name in _FILES}
    for path, name in names.items():
        app.add_route(path, _sender(FOLDER / name), include_in_schema=False)
    for path, place in _LEADS_TO.items():
        app.add_route(path, _redirector(place), include_in_schema=False)
    app.add_route("/odds.json", _sender(ODDS), include_in_schema=False)
    app.add_route("/preview.png", _send_preview, include_in_schema=False)
    for path, name, title in (("/", "index.html", _TITLE), ("/game", "game.html", _GAME_TITLE)):
        page = _page(name, title, reported=results is not None)
        app.add_route(path, page, include_in_schema=False)


def _page(name: str, title: str, *, reported: bool) -> Callable[[Request], HTMLResponse]:
    """Return the route of a page that is described to other sites by the question of its link.

    Parameters
    ----------
    name
        File of the page.
    title
        Its title for other sites where the link holds no question.
    reported
        Whether there is a report of experiments to link to.
    """
    lines = (FOLDER / name).read_text().splitlines(True)
    page = "".join(line for line in lines if reported or _LINK not in line)

    def send_page(request: Request) -> HTMLResponse:
        """Send the page, with the title and the picture of the question that its link holds."""
        question = asked_by(request.query_params)
        picture = f"{request.base_url}preview.png"
        if question is not None:
            picture += f"?{request.url.query}"
        described = tags(title_of(question) if question else title, picture)
        return HTMLResponse(page.replace("</head>", f"{described}</head>", 1))

    return send_page


def _send_preview(request: Request) -> Response:
    """Send the picture of the question that a link holds, or of the example."""
    return Response(_preview(request.url.query), media_type="image/png")


@lru_cache(maxsize=64)
def _preview(query: str) -> bytes:
    example = json.loads((FOLDER / "example.json").read_text())["question"]
    return picture_of(asked_by(QueryParams(query)) or parse(example))


def _redirector(place: str) -> Callable[[Request], RedirectResponse]:
    def redirect(_request: Request) -> RedirectResponse:
        """Redirect to the place."""
        return RedirectResponse(place)

    return redirect


def _sender(path: Path) -> Callable[[Request], FileResponse]:
    def send_file(_request: Request) -> FileResponse:
        """Send the file."""
        return FileResponse(path)

    return send_file
