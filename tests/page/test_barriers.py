"""The pages in all their states: barriers that axe-core finds, and what does not fit.

Each state is looked at in light and dark, on a phone and on a screen.
"""

import json
import re
from collections.abc import Callable
from itertools import product
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.browsing import SCREENS, needs_browser, open_text, put, solve
from tests.support.game_tables import PRINTED, READY, card, follow, hidden, unfold

pytestmark = needs_browser

RULES = {
    "rules": {"label-content-name-mismatch": {"enabled": True}},
    "resultTypes": ["violations"],  # the others are only counted, which saves time
}
SIZES = ((390, 844), (1440, 1000))
SCREEN_SIZES = ((390, 844), (768, 1024), (1440, 900))
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PUZZLE = "puzzle?date=2026-11-23&level=medium"
WINS = {"question": "open-game", "hands": [["R5"], ["B7"]], "after": "R1"}
DUEL = {
    "question": "uncooperative",
    "hands": [["R5", "B7", "Y1"], ["R1", "B5", "R7"]],
    "after": "B1",
}


def first(page: Page, server: str) -> None:
    page.goto(server)
    expect(page.locator("#fan li")).to_have_count(7)


def tried(page: Page, server: str) -> None:
    first(page, server)
    page.locator("#fan button").first.click()
    expect(page.locator("#row li")).to_have_count(1)


def shown(page: Page, server: str) -> None:
    first(page, server)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict")).to_be_visible()


def yes(page: Page, server: str) -> None:
    first(page, server)
    put(page, "red 5", "red 7", "blue 7")
    solve(page)
    expect(page.locator(".verdict.yes")).to_be_visible()
    page.locator(".badge summary").click()


def no(page: Page, server: str) -> None:
    first(page, server)
    put(page, "red 5", "green 7")
    solve(page)
    expect(page.locator(".verdict.no")).to_be_visible()


def unfolded(page: Page, server: str) -> None:
    first(page, server)
    open_text(page, json.dumps({"question": "longest", "cards": [[1, 2, 3]] * 2, "at_least": 2}))
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    expect(page.locator("#extras li, #at-least").first).to_be_visible()


def mistyped(page: Page, server: str) -> None:
    first(page, server)
    page.get_by_label("Cards: hand").fill("R5 R55")
    solve(page)
    expect(page.locator(".typed-problem").first).not_to_be_empty()


def missing_cards(page: Page, server: str) -> None:
    first(page, server)
    open_text(page, json.dumps({"question": "fill-in", "cards": ["R5", "G7"]}))
    solve(page)
    expect(page.locator(".verdict")).to_contain_text("Add")


def duel(page: Page, server: str) -> None:
    first(page, server)
    open_text(page, json.dumps(DUEL))
    solve(page)
    page.locator("#play-against").click()
    expect(page.locator("#duel-status")).to_be_visible()


def away(page: Page, server: str) -> None:
    first(page, server)
    page.route("**/api/**", lambda route: route.fulfill(status=503, body="{}"))
    put(page, "red 5")
    solve(page)
    expect(page.locator("#away")).to_be_visible()


def token(page: Page, server: str) -> None:
    page.route("**/api/**", lambda route: route.fulfill(status=401, body="{}"))
    page.goto(server)
    expect(page.get_by_role("dialog")).to_be_visible()


def analysed(page: Page, server: str) -> None:
    follow(page, server, PRINTED)
    expect(page.locator("#line li").first).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")


def covered(page: Page, server: str) -> None:
    hidden(page, server, PRINTED, False, False)
    expect(page.locator(".cover")).to_be_visible()


def playing(page: Page, server: str) -> None:
    page.goto(f"{server}game?deal=3&players=4&cards=7&rules=printed-2003")
    expect(page.locator(f".mover {READY}, #draw:not([aria-disabled])").first).to_be_visible()


def choosing(page: Page, server: str) -> None:
    hidden(page, server, PRINTED)
    card(page, "wild")
    expect(page.locator("#choice button")).to_have_count(5)


def drawn(page: Page, server: str) -> None:
    hidden(page, server, PRINTED)
    page.locator("#draw:not([aria-disabled])").click()
    expect(page.locator("#choice button")).to_have_count(2)


def over(page: Page, server: str) -> None:
    hidden(page, server, WINS)
    card(page, "red 5")
    expect(page.locator("#felt .verdict")).to_contain_text("You have won!")


