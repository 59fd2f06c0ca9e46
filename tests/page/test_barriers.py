"""The pages in all their states: barriers that axe-core finds, and what does not fit.

Each state is looked at in light and dark, on a phone and on a screen.
"""

import json
import re
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.browsing import SCREENS, needs_browser, open_text, put, solve
from tests.support.game_tables import PRINTED, READY, card, hidden_game, link_to, unfold

pytestmark = needs_browser

RULES = {
    "rules": {"label-content-name-mismatch": {"enabled": True}},
    "resultTypes": ["violations"],  # the others are only counted, which saves time
}
SIZES = ((390, 844), (1440, 1000))
SCREEN_SIZES = ((390, 844), (768, 1024), (1440, 900))
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WINS = {"question": "open-game", "hands": [["R5"], ["B7"]], "after": "R1"}
LACKING = {"question": "fill-in", "cards": ["R5", "G7"]}
HANDS = [["R5", "B7", "Y1"], ["R1", "B5", "R7"]]
DUEL = {"question": "uncooperative", "hands": HANDS, "after": "B1"}
DRAW = "#draw:not([aria-disabled])"
DEALT = link_to(hidden_game(PRINTED))
LONGEST = {"question": "longest", "cards": [[1, 2, 3]] * 2, "at_least": 2}
Step = Callable[[Page], object]


def button(name: str) -> Step:
    return lambda page: page.get_by_role("button", name=name, exact=True).first.click()


def click(selector: str) -> Step:
    return lambda page: page.locator(selector).first.click()


def fill(label: str, text: str) -> Step:
    return lambda page: page.get_by_label(label).fill(text)


def dealt(*names: str) -> Step:
    return lambda page: put(page, *names)


def opened(asked: object) -> Step:
    return lambda page: open_text(page, json.dumps(asked))


def answers(status: int) -> Step:
    """Let the server answer every request with a status."""
    return lambda page: page.route("**/api/**", lambda route: route.fulfill(status=status, json={}))


def unfolded(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")


STATES: dict[str, tuple[str, tuple[Step, ...], str]] = {
    "first": ("", (), "#fan li:nth-child(7)"),
    "tried": ("first", (click("#fan button"),), "#row li"),
    "shown": ("first", (button("Show me"),), ".verdict"),
    "yes": ("first", (dealt("red 5", "red 7"), solve, click(".badge summary")), ".verdict.yes"),
    "no": ("first", (dealt("red 5", "green 7"), solve), ".verdict.no"),
    "unfolded": ("first", (opened(LONGEST), unfolded), "#extras li, #at-least"),
    "mistyped": ("first", (fill("Cards: hand", "R5 R55"), solve), ".typed-problem:not(:empty)"),
    "missing_cards": ("first", (opened(LACKING), solve), ".verdict:has-text('Add')"),
    "duel": ("first", (opened(DUEL), solve, click("#play-against")), "#duel-status"),
    "away": ("first", (answers(503), dealt("red 5"), solve), "#away"),
    "token": ("nowhere", (answers(401), click("text=Back to the hands")), "dialog"),
    "analysed": (link_to(PRINTED), (unfolded,), "#line li"),
    "covered": (link_to(hidden_game(PRINTED, False, False)), (), ".cover"),
    "playing": ("game?deal=3&players=4&cards=7&rules=printed-2003", (), f".mover {READY}, {DRAW}"),
    "choosing": (DEALT, (partial(card, name="wild"),), "#choice button:nth-child(5)"),
    "drawn": (DEALT, (click(DRAW),), "#choice button:nth-of-type(2)"),
    "won": (
        link_to(hidden_game(WINS)),
        (partial(card, name="red 5"),),
        "#felt .verdict:has-text('You have won!')",
    ),
    "reviewed": ("won", (button("Look at the game"),), "#remark:not(:empty)"),
    "advised": (link_to(PRINTED), (unfold, fill("Deals", "200"), button("Ask")), "#advice .bar"),
    "puzzle": ("puzzle?date=2026-11-23&level=medium", (), "#hand li:nth-child(9)"),
    "hinted": ("puzzle", (button("Hint"), button("Hint")), "#hand .right"),
    "solution": ("puzzle", (button("Show me"), click("details summary")), "#row li:nth-child(10)"),
    "closed": ("puzzle?date=2999-01-01", (), "#said:has-text('Choose another below.')"),
    "graph": ("graph", (click("details summary"),), "#verdict:has-text('Yes')"),
    "no_cycle": ("graph", (button("Petersen graph"),), "#certify"),
    "no_graph": (
        "graph",
        (fill("The graph as text", "a a"), button("Find")),
        "#verdict:has-text('loop')",
    ),
    "replied": ("docs", (button("Send"),), "#reply"),
    "nowhere": ("nowhere", (), "h2:has-text('Nothing is here')"),
}
"""For each state of a page the address or the state before, the steps, and what then shows."""

QUICK = ("shown", "playing", "puzzle", "graph")
LISTED = [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in STATES]


def reach(page: Page, server: str, state: str) -> None:
    before, steps, shows = STATES[state]
    if before in STATES and before != state:
        reach(page, server, before)
    else:
        page.goto(server + before)
    for step in steps:
        step(page)
    expect(page.locator(shows).first).to_be_visible()


@pytest.fixture
def forgiving(watched: tuple[Page, list[str]], blank: Page) -> Any:
    """A page on which the server may refuse."""
    yield blank
    watched[1][:] = [said for said in watched[1] if not re.search("status of (401|404|503)", said)]


@pytest.mark.parametrize("state", LISTED)
def test_axe_finds_no_barrier_and_nothing_is_cut_off(
    forgiving: Page, server: str, state: str
) -> None:
    page = forgiving
    reach(page, server, state)
    looks = [*product(SIZES, SCHEMES)]
    if state in QUICK:
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
        page.screenshot(path=f"{SCREENS}/{state}-{scheme}-{width}.png")
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
@pytest.mark.parametrize(
    "state", ["yes", "away", "analysed", "playing", "solution", "no_cycle", "replied"]
)
def test_no_control_is_under_a_fixed_bar_at_400_percent(
    forgiving: Page, server: str, state: str
) -> None:
    """A screen of 1280 by 1024 pixels then has 320 by 256; the keyboard goes through it."""
    page = forgiving
    reach(page, server, state)
    page.set_viewport_size({"width": 320, "height": 256})
    page.evaluate("window.scrollTo(0, 0)")
    for _ in range(80):
        page.keyboard.press("Tab")
        focused = page.evaluate(COVERED)
        assert focused is None or focused[1], focused
