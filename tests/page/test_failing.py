"""Failures of the pages: storage, clipboard, token, files and links that cannot be had."""

import json
import re

import pytest
from playwright.sync_api import Browser, FilePayload, Page, Route, expect

from tests.support.browsing import needs_browser, put, solve
from tests.support.serving import packed

pytestmark = needs_browser

REFUSED = """
for (const area of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, area, {
    get() { throw new DOMException("insecure", "SecurityError"); },
  });
Object.defineProperty(navigator, "clipboard", { get: () => undefined });
"""
SIGNS = {
    "": "#fan li:nth-child(7)",
    "game": ".seat.mover",
    "puzzle": "#hand li",
    "graph": "#drawing svg",
    "docs": "#requests td",
}
"""An element of each page that shows once it works."""


def test_pages_work_without_storage_and_clipboard(browser: Browser, server: str) -> None:
    """As in a private window over plain http; a link to share is shown to be copied by hand."""
    context = browser.new_context()
    context.add_init_script(REFUSED)
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    for place, sign in SIGNS.items():
        page.goto(server + place)
        expect(page.locator(sign).first).to_be_visible()
        share = page.get_by_role("button", name="Share", exact=True)
        if share.count():
            share.click()
            expect(page.get_by_role("textbox", name="Copy this")).to_have_value(re.compile("^http"))
            page.keyboard.press("Escape")
    page.goto(server)
    put(page, "red 5", "red 7")
    solve(page)
    expect(page.locator(".verdict")).to_have_text("Yes: the whole hand can be discarded.")
    assert not errors
    context.close()


def test_pages_say_that_they_need_javascript(browser: Browser, server: str) -> None:
    """And nothing is wider than a small phone; an unknown address leads back."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 320, "height": 600})
    page = context.new_page()
    for place in SIGNS:
        page.goto(server + place)
        expect(page.locator(".noscript")).to_be_visible()
    page.goto(f"{server}puzzel/today")
    page.get_by_role("link", name="Back to the hands").click()
    expect(page).to_have_url(server)
    context.close()


def test_no_page_is_wider_than_its_window(blank: Page, server: str) -> None:
    def require_no_wider(place: str) -> None:
        for width in (320, 768):
            blank.set_viewport_size({"width": width, "height": 700})
            assert blank.evaluate("document.documentElement.scrollWidth") <= width, place

    for place, sign in SIGNS.items():
        blank.goto(server + place)
        expect(blank.locator(sign).first).to_be_visible()
        require_no_wider(place)
    long = {"question": "uno-1", "cards": [["x" * 200, 1], ["y" * 200, 1]]}
    blank.goto(f"{server}?q={packed(json.dumps(long))}")
    expect(blank.locator(".verdict")).to_contain_text("Yes")
    require_no_wider("long names")


SHIFTS = """
window.shifted = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) window.shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""


def test_pages_stand_still_while_they_load(browser: Browser, server: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.add_init_script(SHIFTS)
    page = context.new_page()
    for place, sign in SIGNS.items():
        page.goto(server + place)
        expect(page.locator(sign).first).to_be_visible()
        assert page.evaluate("window.shifted") < 0.05, place
    context.close()


def test_a_token_is_asked_once_in_a_field(browser: Browser, server: str) -> None:
    """And again where it is wrong, or none that a header can carry."""
    context = browser.new_context()

    def guard(route: Route) -> None:
        if route.request.headers.get("authorization") == "Bearer right":
            route.continue_()
        else:
            route.fulfill(status=401, body="{}")

    context.route("**/api/**", guard)
    page = context.new_page()
    page.goto(f"{server}game")
    for given, said in (
        ("\N{KEY}", "asks for a token"),
        ("wrong", "That was wrong."),
        ("right", "That was wrong."),
    ):
        expect(page.locator("dialog")).to_contain_text(said)
        page.locator("dialog input").fill(given)
        page.keyboard.press("Enter")
    expect(page.locator(".seat.mover")).to_be_visible()
    page.goto(f"{server}graph")
    expect(page.locator("#verdict")).to_contain_text("Yes")
    expect(page.locator("dialog")).to_have_count(0)
    context.close()


def test_a_job_that_the_server_forgot_is_asked_again(
    page: Page, server: str, watched: tuple[Page, list[str]]
) -> None:
    put(page, "red 5", "blue 7")
    solve(page)
    expect(page.locator("#jobs .result")).to_have_text("✗ no")
    job = page.evaluate("JSON.parse(localStorage['uno-csp-jobs'])[0].id")
    assert page.request.delete(f"{server}api/v1/jobs/{job}").ok
    page.goto(server)
    expect(page.locator("#hands")).to_contain_text("Hand: 2")
    expect(page.locator(".verdict")).to_have_text("No: the whole hand cannot be discarded.")
    assert all("status of 404" in said for said in watched[1])
    watched[1].clear()


@pytest.mark.parametrize(
    ("place", "said", "button", "text", "answer"),
    [
        ("", "#status", "#open", "R5\nR7\n", "Loaded"),
        ("graph", "#verdict", "#file", "a b\nb c\nc a\n", "Yes: there is"),
    ],
)
def test_files_are_looked_at_before_they_are_read(
    blank: Page, server: str, place: str, said: str, button: str, text: str, answer: str
) -> None:
    def open_files(*contents: bytes) -> None:
        files: list[FilePayload] = [
            {"name": f"{number}.txt", "mimeType": "", "buffer": content}
            for number, content in enumerate(contents)
        ]
        blank.locator(button).set_input_files(files)

    blank.goto(server + place)
    expect(blank.locator(SIGNS[place]).first).to_be_visible()
    open_files(b"a b", b"a b")
    expect(blank.locator(said)).to_contain_text("These are 2 files: open one at a time.")
    open_files(text.encode("utf-16"))
    expect(blank.locator(said)).to_contain_text(answer)
