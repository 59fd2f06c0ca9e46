"""The hand on the table: tried by tapping, dragging and keys before it is solved."""

import re

from playwright.sync_api import Page, expect

from tests.support.browsing import needs_browser, on_a_phone, put, solve

pytestmark = needs_browser

SEQUENCE = ("red 5", "red 7", "blue 7", "blue skip", "green skip", "green +2", "wild")


def play(page: Page, *names: str) -> None:
    for name in names:
        page.locator("#fan").get_by_role("button", name=name, exact=True).click()


def test_a_hand_is_tried_to_the_end(page: Page) -> None:
    said = page.locator("#said")
    expect(said).to_have_text(re.compile("^Tap or drag cards into a row"))
    play(page, "red 5", "blue 7")
    expect(said).to_have_text("No match: blue 7 beside red 5.")
    expect(page.locator("#row li")).to_have_count(1)
    play(page, *SEQUENCE[1:3])
    expect(said).to_have_text("4 of 7 cards left.")
    play(page, *SEQUENCE[3:])
    expect(said).to_have_text("All 7 cards are gone. Well played!")
    expect(page.locator("#fan li")).to_have_count(0)
    page.locator("#row").get_by_role("button", name="blue 7, take back").click()
    expect(page.locator("#row li")).to_have_count(2)
    page.get_by_role("button", name="Take back", exact=True).click()
    expect(page.locator("#row li")).to_have_count(1)


def test_a_dead_end_says_so(page: Page) -> None:
    page.get_by_role("button", name="Type your own").click()
    expect(page.get_by_label("Cards: hand")).to_be_focused()
    expect(page.locator("#said")).to_have_text(re.compile("^No cards yet"))
    page.keyboard.type("R1 R2 B3")
    expect(page.locator("#fan li")).to_have_count(3)
    play(page, "red 2", "red 1")
    said = "Nothing in your hand matches red 1. Take it back, and try another way."
    expect(page.locator("#said")).to_have_text(said)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict")).to_have_text("No: the whole hand cannot be discarded.")
    expect(page.locator("#row li")).to_have_count(2)  # the trial stays


def test_an_answer_is_laid_on_the_table_and_tried_again(page: Page) -> None:
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#row li.card")).to_have_count(7)
    expect(page.locator("#fan li")).to_have_count(0)
    page.get_by_role("button", name="Try it yourself").click()
    expect(page.locator(".verdict")).to_have_count(0)
    expect(page.locator("#fan li")).to_have_count(7)
    expect(page.get_by_role("button", name="Show me")).to_be_visible()


def test_another_hand_is_dealt(page: Page) -> None:
    box = page.get_by_label("Cards: hand")
    hands = {box.input_value()}
    for _ in range(3):
        page.get_by_role("button", name="Deal another").click()
        expect(page.locator("#fan li")).to_have_count(7)
        hands.add(box.input_value())
    assert len(hands) == 4
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict")).to_have_text(re.compile("^(Yes|No): "))
    expect(page.locator(".luck")).to_contain_text("f hands of 7 cards")
    page.get_by_role("button", name="Deal another").click()
    expect(page.locator(".verdict")).to_have_count(0)
    put(page, "wild")
    expect(box).to_have_value("W")  # a hand of one's own begins anew


def test_cards_are_dragged_into_the_row(page: Page) -> None:
    row = page.locator("#row").bounding_box()
    assert row
    for name, count in (("red 5", 1), ("green +2", 1), ("red 7", 2)):
        card = page.locator("#fan").get_by_role("button", name=name, exact=True)
        box = card.bounding_box()
        assert box
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(row["x"] + row["width"] / 2, row["y"] + row["height"] / 2, steps=5)
        page.mouse.up()
        expect(page.locator("#row li")).to_have_count(count)
    expect(page.locator("#said")).to_have_text("5 of 7 cards left.")
    card = page.locator("#fan li button").first
    box = card.bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 40, steps=3)
    page.mouse.up()  # let go elsewhere
    expect(page.locator("#row li")).to_have_count(2)


def test_the_table_is_for_one_hand(page: Page) -> None:
    heading = page.locator("#answer-title")
    expect(heading).to_have_text("Can you get rid of all of it?")
    page.get_by_label("Ask").select_option("longest")
    expect(heading).to_have_text("How many can you get rid of?")
    page.get_by_label("Ask").select_option("cooperative")
    expect(heading).to_have_text("The answer")
    expect(page.locator("#table")).to_be_hidden()
    page.get_by_label("Ask").select_option("fill-in")
    page.get_by_label("Cards: hand").fill("R5 B7")
    solve(page)
    expect(page.locator("#row li.card")).to_have_count(3)
    expect(page.locator("#row li.added")).to_have_count(1)


def test_a_phone_has_a_tab_for_each_colour(blank: Page, server: str) -> None:
    page = on_a_phone(blank, server)
    expect(page.get_by_role("button", name="blue 7, 1 there")).to_be_hidden()
    page.locator("#tabs").get_by_role("button", name="blue").click()
    key = page.get_by_role("button", name="blue 7, 1 there")
    box = key.bounding_box()
    assert box and box["width"] > 44 and box["height"] > 44
    expect(page.get_by_role("button", name="red 5, 1 there")).to_be_hidden()
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict")).to_be_in_viewport()
    expect(page.locator(".luck")).to_be_in_viewport()
    expect(page.locator("#board .cell:visible")).to_have_count(54)  # for the walk
    walk = page.locator(".walk polyline").get_attribute("points") or ""
    left = page.locator("#board").bounding_box()
    assert left and all(0 < float(x) < left["width"] for x in re.findall(r"([\d.]+),", walk))
