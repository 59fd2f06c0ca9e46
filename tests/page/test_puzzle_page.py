"""The daily puzzle in a real browser, played to the end."""

import re
from datetime import date

import pytest
from playwright.sync_api import Page, expect

import uno_csp
from tests.support.browsing import keep, needs_browser
from uno_csp.puzzles import Puzzle

pytestmark = needs_browser


@pytest.fixture
def puzzle(blank: Page, server: str) -> Page:
    blank.goto(f"{server}puzzle?date=2026-11-23&level=medium")
    expect(blank.locator("#hand li")).to_have_count(9)
    return blank


def made(level: str = "medium", cards: int = 9) -> Puzzle:
    return uno_csp.puzzle(cards, level=level, seed=20261123)


def named(card: tuple[int | str, ...]) -> str:
    return " ".join(map(str, card))


def test_a_puzzle_is_played_to_the_end(puzzle: Page) -> None:
    keep(puzzle, "puzzle-dealt")
    for card in made().solution:
        puzzle.locator("#hand").get_by_role("button", name=named(card), exact=True).first.click()
    expect(puzzle.locator("#said")).to_have_text(re.compile(r"^Solved: 9 cards in \d+:\d\d\.$"))
    expect(puzzle.locator("#hand li")).to_have_count(0)
    puzzle.get_by_role("button", name="Copy the result").click()
    copied = r"^uno-csp puzzle 2026-11-23, medium: 9 cards, no hints, \d+:\d\d$"
    expect(puzzle.locator("#said")).to_have_text(re.compile(copied))
    keep(puzzle, "puzzle-solved")


def test_hints_lead_to_the_end_by_keyboard(puzzle: Page) -> None:
    for _ in range(9):
        puzzle.get_by_role("button", name="Hint").focus()
        puzzle.keyboard.press("Enter")
        chosen = puzzle.locator("#hand .right")
        expect(chosen).to_have_count(1)
        chosen.focus()
        puzzle.keyboard.press("Enter")
    expect(puzzle.locator("#said")).to_have_text(re.compile("^Solved: "))
    expect(puzzle.locator("#score")).to_have_text("9 moves, 9 hints")


def test_a_card_that_does_not_match_stays_in_the_hand(puzzle: Page) -> None:
    hand = made().question
    last = hand.after
    assert last is not None
    other = next(card for card in hand.cards if card[0] != last[0] and card[1] != last[1])
    puzzle.locator("#hand").get_by_role("button", name=named(other), exact=True).first.click()
    said = f"{named(other)} does not match {named(last)}."
    expect(puzzle.locator("#said")).to_have_text(said)
    expect(puzzle.locator("#hand li")).to_have_count(9)
    first, second = made().solution[:2]
    for card in (first, second):
        puzzle.locator("#hand").get_by_role("button", name=named(card), exact=True).first.click()
    expect(puzzle.locator("#row li")).to_have_count(3)
    puzzle.keyboard.press("Backspace")
    expect(puzzle.locator("#row li")).to_have_count(2)
    puzzle.get_by_role("button", name="Start again").click()
    expect(puzzle.locator("#row li")).to_have_count(1)


def test_the_solution_is_shown_and_levels_change_the_link(puzzle: Page) -> None:
    puzzle.get_by_role("button", name="Show me").click()
    expect(puzzle.locator("#row li")).to_have_count(10)
    expect(puzzle.get_by_role("button", name="Copy the result")).to_be_hidden()
    puzzle.get_by_role("button", name="Hard").click()
    expect(puzzle.locator("#hand li")).to_have_count(11)
    expect(puzzle).to_have_url(re.compile(r"\?date=2026-11-23&level=hard$"))
    expect(puzzle.locator("#yesterday li")).to_have_count(12)
    link = puzzle.get_by_role("link", name="Play yesterday's puzzle")
    expect(link).to_have_attribute("href", "puzzle?date=2026-11-22&level=hard")


def test_todays_puzzle_fits_the_screen(blank: Page, server: str) -> None:
    blank.goto(f"{server}puzzle")
    expect(blank.locator("#hand li")).to_have_count(9)
    expect(blank.locator("#puzzle-title")).to_contain_text(str(date.today())[:3])
    for width in (390, 1440):
        blank.set_viewport_size({"width": width, "height": 800})
        assert blank.evaluate("document.documentElement.scrollWidth") <= width
        keep(blank, f"puzzle-{width}")
