"""The daily puzzle in a real browser, played to the end."""

import re
from datetime import date

import pytest
from playwright.sync_api import Page, expect

import uno_csp
from tests.support.browsing import needs_browser
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


def play(page: Page, card: tuple[int | str, ...]) -> None:
    page.locator("#hand").get_by_role("button", name=named(card), exact=True).first.click()


def test_a_puzzle_is_played_to_the_end_and_kept(puzzle: Page) -> None:
    """A reload keeps row and time; the time stops at the end, and the day is marked."""
    *first, last = made().solution
    for card in first:
        play(puzzle, card)
    puzzle.reload()
    expect(puzzle.locator("#row li")).to_have_count(9)
    play(puzzle, last)
    expect(puzzle.locator("#said")).to_have_text(re.compile(r"^Solved: 9 cards in \d+:\d\d\.$"))
    expect(puzzle.locator("#score")).to_have_text(re.compile(r"^\d+:\d\d, 9 moves, 0 hints$"))
    puzzle.context.grant_permissions(["clipboard-read", "clipboard-write"])
    puzzle.get_by_role("button", name="Share the result").click()
    expect(puzzle.locator("#said")).to_have_text("Copied.")
    copied = puzzle.evaluate("navigator.clipboard.readText()")
    shared = (
        rf"uno-csp puzzle 2026-11-23, medium: 9 cards, no hints, \d+:\d\d\n{re.escape(puzzle.url)}"
    )
    assert re.fullmatch(shared, copied)
    puzzle.get_by_role("button", name="Start again").click()
    puzzle.reload()
    expect(puzzle.locator("#said")).to_have_text(re.compile("^Solved in"))
    expect(puzzle.locator("[data-level=medium].solved")).to_be_visible()


def test_hints_have_two_steps_and_lead_to_the_end_by_keyboard(puzzle: Page) -> None:
    hint = puzzle.get_by_role("button", name="Hint")
    for _ in range(9):
        hint.focus()
        puzzle.keyboard.press("Enter")
        expect(puzzle.locator("#said")).to_have_text(re.compile("^The next card is "))
        puzzle.keyboard.press("Enter")  # the button keeps the focus
        chosen = puzzle.locator("#hand .right")
        expect(chosen).to_have_count(1)
        chosen.focus()
        puzzle.keyboard.press("Enter")
    expect(puzzle.locator("#said")).to_have_text(re.compile("^Solved: "))
    expect(puzzle.locator("#score")).to_have_text(re.compile("9 moves, 9 hints$"))


def test_one_hint_says_how_much_of_a_dead_end_can_stay(puzzle: Page) -> None:
    hand, solution = made().question.cards, made().solution
    stay, wrong = next(
        (stay, card)
        for stay in range(1, 8)
        for card in hand
        if card not in solution[: stay + 1]
        and (card[0] == solution[stay - 1][0] or card[1] == solution[stay - 1][1])
    )
    for card in (*solution[:stay], wrong):
        play(puzzle, card)
    puzzle.get_by_role("button", name="Hint").click()
    said = puzzle.locator("#said")
    expect(said).to_have_text(re.compile(r"^Your first (\w+ cards|card) can stay: take the others"))
    puzzle.get_by_role("button", name="Hint").click()
    expect(said).to_have_text(re.compile(f"can stay. Take back {named(wrong)}: "))
    expect(puzzle.locator("#score")).to_have_text(re.compile("1 hint$"))


def test_todays_puzzle_is_open_and_days_to_come_are_closed(puzzle: Page, server: str) -> None:
    puzzle.goto(f"{server}puzzle")
    expect(puzzle.locator("#hand li")).to_have_count(9)
    expect(puzzle.locator("#puzzle-title")).to_contain_text(f"{date.today().day} ")
    puzzle.goto(f"{server}puzzle?date=2126-01-01")
    said = "The puzzle of 2126-01-01 opens on that day."
    expect(puzzle.locator("#said")).to_contain_text(said)
    expect(puzzle.locator("#days li")).to_have_count(14)


def test_a_card_that_does_not_match_stays_in_the_hand(puzzle: Page) -> None:
    hand = made().question
    last = hand.after
    assert last is not None
    other = next(card for card in hand.cards if card[0] != last[0] and card[1] != last[1])
    play(puzzle, other)
    said = f"No match: {named(other)} beside {named(last)}."
    expect(puzzle.locator("#said")).to_have_text(said)
    expect(puzzle.locator("#hand li")).to_have_count(9)
    for card in made().solution[:2]:
        play(puzzle, card)
    expect(puzzle.locator("#row li")).to_have_count(3)
    puzzle.keyboard.press("Backspace")
    expect(puzzle.locator("#row li")).to_have_count(2)
    puzzle.get_by_role("button", name="Start again").click()
    expect(puzzle.locator("#row li")).to_have_count(1)


def test_the_solution_is_shown_and_levels_are_steps_of_history(puzzle: Page) -> None:
    puzzle.get_by_role("button", name="Show me").click()
    expect(puzzle.locator("#row li")).to_have_count(10)
    expect(puzzle.get_by_role("button", name="Share the result")).to_be_hidden()
    puzzle.get_by_role("button", name="Easy").click()
    expect(puzzle.locator("#hand li")).to_have_count(7)
    expect(puzzle).to_have_url(re.compile(r"\?date=2026-11-23&level=easy$"))
    expect(puzzle.locator("#yesterday li")).to_have_count(8)
    link = puzzle.get_by_role("link", name="Play it")
    expect(link).to_have_attribute("href", "puzzle?date=2026-11-22&level=easy")
    puzzle.go_back()
    expect(puzzle.locator("#row li")).to_have_count(10)
