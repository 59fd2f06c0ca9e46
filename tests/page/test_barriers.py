"""The pages by axe-core, which finds barriers to people who use a keyboard or a screen reader."""

from collections.abc import Callable
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.browsing import needs_browser

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
    expect(
        page.locator(".mover button.card:not([aria-disabled]), #draw:not([aria-disabled])").first
    ).to_be_visible()


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


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize("reach", PLACES)
def test_axe_finds_no_barrier(blank: Page, server: str, reach: Callable[[Page], None]) -> None:
    """On a screen and on a phone, of which one is dark."""
    blank.emulate_media(reduced_motion="reduce")
    blank.goto(server + PLACES[reach])
    reach(blank)
    turned = -1 if [*PLACES].index(reach) % 2 else 1
    for width, scheme in zip((1440, 390), SCHEMES[::turned], strict=True):
        blank.set_viewport_size({"width": width, "height": 900})
        blank.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(blank).response["violations"]
        assert not [(each["id"], node["html"]) for each in found for node in each["nodes"]]
