"""The pages by axe-core, which finds barriers to people who use a keyboard or a screen reader."""

from collections.abc import Callable
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import needs_browser
from tests.support.products import combined

pytestmark = needs_browser


def first(page: Page) -> None:
    expect(page.locator("#fan li")).to_have_count(7)


def answered(page: Page) -> None:
    first(page)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict")).to_be_visible()


def duel(page: Page) -> None:
    first(page)
    page.get_by_role("button", name="Against each other").click()
    page.locator("#play-against").click()
    expect(page.locator("#duel-status")).to_be_visible()


def table(page: Page) -> None:
    expect(page.locator(".seat")).to_have_count(2)
    expect(page.locator(".mover button.card:enabled, #draw:enabled").first).to_be_visible()


def puzzle(page: Page) -> None:
    expect(page.locator("#hand li")).to_have_count(9)


def graph(page: Page) -> None:
    expect(page.locator("#find")).to_be_visible()


PLACES: dict[Callable[[Page], None], str] = {
    first: "",
    answered: "",
    duel: "",
    table: "game",
    puzzle: "puzzle?date=2026-11-23&level=medium",
    graph: "graph",
}


@pytest.mark.parametrize(
    ("reach", "width", "scheme"), combined([*PLACES], [390, 1440], ["light", "dark"])
)
def test_axe_finds_no_barrier(
    browser: Browser,
    server: str,
    reach: Callable[[Page], None],
    width: int,
    scheme: Literal["light", "dark"],
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(server + PLACES[reach])
    reach(page)
    found = Axe().run(page).response["violations"]
    nodes = [(each["id"], node["html"], node["any"]) for each in found for node in each["nodes"]]
    assert not nodes
    context.close()
