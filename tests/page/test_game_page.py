"""The page of the real game in a real browser: deal, look ahead, play, err, be advised."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browsing import hold_back, let_go, needs_browser, open_text
from tests.support.game_tables import READY, card, deal, follow, has_cards, lay_out, unfold
from uno_csp import analyse
from uno_csp.formats import question_to_dict
from uno_csp.questions.open_game import dealt

pytestmark = needs_browser


@pytest.fixture
def page(blank: Page) -> Page:
    return blank


@pytest.fixture
def table(page: Page, server: str) -> Page:
    """The page with a small deal on it, which a link holds."""
    follow(page, server, question_to_dict(dealt((4, 4), 1)))
    has_cards(page, 4)
    return page


def test_a_deal_is_looked_through_and_stepped_through(table: Page) -> None:
    known = analyse(dealt((4, 4), 1))
    words = f"Player {known['winner']} can force a win."
    expect(table.locator("#verdict")).to_have_text(words)
    expect(table.locator("#moves tr")).to_have_count(len(known["moves"]))
    mine = ["wins" if move["leads_to"] == 1 else "loses" for move in known["moves"]]
    expect(table.locator("#moves td:last-child")).to_have_text(mine)
    turns = table.get_by_label("Best play from here").locator("li")
    expect(turns).to_have_count(len(known["plays"]))
    rows = table.eval_on_selector_all("#line li", "all => all.map(each => each.style.gridRowStart)")
    assert rows == [str(play["player"]) for play in known["plays"]]
    turns.last.get_by_role("button").click()
    expect(table.locator("#verdict")).to_have_text(f"Player {known['winner']} has won!")
    expect(table.locator("#history li")).to_have_count(len(known["plays"]))
    table.get_by_role("button", name="One turn back").click()
    expect(table.locator("#history [aria-current]")).to_have_count(1)
    table.get_by_role("button", name="To the start").click()
    expect(table.locator("#verdict")).to_have_text(words)
    table.get_by_role("button", name="One turn on").click()
    expect(table.locator("#history li").first.get_by_role("button")).to_have_attribute(
        "aria-current", "step"
    )


def test_a_wrong_card_is_told(table: Page) -> None:
    lay_out(table, "R5 R7\nB7", "R1")
    expect(table.get_by_role("button", name="red 5, wins", exact=True)).to_be_visible()
    card(table, "red 7")
    expect(table.locator("#remark")).to_have_text("Red 7 loses in 1 turn. Better: red 5.")
    table.get_by_role("button", name="One turn back").click()
    expect(table.locator("#remark")).to_have_text("")
    card(table, "red 5")
    expect(table.locator("#verdict")).to_have_text("Player 1 can force a win.")
    expect(table.locator("#remark")).to_have_text("")


def test_the_best_play_is_the_opponent(table: Page) -> None:
    lay_out(table, "R5 R7\nB7 B8", "R1", "G1 G2")
    table.get_by_label("Player 2", exact=True).select_option("computer")
    has_cards(table, 2)
    card(table, "red 5")
    expect(table.locator("#history li")).to_have_count(2)  # the other has drawn by itself
    card(table, "red 7")
    expect(table.locator("#verdict")).to_have_text("Player 1 has won!")


def test_a_wild_card_asks_for_its_colour(table: Page) -> None:
    lay_out(table, "W B3\nG7 B5", "R1", "Y1 Y2")
    has_cards(table, 2)
    card(table, "wild")
    choice = table.get_by_role("group", name="How to play it").get_by_role("button")
    expect(choice).to_have_count(5)
    expect(choice.first).to_be_focused()
    table.get_by_role("button", name="Not this card").click()
    expect(choice).to_have_count(0)
    expect(table.locator(".seat [data-code=W]")).to_be_focused()
    table.keyboard.press("Enter")
    choice.and_(table.get_by_title("wild, naming blue")).click()
    expect(table.locator(".pile")).to_have_attribute("aria-label", re.compile("force: blue"))
    expect(table.locator(".pile .colour")).to_have_text("●blue")


def test_turns_of_the_best_play_that_mattered_are_marked(table: Page) -> None:
    """After red 7 the other can answer; the last cards are played without a choice."""
    lay_out(table, "R5 R7\nB7", "R1", "Y1")
    has_cards(table, 2)
    table.get_by_role("button", name="What mattered").click()
    expect(table.locator("#remark")).to_have_text("Turn 1 mattered: other moves were worse.")
    marks = table.get_by_label("Best play from here").locator(".mark")
    expect(marks).to_have_count(1)
    expect(table.get_by_role("button", name="What mattered")).to_be_hidden()
    table.get_by_role("button", name=re.compile("^Turn 1, Player 1: red 5; the only")).click()
    expect(table.locator("#history li")).to_have_count(1)


def test_values_can_be_hidden(table: Page) -> None:
    unfold(table)
    table.get_by_label("show what each card leads to").uncheck()
    expect(table.locator("#verdict")).to_have_text("Player 1: your turn.")
    expect(table.locator(".worth")).to_have_count(0)
    expect(table.get_by_label("Best play from here").locator("li")).to_have_count(0)


def test_advice_has_a_bar_for_each_card(table: Page) -> None:
    lay_out(table, "R5 B2 W\nG1 G2 G3", "R1", "Y1 Y2 Y3 Y4 Y5 Y6")
    has_cards(table, 3)
    table.get_by_label("Deals").fill("600")
    table.get_by_role("button", name="Ask").click()
    bars = table.locator("#advice .bar")
    expect(bars).to_have_count(5)  # red 5, and wild with four colours
    expect(table.locator("#advice-status")).to_contain_text("share of the deals")
    shares = table.locator("#advice .share").all_inner_texts()
    assert all(re.fullmatch(r"\d+ %", share) for share in shares)


def test_a_number_that_is_not_allowed_is_told(table: Page) -> None:
    table.get_by_label("Deals", exact=True).fill("199")
    table.get_by_role("button", name="Ask").click()
    expect(table.locator("#remark")).to_have_text(
        "Deals: a whole number from 200 to 100000 is needed."
    )
    unfold(table)
    table.get_by_label("Deal no.").fill("")
    table.get_by_role("button", name="Deal", exact=True).click()
    expect(table.locator("#remark")).to_have_text(
        "Deal no.: a whole number from 0 to 2147483647 is needed."
    )


def test_own_cards_come_back_after_a_deal(table: Page) -> None:
    lay_out(table, "R5 R7\nB7", "R1")
    has_cards(table, 2)
    deal(table, 5, 7)
    expect(table.locator("#remark")).to_contain_text("one step back")
    table.go_back()
    has_cards(table, 2)
    expect(table.locator("#own-hands")).to_have_value("R5 R7\nB7")


def test_arrow_keys_step_through_the_game(table: Page) -> None:
    lay_out(table, "R5 R7\nB7", "R1", "G1 G2")
    has_cards(table, 2)
    card(table, "red 5")
    expect(table.locator("#history [aria-current]")).to_have_count(1)
    table.keyboard.press("ArrowLeft")
    expect(table.locator("#history [aria-current]")).to_have_count(0)
    expect(table.locator("#history li")).to_have_count(1)
    table.keyboard.press("ArrowRight")
    expect(table.locator("#history [aria-current]")).to_have_count(1)
    table.keyboard.press("Home")
    expect(table.locator("#history [aria-current]")).to_have_count(0)
    unfold(table)
    table.get_by_label("Cards each").press("ArrowRight")  # a field keeps its own keys
    expect(table.locator("#history [aria-current]")).to_have_count(0)


def test_the_analysis_is_shown_as_it_deepens(table: Page) -> None:
    """Hands, pile and moves are there before anything is known of what they lead to."""

    def hold(route: Route) -> None:
        if json.loads(route.request.post_data or "{}")["most"] == 0:
            route.continue_()  # the others wait until nothing is held back any more

    table.route("**/api/v1/analyse", hold)
    lay_out(table, "R5 R7 B1 B2 W\nB7 B8 G1 G2 Y1", "R1", "G3 G4 Y5 Y6")
    expect(table.locator("#moves tr")).not_to_have_count(0)
    expect(table.locator("#moves td:last-child").first).to_have_text("not known")
    expect(table.locator("#verdict")).to_have_text("Looking ahead ...")
    table.unroute("**/api/v1/analyse")
    expect(table.locator("#verdict")).to_contain_text("can force a win")


def test_three_players_and_a_reload(table: Page) -> None:
    deal(table, cards=3, seed=4, players=3)
    expect(table.locator(".seat")).to_have_count(3)
    table.get_by_role("button", name="Play the best").click()
    expect(table.locator("#history li")).to_have_count(1)
    expect(table.locator("#verdict")).to_contain_text("win")
    words = table.locator("#verdict").inner_text()
    table.reload()
    expect(table.locator(".seat")).to_have_count(3)
    expect(table.locator("#history li")).to_have_count(1)
    expect(table.locator("#verdict")).to_have_text(words)


def test_bad_layouts_name_the_place(table: Page) -> None:
    for hands, after, said in (
        ("R5 R55\nB7", "R1", 'Player 1, card 2: "R55" is not allowed'),
        ("R5", "R1", "Hands: 1 player; 2 to 10 can play"),
        ("R5\nB7", "W", "Colour of a wild pile: missing"),
        ("R5\nB7", "", "Pile: "),
    ):
        lay_out(table, hands, after)
        expect(table.locator("#remark")).to_contain_text(said)


def test_a_link_to_a_deal_is_short(table: Page) -> None:
    """It has the number of the deal and the turns, and leads to the same position."""
    unfold(table)
    table.locator("#seed").fill("8")
    table.locator("#rules").select_option("classic")
    table.get_by_role("button", name="Deal", exact=True).click()
    expect(table).to_have_url(re.compile(r"/game\?deal=8&players=2&cards=4&rules=classic"))
    expect(table.locator("#best[aria-disabled=false]")).to_be_visible()
    table.locator("#best").click()
    expect(table.locator("#history li")).to_have_count(1)
    expect(table).to_have_url(re.compile("&play="))
    assert len(table.url) < 250
    shown = table.locator("#felt").inner_text()
    table.goto(table.url)
    expect(table.locator("#history li")).to_have_count(1)
    expect(table.locator("#seed")).to_have_value("8")
    expect(table.locator("#felt .seat.mover")).to_be_visible()
    assert table.locator("#felt .pile").inner_text() in shown


def test_a_damaged_link_says_so(page: Page, server: str) -> None:
    page.goto(f"{server}game#q=%%%")
    expect(page.locator("#remark")).to_have_text("The link is damaged: it holds no game.")
    page.goto(f"{server}game?deal=3&play=%%%")
    expect(page.locator("#remark")).to_have_text("The link is damaged: it holds no game.")
    expect(page.get_by_label("Deal no.")).to_be_visible()  # another game can be dealt
    asked = {"question": "open-game", "hands": [["R5"], ["B7"]], "after": "R1"}
    follow(page, server, {"game": asked, "plays": [{"player": 1, "lays": "B7"}], "drew": True})
    expect(page.locator("#remark")).to_contain_text("The turns in the link do not fit its game")
    expect(page.locator(".seat")).to_have_count(2)
    follow(page, server, {"game": asked, "plays": [{"lays": "R5"}]})
    expect(page.locator("#remark")).to_contain_text("a turn in it has no player")


def test_a_game_opened_on_the_page_of_hands_comes_to_the_table(page: Page, server: str) -> None:
    page.goto(server)
    text = '{"question": "open-game", "hands": [["R5"], ["B7"]], "after": "R1"}'
    open_text(page, text)
    expect(page).to_have_url(re.compile(r"/game[#?]q="))
    expect(page.locator("#verdict")).to_have_text("Player 1 can force a win.")


def test_the_game_that_was_asked_for_last_is_dealt(page: Page, server: str) -> None:
    """Even if the server sends another one later."""
    held = hold_back(page, "**/api/v1/generate", first=lambda _: True)
    with page.expect_request("**/api/v1/generate"):
        page.goto(f"{server}game")
    deal(page, 3, 5)
    with page.expect_response("**/api/v1/generate"):
        let_go(page, held)
    page.wait_for_timeout(300)  # nothing to wait for: nothing must happen
    has_cards(page, 3)


def test_cards_are_drawn_as_soon_as_they_are_dealt(table: Page) -> None:
    """Before the server has looked ahead, and with nothing of the analysis before."""
    expect(table.locator("#moves tbody tr")).not_to_have_count(0)
    hold_back(table, "**/api/v1/analyse")
    deal(table, 5, 7)
    expect(table.locator("[data-player='2'] .card")).to_have_count(5)
    expect(table.locator("#verdict")).to_have_text("Looking ahead ...")
    expect(table.locator("#moves tbody tr")).to_have_count(0)
    expect(table.locator("#line li")).to_have_count(0)
    expect(table.locator("#line-title")).to_be_empty()
    expect(table.locator(".seat " + READY)).to_have_count(0)
    table.unroute("**/api/v1/analyse")
    expect(table.locator("#moves tbody tr")).not_to_have_count(0)


def test_nothing_can_be_played_before_the_server_knows_the_turn(page: Page, server: str) -> None:
    """The table still shows the position before the turn; its cards are not for another turn."""
    asked = {"question": "open-game", "hands": [["R5", "R7", "R9"], ["R2", "B7"]], "after": "R1"}
    game = {"game": asked, "plays": [], "hidden": True, "computers": [False, True]}
    follow(page, server, game)
    expect(page.locator(".seat.mover " + READY)).to_have_count(3)
    hold_back(page, "**/api/v1/analyse")
    card(page, "red 7")
    expect(page.locator("#history li")).to_have_count(1)
    expect(page.locator("#felt button:not([aria-disabled], [hidden])")).to_have_count(0)
    for late in ("[data-code=R5]", "[data-code=R7]", "#draw", "#best"):
        page.locator(late).dispatch_event("click")
    expect(page.locator("#remark")).to_be_empty()
    expect(page.locator("#history li")).to_have_count(1)
    page.unroute("**/api/v1/analyse")
    expect(page.locator("#history li")).to_have_count(2)
    expect(page.locator("#felt button:not([aria-disabled], [hidden])")).not_to_have_count(0)
