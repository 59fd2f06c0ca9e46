"""A server and a browser for the tests of pages."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.serving import free_port, served

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

expect.set_options(timeout=60_000)  # solvers are slow where many tests run beside them

needs_browser = pytest.mark.skipif(
    not Path(CHROMIUM).exists() and "CI" not in os.environ,
    reason="there is no Chromium to drive here",
)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("served")
    port = free_port()
    with served(folder / "data", port):
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="module")  # while one is there, nothing else can run an event loop
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    opened = context.new_page()
    complaints: list[str] = []
    elsewhere: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on(
        "console",
        lambda expected: complaints.append(expected.text) if expected.type == "error" else None,
    )
    opened.on(
        "request",
        lambda asked: (
            None if asked.url.startswith((server, "blob:")) else elsewhere.append(asked.url)
        ),
    )
    opened.goto(server)
    expect(opened.locator("#fan li")).to_have_count(7)  # the example, which is drawn at last
    yield opened
    context.close()
    assert not [
        expected for expected in complaints if "status of 422" not in expected
    ]  # a bad question
    assert not elsewhere  # nothing is loaded from anywhere else


def keep(page: Page, name: str) -> None:
    """A screenshot at both widths, if they are wanted."""
    if SCREENS is None:
        return
    for width, height in ((1440, 1000), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        page.screenshot(path=f"{SCREENS}/{name}-{width}.png", full_page=True)
    page.set_viewport_size({"width": 1440, "height": 1000})


def put(page: Page, *names: str) -> None:
    """Click cards on the board."""
    for name in names:
        page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}, \d there")).click()


def solve(page: Page) -> None:
    page.get_by_role("button", name="Solve").click()
