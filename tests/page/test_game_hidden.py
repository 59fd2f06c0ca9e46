"""The real game with hidden cards in a browser: played to its end, covered, reviewed."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import hold_back, let_go, needs_browser
from tests.support.game_tables import (
    PRINTED,
    READY,
    card,
    follow,
    has_cards,
    hidden,
    may_play,
    unfold,
)

pytestmark = needs_browser


@pytest.fixture
def page(blank: Page) -> Page:
    return blank


@pytest.mark.parametrize(
    "players", [pytest.param(2, marks=pytest.mark.slow), 3, pytest.param(4, marks=pytest.mark.slow)]
)
def test_cards_are_hidden_until_the_game_is_over(page: Page, server: str, players: int) -> None:
    """A whole game against computers; its review opens the cards, and the next deal hides them."""
    page.goto(f"{server}game?deal=2&players={players}&cards=3&rules=printed-2003")
    has_cards(page, 3)
    unfold(page)
    page.locator("#speed").select_option("fast")
    expect(page.locator(".card.back")).to_have_count(3 * (players - 1))
    expect(page.locator("[data-player='1'] .card.back, .upcoming .card")).to_have_count(0)
    expect(page.locator("#analysis, #layout").first).to_be_hidden()
    assert page.locator("#own-draw").input_value() + page.locator("#own-hands").input_value() == ""
    over = page.locator("#felt .verdict")
    choice = page.locator("#choice button").first
    mine = page.locator(f"#mine .mover {READY}, #draw:not([aria-disabled])").first
    for _ in range(200):
        expect(over.or_(mine).or_(choice).first).to_be_visible()
        if over.is_visible():
            break
        turn = page.locator("#history li").count()
        (choice if choice.is_visible() else mine).click()
        expect(
            over.or_(choice).or_(page.locator(f"#history li:nth-child({turn + 1})")).first
        ).to_be_visible()
    expect(over).to_have_text(re.compile(r"(has|have) won! Points left: You \d+, |All passed"))
    expect(page.locator("#mine .seat")).to_have_count(players)
    expect(page.locator("#scores")).to_have_text(re.compile(r"^After 1 deal: You \d+, Computer"))
    expect(page.get_by_role("button", name="Play again")).to_be_focused()
    page.get_by_role("button", name="Look at the game").click()
    expect(page.locator("#analysis")).to_be_visible()
    expect(page.locator(".card.back")).to_have_count(0)
    page.get_by_role("button", name="Leave the review").click()
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".card.back")).to_have_count(3 * (players - 1))
    expect(page.locator("#cards-shown")).to_have_value("hidden")


def test_moves_are_marked_after_the_game(page: Page, server: str) -> None:
    """Red 7 loses, as blue 7 fits on it; another card is a variation beside the game."""
    asked = {"question": "open-game", "hands": [["R5", "R7"], ["B7"]], "after": "R1"}
    hidden(page, server, asked)
    expect(page.locator("[data-player='2'] .card.back")).to_have_count(1)
    card(page, "red 7")
    expect(page.locator("#felt .verdict")).to_have_text(
        "Computer has won! Points left: You 5, Computer 0."
    )
    expect(page.locator("#events")).to_have_text("You play red 7. Computer plays blue 7.")
    page.get_by_role("button", name="Look at the game").click()
    expect(page.locator("#remark")).to_have_text("1 mistake in 1 choice.")
    first = page.locator("#history li").first.get_by_role("button")
    lost = "with open cards a win could be forced, and now the other player can"
    expect(first).to_have_accessible_name(f"Turn 1, You: red 7; Mistake: {lost}.")
    expect(first.locator(".mark.bad")).to_have_text("?")
    card(page, "red 5")
    expect(page.locator("#history li")).to_have_count(1)
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator("#history li")).to_have_count(2)
    page.get_by_role("button", name="Leave the review").click()
    expect(page.locator("#felt .verdict")).to_contain_text("Computer has won!")


def test_a_review_stops_with_the_marks_that_it_has(page: Page, server: str) -> None:
    """The last turn, in which there was no choice, is the first to be marked."""
    asked = {"question": "open-game", "hands": [["R5", "R6"], ["R7", "B7"]], "after": "R1"}
    laid = ((1, "R5"), (2, "R7"), (1, "R6"))
    plays = [{"player": player, "draws": 0, "lays": code} for player, code in laid]
    game = {"game": asked, "plays": plays, "hidden": True, "computers": [False, True]}
    follow(page, server, game)
    held = hold_back(page, "**/api/v1/review")
    with page.expect_request("**/api/v1/review"):
        page.get_by_role("button", name="Look at the game").click()
    page.get_by_role("button", name="Stop", exact=True).click()
    let_go(page, held)
    expect(page.locator("#remark")).to_have_text("You never had a choice.")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_hidden()
    assert len(held) == 1


def test_a_card_is_seen_only_once_it_is_drawn(page: Page, server: str) -> None:
    """Then it is played or kept, and a reload does not undo it. Other cards say why not."""
    hidden(page, server, PRINTED)
    may_play(page)
    page.locator("[data-code='B3']").click(force=True)
    expect(page.locator("#remark")).to_have_text("Blue 3 is neither red nor 1.")
    page.locator("[data-code='+4']").click(force=True)
    expect(page.locator("#remark")).to_have_text("Wild +4 only without a red card.")
    assert "red 9" not in page.content()
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator("#remark")).to_have_text("You drew red 9.")
    page.reload()
    expect(page.get_by_role("button", name="Play red 9")).to_be_visible()
    expect(page.locator("#choice > .card")).to_have_text("9")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator("#events")).to_contain_text("You draw a card. Computer ")
    may_play(page)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#history li")).to_have_count(0)


def test_hands_of_several_people_are_covered(page: Page, server: str) -> None:
    hidden(page, server, PRINTED, False, False)
    expect(page.locator(".card.back")).to_have_count(6)
    page.get_by_role("button", name="Player 1: show my hand").click()
    expect(page.locator(".card.back")).to_have_count(2)
    card(page, "red 5")
    show = page.get_by_role("button", name="Player 2: show my hand")
    expect(show).to_be_focused()
    expect(page.locator(".card.back")).to_have_count(5)
    show.click()
    expect(page.locator("#mine [data-code='R2']")).to_be_visible()


def test_all_can_play_together(page: Page, server: str) -> None:
    asked = {**PRINTED, "rules": "nobody-skips", "goal": "together"}
    follow(page, server, asked)
    expect(page.locator("#verdict")).to_have_text(re.compile("^All together can help player 1"))
    expect(page.locator("#goal-say")).to_contain_text("Everybody plays together")
    expect(page.locator("#moves td:last-child").first).to_have_text(re.compile(r"^out in \d+$"))
    card(page, "red 5")
    expect(page.locator("#history li")).to_have_count(1)


def test_a_worn_off_card_is_a_colour_alone(page: Page, server: str) -> None:
    asked = {**PRINTED, "hands": [["R2", "B7", "B8"], ["R5", "B3"]], "rules": "unocard"}
    hidden(page, server, {**asked, "after": "RS", "turned_up": True})
    expect(page.locator("#rules-say")).to_contain_text("+4 at any time")
    expect(page.locator("#rules")).to_have_value("unocard")
    said = "Red skip was turned up: you must play a skip or miss the turn."
    expect(page.locator("#events")).to_contain_text(said)
    page.get_by_role("button", name="Miss the turn").click()
    may_play(page)
    expect(page.locator("#events")).to_contain_text("You miss your turn. Computer ")


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ({"after": "R+2"}, "Red +2 was turned up: you drew 2 cards and missed the turn."),
        ({"after": "W", "colour": "red"}, "Wild was turned up: you named red."),
    ],
)
def test_what_the_first_card_did_is_told_until_the_first_choice(
    page: Page, server: str, first: dict[str, str], said: str
) -> None:
    hidden(page, server, {**PRINTED, **first, "rules": "classic", "turned_up": True})
    may_play(page)  # after the computer's turn, if the first one was missed
    expect(page.locator("#events")).to_have_text(re.compile(f"^{re.escape(said)}"))
    card(page, "red 5")
    expect(page.locator("#history li")).not_to_have_count(0)
    expect(page.locator("#events")).not_to_contain_text("turned up")


def test_shares_of_all_deals_are_called_exact(page: Page, server: str) -> None:
    hidden(page, server, {**PRINTED, "hands": [["R5", "R6"], ["B7", "R7"]], "draw": []})
    may_play(page)
    page.get_by_role("button", name="Ask").click()
    expect(page.locator("#advice-status")).to_contain_text("exact share of all possible deals")
    bars = page.locator("#advice .bar")
    for bar in bars.all():
        expect(bar).to_have_accessible_name(re.compile(r"\d %, exact$"))
    expect(bars).not_to_have_count(0)


def test_a_server_that_is_away_is_asked_again(
    page: Page, server: str, watched: tuple[Page, list[str]]
) -> None:
    hidden(page, server, PRINTED)
    may_play(page)
    page.route("**/api/**", lambda route: route.fulfill(status=502, body="Bad Gateway"))
    page.get_by_role("button", name="red 5").click()
    expect(page.locator("#away")).to_contain_text("trying again in")
    page.unroute("**/api/**")
    page.get_by_role("button", name="Try now").click()
    expect(page.locator("#events")).to_contain_text("You play red 5. Computer ")
    expect(page.locator("#away")).to_have_count(0)
    assert all("status of 502" in said for said in watched[1])
    watched[1].clear()
