"""A server and a browser for the tests of pages."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    FilePayload,
    Page,
    Request,
    Route,
    expect,
    sync_playwright,
)

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SCREENS = os.environ.get("UNO_CSP_SCREENS")
"""A folder for screenshots of the main views; none are kept without it."""

BUSY_MS = 200_000
"""Maximum time of a step where many tests run beside it."""

expect.set_options(timeout=BUSY_MS)

needs_browser = pytest.mark.skipif(
    not Path(CHROMIUM).exists() and "CI" not in os.environ,
    reason="there is no Chromium to drive here",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; while one is there, nothing else in this process can run an event loop."""
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET), timeout=BUSY_MS)
        yield found
        found.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="package")
def watched(browser: Browser, server: str) -> Iterator[tuple[Page, list[str]]]:
    """A page, and the errors of what runs in it with the requests to anywhere else."""
    context = browser.new_context(accept_downloads=True)
    context.set_default_timeout(BUSY_MS)
    opened, found = context.new_page(), list[str]()

    def note_error(said: ConsoleMessage) -> None:
        if said.type == "error" and "status of 422" not in said.text:  # a bad question
            found.append(said.text)

    def note_request(asked: Request) -> None:
        if not asked.url.startswith((server, "blob:")):
            found.append(asked.url)

    opened.on("pageerror", lambda error: found.append(str(error)))
    opened.on("console", note_error)
    opened.on("request", note_request)
    yield opened, found
    context.close()


@pytest.fixture
def blank(watched: tuple[Page, list[str]], server: str) -> Iterator[Page]:
    """A page without a past, on which nothing of ours is open yet."""
    opened, found = watched
    opened.unroute_all(behavior="ignoreErrors")
    opened.context.clear_permissions()
    opened.set_viewport_size({"width": 1440, "height": 1000})
    opened.emulate_media(media="null", color_scheme="null", reduced_motion="reduce")
    opened.goto("about:blank")
    stored = {"origin": server.rstrip("/"), "storageTypes": "all"}
    opened.context.new_cdp_session(opened).send("Storage.clearDataForOrigin", stored)
    found.clear()
    yield opened
    assert not found


@pytest.fixture
def page(blank: Page, server: str) -> Page:
    """The page of hands."""
    blank.goto(server)
    expect(blank.locator("#fan li")).to_have_count(7)  # the example, which is drawn at last
    return blank


def on_a_phone(blank: Page, server: str) -> Page:
    """The page of hands as a phone shows it."""
    blank.set_viewport_size({"width": 390, "height": 844})
    blank.emulate_media(reduced_motion="reduce")
    blank.goto(server)
    expect(blank.locator("#fan li")).to_have_count(7)
    return blank


def hold_back(
    page: Page, pattern: str, first: Callable[[Request], bool] | None = None
) -> list[Route]:
    """Keep back what the page asks for, or the first of some requests; return what waits."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if first is None or (not held and first(route.request)):
            held.append(route)
        else:
            route.continue_()

    page.route(pattern, hold)
    return held


def let_go(page: Page, held: list[Route]) -> None:
    """Let the last request that is held back continue, once the page has made it."""
    while not held:
        page.wait_for_timeout(20)
    held[-1].continue_()


def put(page: Page, *names: str) -> None:
    """Click cards on the board."""
    for name in names:
        page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}, \d there")).click()


def solve(page: Page) -> None:
    page.get_by_role("button", name="Solve").click()


def open_text(page: Page, text: str, name: str = "q.json") -> None:
    """Open a file with this text on the page of hands."""
    file: FilePayload = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    page.get_by_label("Open question").set_input_files([file])