def reviewed(page: Page, server: str) -> None:
    over(page, server)
    page.get_by_role("button", name="Look at the game").click()
    expect(page.locator("#remark")).not_to_be_empty()


def advised(page: Page, server: str) -> None:
    follow(page, server, PRINTED)
    unfold(page)
    page.get_by_label("Deals").fill("200")
    page.get_by_role("button", name="Ask").click()
    expect(page.locator("#advice .bar").first).to_be_visible()


def puzzle(page: Page, server: str) -> None:
    page.goto(server + PUZZLE)
    expect(page.locator("#hand li")).to_have_count(9)


def hinted(page: Page, server: str) -> None:
    puzzle(page, server)
    for _ in range(2):
        page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hand .right")).to_have_count(1)


def solution(page: Page, server: str) -> None:
    puzzle(page, server)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#row li")).to_have_count(10)
    page.locator("details summary").click()


def closed(page: Page, server: str) -> None:
    page.goto(f"{server}puzzle?date=2999-01-01")
    expect(page.locator("#said")).to_contain_text("Choose another below.")


def graph(page: Page, server: str) -> None:
    page.goto(f"{server}graph")
    expect(page.locator("#verdict")).to_contain_text("Yes")
    page.locator("details summary").click()


def no_cycle(page: Page, server: str) -> None:
    graph(page, server)
    page.get_by_role("button", name="Petersen graph").click()
    expect(page.locator("#certify")).to_be_visible()


def no_graph(page: Page, server: str) -> None:
    graph(page, server)
    page.get_by_label("The graph as text").fill("a a")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator("#verdict")).to_contain_text("a loop")


def replied(page: Page, server: str) -> None:
    page.goto(f"{server}docs")
    page.get_by_role("button", name="Send").click()  # waits for the list of requests
    expect(page.locator("#reply")).to_be_visible()


def nowhere(page: Page, server: str) -> None:
    page.goto(f"{server}nowhere")
    expect(page.locator("h2")).to_have_text("Nothing is here")


Reach = Callable[[Page, str], None]
QUICK = (shown, playing, puzzle, graph)
SLOW = (
    *(first, tried, yes, no, unfolded, mistyped, missing_cards, duel, away, token),
    *(analysed, covered, choosing, drawn, over, reviewed, advised),
    *(hinted, solution, closed, no_cycle, no_graph, replied, nowhere),
)
STATES = [*QUICK, *(pytest.param(reach, marks=pytest.mark.slow) for reach in SLOW)]


@pytest.fixture
def forgiving(watched: tuple[Page, list[str]], blank: Page) -> Any:
    """A page on which the server may refuse."""
    yield blank
    watched[1][:] = [said for said in watched[1] if not re.search("status of (401|404|503)", said)]


@pytest.mark.parametrize("reach", STATES)
def test_axe_finds_no_barrier_and_nothing_is_cut_off(
    forgiving: Page, server: str, reach: Reach
) -> None:
    page = forgiving
    reach(page, server)
    looks = [*product(SIZES, SCHEMES)]
    if reach in QUICK:
        looks = looks[1:3]  # a dark phone and a light screen
    for (width, height), scheme in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page, options=RULES).response["violations"]
        assert not [(each["id"], node["html"]) for each in found for node in each["nodes"]]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    for (width, height), scheme in product(SCREEN_SIZES, SCHEMES) if SCREENS else ():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.screenshot(path=f"{SCREENS}/{reach.__name__}-{scheme}-{width}.png")
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


COVERED = """
() => {
  const each = document.activeElement;
  if (!each || each === document.body) return null;
  const { left, right, top, bottom } = each.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, Math.min((top + bottom) / 2, innerHeight - 1)];
  const above = document.elementFromPoint(x, y);
  const seen = !above || each.contains(above) || above.contains(each) || above.closest("label");
  return [each.outerHTML.slice(0, 100), Boolean(seen)];
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("reach", [yes, away, analysed, playing, solution, no_cycle, replied])
def test_no_control_is_under_a_fixed_bar_at_400_percent(
    forgiving: Page, server: str, reach: Reach
) -> None:
    """A screen of 1280 by 1024 pixels then has 320 by 256; the keyboard goes through it."""
    page = forgiving
    reach(page, server)
    page.set_viewport_size({"width": 320, "height": 256})
    page.evaluate("window.scrollTo(0, 0)")
    for _ in range(80):
        page.keyboard.press("Tab")
        focused = page.evaluate(COVERED)
        assert focused is None or focused[1], focused
