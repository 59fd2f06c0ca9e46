"""The page plays the strategy of a duel against who looks at it."""

import json
import random
import re

from playwright.sync_api import Page, expect

import uno_csp
from tests.support.browsing import needs_browser, open_text, solve
from uno_csp import parse
from uno_csp.questions.answers import Status
from uno_csp.questions.codes import DECK

pytestmark = needs_browser

DUEL = {
    "question": "uncooperative",
    "hands": [["R5", "B7", "Y1", "R2", "G2"], ["R1", "B5", "R7"]],
    "after": "B1",
    "convention": "empty-hand-wins",
}
LAST = {"question": "uncooperative", "convention": "last-mover"}


def opened(page: Page, asked: object, cards: int) -> None:
    """Open a duel, with a number of cards for player 2, and solve it."""
    open_text(page, json.dumps(asked))
    expect(page.locator("#hands")).to_contain_text(f"Player 2: {cards}")
    solve(page)


def test_where_positions_are_too_many_the_server_plays(page: Page) -> None:
    cards = random.Random(9).sample(DECK, 23)
    hands = [[list(card) for card in cards[:11]], [list(card) for card in cards[11:22]]]
    asked = {"question": "uncooperative", "hands": hands, "convention": "empty-hand-wins"}
    assert uno_csp.solve(parse(asked)).strategy is None
    opened(page, asked, 11)
    expect(page.locator("#answer")).to_contain_text("too many positions to list")
    page.get_by_role("button", name="Play player 1 against it").click()
    page.locator("#duel .mine button:enabled").first.click()
    expect(page.locator("#duel .hand-title").first).to_have_text("Player 2, the page: 10")
    expect(page.locator("#duel-status")).to_have_text(re.compile("choose a card|has won"))


def test_a_person_plays_until_somebody_has_lost(page: Page) -> None:
    opened(page, DUEL, 3)
    expect(page.locator(".verdict")).to_have_text(
        "Player 2 wins, where an empty hand wins and a player who cannot discard loses."
    )
    tree = page.locator(".tree").first
    expect(tree).to_contain_text("On 7 blue 7 answer 5 blue 5.")
    expect(tree).to_contain_text("red 1, which wins.")
    page.get_by_role("button", name="Play player 1 against it").click()
    status = page.locator("#duel-status")
    expect(status).to_have_text("Your turn: choose a card.")
    expect(page.get_by_role("button", name="play green 2")).to_be_disabled()
    page.get_by_role("button", name="play yellow 1").press("Enter")
    expect(page.locator("#duel .pile")).to_contain_text("red 1")
    expect(page.get_by_role("button", name="play red 5")).to_be_focused()
    page.get_by_role("button", name="play red 5").click()
    expect(page.locator("#duel .pile")).to_contain_text("blue 5")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#duel .pile")).to_contain_text("red 1")
    page.get_by_role("button", name="play red 2").click()
    expect(page.locator("#duel .pile")).to_contain_text("red 7")
    page.get_by_role("button", name="play blue 7").click()
    expect(status).to_have_text("Player 2 has won: an empty hand.")
    expect(page.locator("#duel-why")).to_have_text(
        "Player 2 could win from the start, so none of your moves lost it."
    )
    page.get_by_role("button", name="Play again").click()
    expect(status).to_have_text("Your turn: choose a card.")
    expect(page.locator("#duel .pile")).to_contain_text("blue 1")


def test_a_lost_duel_says_which_move_lost(page: Page) -> None:
    """With the sides swapped the person can win, errs, and is shown where."""
    asked = {**LAST, "hands": [["R5", "R6", "B7"], ["R1", "G5"]]}
    assert uno_csp.solve(parse(asked)).status is Status.SATISFIABLE
    opened(page, asked, 2)
    page.get_by_role("button", name="Play player 2 against it").click()
    page.get_by_role("button", name="Swap sides").click()
    expect(page.locator("#duel .hand-title").last).to_have_text("You: 3")
    page.get_by_role("button", name="play red 6").click()
    status = page.locator("#duel-status")
    expect(page.locator("#duel .pile")).to_contain_text("red 1")
    page.get_by_role("button", name="play red 5").click()
    expect(status).to_have_text("You have lost: no card that matches green 5.")
    expect(page.locator("#duel-why")).to_have_text(
        re.compile(r"^Turn 1 lost it: red 6\. Better: (blue 7|red 5)\.$")
    )
    page.get_by_role("button", name="Swap sides").click()
    expect(page.locator("#duel .hand-title").last).to_have_text("You: 2")
